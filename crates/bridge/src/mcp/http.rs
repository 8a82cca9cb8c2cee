//! MCP over HTTP: sessions for clients that initialize, single requests for the newest revision.

use std::sync::Arc;
use std::time::Duration;

use rmcp::transport::streamable_http_server::session::local::{LocalSessionManager, SessionConfig};
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio_util::sync::CancellationToken;

use super::SharedHost;
use super::handler::{Handler, Identity};
use crate::session::SessionId;
use crate::tools::Offer;

/// How long an HTTP session may be silent: its tabs are free afterwards.
const SILENCE: Duration = Duration::from_secs(30 * 60);

/// The HTTP door as a tower service.
pub type HttpDoor = StreamableHttpService<Handler, LocalSessionManager>;

/// Makes the door for one port.
#[must_use]
pub fn http_door(host: SharedHost, port: u16, limit: usize, shutdown: CancellationToken) -> HttpDoor {
    let mut sessions = LocalSessionManager::default();
    let mut session_config = SessionConfig::default();
    session_config.keep_alive = Some(SILENCE);
    sessions.session_config = session_config;
    let config = StreamableHttpServerConfig::default()
        .with_allowed_hosts([format!("127.0.0.1:{port}"), format!("localhost:{port}")])
        .with_allowed_origins(Vec::<String>::new())
        .enforce_origin_validation()
        .with_max_request_body_bytes(limit)
        .with_cancellation_token(shutdown);
    let make = move || {
        let id = SessionId(format!("http:{}", uuid::Uuid::new_v4()));
        Ok(Handler::new(Arc::clone(&host), Identity::Http { id }, Offer::All, CancellationToken::new()))
    };
    StreamableHttpService::new(make, Arc::new(sessions), config)
}
