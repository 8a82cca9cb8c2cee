//! The frame log of a scenario: every MCP message both ways, and the daemon's own hops, redacted before it is written.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use rmcp::RoleClient;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde::Serialize;
use serde_json::{Value, json};

/// Which way a frame goes, seen from the lab.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// To the server under test.
    Out,
    /// From it.
    In,
}

/// Texts that must not be written down.
#[derive(Clone, Debug, Default)]
pub struct Secrets(Vec<String>);

impl Secrets {
    /// These texts; empty ones do not count.
    pub fn new(texts: impl IntoIterator<Item = String>) -> Self {
        let mut texts = texts.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>();
        // A longer secret may contain a shorter one.
        texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
        Self(texts)
    }

    /// Replaces every secret in every string of a value by its length.
    pub fn redact(&self, value: &mut Value) {
        match value {
            Value::String(text) => self.redact_text(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.redact(item)),
            Value::Object(map) => {
                // A picture would be most of the log, and nobody reads it there.
                if map.get("type").is_some_and(|kind| kind == "image")
                    && let Some(Value::String(data)) = map.get_mut("data")
                {
                    *data = format!("<{} characters>", data.len());
                }
                map.values_mut().for_each(|item| self.redact(item));
            }
            _ => {}
        }
    }

    /// The same for a text.
    pub fn redact_text(&self, text: &mut String) {
        for secret in self.0.iter().filter(|secret| text.contains(secret.as_str())).collect::<Vec<_>>() {
            *text = text.replace(secret.as_str(), &format!("[{} characters redacted]", secret.chars().count()));
        }
        // MCP puts JSON into strings: there the secret stands escaped.
        for secret in &self.0 {
            let escaped = Value::String(secret.clone()).to_string();
            let escaped = escaped.trim_matches('"');
            if escaped != secret && text.contains(escaped) {
                *text = text.replace(escaped, &format!("[{} characters redacted]", secret.chars().count()));
            }
        }
    }
}

/// Writes the frames of one scenario. Cheap to clone; a log that cannot be written never changes a verdict.
#[derive(Clone)]
pub struct FrameLog {
    inner: Option<Arc<Inner>>,
}

struct Inner {
    file: Mutex<File>,
    started: Instant,
    secrets: Secrets,
}

impl FrameLog {
    /// Writes nothing.
    pub fn none() -> Self {
        Self { inner: None }
    }

    /// Begins a log.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn create(path: &Path, secrets: Secrets) -> io::Result<Self> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let file = Mutex::new(File::create(path)?);
        let inner = Inner { file, started: Instant::now(), secrets };
        // What else has a clock of its own is put beside the frames by this.
        inner.write(json!({"t_ms": 0.0, "hop": "lab", "epoch_ms": crate::fixture::epoch_ms()}));
        Ok(Self { inner: Some(Arc::new(inner)) })
    }

    /// Takes down one frame.
    pub fn frame(&self, hop: &str, dir: Direction, message: &impl Serialize) {
        let Some(inner) = &self.inner else { return };
        let t_ms = inner.started.elapsed().as_secs_f64() * 1000.0;
        let t_ms = (t_ms * 10.0).round() / 10.0;
        let message = serde_json::to_value(message).unwrap_or(Value::Null);
        inner.write(json!({"t_ms": t_ms, "hop": hop, "dir": dir, "message": message}));
    }

    /// Copies the lines a daemon has written to its own log since `from`.
    pub fn copy_tail(&self, tail: &Tail) {
        let Some(inner) = &self.inner else { return };
        for line in tail.lines() {
            // A line that is not JSON is kept as a text: a broken record must be seen.
            inner.write(serde_json::from_str(&line).unwrap_or_else(|_| json!({"hop": "daemon", "unreadable": line})));
        }
    }
}

impl Inner {
    fn write(&self, mut line: Value) {
        self.secrets.redact(&mut line);
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = writeln!(file, "{line}") {
            tracing::warn!(%error, "the frame log cannot be written");
        }
    }
}

/// A place in a growing file.
pub struct Tail {
    path: PathBuf,
    from: u64,
}

impl Tail {
    /// The end of the file as it is now.
    pub fn here(path: PathBuf) -> Self {
        let from = std::fs::metadata(&path).map_or(0, |data| data.len());
        Self { path, from }
    }

    /// Whether a whole line with all these words was written since.
    pub fn holds(&self, words: &[&str]) -> bool {
        self.lines().iter().any(|line| words.iter().all(|word| line.contains(word)))
    }

    fn lines(&self) -> Vec<String> {
        let read = || -> io::Result<String> {
            let mut file = File::open(&self.path)?;
            file.seek(SeekFrom::Start(self.from))?;
            let mut text = String::new();
            file.read_to_string(&mut text)?;
            Ok(text)
        };
        read().unwrap_or_default().lines().map(str::to_owned).collect()
    }
}

/// A transport that takes down everything that passes.
pub(crate) struct LoggedTransport<T> {
    pub(crate) inner: T,
    pub(crate) log: FrameLog,
}

impl<T: Transport<RoleClient>> Transport<RoleClient> for LoggedTransport<T> {
    type Error = T::Error;

    fn send(&mut self, item: TxJsonRpcMessage<RoleClient>) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.log.frame("mcp", Direction::Out, &item);
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        let message = self.inner.receive().await;
        if let Some(message) = &message {
            self.log.frame("mcp", Direction::In, message);
        }
        message
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.inner.close()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_never_reaches_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("frames.jsonl");
        let secret = "hun\"ter2";
        let log = FrameLog::create(&path, Secrets::new([secret.to_owned(), String::new()])).unwrap();
        let nested = json!({"arguments": {"text": secret}, "content": [{"text": json!({"text": secret}).to_string()}]});
        log.frame("mcp", Direction::Out, &nested);
        let daemon = folder.path().join("daemon.jsonl");
        std::fs::write(&daemon, "{\"old\":1}\n").unwrap();
        let tail = Tail::here(daemon.clone());
        std::fs::write(&daemon, format!("{{\"old\":1}}\n{}\nbroken {secret}\n", json!({"hop": "link", "v": secret}))).unwrap();
        log.copy_tail(&tail);
        let text = std::fs::read_to_string(path).unwrap();
        assert!(!text.contains("ter2"), "{text}");
        assert_eq!(text.lines().count(), 4, "{text}");
        assert!(text.contains("\"hop\":\"link\"") && text.contains("unreadable") && !text.contains("old"));
    }
}
