//! One life of the link: the open requests of one extension socket. Knows frames, no socket.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use protocol::{Command, CommandError, ErrorCode, Event, Frame, Hello, MAX_FRAME_BYTES, Switches};
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::browser::LOST;

/// How long the answer to a cancelled request is awaited: it says what was done.
const CANCEL_PATIENCE: Duration = Duration::from_secs(2);

/// Longest that the extension's own bound of a command is, where the command does not name it.
const OWN_LIMIT: Duration = Duration::from_secs(20);

/// How long after its own bound a command is given up: an extension that forgot it will not remember.
const FORGOTTEN: Duration = Duration::from_secs(10);

/// How long an answer that the old worker had given already may take to arrive once the new one is there.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Silence under an open request after which the extension is asked for a sign of life.
const STILL: Duration = Duration::from_secs(3);

/// How long that sign may take. An extension whose browser stands still keeps its socket open and says nothing.
const SIGN_OF_LIFE: Duration = Duration::from_secs(5);

/// How long a request may be on its way to a worker that has to be started for it.
const STARTING: Duration = Duration::from_secs(3);

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
    open: Mutex<HashMap<u32, Waiting>>,
    next: AtomicU32,
    facts: Mutex<Facts>,
    heard: tokio::sync::watch::Sender<Instant>,
}

