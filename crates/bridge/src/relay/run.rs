//! The relay's loop: one client for its whole life, one daemon after the other.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use protocol::MAX_FRAME_BYTES;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_tungstenite::tungstenite::Message as Frame;

use super::door::{Caller, Socket, close_reason};
use super::message::{Line, Message, read, too_long, twice, unreachable};
use super::start::{COMING_UP, StartError, enter, successor};
use super::table::Table;
use crate::daemon::{Build, StateDir};
use crate::rpc;
use crate::tools::Offer;

/// Id of an `initialize` that the relay sends again; a client cannot have sent it (it is not one of its ids).
const REPLAYED: &str = "\"tegata-relay-initialize\"";

/// Silence under an open request after which the daemon is asked for a sign of life, and how long that may take.
const STILL: Duration = Duration::from_secs(5);

/// Tells a client whose daemon changed that the tools may have, too.
const CHANGED: &str = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;

/// How the stay with one daemon ended.
enum End {
    /// The client closed its side.
    Client,
    /// The daemon was lost: come back at once.
    Lost,
    /// A newer daemon takes over: wait for it before starting one.
    Replaced,
    /// Somebody stopped it: come back when there is something to do.
    Stopped,
}

struct Relay {
    caller: Caller,
    state: StateDir,
    program: PathBuf,
    build: Build,
    lines: mpsc::Receiver<Input>,
    output: mpsc::Sender<String>,
    table: Table,
    /// The client's `initialize`, to be said again to every new daemon.
    initialize: Option<String>,
    initialized: Option<String>,
    /// Lines that came while there was no daemon.
    waiting: VecDeque<(Instant, String)>,
    /// A daemon was there before.
    served: bool,
    /// Process of the last daemon.
    daemon: Option<u32>,
}

enum Input {
    Line(String),
    TooLong,
}

/// Relays until stdin ends.
///
/// # Errors
/// When the state directory cannot be used at all.
pub async fn run(state: StateDir, program: PathBuf, build: Build, offer: Offer) -> Result<(), StartError> {
    let (to_relay, lines) = mpsc::channel(64);
    let (output, to_client) = mpsc::channel(64);
    let reading = tokio::spawn(read_lines(to_relay));
    let writing = tokio::spawn(write_lines(to_client));
    let relay = Relay {
        caller: Caller { id: uuid::Uuid::new_v4().to_string(), host: host_program(), offer },
        state,
        program,
        build,
        lines,
        output,
        table: Table::default(),
        initialize: None,
        initialized: None,
        waiting: VecDeque::new(),
        served: false,
        daemon: None,
    };
    relay.serve().await;
    reading.abort();
    // What was answered is still written; nothing more comes.
    let _ = writing.await;
    Ok(())
}

impl Relay {
    async fn serve(mut self) {
        let mut end = End::Lost;
        loop {
            let patience = matches!(end, End::Replaced);
            let Some(socket) = self.reach(patience).await else { return };
            end = self.stay(socket).await;
            if matches!(end, End::Client) {
                return;
            }
            for answer in self.table.lost() {
                self.say(answer).await;
            }
            if matches!(end, End::Stopped) {
                tracing::info!("the daemon was stopped; it is started again when it is needed");
                let Some(input) = self.lines.recv().await else { return };
                self.keep(input).await;
            } else {
                tracing::warn!("the daemon was lost");
            }
        }
    }

    /// Gets a socket to a daemon; meanwhile lines are kept, and answered when it takes too long. `None` when the client is gone.
    async fn reach(&mut self, patience: bool) -> Option<Socket> {
        loop {
            let (state, program, build) = (self.state.clone(), self.program.clone(), self.build);
            let caller = self.caller.clone();
            let before = self.daemon;
            let mut reaching = Box::pin(async move {
                if patience {
                    successor(&state, before).await?;
                }
                enter(&state, &program, build, &caller).await
            });
            let failed = loop {
                let due = self.waiting.front().map(|(since, _)| *since + COMING_UP);
                let late = async {
                    match due {
                        Some(at) => tokio::time::sleep_until(at).await,
                        None => std::future::pending().await,
                    }
                };
                tokio::select! {
                    reached = &mut reaching => match reached {
                        Ok(socket) => {
                            self.daemon = self.state.living().ok().flatten().map(|file| file.pid);
                            return Some(socket);
                        }
                        Err(failed) => break failed,
                    },
                    input = self.lines.recv() => self.keep(input?).await,
                    () = late => self.give_up("the daemon did not come up in time").await,
                }
            };
            tracing::error!(error = %failed, "there is no daemon");
            self.answer_waiting(&failed.to_string()).await;
            // Nothing is asked: the next line is the next try.
            let input = self.lines.recv().await?;
            self.keep(input).await;
        }
    }

