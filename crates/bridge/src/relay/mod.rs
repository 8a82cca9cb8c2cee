//! The relay (`tegata mcp`): lines of stdio on one side, the daemon's socket on the other, and a memory of what is open.
//!
//! Speaks no MCP library: it reads just enough of a message to answer for a daemon that was lost.

mod door;
mod message;
mod run;
mod start;
mod table;

pub use door::{Caller, DoorError, Socket, ask, close_reason, connect, next_text, relay_door, send_text};
pub use run::run;
pub use start::{StartError, enter, find_or_start, program, replace_older};
