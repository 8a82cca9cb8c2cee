//! One life of the link: the open requests of one extension socket. Knows frames, no socket.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use protocol::{Command, CommandError, ErrorCode, Event, Frame, Hello, Switches};
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::browser::LOST;

/// How long the answer to a cancelled request is awaited: it says what was done.
const CANCEL_PATIENCE: Duration = Duration::from_secs(2);

/// Longest a command may take. Every command has a shorter bound of its own; this one catches an extension that forgot.
const CEILING: Duration = Duration::from_secs(120);

type Answer = Result<Box<RawValue>, CommandError>;

/// An open socket of a proven extension.
#[derive(Debug)]
pub struct Connection {
    /// Who it is.
    pub hello: Hello,
    /// Since when.
    pub since: Instant,
    /// Fires when the socket is to be, or was, closed.
    pub closed: CancellationToken,
    outgoing: mpsc::Sender<String>,
    open: Mutex<HashMap<u32, oneshot::Sender<Answer>>>,
    next: AtomicU32,
    facts: Mutex<Facts>,
    heard: tokio::sync::watch::Sender<Instant>,
}

#[derive(Debug, Clone)]
struct Facts {
    switches: Switches,
    generation: String,
}

/// The only frame that carries an unparsed part: read by hand, since a tagged enum would have to buffer it.
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    kind: std::borrow::Cow<'a, str>,
    #[serde(default)]
    id: Option<u32>,
    #[serde(default, borrow)]
    result: Option<&'a RawValue>,
    #[serde(default)]
    error: Option<CommandError>,
}

impl Connection {
    /// A connection and the frames it wants sent.
    #[must_use]
    pub fn new(
        hello: Hello,
        switches: Switches,
        generation: String,
    ) -> (Self, mpsc::Receiver<String>) {
        let (outgoing, frames) = mpsc::channel(256);
        let connection = Self {
            hello,
            since: Instant::now(),
            closed: CancellationToken::new(),
            outgoing,
            open: Mutex::default(),
            next: AtomicU32::new(1),
            facts: Mutex::new(Facts {
                switches,
                generation,
            }),
            heard: tokio::sync::watch::Sender::new(Instant::now()),
        };
        (connection, frames)
    }

    /// The user's switches.
    #[must_use]
    pub fn switches(&self) -> Switches {
        self.facts().switches
    }

    /// Life of the worker.
    #[must_use]
    pub fn generation(&self) -> String {
        self.facts().generation.clone()
    }

    /// How long nothing was heard.
    #[must_use]
    pub fn silent_for(&self) -> Duration {
        self.heard.borrow().elapsed()
    }

    /// Pings, and says whether anything came back in time.
    pub async fn answers_within(&self, limit: Duration) -> bool {
        let mut heard = self.heard.subscribe();
        heard.mark_unchanged();
        if self.closed.is_cancelled() || !self.send(&Frame::Ping).await {
            return false;
        }
        tokio::select! {
            changed = tokio::time::timeout(limit, heard.changed()) => matches!(changed, Ok(Ok(()))),
            () = self.closed.cancelled() => false,
        }
    }

    /// Queues a frame; `false` when the socket is gone.
    pub async fn send(&self, frame: &Frame) -> bool {
        let Ok(text) = serde_json::to_string(frame) else {
            return false;
        };
        tokio::select! {
            sent = self.outgoing.send(text) => sent.is_ok(),
            () = self.closed.cancelled() => false,
        }
    }

