//! The MCP server: one handler behind every door. The only place that names rmcp; knows no socket and no HTTP server.

mod handler;
mod http;
mod lines;

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::session::{Session, SessionId};
use crate::tools::Reply;

pub use handler::Handler;
pub use http::{HttpDoor, http_door};
pub use lines::serve_lines;

/// What an agent reads when it connects.
pub const INSTRUCTIONS: &str = include_str!("instructions.md");

/// What the MCP server needs of the daemon around it.
#[async_trait]
pub trait Host: Send + Sync + 'static {
    /// A door has an agent of this session; [`Host::leave`] follows once.
    fn arrive(&self, id: &SessionId);

    /// Opens a session, or finds it again.
    fn enter(&self, id: &SessionId, label: &str, stay: Stay) -> Session;

    /// A door lost its agent of this session; the session ends unless another door has one, or it returns soon.
    fn leave(&self, id: &SessionId);

    /// Carries out a call. Runs to its end even when the caller drops the future.
    async fn call(&self, call: Call) -> Reply;
}

/// How a session ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stay {
    /// When its door says that the agent left.
    UntilLeft,
    /// When it has not been used for long: its door never says so.
    WhileUsed,
}

/// One tool call.
pub struct Call {
    /// Who calls.
    pub session: Session,
    /// Id of the request, for the log.
    pub request: String,
    /// Tool.
    pub tool: String,
    /// Arguments.
    pub arguments: Value,
    /// The caller gave up.
    pub cancel: CancellationToken,
    /// Tells the caller that a long wait goes on.
    pub progress: Box<dyn Fn(String) + Send + Sync>,
}

/// A shared host.
pub type SharedHost = Arc<dyn Host>;

#[cfg(test)]
mod tests {
    #[test]
    fn the_instructions_are_short() {
        let length = super::INSTRUCTIONS.chars().count();
        assert!(length < 2000, "{length} characters");
    }
}
