//! The daemon's control door: questions that no agent asks.

use std::path::Path;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use serde_json::Value;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, client_async_with_config};

use super::SubjectError;

/// Longest wait for an answer, and for a door to open.
const BOUND: Duration = Duration::from_secs(10);

/// A socket at a door of a daemon.
pub(crate) type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// How a daemon is reached, as it wrote it down itself.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Address {
    port: u16,
    token: String,
}

impl Address {
    /// Reads it.
    pub(crate) fn read(file: &Path) -> Result<Self, SubjectError> {
        let text =
            std::fs::read_to_string(file).map_err(|error| SubjectError::Start(format!("{} cannot be read: {error}", file.display())))?;
        serde_json::from_str(&text).map_err(|error| SubjectError::Start(format!("{} tells no port and token: {error}", file.display())))
    }

    /// Opens a door for agents, with these headers besides the token.
    pub(crate) async fn open(&self, path: &str, headers: &[(&'static str, &str)]) -> Result<Socket, SubjectError> {
        let bearer = format!("Bearer {}", self.token);
        let headers: Vec<(&'static str, &str)> = headers.iter().copied().chain([("authorization", bearer.as_str())]).collect();
        door(self.port, path, &headers).await
    }
}

/// Opens a door as given.
pub(crate) async fn door(port: u16, path: &str, headers: &[(&'static str, &str)]) -> Result<Socket, SubjectError> {
    let failed = |error: &dyn std::fmt::Display| SubjectError::Broken(format!("the daemon's door {path} did not open: {error}"));
    let mut request = format!("ws://127.0.0.1:{port}{path}").into_client_request().map_err(|error| failed(&error))?;
    for (name, value) in headers {
        request.headers_mut().insert(*name, value.parse().map_err(|_| failed(name))?);
    }
    let config = WebSocketConfig::default().max_message_size(None).max_frame_size(None);
    let opening = async {
        let stream = TcpStream::connect(("127.0.0.1", port)).await.map_err(|error| failed(&error))?;
        // Small messages both ways: waiting to fill a packet would cost more than the message.
        stream.set_nodelay(true).map_err(|error| failed(&error))?;
        let opened = client_async_with_config(request, MaybeTlsStream::Plain(stream), Some(config)).await;
        opened.map(|(socket, _)| socket).map_err(|error| failed(&error))
    };
    tokio::time::timeout(BOUND, opening).await.unwrap_or_else(|_| Err(failed(&"no answer")))
}

/// Sends a text.
pub(crate) async fn say(socket: &mut Socket, text: String) -> Result<(), SubjectError> {
    socket.send(Message::text(text)).await.map_err(|error| SubjectError::Broken(error.to_string()))
}

/// The next text; none when the socket closed.
pub(crate) async fn hear(socket: &mut Socket) -> Option<String> {
    loop {
        match socket.next().await {
            Some(Ok(Message::Text(text))) => return Some(text.as_str().to_owned()),
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
            _ => return None,
        }
    }
}

/// The control door.
pub(crate) struct Control {
    socket: Socket,
}

impl Control {
    /// Opens it.
    pub(crate) async fn open(address: &Address) -> Result<Self, SubjectError> {
        Ok(Self { socket: address.open("/control", &[]).await? })
    }

    /// Asks a question.
    pub(crate) async fn ask(&mut self, question: &Value) -> Result<Value, SubjectError> {
        say(&mut self.socket, question.to_string()).await?;
        let answer = tokio::time::timeout(BOUND, hear(&mut self.socket)).await.ok().flatten();
        let answer = answer.and_then(|text| serde_json::from_str(&text).ok());
        answer.ok_or_else(|| SubjectError::Broken(format!("the daemon did not answer {question}")))
    }
}
