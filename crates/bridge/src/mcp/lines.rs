//! MCP over a pair of channels of text: what the relay's door hands over.

use std::sync::Arc;

use rmcp::service::{QuitReason, RoleServer, RxJsonRpcMessage, ServiceExt, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::SharedHost;
use super::handler::{Handler, Identity};
use crate::rpc;
use crate::session::SessionId;
use crate::tools::Offer;

/// Serves one agent until its lines end. A session that was opened ends with it, unless the same id returns in time.
pub async fn serve_lines(host: SharedHost, id: SessionId, offer: Offer, incoming: mpsc::Receiver<String>, outgoing: mpsc::Sender<String>) {
    let gone = CancellationToken::new();
    let handler = Handler::new(Arc::clone(&host), Identity::Relay { id }, offer, gone.clone());
    let lines = Lines { incoming, outgoing, gone };
    match handler.serve(lines).await {
        Ok(service) => {
            if let Ok(QuitReason::JoinError(error)) | Err(error) = service.waiting().await {
                tracing::error!(%error, "the MCP server of a relay broke");
            }
        }
        Err(error) => tracing::info!(reason = %short(&error), "a relay left before it began"),
    }
}

/// Why a session did not begin, without the message that was in the way.
fn short(error: &rmcp::service::ServerInitializeError) -> &'static str {
    use rmcp::service::ServerInitializeError as Error;
    match error {
        Error::ConnectionClosed(_) => "it closed",
        Error::Cancelled => "it was cancelled",
        Error::InitializeFailed(_) => "its initialize was refused",
        _ => "its first message was no initialize",
    }
}

#[derive(Debug, thiserror::Error)]
#[error("the relay is gone")]
struct Gone;

struct Lines {
    incoming: mpsc::Receiver<String>,
    outgoing: mpsc::Sender<String>,
    gone: CancellationToken,
}

impl Transport<RoleServer> for Lines {
    type Error = Gone;

    fn send(&mut self, item: TxJsonRpcMessage<RoleServer>) -> impl Future<Output = Result<(), Gone>> + Send + 'static {
        let outgoing = self.outgoing.clone();
        async move {
            let text = serde_json::to_string(&item).map_err(|_| Gone)?;
            outgoing.send(text).await.map_err(|_| Gone)
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let Some(text) = self.incoming.recv().await else {
                self.gone.cancel();
                return None;
            };
            let text = rpc::mended(&text);
            if let Some(refusal) = rpc::refusal(&text) {
                tracing::warn!(bytes = text.len(), "a message of a relay cannot be answered");
                // A relay that is gone needs no answer.
                let _ = self.outgoing.send(refusal).await;
                continue;
            }
            match serde_json::from_str(&text) {
                Ok(message) => return Some(message),
                Err(error) => self.refuse(&text, &error).await,
            }
        }
    }

    async fn close(&mut self) -> Result<(), Gone> {
        self.incoming.close();
        Ok(())
    }
}

impl Lines {
    /// Answers a message that is no MCP, where it can be answered.
    async fn refuse(&self, text: &str, error: &serde_json::Error) {
        tracing::warn!(bytes = text.len(), category = ?error.classify(), "a message of a relay was not understood");
        // Without an id it is a notification, which has no answer.
        if let Some(id) = rpc::id(text) {
            let _ = self.outgoing.send(rpc::error(Some(&id), rpc::INVALID_REQUEST, "this is not an MCP request")).await;
        }
    }
}
