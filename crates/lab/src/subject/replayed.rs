//! A server under test whose browser is a transcript: one daemon with a clock that stands, spoken to by its agents' own door.

use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use rmcp::model::{ClientCapabilities, ClientConfig, Implementation};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::{RoleClient, ServiceExt};
use tokio::process::Child;
use tokio::sync::Mutex;
use tokio_tungstenite::tungstenite::{Error, Message};

use super::control::{Address, Socket};
use super::process::{Prepared, Process, Words};
use super::session::Session;
use super::{CALL_BOUND, Call, Node, Reply, Stage, Subject, SubjectError, SubjectSession};
use crate::frames::FrameLog;
use crate::replay::Player;

/// Longest wait for the daemon to write down how it is reached.
const START_BOUND: Duration = Duration::from_secs(20);
/// Pause between two looks at a file.
const LOOK_AGAIN: Duration = Duration::from_millis(5);

/// The daemon and the player of its extension.
pub(crate) struct Replayed {
    process: Process,
    address: Address,
    player: Player,
    /// Ends with this.
    _daemon: Child,
}

impl Replayed {
    /// Starts the daemon and pairs the played extension with it.
    pub(crate) async fn start(prepared: Arc<Prepared>, state: &Path) -> Result<Self, SubjectError> {
        let line = prepared.adapter.held.clone().ok_or_else(|| SubjectError::Start("the adapter file has no `held` command".into()))?;
        let file = prepared.adapter.daemon.as_ref().map(|daemon| state.join(&daemon.file));
        let file = file.ok_or_else(|| SubjectError::Start("the adapter file names no daemon".into()))?;
        let process = Process::bare(prepared, state)?;
        let mut command = process.command(&line, &Words::default());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
        let daemon = command.spawn().map_err(|error| SubjectError::Start(format!("the daemon did not start: {error}")))?;
        let started = Instant::now();
        while !file.is_file() {
            if started.elapsed() > START_BOUND {
                return Err(SubjectError::Start(format!("the daemon wrote no {} within {START_BOUND:?}", file.display())));
            }
            tokio::time::sleep(LOOK_AGAIN).await;
        }
        let process = process.connected().await?;
        let address = process.address()?;
        let url = process.connection.connect_url.clone().ok_or_else(|| SubjectError::Start("there is no connect page".into()))?;
        let player = Player::start(&address, &url).await?;
        Ok(Self { process, address, player, _daemon: daemon })
    }

    /// Who plays the extension.
    pub(crate) fn player(&self) -> &Player {
        &self.player
    }
}

#[async_trait]
impl Subject for Replayed {
    async fn session<'a>(&'a self, _stage: Stage<'a>, _log: FrameLog) -> Result<Box<dyn SubjectSession + 'a>, SubjectError> {
        let failed = |reason: String| SubjectError::Start(format!("the MCP session did not start: {reason}"));
        let id = uuid::Uuid::new_v4().simple().to_string();
        let socket = self.address.open("/relay", &[("tegata-relay", id.as_str()), ("tegata-host", "lab")]).await?;
        let (sink, stream) = socket.split();
        let transport = Relay { sink: Arc::new(Mutex::new(sink)), stream, player: self.player.clone(), calls: Arc::default() };
        let info = ClientConfig::new(ClientCapabilities::default(), Implementation::new("lab", env!("CARGO_PKG_VERSION")));
        let client = tokio::time::timeout(CALL_BOUND, info.serve(transport))
            .await
            .map_err(|_| failed(format!("no answer within {} s", CALL_BOUND.as_secs())))?
            .map_err(|error| failed(error.to_string()))?;
        Ok(Box::new(Timed { inner: Session::new(&self.process, client, Words::default(), None), player: self.player.clone() }))
    }

    async fn stop(&self) -> Result<(), SubjectError> {
        self.process.stop().await
    }
}

/// A session whose calls take the time of the daemon's clock.
struct Timed<'a> {
    inner: Session<'a>,
    player: Player,
}

#[async_trait]
impl SubjectSession for Timed<'_> {
    async fn open(&mut self, url: &str) -> Result<String, SubjectError> {
        self.inner.open(url).await
    }

    async fn call(&mut self, call: &Call) -> Result<Option<Reply>, SubjectError> {
        let mut reply = self.inner.call(call).await?;
        if let Some(reply) = &mut reply {
            reply.took = self.player.since_called();
        }
        Ok(reply)
    }

    async fn resolve(&mut self, node: &Node, tab: Option<&str>) -> Result<Option<String>, SubjectError> {
        self.inner.resolve(node, tab).await
    }

    fn latest_snapshot(&self) -> Option<&str> {
        self.inner.latest_snapshot()
    }

    async fn close(self: Box<Self>) {
        Box::new(self.inner).close().await;
    }
}

/// The socket of an agent, as its relay has it. It tells the player what is said.
struct Relay {
    sink: Arc<Mutex<SplitSink<Socket, Message>>>,
    stream: SplitStream<Socket>,
    player: Player,
    /// Ids of the tool calls that are open.
    calls: Arc<std::sync::Mutex<Vec<serde_json::Value>>>,
}

impl Relay {
    fn calls(&self) -> std::sync::MutexGuard<'_, Vec<serde_json::Value>> {
        self.calls.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Transport<RoleClient> for Relay {
    type Error = Error;

    fn send(&mut self, item: TxJsonRpcMessage<RoleClient>) -> impl Future<Output = Result<(), Error>> + Send + 'static {
        let message = serde_json::to_value(&item).unwrap_or_default();
        let is_call = message.get("method").is_some_and(|method| method == "tools/call");
        if let (true, Some(id)) = (is_call, message.get("id")) {
            self.calls().push(id.clone());
        }
        let (sink, player) = (Arc::clone(&self.sink), self.player.clone());
        async move {
            if is_call {
                player.calling().await;
            }
            sink.lock().await.send(Message::text(message.to_string())).await?;
            if is_call {
                player.sent();
            }
            Ok(())
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            let Some(Ok(message)) = self.stream.next().await else { return None };
            let Message::Text(text) = message else { continue };
            let value: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
            let mut calls = self.calls();
            let at = calls.iter().position(|id| value.get("id") == Some(id) && value.get("method").is_none());
            if let Some(at) = at {
                calls.remove(at);
            }
            drop(calls);
            self.player.heard(at.is_some());
            if let Ok(message) = serde_json::from_value(value) {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> Result<(), Error> {
        self.sink.lock().await.close().await
    }
}
