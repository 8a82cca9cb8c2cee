//! The extension's socket: its frames in and out, its handshake, its end.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use protocol::{Frame, MAX_FRAME_BYTES, Refused, RefusedWhy};
use tokio_util::sync::CancellationToken;

use super::audit::{Audit, Direction, Entry, Hop};
use super::connection::Connection;
use super::handshake::{PATIENCE, Talk, greet, refused};
use super::link::Link;
use super::pairing::Pairings;

/// How often the daemon asks whether the extension is there.
const PING_EVERY: Duration = Duration::from_secs(15);

/// Silence after which the socket counts as dead.
const DEAD_AFTER: Duration = Duration::from_secs(45);

/// How long a farewell may take.
const FAREWELL: Duration = Duration::from_secs(1);

/// What a socket of an extension needs.
#[derive(Debug)]
pub struct Reception {
    /// Place of the extension.
    pub link: Arc<Link>,
    /// Who is known.
    pub pairings: Arc<Pairings>,
    /// Where it is written down.
    pub audit: Arc<Audit>,
}

struct Ends {
    sink: SplitSink<WebSocket, Message>,
    stream: SplitStream<WebSocket>,
    audit: Arc<Audit>,
}

impl Talk for Ends {
    async fn hear(&mut self) -> Option<Result<String, Refused>> {
        let next = async {
            loop {
                match self.stream.next().await {
                    Some(Ok(Message::Text(text))) => return Some(Ok(text.as_str().to_owned())),
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    Some(Ok(Message::Binary(_))) => {
                        return Some(Err(refused(RefusedWhy::Malformed)));
                    }
                    Some(Err(error)) => return Some(Err(broken(&error))),
                    Some(Ok(Message::Close(_))) | None => return None,
                }
            }
        };
        let heard = tokio::time::timeout(PATIENCE, next).await.ok().flatten();
        if let Some(Ok(text)) = &heard {
            self.audit.frame(Hop::Link, Direction::In, text);
        }
        heard
    }

    async fn say(&mut self, frame: &Frame) {
        let Ok(text) = serde_json::to_string(frame) else {
            return;
        };
        self.audit.frame(Hop::Link, Direction::Out, &text);
        // A socket that cannot be written to is noticed when it is read.
        let _ = self.sink.send(Message::Text(text.into())).await;
    }
}

impl Reception {
    /// Serves a socket until it closes.
    pub async fn serve(&self, socket: WebSocket, shutdown: CancellationToken) {
        let (sink, stream) = socket.split();
        let mut ends = Ends { sink, stream, audit: Arc::clone(&self.audit) };
        let proven = match greet(&mut ends, &self.pairings).await {
            Ok(proven) => proven,
            Err(Some(refused)) => return self.refuse(ends, &refused).await,
            Err(None) => return tracing::info!("a socket at the extension's door said no hello"),
        };
        let (connection, mut frames) = Connection::new(proven.hello.clone(), proven.switches, proven.generation.clone());
        let connection = Arc::new(connection);
        let mut paired = false;
        let last = || proven.pair(&self.pairings).map(|now| paired = now);
        if let Err(refused) = self.link.take(&connection, last).await {
            return self.refuse(ends, &refused).await;
        }
        let instance = connection.hello.instance.clone();
        self.audit.link(true);
        self.audit.write(Entry::Link { what: if paired { "paired" } else { "welcomed" }, instance: &instance });
        tracing::info!(%instance, version = %connection.hello.version, browser = %connection.hello.browser, paired, "the extension is connected");

        let Ends { mut sink, mut stream, audit } = ends;
        let welcome = serde_json::to_string(&Frame::Welcome).unwrap_or_default();
        let writing = async {
            let mut next = Some(welcome);
            while let Some(text) = next {
                audit.frame(Hop::Link, Direction::Out, &text);
                if sink.send(Message::Text(text.into())).await.is_err() {
                    break;
                }
                next = frames.recv().await;
            }
        };
        let reading = self.read(&connection, &mut stream);
        let why = tokio::select! {
            why = reading => why,
            why = beat(&connection) => why,
            () = writing => "its socket cannot be written",
            () = connection.closed.cancelled() => "it does not answer any more, or another one took the place",
            () = shutdown.cancelled() => "the daemon stops",
        };
        self.link.leave(&connection);
        self.audit.link(false);
        self.audit.write(Entry::Link { what: "left", instance: &instance });
        tracing::info!(%instance, why, "the extension is disconnected");
        let code = if why == TOO_LARGE { close_code::SIZE } else { close_code::AWAY };
        farewell(sink, code, why).await;
    }

    async fn read(&self, connection: &Connection, stream: &mut SplitStream<WebSocket>) -> &'static str {
        while let Some(message) = stream.next().await {
            match message {
                Ok(Message::Text(text)) => {
                    self.audit.frame(Hop::Link, Direction::In, &text);
                    connection.hear(&text, self.link.sink()).await;
                }
                Ok(Message::Binary(bytes)) => tracing::warn!(bytes = bytes.len(), "a binary frame of the extension was passed over"),
                Ok(Message::Close(_)) => break,
                Ok(Message::Ping(_) | Message::Pong(_)) => {}
                Err(error) if is_too_large(&error) => return TOO_LARGE,
                Err(error) => {
                    tracing::info!(%error, "the extension's socket broke");
                    return "its socket broke";
                }
            }
        }
        "it closed its socket"
    }

    async fn refuse(&self, mut ends: Ends, refused: &Refused) {
        tracing::warn!(why = ?refused.why, "an extension was turned away");
        self.link.remember(refused);
        self.audit.write(Entry::Refused { door: "extension", why: &refused.message });
        ends.say(&Frame::Refused { refused: refused.clone() }).await;
        farewell(ends.sink, close_code::POLICY, "refused").await;
    }
}

const TOO_LARGE: &str = "it sent a frame that is too large";

/// Pings, and ends when nothing has been heard for too long.
async fn beat(connection: &Connection) -> &'static str {
    let mut every = tokio::time::interval(PING_EVERY);
    loop {
        every.tick().await;
        if connection.silent_for() >= DEAD_AFTER {
            return "it was silent for too long";
        }
        connection.send(&Frame::Ping).await;
    }
}

async fn farewell(mut sink: SplitSink<WebSocket, Message>, code: u16, reason: &str) {
    let close = Message::Close(Some(CloseFrame { code, reason: reason.to_owned().into() }));
    let _ = tokio::time::timeout(FAREWELL, async {
        // The other end may be gone already.
        let _ = sink.send(close).await;
        let _ = sink.close().await;
    })
    .await;
}

fn is_too_large(error: &axum::Error) -> bool {
    // axum hides the socket library's error type; its sentence is the only way to tell.
    let text = error.to_string();
    text.contains("too long") || text.contains("too large") || text.contains("too big")
}

fn broken(error: &axum::Error) -> Refused {
    if is_too_large(error) {
        let message = format!("The frame is larger than {} MB.", MAX_FRAME_BYTES / 1024 / 1024);
        return Refused { why: RefusedWhy::Malformed, message };
    }
    refused(RefusedWhy::Malformed)
}