    /// Serves the client through one daemon.
    async fn stay(&mut self, socket: Socket) -> End {
        let (mut sink, mut stream) = socket.split();
        let mut replaying = false;
        let mut queue: VecDeque<String> = VecDeque::new();
        if self.served
            && let Some(initialize) = &self.initialize
        {
            replaying = true;
            queue.push_back(initialize.clone());
        }
        if !replaying {
            self.begin(&mut queue).await;
        }
        let (mut heard, mut asked) = (Instant::now(), false);
        loop {
            while let Some(text) = queue.pop_front() {
                if sink.send(Frame::Text(text.into())).await.is_err() {
                    return End::Lost;
                }
                if !asked {
                    heard = Instant::now();
                }
            }
            tokio::select! {
                () = tokio::time::sleep_until(heard + STILL), if !self.table.is_empty() => {
                    if asked {
                        tracing::warn!("the daemon does not answer any more");
                        return End::Lost;
                    }
                    // A daemon at work answers this at once, whatever the call under way takes.
                    if sink.send(Frame::Ping(Vec::new().into())).await.is_err() {
                        return End::Lost;
                    }
                    (heard, asked) = (Instant::now(), true);
                }
                frame = stream.next() => {
                    (heard, asked) = (Instant::now(), false);
                    let text = match frame {
                        Some(Ok(Frame::Text(text))) => text,
                        Some(Ok(frame)) => match close_reason(&frame).as_deref() {
                            Some("stopped") => return End::Stopped,
                            Some("replaced") => return End::Replaced,
                            Some(_) => return End::Lost,
                            None => continue,
                        },
                        Some(Err(_)) | None => return End::Lost,
                    };
                    let id = match read(&text) {
                        Line::Message(message @ Message { id: Some(_), method: None, .. }) => message.key(),
                        Line::Message(_) => None,
                        Line::Bad(_) => continue,
                    };
                    if replaying && id.as_deref() == Some(REPLAYED) {
                        replaying = false;
                        queue.extend(self.initialized.clone());
                        self.begin(&mut queue).await;
                    } else if id.is_none_or(|id| self.table.answered(&id)) {
                        self.say(text.as_str().to_owned()).await;
                    }
                }
                input = self.lines.recv(), if !replaying => {
                    let Some(input) = input else { return End::Client };
                    if let Some(line) = self.admit(input).await {
                        queue.extend(self.send_now(line).await);
                    }
                }
            }
        }
    }

    /// The daemon is ready: what waited goes to it.
    async fn begin(&mut self, queue: &mut VecDeque<String>) {
        if self.served {
            self.say(CHANGED.to_owned()).await;
        }
        self.served = true;
        for (_, line) in std::mem::take(&mut self.waiting) {
            queue.extend(self.send_now(line).await);
        }
    }

    /// Takes a line in: `None` when it was answered here.
    async fn admit(&mut self, input: Input) -> Option<String> {
        let answer = match &input {
            Input::TooLong => too_long(MAX_FRAME_BYTES),
            Input::Line(line) => {
                let line = rpc::mended(line);
                match (rpc::refusal(&line), read(&line)) {
                    (Some(answer), _) | (None, Line::Bad(answer)) => answer,
                    (None, Line::Message(_)) => return Some(line.into_owned()),
                }
            }
        };
        self.say(answer).await;
        None
    }

    /// Keeps a line until there is a daemon.
    async fn keep(&mut self, input: Input) {
        if let Some(line) = self.admit(input).await {
            self.waiting.push_back((Instant::now(), line));
        }
    }

