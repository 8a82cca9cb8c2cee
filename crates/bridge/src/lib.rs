//! The product: MCP server, daemon and relay that let agents drive the user's own Chrome, and never say "done" without evidence.
//!
//! Direction: `mcp, daemon → tools → session → browser (trait) → protocol`; `judge`, `render`, `redact` are pure.

pub mod browser;
pub mod daemon;
pub mod error;
pub mod judge;
pub mod mcp;
pub mod readable;
pub mod redact;
pub mod relay;
pub mod render;
mod rpc;
pub mod session;
pub mod tools;
