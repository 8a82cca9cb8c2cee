//! Frames of the link and its handshake.
//!
//! Handshake (design §5): `hello` (extension, with a nonce) → `challenge` (daemon, with its nonce and its proof) → `proof`
//! (extension) → `welcome`, or `refused` at any step. Proofs are hex HMAC-SHA256, keyed with the shared key, over
//! `"tegata/1/" + side + "/" + extension nonce + "/" + daemon nonce`, side being `daemon` or `extension`. The key is the pairing's
//! secret, or, when pairing, the one-time code's 32 bytes; then both sides keep as secret the HMAC under that code of
//! `"tegata/1/secret/" + extension nonce + "/" + daemon nonce`. Keys are the raw bytes of their hex form. The daemon proves itself first.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::{Command, CommandError, Event, Switches};

/// First frame of the extension.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Hello {
    /// [`crate::PROTOCOL_VERSION`] of the extension.
    pub protocol: u32,
    /// Version from its manifest.
    pub version: String,
    /// Hash of the sources it was built from.
    pub build: String,
    /// Random id of this installation, kept in its storage.
    pub instance: String,
    /// Browser name and version.
    pub browser: String,
    /// Runs headless.
    pub headless: bool,
    /// 32 random bytes, hex.
    pub nonce: String,
    /// Which key proves it.
    pub key: Key,
}

/// Which key a handshake uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Key {
    /// The secret both keep since pairing.
    Secret,
    /// A one-time pairing code.
    Code,
}

/// Answer of the daemon.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Challenge {
    /// Version of the daemon.
    pub version: String,
    /// Random id of this daemon's state dir.
    pub instance: String,
    /// 32 random bytes, hex.
    pub nonce: String,
    /// The daemon's proof, hex.
    pub proof: String,
}

/// Why the daemon closes the link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Refused {
    /// Word for programs.
    pub why: RefusedWhy,
    /// Sentence for the popup, with the way out.
    pub message: String,
}

/// Words of [`Refused`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum RefusedWhy {
    /// The extension's protocol is older or newer: it must be reloaded, or the daemon updated.
    Protocol,
    /// Unknown installation: pair it.
    Unpaired,
    /// The one-time code is wrong, used or too old.
    Code,
    /// The proof is wrong.
    Proof,
    /// Another live extension has the place.
    Taken,
    /// The frame was not understood.
    Malformed,
}

/// Every frame of the link, both ways.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Frame {
    /// Extension → daemon, first.
    Hello {
        /// Who it is.
        hello: Hello,
    },
    /// Daemon → extension.
    Challenge {
        /// The daemon's side.
        challenge: Challenge,
    },
    /// Extension → daemon.
    Proof {
        /// Its proof, hex.
        proof: String,
        /// The user's switches now.
        switches: Switches,
        /// Random word of this life of the worker.
        generation: String,
    },
    /// Daemon → extension: the link is open.
    Welcome,
    /// Daemon → extension: the link closes.
    Refused {
        /// Why.
        refused: Refused,
    },
    /// Daemon → extension: do this.
    Request {
        /// Unique among the open requests of its sender.
        id: u32,
        /// What to do.
        command: Command,
    },
    /// Answer to a request. Exactly one of `result` and `error` is there.
    Reply {
        /// The request's id.
        id: u32,
        /// Result of the command, unparsed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional, type = "unknown"))]
        result: Option<Box<RawValue>>,
        /// Error of the command.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        error: Option<CommandError>,
    },
    /// The sender gave up on its request; the answer still comes, saying what was done.
    Cancel {
        /// The request's id.
        id: u32,
    },
    /// The request is still being worked on.
    Progress {
        /// The request's id.
        id: u32,
        /// In words.
        note: String,
    },
    /// Extension → daemon: this happened.
    Event {
        /// What.
        event: Event,
    },
    /// Are you there?
    Ping,
    /// Yes.
    Pong,
}