    /// Takes in a frame. What does not parse is logged and passed over: the link is good.
    pub async fn hear(&self, text: &str, events: &broadcast::Sender<Event>) {
        self.heard.send_replace(Instant::now());
        let envelope: Envelope<'_> = match serde_json::from_str(text) {
            Ok(envelope) => envelope,
            Err(error) => {
                return tracing::warn!(%error, bytes = text.len(), "a frame of the extension was not understood");
            }
        };
        if envelope.kind == "reply" {
            return self.answer(envelope);
        }
        match serde_json::from_str(text) {
            Ok(Frame::Event { event }) => {
                match &event {
                    Event::SwitchesChanged { switches } => self.facts().switches = *switches,
                    Event::WorkerStarted { generation } => {
                        self.facts().generation.clone_from(generation)
                    }
                    _ => {}
                }
                // Nobody need be listening.
                let _ = events.send(event);
            }
            Ok(Frame::Ping) => {
                self.send(&Frame::Pong).await;
            }
            Ok(Frame::Pong) => {}
            Ok(Frame::Progress { id, .. }) => tracing::debug!(id, "the extension is still at it"),
            Ok(Frame::Request { id, command }) => {
                let message = format!("the daemon does not answer {}", command.method());
                self.send(&Frame::Reply {
                    id,
                    result: None,
                    error: Some(CommandError::new(ErrorCode::Unsupported, message)),
                })
                .await;
            }
            Ok(_) => {
                tracing::warn!(kind = %envelope.kind, "a frame of the extension came out of place")
            }
            Err(error) => {
                tracing::warn!(%error, kind = %envelope.kind, "a frame of the extension was not understood")
            }
        }
    }

    fn answer(&self, envelope: Envelope<'_>) {
        let Some(waiting) = envelope.id.and_then(|id| self.open().remove(&id)) else {
            return tracing::warn!(
                id = envelope.id,
                "an answer came to a request that is not open"
            );
        };
        let answer = match (envelope.result, envelope.error) {
            (Some(result), None) => Ok(result.to_owned()),
            (None, Some(error)) => Err(error),
            _ => Err(CommandError::new(
                ErrorCode::Internal,
                "the extension's answer had neither a result nor an error",
            )),
        };
        // The asker may have given up.
        let _ = waiting.send(answer);
    }

    /// Sends a command and awaits its answer.
    ///
    /// # Errors
    /// The extension's error; [`LOST`] when the socket closed first; `cancelled` when a cancelled command did not answer.
    pub async fn request(&self, command: Command, cancel: &CancellationToken) -> Answer {
        let method = command.method();
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (sender, mut answer) = oneshot::channel();
        self.open().insert(id, sender);
        let entry = Entry {
            connection: self,
            id,
        };
        if !self.send(&Frame::Request { id, command }).await {
            return Err(lost(method));
        }
        tokio::select! {
            answer = &mut answer => return answer.unwrap_or_else(|_| Err(lost(method))),
            () = self.closed.cancelled() => return Err(lost(method)),
            () = tokio::time::sleep(CEILING) => {
                self.send(&Frame::Cancel { id }).await;
                let message = format!("the extension has not answered {method} for {} s; it may have happened", CEILING.as_secs());
                return Err(CommandError::new(ErrorCode::Timeout, message));
            }
            () = cancel.cancelled() => {}
        }
        self.send(&Frame::Cancel { id }).await;
        let last = tokio::select! {
            last = tokio::time::timeout(CANCEL_PATIENCE, &mut answer) => last,
            () = self.closed.cancelled() => return Err(lost(method)),
        };
        drop(entry);
        match last {
            Ok(answer) => answer.unwrap_or_else(|_| Err(lost(method))),
            Err(_) => Err(CommandError::new(
                ErrorCode::Cancelled,
                format!("{method} was cancelled and the extension did not say what became of it"),
            )),
        }
    }

    fn open(&self) -> MutexGuard<'_, HashMap<u32, oneshot::Sender<Answer>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn facts(&self) -> MutexGuard<'_, Facts> {
        self.facts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn lost(method: &str) -> CommandError {
    CommandError::new(ErrorCode::Internal, format!("{LOST} while {method} ran"))
}

/// A row of the table of open requests; a request that is dropped half-way is cancelled.
struct Entry<'a> {
    connection: &'a Connection,
    id: u32,
}

impl Drop for Entry<'_> {
    fn drop(&mut self) {
        if self.connection.open().remove(&self.id).is_none() {
            return;
        }
        if let Ok(text) = serde_json::to_string(&Frame::Cancel { id: self.id }) {
            // A full queue means a socket that is about to be given up.
            let _ = self.connection.outgoing.try_send(text);
        }
    }
}
