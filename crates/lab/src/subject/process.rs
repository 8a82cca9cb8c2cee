//! A server under test that runs as a process: built, started, introduced to Chrome, spoken to over MCP.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use regex::Regex;
use rmcp::ServiceExt;
use rmcp::model::{ClientCapabilities, ClientConfig, Implementation};
use rmcp::transport::TokioChildProcess;
use serde::Deserialize;
use tokio::process::Command;

use crate::driver::Chrome;
use crate::frames::{FrameLog, LoggedTransport};
use crate::scenario::Fault;

use super::adapter::{Adapter, CommandLine, Ready};
use super::reply::Reader;
use super::session::Session;
use super::{CALL_BOUND, Stage, Subject, SubjectError, SubjectSession, packages, tegata};

/// Longest wait for a command of the adapter file.
const COMMAND_BOUND: Duration = Duration::from_secs(30);
/// Longest wait until a subject has hold of Chrome.
const READY_BOUND: Duration = Duration::from_secs(20);
/// Pause between two looks at something that cannot tell us by itself.
const LOOK_AGAIN: Duration = Duration::from_millis(50);
/// Longest wait for a process that was asked to end.
const END_BOUND: Duration = Duration::from_secs(5);

/// An adapter with everything it needs built and checked.
pub struct Prepared {
    pub(super) adapter: Adapter,
    pub(super) reader: Reader,
    ready: Option<(CommandLine, Regex)>,
    worker: Option<(CommandLine, Regex)>,
    root: PathBuf,
    bin: Option<PathBuf>,
}

impl Prepared {
    pub(super) async fn new(root: &Path, adapter: Adapter) -> Result<Self, SubjectError> {
        let reader = adapter.reader().map_err(SubjectError::Start)?;
        let looks = |what: &Option<Ready>| {
            what.as_ref()
                .map(|look| {
                    let pattern = Regex::new(&look.pattern)
                        .map_err(|error| SubjectError::Start(format!("the adapter's pattern `{}` is wrong: {error}", look.pattern)))?;
                    Ok((CommandLine { command: look.command.clone(), args: look.args.clone() }, pattern))
                })
                .transpose()
        };
        let (ready, worker) = (looks(&adapter.ready)?, looks(&adapter.worker)?);
        if let Some(folder) = &adapter.packages {
            packages::install(&root.join(folder)).await?;
        }
        let bin = match &adapter.build {
            Some(build) => {
                if let Some(extension) = &build.extension {
                    tegata::check_extension(&root.join(extension))?;
                }
                Some(tegata::build(root, build).await?)
            }
            None => None,
        };
        // Some of its commands are started elsewhere.
        let root = std::path::absolute(root).unwrap_or_else(|_| root.to_owned());
        Ok(Self { adapter, reader, ready, worker, root, bin })
    }
}

/// How any MCP client starts a session with the subject.
#[derive(Clone, Debug, serde::Serialize)]
pub struct McpCommand {
    /// The program.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its environment, besides the inherited one.
    pub env: BTreeMap<String, String>,
}

/// What the adapter's `connect` command prints.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Connection {
    #[serde(default)]
    pub(super) folder: Option<PathBuf>,
    /// The extension's id.
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    pub(super) connect_url: Option<String>,
}

/// What only a session knows.
#[derive(Clone, Debug, Default)]
pub(super) struct Words {
    devtools: String,
    session: String,
}

impl Words {
    fn fill(&self, text: &str) -> String {
        text.replace("{devtools}", &self.devtools).replace("{session}", &self.session)
    }
}

/// A running instance with its own state folder.
pub(super) struct Process {
    pub(super) prepared: Arc<Prepared>,
    state: PathBuf,
    pub(super) connection: Connection,
    /// It was ended in order; the pid in its file may be somebody else's by now.
    stopped: AtomicBool,
}

impl Process {
    pub(super) async fn start(prepared: Arc<Prepared>, state: &Path) -> Result<Self, SubjectError> {
        std::fs::create_dir_all(state).map_err(|error| SubjectError::Start(format!("{} cannot be created: {error}", state.display())))?;
        let mut process = Self { prepared, state: state.to_owned(), connection: Connection::default(), stopped: AtomicBool::new(false) };
        if let Some(connect) = process.prepared.adapter.connect.clone() {
            let printed = process.run(&connect).await?;
            let line = printed.lines().find(|line| line.trim_start().starts_with('{')).unwrap_or_default();
            process.connection = serde_json::from_str(line)
                .map_err(|error| SubjectError::Start(format!("`{}` printed no connection ({error}): {printed}", connect.args.join(" "))))?;
        }
        Ok(process)
    }