    /// Books a line that goes to the daemon now.
    async fn send_now(&mut self, line: String) -> Option<String> {
        let Line::Message(message) = read(&line) else { return None };
        match (message.method.as_deref(), message.key()) {
            (Some(method), Some(id)) => {
                if method == "initialize" {
                    self.initialize = replay(&line);
                }
                if !self.table.open(&id, method == "tools/call") {
                    let answer = twice(&id);
                    self.say(answer).await;
                    return None;
                }
            }
            (Some("notifications/initialized"), None) => self.initialized = Some(line.clone()),
            (Some(_), None) => {
                if let Some(id) = message.cancels() {
                    self.table.cancel(&id);
                }
            }
            (None, _) => {}
        }
        Some(line)
    }

    async fn give_up(&mut self, why: &str) {
        let now = Instant::now();
        while self.waiting.front().is_some_and(|(since, _)| *since + COMING_UP <= now) {
            if let Some((_, line)) = self.waiting.pop_front() {
                self.refuse(&line, why).await;
            }
        }
    }

    async fn answer_waiting(&mut self, why: &str) {
        for (_, line) in std::mem::take(&mut self.waiting) {
            self.refuse(&line, why).await;
        }
    }

    async fn refuse(&self, line: &str, why: &str) {
        if let Line::Message(Message { id: Some(id), method: Some(method), .. }) = read(line) {
            self.say(unreachable(id.get(), method == "tools/call", why)).await;
        }
    }

    async fn say(&self, text: String) {
        // A client that does not read is gone; stdin's end says so.
        let _ = self.output.send(text).await;
    }
}

/// The client's `initialize` under the relay's own id.
fn replay(line: &str) -> Option<String> {
    let mut message: serde_json::Value = serde_json::from_str(line).ok()?;
    *message.get_mut("id")? = serde_json::from_str(REPLAYED).ok()?;
    Some(message.to_string())
}

async fn read_lines(lines: mpsc::Sender<Input>) {
    let mut stdin = BufReader::with_capacity(64 * 1024, tokio::io::stdin());
    loop {
        let mut bytes = Vec::new();
        let limit = u64::try_from(MAX_FRAME_BYTES).unwrap_or(u64::MAX);
        let input = match (&mut stdin).take(limit).read_until(b'\n', &mut bytes).await {
            Ok(0) | Err(_) => return,
            Ok(length) if length >= MAX_FRAME_BYTES && bytes.last() != Some(&b'\n') => {
                if !skip_line(&mut stdin).await {
                    return;
                }
                Input::TooLong
            }
            Ok(_) => match String::from_utf8(bytes) {
                Ok(line) if line.trim().is_empty() => continue,
                Ok(line) => Input::Line(line.trim().to_owned()),
                // Not UTF-8 is not JSON.
                Err(_) => Input::Line("\u{fffd}".to_owned()),
            },
        };
        if lines.send(input).await.is_err() {
            return;
        }
    }
}

/// Reads on to the end of a line; `false` at the end of the input.
async fn skip_line(stdin: &mut (impl AsyncBufReadExt + Unpin)) -> bool {
    loop {
        let (used, found) = match stdin.fill_buf().await {
            Ok([]) | Err(_) => return false,
            Ok(chunk) => chunk.iter().position(|byte| *byte == b'\n').map_or((chunk.len(), false), |at| (at + 1, true)),
        };
        stdin.consume(used);
        if found {
            return true;
        }
    }
}

async fn write_lines(mut lines: mpsc::Receiver<String>) {
    let mut stdout = tokio::io::stdout();
    while let Some(mut line) = lines.recv().await {
        // Line breaks inside a message stand only between tokens (JSON escapes them in texts).
        line.retain(|sign| sign != '\n' && sign != '\r');
        line.push('\n');
        if stdout.write_all(line.as_bytes()).await.is_err() || stdout.flush().await.is_err() {
            return;
        }
    }
}

/// Name of the program that started this one, for the log.
fn host_program() -> String {
    let parent = nix::unistd::getppid();
    let name = std::fs::read_to_string(format!("/proc/{parent}/comm")).unwrap_or_default();
    name.trim().chars().filter(char::is_ascii_graphic).take(40).collect()
}
