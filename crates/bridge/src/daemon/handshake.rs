//! The first frames of the extension's socket: version, key, mutual proof. Until `welcome` nothing else is said or done.

use std::time::Duration;

use protocol::{Challenge, Frame, Hello, Key, PROTOCOL_VERSION, Refused, RefusedWhy, Switches};
use serde::Deserialize;

use super::pairing::{Pairings, proof, proves};
use super::state::random_hex;

/// How long the extension may take for each of its two frames.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// An extension that has proven itself.
#[derive(Debug)]
pub(super) struct Proven {
    /// Who it is.
    pub hello: Hello,
    /// The user's switches.
    pub switches: Switches,
    /// Life of the worker.
    pub generation: String,
    /// Key and the daemon's nonce, for pairing.
    key: Vec<u8>,
    nonce: String,
}

/// Both ends of the socket's text frames, as the handshake needs them.
pub(super) trait Talk {
    /// The next frame; `None` when the socket closed or nothing came in time.
    fn hear(&mut self) -> impl Future<Output = Option<Result<String, Refused>>> + Send;
    /// Sends a frame.
    fn say(&mut self, frame: &Frame) -> impl Future<Output = ()> + Send;
}

/// Goes through the handshake up to the extension's proof.
///
/// # Errors
/// The refusal to send, or `None` when the other end is gone.
pub(super) async fn greet(talk: &mut impl Talk, pairings: &Pairings) -> Result<Proven, Option<Refused>> {
    let text = talk.hear().await.ok_or(None)??;
    let hello = read_hello(&text)?;
    let key = pairings.key(&hello.instance, hello.key).map_err(refused)?;
    let nonce = random_hex().map_err(|error| Refused { why: RefusedWhy::Malformed, message: error.to_string() })?;
    let challenge = Challenge {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        instance: pairings.instance(),
        nonce: nonce.clone(),
        proof: proof(&key, "daemon", &hello.nonce, &nonce),
    };
    talk.say(&Frame::Challenge { challenge }).await;
    let text = talk.hear().await.ok_or(None)??;
    let Ok(Frame::Proof { proof: given, switches, generation }) = serde_json::from_str(&text) else {
        return Err(Some(refused(RefusedWhy::Malformed)));
    };
    if !proves(&key, "extension", &hello.nonce, &nonce, &given) {
        let why = if hello.key == Key::Code { RefusedWhy::Code } else { RefusedWhy::Proof };
        return Err(Some(refused(why)));
    }
    Ok(Proven { hello, switches, generation, key, nonce })
}

impl Proven {
    /// Spends the code, where one was used. Returns whether the extension was paired now.
    ///
    /// # Errors
    /// The refusal to send.
    pub(super) fn pair(&self, pairings: &Pairings) -> Result<bool, Refused> {
        if self.hello.key == Key::Secret {
            return Ok(false);
        }
        pairings.pair(&self.hello.instance, &self.key, &self.hello.nonce, &self.nonce).map_err(refused)?;
        Ok(true)
    }
}

fn read_hello(text: &str) -> Result<Hello, Refused> {
    /// The part that no version may change: it is how versions tell each other.
    #[derive(Deserialize)]
    struct Any {
        kind: String,
        hello: AnyHello,
    }
    #[derive(Deserialize)]
    struct AnyHello {
        protocol: u32,
    }
    let any: Any = serde_json::from_str(text).map_err(|_| refused(RefusedWhy::Malformed))?;
    if any.kind != "hello" {
        return Err(refused(RefusedWhy::Malformed));
    }
    if any.hello.protocol != PROTOCOL_VERSION {
        return Err(other_protocol(any.hello.protocol));
    }
    match serde_json::from_str(text) {
        Ok(Frame::Hello { hello }) if hello.nonce.len() == 64 && !hello.instance.is_empty() && hello.instance.len() <= 64 => Ok(hello),
        _ => Err(refused(RefusedWhy::Malformed)),
    }
}

fn other_protocol(theirs: u32) -> Refused {
    let message = if theirs < PROTOCOL_VERSION {
        format!(
            "The extension is older than Tegata on this machine (it speaks protocol {theirs}, {PROTOCOL_VERSION} is needed). \
             Reload it at chrome://extensions."
        )
    } else {
        format!(
            "The extension is newer than Tegata on this machine (it speaks protocol {theirs}, the daemon {PROTOCOL_VERSION}). \
             Update Tegata, run `tegata stop`, then reload the extension at chrome://extensions."
        )
    };
    Refused { why: RefusedWhy::Protocol, message }
}

/// A refusal with its sentence.
#[must_use]
pub(super) fn refused(why: RefusedWhy) -> Refused {
    let message = match why {
        RefusedWhy::Protocol => "The extension and Tegata on this machine are of different versions. Reload it at chrome://extensions.",
        RefusedWhy::Unpaired => {
            "This extension is not paired with Tegata on this machine. Run `tegata extension --pair` and open the address it prints."
        }
        RefusedWhy::Code => {
            "The pairing code is wrong, used or too old. Run `tegata extension --pair` again and open the address it prints."
        }
        RefusedWhy::Proof => "The extension could not prove its pairing. Run `tegata extension --pair` and open the address it prints.",
        RefusedWhy::Taken => {
            "Another Chrome is connected to Tegata on this machine. Close it, or give this one an instance of its own (TEGATA_STATE_DIR)."
        }
        RefusedWhy::Malformed => "The frame was not understood. Reload the extension at chrome://extensions.",
    };
    Refused { why, message: message.to_owned() }
}