    fn fill(&self, text: &str) -> String {
        let bin = self.prepared.bin.as_deref().map(Path::to_string_lossy).unwrap_or_default();
        text.replace("{state}", &self.state.to_string_lossy())
            .replace("{bin}", &bin)
            .replace("{root}", &self.prepared.root.to_string_lossy())
    }

    fn env(&self) -> BTreeMap<String, String> {
        self.prepared.adapter.env.iter().map(|(key, value)| (key.clone(), self.fill(value))).collect()
    }

    /// A command of the adapter, with what only a session knows filled in.
    fn command(&self, line: &CommandLine, session: &Words) -> Command {
        let fill = |text: &str| session.fill(&self.fill(text));
        let mut command = Command::new(fill(&line.command));
        command.args(line.args.iter().map(|arg| fill(arg)));
        command.envs(self.env().into_iter().map(|(key, value)| (key, session.fill(&value)))).kill_on_drop(true);
        if self.prepared.adapter.packages.is_some() {
            // They read settings where they are started, and write files there.
            command.current_dir(&self.state);
        }
        command
    }

    /// Runs a command of the adapter to its end and returns what it printed.
    async fn run(&self, line: &CommandLine) -> Result<String, SubjectError> {
        self.run_in(line, &Words::default()).await
    }

    /// The same for a command that belongs to a session.
    pub(super) async fn run_in(&self, line: &CommandLine, session: &Words) -> Result<String, SubjectError> {
        let told = || format!("{} {}", self.fill(&line.command), line.args.join(" "));
        let output = tokio::time::timeout(COMMAND_BOUND, self.command(line, session).output())
            .await
            .map_err(|_| SubjectError::Start(format!("`{}` did not end within {} s", told(), COMMAND_BOUND.as_secs())))?
            .map_err(|error| SubjectError::Start(format!("`{}` could not be started: {error}", told())))?;
        if !output.status.success() {
            let said = [&output.stderr, &output.stdout].map(|bytes| String::from_utf8_lossy(bytes).trim().to_owned());
            let said = said.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ");
            return Err(SubjectError::Start(format!("`{}` failed ({}): {said}", told(), output.status)));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// The command with which any MCP client starts a session.
    pub(super) fn mcp_command(&self) -> Option<McpCommand> {
        let server = self.prepared.adapter.server.as_ref()?;
        let args = server.args.iter().map(|arg| self.fill(arg)).collect();
        Some(McpCommand { command: self.fill(&server.command), args, env: self.env() })
    }

    /// The daemon's process, as its own file names it.
    fn daemon(&self) -> Option<Pid> {
        #[derive(Deserialize)]
        struct DaemonFile {
            pid: i32,
        }
        let file = self.state.join(&self.prepared.adapter.daemon.as_ref()?.file);
        let text = std::fs::read_to_string(file).ok()?;
        serde_json::from_str::<DaemonFile>(&text).ok().map(|file| Pid::from_raw(file.pid))
    }

    /// Sends the daemon a signal and waits until it is gone.
    async fn signal_daemon(&self, signal: Signal) -> Result<(), SubjectError> {
        let pid = self.daemon().ok_or_else(|| SubjectError::Start("there is no daemon to end".into()))?;
        kill(pid, signal).map_err(|error| SubjectError::Start(format!("pid {pid} cannot be ended: {error}")))?;
        let started = Instant::now();
        while is_running(pid) {
            if started.elapsed() > END_BOUND {
                return Err(SubjectError::Start(format!("the daemon (pid {pid}) still runs {} s after {signal}", END_BOUND.as_secs())));
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        Ok(())
    }

    /// The word of the worker's present life.
    async fn worker_word(&self) -> Result<String, SubjectError> {
        let Some((command, pattern)) = &self.prepared.worker else {
            return Err(SubjectError::Start("the adapter file does not tell the lives of a worker apart (`worker`)".into()));
        };
        let printed = self.run(command).await?;
        let word = pattern.captures(&printed).and_then(|found| Some(found.get(1)?.as_str().to_owned()));
        word.ok_or_else(|| SubjectError::Start(format!("no word of a worker in: {}", printed.trim())))
    }

    /// Lets the browser end the extension's worker, and waits until another one has taken its place.
    async fn kill_worker(&self, chrome: &Chrome) -> Result<(), SubjectError> {
        let id = self.connection.id.as_deref().ok_or_else(|| SubjectError::Start("the subject names no extension".into()))?;
        let before = self.worker_word().await?;
        chrome.end_worker(&format!("chrome-extension://{id}/")).await.map_err(|error| SubjectError::Driver(error.to_string()))?;
        let started = Instant::now();
        let mut last = before.clone();
        while started.elapsed() < READY_BOUND {
            match self.worker_word().await {
                Ok(word) if word != before => return Ok(()),
                Ok(word) => last = word,
                Err(error) => last = error.to_string(),
            }
            tokio::time::sleep(LOOK_AGAIN).await;
        }
        Err(SubjectError::Start(format!("no other worker came within {} s: {last}", READY_BOUND.as_secs())))
    }
}

#[async_trait]
impl Subject for Process {
    fn extension(&self) -> Option<PathBuf> {
        self.connection.folder.clone()
    }

    fn start_urls(&self) -> Vec<String> {
        self.connection.connect_url.clone().into_iter().collect()
    }

    async fn ready(&self) -> Result<(), SubjectError> {
        let Some((command, pattern)) = &self.prepared.ready else { return Ok(()) };
        // After a fault nobody may have needed the daemon yet.
        if let Some(connect) = self.prepared.adapter.connect.as_ref().filter(|_| !self.daemon().is_some_and(is_running)) {
            self.run(connect).await?;
        }
        let started = Instant::now();
        let mut last = String::new();
        while started.elapsed() < READY_BOUND {
            match self.run(command).await {
                Ok(printed) if pattern.is_match(&printed) => return Ok(()),
                Ok(printed) => last = printed,
                Err(error) => last = error.to_string(),
            }
            tokio::time::sleep(LOOK_AGAIN).await;
        }
        let bound = READY_BOUND.as_secs();
        Err(SubjectError::Start(format!("the subject did not get hold of Chrome within {bound} s: {}", last.trim())))
    }

    async fn session<'a>(&'a self, stage: Stage<'a>, log: FrameLog) -> Result<Box<dyn SubjectSession + 'a>, SubjectError> {
        let Some(server) = &self.prepared.adapter.server else {
            return Err(SubjectError::Start("the adapter file has no server".into()));
        };
        let failed = |reason: String| SubjectError::Start(format!("the MCP session did not start: {reason}"));
        // What the server says on stderr goes to the run's folder, not over the progress line.
        let said = std::fs::File::options().create(true).append(true).open(self.state.join("server.stderr"));
        let stderr = said.map_or_else(|_| std::process::Stdio::null(), std::process::Stdio::from);
        if self.prepared.adapter.packages.is_some() {
            stage.chrome.commit_tabs().await.map_err(|error| SubjectError::Driver(error.to_string()))?;
        }
        // Only now is there a Chrome: servers that drive it over DevTools are told where.
        let words = Words { devtools: stage.chrome.devtools_url().to_owned(), session: uuid::Uuid::new_v4().simple().to_string() };
        let (inner, _) = TokioChildProcess::builder(self.command(server, &words))
            .stderr(stderr)
            .spawn()
            .map_err(|error| failed(format!("`{}`: {error}", self.fill(&server.command))))?;
        let info = ClientConfig::new(ClientCapabilities::default(), Implementation::new("lab", env!("CARGO_PKG_VERSION")));
        let client = tokio::time::timeout(CALL_BOUND, info.serve(LoggedTransport { inner, log }))
            .await
            .map_err(|_| failed(format!("no answer within {} s", CALL_BOUND.as_secs())))?
            .map_err(|error| failed(error.to_string()))?;
        Ok(Box::new(Session::new(self, client, words)))
    }

    fn own_log(&self) -> Option<PathBuf> {
        let frames = self.prepared.adapter.daemon.as_ref()?.frames.as_ref()?;
        Some(self.state.join(frames))
    }

    async fn lose(&self, fault: Fault, chrome: &Chrome) -> Result<(), SubjectError> {
        match fault {
            Fault::KillDaemon => self.signal_daemon(Signal::SIGKILL).await,
            Fault::RestartDaemon => self.signal_daemon(Signal::SIGTERM).await,
            Fault::KillWorker => self.kill_worker(chrome).await,
            // The runner's own: the tab is no part of the subject.
            Fault::CrashTab | Fault::DiscardTab | Fault::CloseTab => Ok(()),
        }
    }

    async fn stop(&self) -> Result<(), SubjectError> {
        if self.stopped.swap(true, Ordering::Relaxed) {
            return Ok(());
        }
        let Some(pid) = self.daemon() else { return Ok(()) };
        // It may have ended by itself.
        if kill(pid, Signal::SIGTERM).is_err() {
            return Ok(());
        }
        let started = Instant::now();
        while is_running(pid) {
            if started.elapsed() > END_BOUND {
                kill(pid, Signal::SIGKILL).map_err(|error| SubjectError::Start(format!("pid {pid} cannot be ended: {error}")))?;
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        Ok(())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A run that was cut short leaves nothing behind either.
        if !self.stopped.load(Ordering::Relaxed)
            && let Some(pid) = self.daemon()
        {
            let _ = kill(pid, Signal::SIGKILL);
        }
    }
}

/// Whether a process is still there and no zombie.
fn is_running(pid: Pid) -> bool {
    if kill(pid, None).is_err() {
        return false;
    }
    let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    !state.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z'))
}
