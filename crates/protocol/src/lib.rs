//! What travels between the daemon and the extension: data only, no I/O, no async.
//!
//! Rust is the source; `cargo xtask codegen` writes the TypeScript twin to
//! `extension/src/generated/protocol.ts`, and a test fails when that file is stale.
//! Wire form: camelCase, `noun/verb` methods, tagged enums; no `flatten`, no `untagged`.

mod command;
mod error;
mod event;
mod evidence;
#[cfg(feature = "codegen")]
pub mod export;
mod form;
mod frame;
mod human;
mod input;
mod money;
mod page;
mod read;
mod report;
mod target;
mod transcript;
mod tree;

pub use command::*;
pub use error::*;
pub use event::*;
pub use evidence::*;
pub use form::*;
pub use frame::*;
pub use human::*;
pub use input::*;
pub use money::*;
pub use page::*;
pub use read::*;
pub use report::*;
pub use target::*;
pub use transcript::*;
pub use tree::*;

/// Version of the link's language. Both sides must match exactly: they ship together.
pub const PROTOCOL_VERSION: u32 = 1;

/// Largest frame either side accepts on the link, in bytes.
pub const MAX_FRAME_BYTES: usize = 32 * 1024 * 1024;

/// Id that the manifest's pinned `key` gives the extension in every Chrome: the first 32 hex digits of the
/// key's SHA-256, written with the letters a to p. A test in `xtask` computes it from the manifest.
pub const EXTENSION_ID: &str = "filfljhmjednillpjehdbjdejhcmbgac";
