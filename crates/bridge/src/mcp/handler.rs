//! Tools as MCP sees them: list, call, progress, cancel.

use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult, Implementation, ListToolsResult,
    PaginatedRequestParams, ProgressNotificationParam, ProtocolVersion, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::Value;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::{Call, INSTRUCTIONS, SharedHost, Stay};
use crate::session::{Session, SessionId};
use crate::tools::{Access, AnyTool, Block, Offer, Reply, registry};

/// What an agent is called that does not say its name.
const NAMELESS: &str = "agent";

/// Longest name of an agent that people are shown.
const LABEL_LIMIT: usize = 40;

/// Who is behind a handler.
#[derive(Debug, Clone)]
pub(super) enum Identity {
    /// The relay said so.
    Relay {
        /// Its random id.
        id: SessionId,
    },
    /// An HTTP session, or one request of a client that keeps none.
    Http {
        /// Random id of this session.
        id: SessionId,
    },
}

/// The MCP server of one agent.
pub struct Handler {
    host: SharedHost,
    identity: Identity,
    /// Which tools it is told of.
    offer: Offer,
    /// Fires when the door knows that the agent is gone.
    gone: CancellationToken,
    /// The session this handler arrived at and has to leave.
    entered: Mutex<Option<SessionId>>,
}

impl Handler {
    pub(super) fn new(host: SharedHost, identity: Identity, offer: Offer, gone: CancellationToken) -> Self {
        Self { host, identity, offer, gone, entered: Mutex::default() }
    }

    fn session(&self, context: &RequestContext<RoleServer>) -> Session {
        let name = context.client_info().map(|client| client.name);
        let label = label(name.as_deref());
        match &self.identity {
            Identity::Relay { id } => self.stay(id, &label),
            // Revisions without sessions send every request alone: the client's name is all that holds them together.
            Identity::Http { .. } if is_alone(context) => self.host.enter(&SessionId(format!("http:{label}")), &label, Stay::WhileUsed),
            Identity::Http { id } => self.stay(id, &label),
        }
    }

    fn stay(&self, id: &SessionId, label: &str) -> Session {
        let mut entered = self.entered.lock().unwrap_or_else(PoisonError::into_inner);
        if entered.is_none() {
            self.host.arrive(id);
            *entered = Some(id.clone());
        }
        self.host.enter(id, label, Stay::UntilLeft)
    }
}

impl Drop for Handler {
    fn drop(&mut self) {
        let entered = self.entered.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(id) = entered {
            self.host.leave(&id);
        }
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build();
        let server = Implementation::new("tegata", env!("CARGO_PKG_VERSION")).with_title("Tegata");
        ServerConfig::new(capabilities).with_server_info(server).with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(&self, _: Option<PaginatedRequestParams>, _: RequestContext<RoleServer>) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.offer.tools().map(described).collect()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        registry().iter().find(|tool| tool.name() == name).map(|tool| described(*tool))
    }

    async fn call_tool(&self, params: CallToolRequestParams, context: RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
        let session = self.session(&context);
        let cancel = CancellationToken::new();
        // Whatever ends this future early (a cancel, a closed stream, a lost relay) tells the call, which goes on to its own end.
        let _given_up = cancel.clone().drop_guard();
        let (notes, mut heard) = mpsc::unbounded_channel();
        let call = Call {
            session,
            request: context.id.to_string(),
            tool: params.name.into_owned(),
            arguments: params.arguments.map_or_else(|| Value::Object(serde_json::Map::new()), Value::Object),
            cancel: cancel.clone(),
            // Nobody hears notes after the reply.
            progress: Box::new(move |note| drop(notes.send(note))),
        };
        let token = context.meta.get_progress_token();
        let mut told = 0.0;
        let mut reply = std::pin::pin!(self.host.call(call));
        let reply = loop {
            tokio::select! {
                biased;
                Some(note) = heard.recv() => {
                    let Some(token) = token.clone() else { continue };
                    told += 1.0;
                    let progress = ProgressNotificationParam::new(token, told).with_message(note);
                    // A client that does not listen is no reason to stop.
                    let _ = context.peer.notify_progress(progress).await;
                }
                () = context.ct.cancelled(), if !cancel.is_cancelled() => cancel.cancel(),
                () = self.gone.cancelled(), if !cancel.is_cancelled() => cancel.cancel(),
                reply = &mut reply => break reply,
            }
        };
        Ok(result(reply).into())
    }

    /// What has the name of a known method and lands here had parameters of another form.
    async fn on_custom_request(&self, request: CustomRequest, _: RequestContext<RoleServer>) -> Result<CustomResult, ErrorData> {
        match request.method.as_str() {
            "tools/call" => Err(ErrorData::invalid_params("tools/call needs a name (a text) and arguments (an object)", None)),
            "tools/list" | "initialize" | "ping" => {
                Err(ErrorData::invalid_params(format!("the parameters of {} are of another form", request.method), None))
            }
            _ => Err(ErrorData::new(rmcp::model::ErrorCode::METHOD_NOT_FOUND, request.method, None)),
        }
    }
}

fn is_alone(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28)
}

fn label(name: Option<&str>) -> String {
    let clean: String = name.unwrap_or_default().chars().filter(|sign| !sign.is_control()).take(LABEL_LIMIT).collect();
    let clean = clean.trim();
    if clean.is_empty() { NAMELESS.to_owned() } else { clean.to_owned() }
}

fn described(tool: &dyn AnyTool) -> Tool {
    let schema = match tool.schema() {
        Value::Object(schema) => schema,
        _ => serde_json::Map::new(),
    };
    let described = Tool::new(tool.name(), tool.description(), Arc::new(schema));
    // The specification's defaults are what the others are: not read-only, destructive, of an open world.
    match tool.access() {
        Access::Reads => described.annotate(ToolAnnotations::new().read_only(true)),
        Access::Acts => described,
    }
}

fn result(reply: Reply) -> CallToolResult {
    let content = reply.blocks.into_iter().map(|block| match block {
        Block::Text(text) => ContentBlock::text(text),
        Block::Image { data, mime } => ContentBlock::image(data, mime),
    });
    let content = content.collect();
    if reply.is_error { CallToolResult::error(content) } else { CallToolResult::success(content) }
}
