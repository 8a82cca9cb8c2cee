//! The client's end of the daemon's sockets.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use protocol::MAX_FRAME_BYTES;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::header::AUTHORIZATION;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, client_async_with_config};

use crate::daemon::{Answer, DaemonFile, HOST_HEADER, OFFER_HEADER, Question, RELAY_HEADER};
use crate::tools::Offer;

/// Largest answer taken: a frame of the link grows when its texts are escaped once more.
const LARGEST: usize = 4 * MAX_FRAME_BYTES;

/// How long an upgrade may take.
const UPGRADE: Duration = Duration::from_secs(3);

/// Longest a question may take: the daemon itself waits for an extension that may be waking.
const QUESTION: Duration = Duration::from_secs(20);

/// A socket to the daemon.
pub type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Why the daemon could not be spoken to.
#[derive(Debug, thiserror::Error)]
pub enum DoorError {
    /// It did not answer in time.
    #[error("the daemon on port {0} does not answer")]
    Silent(u16),
    /// It refused.
    #[error("the daemon refused: {0}")]
    Refused(String),
    /// It said something else.
    #[error("the daemon answered in another way: {0}")]
    Strange(String),
}

impl From<Error> for DoorError {
    fn from(error: Error) -> Self {
        Self::Refused(error.to_string())
    }
}

/// Opens a socket at a door.
///
/// # Errors
/// When it is refused or does not answer.
pub async fn connect(file: &DaemonFile, path: &str, headers: &[(&'static str, &str)]) -> Result<Socket, DoorError> {
    let mut request = format!("ws://127.0.0.1:{}{path}", file.port).into_client_request()?;
    let bearer = format!("Bearer {}", file.token);
    for (name, value) in headers.iter().copied().chain([(AUTHORIZATION.as_str(), bearer.as_str())]) {
        let value = value.parse().map_err(|_| DoorError::Strange(format!("{name} cannot be a header")))?;
        request.headers_mut().insert(name, value);
    }
    let config = WebSocketConfig::default().max_message_size(Some(LARGEST)).max_frame_size(Some(LARGEST));
    let opening = async {
        let stream = TcpStream::connect(("127.0.0.1", file.port)).await.map_err(Error::Io)?;
        // Small messages both ways: waiting to fill a packet would cost more than the message.
        stream.set_nodelay(true).map_err(Error::Io)?;
        client_async_with_config(request, MaybeTlsStream::Plain(stream), Some(config)).await
    };
    match tokio::time::timeout(UPGRADE, opening).await {
        Ok(opened) => Ok(opened?.0),
        Err(_) => Err(DoorError::Silent(file.port)),
    }
}

/// Who comes in by the relay's door.
#[derive(Debug, Clone)]
pub struct Caller {
    /// Random id of its session.
    pub id: String,
    /// Program that started it.
    pub host: String,
    /// Tools it is to be told of.
    pub offer: Offer,
}

/// Opens the relay's door.
///
/// # Errors
/// When it is refused or does not answer.
pub async fn relay_door(file: &DaemonFile, caller: &Caller) -> Result<Socket, DoorError> {
    connect(file, "/relay", &[(RELAY_HEADER, &caller.id), (HOST_HEADER, &caller.host), (OFFER_HEADER, caller.offer.word())]).await
}

/// Asks the daemon.
///
/// # Errors
/// When it does not answer.
pub async fn ask(file: &DaemonFile, question: Question) -> Result<Answer, DoorError> {
    let mut socket = connect(file, "/control", &[]).await?;
    let text = serde_json::to_string(&question).map_err(|error| DoorError::Strange(error.to_string()))?;
    send_text(&mut socket, text).await?;
    let answer = tokio::time::timeout(QUESTION, next_text(&mut socket)).await.map_err(|_| DoorError::Silent(file.port))?;
    let answer = answer?.ok_or(DoorError::Silent(file.port))?;
    serde_json::from_str(&answer).map_err(|error| DoorError::Strange(error.to_string()))
}

/// Sends a text.
///
/// # Errors
/// When the socket is gone.
pub async fn send_text(socket: &mut Socket, text: String) -> Result<(), DoorError> {
    Ok(socket.send(Message::Text(text.into())).await?)
}

/// The next text; `None` when the socket closed.
///
/// # Errors
/// When the socket broke.
pub async fn next_text(socket: &mut Socket) -> Result<Option<String>, DoorError> {
    while let Some(message) = socket.next().await {
        match message? {
            Message::Text(text) => return Ok(Some(text.as_str().to_owned())),
            Message::Close(_) => return Ok(None),
            _ => {}
        }
    }
    Ok(None)
}

/// Why the daemon closes, when this message is its farewell.
#[must_use]
pub fn close_reason(message: &Message) -> Option<String> {
    match message {
        Message::Close(frame) => Some(frame.as_ref().map(|frame| frame.reason.to_string()).unwrap_or_default()),
        _ => None,
    }
}
