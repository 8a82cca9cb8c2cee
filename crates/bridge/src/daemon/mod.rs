//! The daemon: one process an instance, with the doors, the link to the extension, and what both leave on disk.

mod audit;
mod build;
mod clock;
mod connection;
mod control;
mod doors;
mod handshake;
mod hide;
mod host;
mod link;
mod log;
mod pairing;
mod server;
mod sessions;
mod socket;
mod state;
mod transcript;

pub use audit::now;
pub use build::Build;
pub use clock::Clock;
pub use connection::Connection;
pub use control::{Answer, Connected, Echoed, Question, Status};
pub use host::{Daemon, INTERRUPTED};
pub use link::Link;
pub use log::{Sink, start_log};
pub use pairing::{proof, proves, sign};
pub use server::{HOST_HEADER, OFFER_HEADER, RELAY_HEADER, ServeError, serve};
pub(crate) use state::private_log;
pub use state::{DOOR_VERSION, DaemonFile, Lock, STATE_DIR_VARIABLE, StateDir, StateError, from_hex, random_hex, to_hex};
pub use transcript::{Recorded, Remembered};
