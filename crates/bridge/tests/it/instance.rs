//! One instance of the program in a directory of its own, and an agent that speaks MCP to it over stdio.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bridge::daemon::{Answer, DaemonFile, Question, StateDir};
use bridge::relay::{ask, find_or_start};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::{mpsc, oneshot};

/// Bound of every wait: generous, since the machine may be busy.
pub(crate) const LIMIT: Duration = Duration::from_secs(20);

/// Waits for something, bounded.
pub(crate) async fn until<T>(what: &str, mut probe: impl FnMut() -> Option<T>) -> T {
    let deadline = tokio::time::Instant::now() + LIMIT;
    loop {
        if let Some(found) = probe() {
            return found;
        }
        assert!(tokio::time::Instant::now() < deadline, "never: {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Awaits something, bounded.
pub(crate) async fn soon<T>(what: &str, future: impl Future<Output = T>) -> T {
    tokio::time::timeout(LIMIT, future).await.unwrap_or_else(|_| panic!("never: {what}"))
}

/// An instance.
pub(crate) struct Instance {
    pub(crate) place: tempfile::TempDir,
    pub(crate) state: StateDir,
    environment: Vec<(String, String)>,
}

impl Instance {
    pub(crate) fn new() -> Self {
        let place = tempfile::tempdir().unwrap();
        let state = StateDir::at(&place.path().join("state"));
        let folder = place.path().join("extension");
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("manifest.json"), "{}").unwrap();
        std::fs::write(folder.join("build.json"), r#"{"version":"0.1.0","source_hash":"abc"}"#).unwrap();
        let environment = vec![("TEGATA_EXTENSION_DIR".to_owned(), folder.display().to_string())];
        Self { place, state, environment }
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn program(&self) -> PathBuf {
        PathBuf::from(env!("CARGO_BIN_EXE_tegata"))
    }

    pub(crate) fn command_of(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env("TEGATA_STATE_DIR", self.state.path()).stdin(Stdio::null()).kill_on_drop(true);
        command.envs(self.environment.iter().cloned());
        command
    }

    pub(crate) fn command(&self) -> Command {
        self.command_of(&self.program())
    }

    /// Runs to the end: exit code, stdout, stderr.
    pub(crate) async fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let output = soon("the program ends", self.command().args(arguments).output()).await.unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
    }

    /// The daemon, started with this instance's environment when none lives.
    pub(crate) async fn daemon(&self) -> DaemonFile {
        let (code, _, error) = self.run(&["extension", "--json", "--pair"]).await;
        assert_eq!(code, 0, "{error}");
        self.state.living().unwrap().expect("a daemon lives")
    }

    pub(crate) async fn code(&self, daemon: &DaemonFile) -> String {
        match ask(daemon, Question::Pair).await.unwrap() {
            Answer::Pair(code) => code,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.state.file(name)).unwrap_or_default()
    }

    /// Starts through the library, as a relay does.
    pub(crate) async fn find(&self) -> DaemonFile {
        let build = bridge::daemon::Build::of(&self.program());
        find_or_start(&self.state, &self.program(), build).await.unwrap()
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        if let Ok(Some(pid)) = self.state.holder() {
            kill(pid, nix::sys::signal::Signal::SIGKILL);
        }
    }
}

/// Signals a process that this test started.
pub(crate) fn kill(pid: u32, signal: nix::sys::signal::Signal) {
    let _ = nix::sys::signal::kill(nix::unistd::Pid::from_raw(i32::try_from(pid).unwrap()), signal);
}

type Waiting = Arc<Mutex<HashMap<u64, oneshot::Sender<Value>>>>;

/// An agent's host: `tegata mcp` and the lines it says.
pub(crate) struct Agent {
    pub(crate) child: Child,
    stdin: Option<ChildStdin>,
    waiting: Waiting,
    next: u64,
    pub(crate) lines: Arc<Mutex<Vec<String>>>,
    pub(crate) unasked: mpsc::UnboundedReceiver<Value>,
}

impl Agent {
    pub(crate) async fn start(mut command: Command) -> Self {
        let mut child = command.arg("mcp").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let stdin = child.stdin.take();
        let mut stdout = BufReader::new(child.stdout.take().unwrap()).lines();
        let waiting = Waiting::default();
        let lines = Arc::new(Mutex::new(Vec::new()));
        let (tell, unasked) = mpsc::unbounded_channel();
        let (answers, kept) = (Arc::clone(&waiting), Arc::clone(&lines));
        tokio::spawn(async move {
            while let Ok(Some(line)) = stdout.next_line().await {
                kept.lock().unwrap().push(line.clone());
                let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| json!({"not": "json"}));
                let waiting = message.get("id").and_then(Value::as_u64).and_then(|id| answers.lock().unwrap().remove(&id));
                let _ = match waiting {
                    Some(waiting) => waiting.send(message).map_err(|_| ()),
                    None => tell.send(message).map_err(|_| ()),
                };
            }
        });
        Self { child, stdin, waiting, next: 1, lines, unasked }
    }

    pub(crate) async fn greeted(command: Command, name: &str) -> Self {
        let mut agent = Self::start(command).await;
        let client = json!({"name": name, "version": "1"});
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
        let answer = agent.request("initialize", hello).await;
        assert_eq!(answer["result"]["serverInfo"]["name"], "tegata", "{answer}");
        agent.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string()).await;
        agent
    }

    pub(crate) async fn say(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(format!("{line}\n").as_bytes()).await.unwrap();
        stdin.flush().await.unwrap();
    }

    /// Sends a request: its id, and the answer to come.
    pub(crate) async fn ask(&mut self, method: &str, params: Value) -> (u64, oneshot::Receiver<Value>) {
        let id = self.next;
        self.next += 1;
        let (sender, answer) = oneshot::channel();
        self.waiting.lock().unwrap().insert(id, sender);
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()).await;
        (id, answer)
    }

    pub(crate) async fn request(&mut self, method: &str, params: Value) -> Value {
        let (_, answer) = self.ask(method, params).await;
        soon(method, answer).await.expect("an answer")
    }

    pub(crate) async fn ask_tool(&mut self, name: &str, arguments: Value) -> (u64, oneshot::Receiver<Value>) {
        self.ask("tools/call", json!({"name": name, "arguments": arguments})).await
    }

    /// Calls a tool: whether it is an error, and its text.
    pub(crate) async fn call(&mut self, name: &str, arguments: Value) -> (bool, String) {
        let (_, answer) = self.ask_tool(name, arguments).await;
        reply(&soon(name, answer).await.expect("an answer"))
    }

    /// Closes stdin and waits for the end.
    pub(crate) async fn leave(mut self) -> i32 {
        drop(self.stdin.take());
        soon("the relay ends", self.child.wait()).await.unwrap().code().unwrap_or(-1)
    }
}

impl Drop for Agent {
    /// A relay that outlives its instance would start another daemon there: it is seen to be gone first.
    fn drop(&mut self) {
        let _ = self.child.start_kill();
        let deadline = std::time::Instant::now() + Duration::from_secs(2);
        while matches!(self.child.try_wait(), Ok(None)) && std::time::Instant::now() < deadline {
            std::thread::yield_now();
        }
    }
}

/// Whether an answer to a tool call is an error, and its text.
pub(crate) fn reply(answer: &Value) -> (bool, String) {
    let result = &answer["result"];
    assert!(result.is_object(), "{answer}");
    (result["isError"].as_bool().unwrap_or(false), result["content"][0]["text"].as_str().unwrap_or_default().to_owned())
}
