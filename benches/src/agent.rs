//! An agent's host: starts an MCP server and calls its tools over stdio. Lines of JSON, no library in between.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

/// No call of a bench takes longer.
const LIMIT: Duration = Duration::from_secs(60);

/// A session with an MCP server.
#[derive(Debug)]
pub struct Agent {
    stdin: ChildStdin,
    stdout: Lines<BufReader<ChildStdout>>,
    next: u64,
    /// Kept so that it ends with this.
    _child: Child,
}

impl Agent {
    /// Starts the server and greets it.
    ///
    /// # Errors
    /// When it does not start or does not answer.
    pub async fn start(command: &Path, arguments: &[String], environment: impl IntoIterator<Item = (String, String)>) -> Result<Self> {
        let mut server = Command::new(command);
        server.args(arguments).envs(environment).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
        let mut child = server.spawn().with_context(|| format!("cannot start {}", command.display()))?;
        let stdin = child.stdin.take().context("no stdin")?;
        let stdout = BufReader::new(child.stdout.take().context("no stdout")?).lines();
        let mut agent = Self { stdin, stdout, next: 0, _child: child };
        let client = json!({"name": "bench", "version": "1"});
        agent.request("initialize", &json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})).await?;
        agent.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await?;
        Ok(agent)
    }

    /// Calls a tool: the text of its reply.
    ///
    /// # Errors
    /// When there is no answer, or it is an error.
    pub async fn call(&mut self, tool: &str, arguments: &Value) -> Result<String> {
        let (error, text) = self.call_any(tool, arguments).await?;
        ensure!(!error, "{tool} {arguments} failed: {text}");
        Ok(text)
    }

    /// Calls a tool: whether its reply is an error, and the text.
    ///
    /// # Errors
    /// When there is no answer.
    pub async fn call_any(&mut self, tool: &str, arguments: &Value) -> Result<(bool, String)> {
        let answer = self.request("tools/call", &json!({"name": tool, "arguments": arguments})).await?;
        let text = answer["content"][0]["text"].as_str().unwrap_or_default().to_owned();
        Ok((answer["isError"].as_bool().unwrap_or(false), text))
    }

    async fn request(&mut self, method: &str, params: &Value) -> Result<Value> {
        self.next += 1;
        let id = self.next;
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await?;
        loop {
            let line = timeout(LIMIT, self.stdout.next_line()).await.with_context(|| format!("no answer to {method}"))??;
            let line = line.with_context(|| format!("the server ended instead of answering {method}"))?;
            let mut message: Value = serde_json::from_str(&line)?;
            if message["id"].as_u64() == Some(id) {
                if let Some(error) = message.get("error") {
                    bail!("{method} failed: {error}");
                }
                return Ok(message["result"].take());
            }
        }
    }

    async fn say(&mut self, message: &Value) -> Result<()> {
        self.stdin.write_all(format!("{message}\n").as_bytes()).await?;
        Ok(self.stdin.flush().await?)
    }
}
