//! One DevTools connection to the browser, with a session for each document's process.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

use super::AxError;

/// The longest an answer may take.
const ANSWER_BOUND: Duration = Duration::from_secs(20);

/// Something the browser said without being asked.
#[derive(Clone, Debug)]
pub(super) struct Event {
    /// The session it came from; empty for the browser itself.
    pub(super) session: String,
    pub(super) method: String,
    pub(super) params: Value,
}

type Waiting = HashMap<u64, oneshot::Sender<Result<Value, String>>>;

/// What the reading task shares with its callers.
#[derive(Default)]
struct Shared {
    waiting: Mutex<Waiting>,
    events: Mutex<Vec<Event>>,
}

/// The connection. Dropping it ends it.
pub(super) struct Link {
    out: mpsc::UnboundedSender<String>,
    shared: Arc<Shared>,
    next: AtomicU64,
    tasks: [JoinHandle<()>; 2],
}

impl Link {
    /// Connects to the browser's own endpoint.
    pub(super) async fn connect(socket: &str) -> Result<Self, AxError> {
        // Trees of big pages are bigger than the library's bound.
        let config = WebSocketConfig::default().max_message_size(None).max_frame_size(None);
        let (stream, _) = tokio_tungstenite::connect_async_with_config(socket, Some(config), false)
            .await
            .map_err(|error| AxError::Link(error.to_string()))?;
        let (mut sink, mut source) = stream.split();
        let (out, mut queue) = mpsc::unbounded_channel::<String>();
        let shared = Arc::new(Shared::default());
        let writing = tokio::spawn(async move {
            while let Some(text) = queue.recv().await {
                if sink.send(Message::text(text)).await.is_err() {
                    break;
                }
            }
        });
        let hearing = Arc::clone(&shared);
        let reading = tokio::spawn(async move {
            while let Some(Ok(message)) = source.next().await {
                let Ok(text) = message.to_text() else { continue };
                match serde_json::from_str::<Value>(text).or_else(|_| serde_json::from_str(&whole(text))) {
                    Ok(value) => hearing.hear(value),
                    Err(error) => tracing::warn!(%error, "DevTools said something that cannot be read"),
                }
            }
            // Whoever still waits hears at once that nothing comes.
            lock(&hearing.waiting).clear();
        });
        Ok(Self { out, shared, next: AtomicU64::new(1), tasks: [writing, reading] })
    }

    /// One command; an empty session means the browser itself.
    pub(super) async fn call(&self, session: &str, method: &str, params: Value) -> Result<Value, AxError> {
        let failed = |reason: &str| AxError::Link(format!("{method}: {reason}"));
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (answer, answered) = oneshot::channel();
        lock(&self.shared.waiting).insert(id, answer);
        let mut request = json!({ "id": id, "method": method, "params": params });
        if !session.is_empty() {
            request["sessionId"] = session.into();
        }
        self.out.send(request.to_string()).map_err(|_| failed("the connection ended"))?;
        match tokio::time::timeout(ANSWER_BOUND, answered).await {
            Ok(Ok(Ok(result))) => Ok(result),
            Ok(Ok(Err(reason))) => Err(failed(&reason)),
            Ok(Err(_)) => Err(failed("the connection ended")),
            Err(_) => Err(failed("no answer")),
        }
    }

    /// Reads what was said so far.
    pub(super) fn events<T>(&self, read: impl FnOnce(&[Event]) -> T) -> T {
        read(&lock(&self.shared.events))
    }

    /// Forgets what was said so far.
    pub(super) fn forget(&self) {
        lock(&self.shared.events).clear();
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

impl Shared {
    fn hear(&self, mut value: Value) {
        if let Some(id) = value["id"].as_u64() {
            let result = match value.get("error") {
                Some(error) => Err(error["message"].as_str().unwrap_or("unknown error").to_owned()),
                None => Ok(value["result"].take()),
            };
            if let Some(waiting) = lock(&self.waiting).remove(&id) {
                // A caller that gave up is gone.
                let _ = waiting.send(result);
            }
            return;
        }
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let event = Event { session: text(&value["sessionId"]), method: text(&value["method"]), params: value["params"].take() };
        lock(&self.events).push(event);
    }
}

/// JSON text whose halves of characters (pages may hold them) are replaced: no Rust string takes them.
fn whole(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("\\u") {
        let unit = |from: usize| {
            rest.get(from + 2..from + 6).filter(|_| rest[from..].starts_with("\\u")).and_then(|hex| u16::from_str_radix(hex, 16).ok())
        };
        let escaped = rest[..at].bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1;
        let (length, half) = match (unit(at), rest.is_char_boundary(at + 6).then(|| unit(at + 6)).flatten()) {
            _ if escaped => (2, false),
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => (12, false),
            (Some(0xD800..=0xDFFF), _) => (6, true),
            _ => (2, false),
        };
        out.push_str(&rest[..at]);
        out.push_str(if half { "\\ufffd" } else { &rest[at..at + length] });
        rest = &rest[at + length..];
    }
    out.push_str(rest);
    out
}

/// A poisoned lock still holds whole values: each is changed in one step.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::whole;

    #[test]
    fn halves_of_characters_are_replaced() {
        assert_eq!(whole(r#"["\ud83e x"]"#), r#"["\ufffd x"]"#);
        assert_eq!(whole(r#"["\ud83d\ude00", "\\ud83e", "\u00e9"]"#), r#"["\ud83d\ude00", "\\ud83e", "\u00e9"]"#);
    }
}