/// An open request.
#[derive(Debug)]
struct Waiting {
    answer: oneshot::Sender<Answer>,
    sent: Instant,
    /// Something came from the extension since: its worker of then lived, and had the request.
    heard_since: bool,
    /// Fires when its worker is gone.
    orphaned: CancellationToken,
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
    pub fn new(hello: Hello, switches: Switches, generation: String) -> (Self, mpsc::Receiver<String>) {
        let (outgoing, frames) = mpsc::channel(256);
        let connection = Self {
            hello,
            since: Instant::now(),
            closed: CancellationToken::new(),
            outgoing,
            open: Mutex::default(),
            next: AtomicU32::new(1),
            facts: Mutex::new(Facts { switches, generation }),
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
        self.queue(text).await
    }

    async fn queue(&self, text: String) -> bool {
        tokio::select! {
            biased;
            () = self.closed.cancelled() => false,
            sent = self.outgoing.send(text) => sent.is_ok(),
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
            self.answer(envelope);
            return self.was_heard();
        }
        let frame = serde_json::from_str(text);
        if let Ok(Frame::Event { event: Event::WorkerStarted { generation } }) = &frame {
            self.begin(generation);
        }
        self.was_heard();
        match frame {
            Ok(Frame::Event { event }) => {
                if let Event::SwitchesChanged { switches } = &event {
                    self.facts().switches = *switches;
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
                self.send(&Frame::Reply { id, result: None, error: Some(CommandError::new(ErrorCode::Unsupported, message)) }).await;
            }
            Ok(_) => {
                tracing::warn!(kind = %envelope.kind, "a frame of the extension came out of place")
            }
            Err(error) => {
                tracing::warn!(%error, kind = %envelope.kind, "a frame of the extension was not understood")
            }
        }
    }

    fn was_heard(&self) {
        self.open().values_mut().for_each(|waiting| waiting.heard_since = true);
    }

    /// A worker began its life. What the one before it was asked nobody will answer: that is lost. What was sent to a worker that had
    /// to be started for it is the new one's, and stays open.
    fn begin(&self, generation: &str) {
        let before = std::mem::replace(&mut self.facts().generation, generation.to_owned());
        if before == generation {
            return;
        }
        let open = self.open();
        let old = open.values().filter(|waiting| waiting.heard_since || waiting.sent.elapsed() > STARTING);
        let lost = old.inspect(|waiting| waiting.orphaned.cancel()).count();
        tracing::info!(lost, kept = open.len() - lost, "the extension's worker started anew");
    }

    fn answer(&self, envelope: Envelope<'_>) {
        let Some(waiting) = envelope.id.and_then(|id| self.open().remove(&id)) else {
            return tracing::warn!(id = envelope.id, "an answer came to a request that is not open");
        };
        let answer = match (envelope.result, envelope.error) {
            (Some(result), None) => Ok(result.to_owned()),
            (None, Some(error)) => Err(error),
            _ => Err(CommandError::new(ErrorCode::Internal, "the extension's answer had neither a result nor an error")),
        };
        // The asker may have given up.
        let _ = waiting.answer.send(answer);
    }

    /// Sends a command and awaits its answer.
    ///
    /// # Errors
    /// The extension's error; [`LOST`] when the socket closed first; `cancelled` when a cancelled command did not answer.
    pub async fn request(&self, command: Command, cancel: &CancellationToken) -> Answer {
        let method = command.method();
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let text = serde_json::to_string(&Frame::Request { id, command })
            .map_err(|error| CommandError::new(ErrorCode::Internal, format!("{method} cannot be written: {error}")))?;
        let limit = limit(&text);
        if text.len() > MAX_FRAME_BYTES {
            let message = format!("{method} would be a frame of {} bytes; at most {MAX_FRAME_BYTES} can be sent", text.len());
            return Err(CommandError::new(ErrorCode::InvalidArgument, message));
        }
        if cancel.is_cancelled() {
            return Err(CommandError::new(ErrorCode::Cancelled, format!("the caller gave up before {method} was sent")));
        }
        let (sender, mut answer) = oneshot::channel();
        let orphaned = CancellationToken::new();
        self.open().insert(id, Waiting { answer: sender, sent: Instant::now(), heard_since: false, orphaned: orphaned.clone() });
        let entry = Entry { connection: self, id };
        let sent = Instant::now();
        if !self.queue(text).await {
            return Err(CommandError::new(ErrorCode::ExtensionNotConnected, format!("the extension went away before {method} was sent")));
        }
        tokio::select! {
            biased;
            answer = &mut answer => {
                // The benches read the share of the link from this line.
                let bytes = answer.as_ref().ok().and_then(|answer| answer.as_ref().ok()).map_or(0, |result| result.get().len());
                tracing::debug!(method, bytes, ms = sent.elapsed().as_secs_f64() * 1000.0, "answered");
                return answer.unwrap_or_else(|_| Err(lost(method)));
            }
            () = self.closed.cancelled() => return Err(lost(method)),
            () = orphaned.cancelled() => {
                let last = tokio::time::timeout(LAST_WORDS, &mut answer).await;
                return last.ok().and_then(Result::ok).unwrap_or_else(|| Err(lost(method)));
            }
            () = self.stands_still() => {
                tracing::warn!(method, silent = self.silent_for().as_secs(), "the extension's browser stands still");
                self.closed.cancel();
                return Err(lost(method));
            }
            () = tokio::time::sleep(limit) => {
                tracing::warn!(method, seconds = limit.as_secs(), "the extension forgot a command");
                // Dropping its row cancels it at the extension.
                return Err(lost(method));
            }
            () = cancel.cancelled() => {}
        }
        self.send(&Frame::Cancel { id }).await;
        let last = tokio::select! {
            biased;
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

    /// Done when nothing comes back any more, not even the answer to a ping.
    async fn stands_still(&self) {
        let mut heard = self.heard.subscribe();
        loop {
            heard.mark_unchanged();
            let quiet = tokio::time::timeout(STILL, heard.changed()).await.is_err();
            if quiet && !self.answers_within(SIGN_OF_LIFE).await {
                return;
            }
        }
    }

    fn open(&self) -> MutexGuard<'_, HashMap<u32, Waiting>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn facts(&self) -> MutexGuard<'_, Facts> {
        self.facts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How long the answer to a command is awaited. Read from the frame: whichever commands name their bound, they name it `limitMs`.
fn limit(request: &str) -> Duration {
    #[derive(Deserialize)]
    struct Request {
        command: Bounded,
    }
    #[derive(Deserialize)]
    struct Bounded {
        params: Params,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Params {
        limit_ms: Option<u32>,
    }
    let own = serde_json::from_str::<Request>(request).ok().and_then(|request| request.command.params.limit_ms);
    own.map_or(OWN_LIMIT, |ms| Duration::from_millis(u64::from(ms))) + FORGOTTEN
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use protocol::{KeyboardType, TabsList, Target};

    use super::*;

    fn connection() -> (Arc<Connection>, mpsc::Receiver<String>) {
        let text = include_str!("../../../../fixtures/wire/handshake.json");
        let golden: serde_json::Value = serde_json::from_str(text).unwrap();
        let hello = serde_json::from_value(golden["frames"][0]["hello"].clone()).unwrap();
        let (connection, frames) = Connection::new(hello, Switches { paused: false, trusted_input: true, eval: true }, "k3".into());
        (Arc::new(connection), frames)
    }

    fn ask(connection: &Arc<Connection>, cancel: &CancellationToken) -> tokio::task::JoinHandle<Answer> {
        let (connection, cancel) = (Arc::clone(connection), cancel.clone());
        tokio::spawn(async move { connection.request(TabsList {}.into(), &cancel).await })
    }

    #[tokio::test(start_paused = true)]
    async fn answers_find_their_requests_in_any_order() {
        let (connection, mut frames) = connection();
        let cancel = CancellationToken::new();
        let (one, two) = (ask(&connection, &cancel), ask(&connection, &cancel));
        assert!(frames.recv().await.unwrap().contains("tabs/list") && frames.recv().await.is_some());
        let events = broadcast::Sender::new(1);
        connection.hear(r#"{"kind":"reply","id":2,"error":{"code":"no_tab","message":"gone"}}"#, &events).await;
        connection.hear(r#"{"kind":"reply","id":1,"result":{"tabs":  []}}"#, &events).await;
        assert_eq!(one.await.unwrap().unwrap().get(), r#"{"tabs":  []}"#, "the text passes untouched");
        assert_eq!(two.await.unwrap().unwrap_err().code, ErrorCode::NoTab);
    }

    #[tokio::test(start_paused = true)]
    async fn a_closed_socket_loses_what_was_sent_and_takes_nothing_more() {
        let (connection, mut frames) = connection();
        let cancel = CancellationToken::new();
        let asked = ask(&connection, &cancel);
        frames.recv().await.unwrap();
        connection.closed.cancel();
        let error = asked.await.unwrap().unwrap_err();
        assert!(error.code == ErrorCode::Internal && error.message.starts_with(LOST), "{error}");
        assert_eq!(connection.request(TabsList {}.into(), &cancel).await.unwrap_err().code, ErrorCode::ExtensionNotConnected);
    }

    #[tokio::test(start_paused = true)]
    async fn a_new_worker_ends_what_the_old_one_was_asked_and_keeps_what_it_was_started_for() {
        let (connection, mut frames) = connection();
        let events = broadcast::Sender::new(4);
        let started = |generation: &str| {
            format!(r#"{{"kind":"event","event":{{"event":"worker/started","params":{{"generation":"{generation}"}}}}}}"#)
        };
        let cancel = CancellationToken::new();
        let old = ask(&connection, &cancel);
        frames.recv().await.unwrap();
        // The same life: nothing is lost; and the old worker shows that it lives.
        connection.hear(&started("k3"), &events).await;
        let waking = ask(&connection, &cancel);
        frames.recv().await.unwrap();
        connection.hear(&started("k4"), &events).await;
        let error = old.await.unwrap().unwrap_err();
        assert!(error.message.starts_with(LOST), "{error}");
        connection.hear(r#"{"kind":"reply","id":2,"result":{"tabs":[]}}"#, &events).await;
        waking.await.unwrap().unwrap();
        // What the old worker had answered is not lost.
        while frames.try_recv().is_ok() {}
        let answered = ask(&connection, &cancel);
        frames.recv().await.unwrap();
        connection.hear(r#"{"kind":"pong"}"#, &events).await;
        connection.hear(&started("k4b"), &events).await;
        connection.hear(r#"{"kind":"reply","id":3,"result":{"tabs":[]}}"#, &events).await;
        answered.await.unwrap().unwrap();
        // Nothing was heard, but no worker takes so long to start.
        let slow = ask(&connection, &cancel);
        frames.recv().await.unwrap();
        tokio::time::advance(STARTING * 2).await;
        connection.hear(&started("k5"), &events).await;
        assert!(slow.await.unwrap().unwrap_err().message.starts_with(LOST));
        assert_eq!(connection.generation(), "k5");
    }

    #[tokio::test(start_paused = true)]
    async fn a_cancel_is_sent_and_its_answer_awaited_within_a_bound() {
        let (connection, mut frames) = connection();
        let cancel = CancellationToken::new();
        let asked = ask(&connection, &cancel);
        frames.recv().await.unwrap();
        cancel.cancel();
        assert_eq!(frames.recv().await.unwrap(), r#"{"kind":"cancel","id":1}"#);
        let error = asked.await.unwrap().unwrap_err();
        assert!(error.code == ErrorCode::Cancelled && error.message.contains("did not say"), "{error}");
        while frames.try_recv().is_ok() {}
        assert_eq!(connection.request(TabsList {}.into(), &cancel).await.unwrap_err().code, ErrorCode::Cancelled);
        assert!(frames.try_recv().is_err(), "what is cancelled before it is sent is not sent");
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_that_nobody_awaits_any_more_is_cancelled() {
        let (connection, mut frames) = connection();
        let asked = ask(&connection, &CancellationToken::new());
        frames.recv().await.unwrap();
        asked.abort();
        assert_eq!(frames.recv().await.unwrap(), r#"{"kind":"cancel","id":1}"#);
    }

    #[tokio::test(start_paused = true)]
    async fn an_extension_that_forgets_is_not_awaited_for_ever_and_a_huge_command_is_not_sent() {
        let (connection, mut frames) = connection();
        let cancel = CancellationToken::new();
        // It lives, and says so all the time.
        let alive = tokio::spawn({
            let connection = Arc::clone(&connection);
            async move {
                let events = broadcast::Sender::new(1);
                let mut clock = tokio::time::interval(Duration::from_secs(1));
                loop {
                    clock.tick().await;
                    connection.hear(r#"{"kind":"pong"}"#, &events).await;
                }
            }
        });
        let began = Instant::now();
        let error = ask(&connection, &cancel).await.unwrap().unwrap_err();
        assert!(error.message.starts_with(LOST) && began.elapsed() == OWN_LIMIT + FORGOTTEN, "{error} {:?}", began.elapsed());
        while frames.try_recv().is_ok() {}
        let began = Instant::now();
        let slow = protocol::TabsCreate { url: None, active: false, limit_ms: 60_000 };
        assert!(connection.request(slow.into(), &cancel).await.unwrap_err().message.starts_with(LOST));
        assert_eq!(began.elapsed(), Duration::from_secs(70), "its own bound counts where it names one");
        while frames.try_recv().is_ok() {}
        let target = Target::Css { selector: "#a".into() };
        let text = "x".repeat(MAX_FRAME_BYTES);
        let huge = KeyboardType { tab: 1, target, text, append: false, submit: false, input: protocol::Input::Synthetic, watch: 1 };
        alive.abort();
        let error = connection.request(huge.into(), &cancel).await.unwrap_err();
        assert!(error.code == ErrorCode::InvalidArgument && error.message.contains("bytes"), "{error}");
        assert!(frames.try_recv().is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn an_extension_that_stands_still_is_given_up_and_one_that_answers_pings_is_not() {
        let (connection, mut frames) = connection();
        let cancel = CancellationToken::new();
        let began = Instant::now();
        let asked = ask(&connection, &cancel);
        assert!(frames.recv().await.unwrap().contains("tabs/list"));
        assert_eq!(frames.recv().await.unwrap(), r#"{"kind":"ping"}"#);
        assert_eq!(began.elapsed(), STILL);
        connection.hear(r#"{"kind":"pong"}"#, &broadcast::Sender::new(1)).await;
        assert_eq!(frames.recv().await.unwrap(), r#"{"kind":"ping"}"#);
        let error = asked.await.unwrap().unwrap_err();
        assert!(error.message.starts_with(LOST), "{error}");
        assert_eq!(began.elapsed(), STILL + STILL + SIGN_OF_LIFE);
        assert!(connection.closed.is_cancelled(), "the next extension has the place");
    }

    #[tokio::test(start_paused = true)]
    async fn life_is_what_is_heard() {
        let (connection, mut frames) = connection();
        let events = broadcast::Sender::new(1);
        tokio::time::advance(Duration::from_secs(50)).await;
        assert!(connection.silent_for() >= Duration::from_secs(50));
        assert!(!connection.answers_within(Duration::from_secs(2)).await);
        let asked = tokio::spawn({
            let connection = Arc::clone(&connection);
            async move { connection.answers_within(Duration::from_secs(2)).await }
        });
        for _ in 0..2 {
            assert_eq!(frames.recv().await.unwrap(), r#"{"kind":"ping"}"#);
        }
        connection.hear(r#"{"kind":"pong"}"#, &events).await;
        assert!(asked.await.unwrap());
        assert!(connection.silent_for() < Duration::from_secs(1));
    }
}
