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
use rmcp::service::ClientInitializeError;
use rmcp::transport::TokioChildProcess;
use serde::Deserialize;
use tokio::process::Command;

use crate::driver::{Chrome, Guard, is_running};
use crate::frames::{FrameLog, LoggedTransport};
use crate::scenario::Fault;

use super::adapter::{Adapter, CommandLine, Ready};
use super::cable::Cable;
use super::control::{Address, Control};
use super::reply::Reader;
use super::session::Session;
use super::{CALL_BOUND, Stage, Subject, SubjectError, SubjectSession, packages, tegata};

/// Longest wait for a command of the adapter file.
const COMMAND_BOUND: Duration = Duration::from_secs(30);
/// Longest wait until a subject has hold of Chrome.
pub(super) const READY_BOUND: Duration = Duration::from_secs(20);
/// Pause between two looks at something that cannot tell us by itself.
pub(super) const LOOK_AGAIN: Duration = Duration::from_millis(50);
/// Longest wait for a process that was asked to end.
pub(super) const END_BOUND: Duration = Duration::from_secs(5);

/// An adapter with everything it needs built and checked.
pub struct Prepared {
    pub(super) adapter: Adapter,
    pub(super) reader: Reader,
    ready: Option<(CommandLine, Regex)>,
    pub(super) worker: Option<(CommandLine, Regex)>,
    root: PathBuf,
    bin: Option<PathBuf>,
}

impl Prepared {
    pub(super) async fn new(root: &Path, adapter: Adapter) -> Result<Self, SubjectError> {
        let reader = adapter.reader().map_err(|(key, message)| SubjectError::Start(format!("replies.{key}: {message}")))?;
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

    /// Its binary is this one.
    pub(super) fn built_as(&mut self, binary: &Path) {
        // Some of its commands are started elsewhere.
        self.bin = Some(std::path::absolute(binary).unwrap_or_else(|_| binary.to_owned()));
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
    pub(super) id: Option<String>,
    #[serde(default)]
    pub(super) connect_url: Option<String>,
}

/// What a daemon writes down about itself.
#[derive(Deserialize)]
struct DaemonFile {
    pid: i32,
    /// Where its extension finds it.
    #[serde(default)]
    port: Option<u16>,
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
    /// The way of its extension to its daemon, where the adapter tells its port and faults are to be made.
    cable: Option<Cable>,
    /// Ends its daemon should the lab be killed.
    guard: std::sync::Mutex<Option<Guard>>,
    /// It was ended in order; the pid in its file may be somebody else's by now.
    stopped: AtomicBool,
}

impl Process {
    /// An instance of which nothing was started yet.
    pub(super) fn bare(prepared: Arc<Prepared>, state: &Path) -> Result<Self, SubjectError> {
        std::fs::create_dir_all(state).map_err(|error| SubjectError::Start(format!("{} cannot be created: {error}", state.display())))?;
        let guard = prepared.adapter.daemon.as_ref().map(|daemon| Guard::of_daemon(&state.join(&daemon.file), state)).transpose();
        let guard = guard.map_err(|error| SubjectError::Start(format!("no guard could be set: {error}")))?;
        Ok(Self {
            prepared,
            state: state.to_owned(),
            connection: Connection::default(),
            cable: None,
            guard: std::sync::Mutex::new(guard),
            stopped: AtomicBool::new(false),
        })
    }

    pub(super) async fn start(prepared: Arc<Prepared>, state: &Path) -> Result<Self, SubjectError> {
        Self::bare(prepared, state)?.connected().await
    }

    /// The same once it has told how Chrome is introduced to it.
    pub(super) async fn connected(self) -> Result<Self, SubjectError> {
        let mut process = self;
        for (name, text) in &process.prepared.adapter.files {
            std::fs::write(process.state.join(name), text)
                .map_err(|error| SubjectError::Start(format!("{name} could not be written: {error}")))?;
        }
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
    pub(super) fn command(&self, line: &CommandLine, session: &Words) -> Command {
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
    pub(super) async fn run(&self, line: &CommandLine) -> Result<String, SubjectError> {
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

    /// Puts a cable between the extension and the daemon, which can be cut. The extension is introduced to the cable's port.
    pub(super) async fn lay_cable(&mut self) -> Result<(), SubjectError> {
        let (Some(port), Some(url)) = (self.daemon_file().and_then(|file| file.port), &self.connection.connect_url) else { return Ok(()) };
        let cable = Cable::lay(port).await.map_err(|error| SubjectError::Start(format!("no cable could be laid: {error}")))?;
        let there = port.to_string();
        // An adapter whose address does not name its port is left as it is.
        if url.matches(&there).count() == 1 {
            self.connection.connect_url = Some(url.replace(&there, &cable.port().to_string()));
            self.cable = Some(cable);
        }
        Ok(())
    }

    /// How its daemon is reached by those who hold its token.
    pub(super) fn address(&self) -> Result<Address, SubjectError> {
        let daemon = self.prepared.adapter.daemon.as_ref();
        let file = daemon.ok_or_else(|| SubjectError::Start("the adapter file names no daemon".into()))?;
        Address::read(&self.state.join(&file.file))
    }

    fn daemon_file(&self) -> Option<DaemonFile> {
        let file = self.state.join(&self.prepared.adapter.daemon.as_ref()?.file);
        serde_json::from_str(&std::fs::read_to_string(file).ok()?).ok()
    }

    /// The daemon's process, as its own file names it.
    pub(super) fn daemon(&self) -> Option<Pid> {
        self.daemon_file().map(|file| Pid::from_raw(file.pid))
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
        if let Some(connect) = self.prepared.adapter.connect.as_ref().filter(|_| !self.daemon().is_some_and(|pid| is_running(pid.as_raw())))
        {
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
        let stderr = self.state.join("server.stderr");
        let told = || {
            let text = std::fs::read_to_string(&stderr).unwrap_or_default();
            let words = text.lines().rev().find(|line| !line.trim().is_empty()).map(|line| format!(". Its last words: {}", line.trim()));
            words.unwrap_or_else(|| String::from(", and says nothing on its standard error"))
        };
        let said = std::fs::File::options().create(true).append(true).open(&stderr);
        let sink = said.map_or_else(|_| std::process::Stdio::null(), std::process::Stdio::from);
        if self.prepared.adapter.packages.is_some() {
            stage
                .chrome
                .ok_or_else(|| SubjectError::Driver("there is no browser".into()))?
                .commit_tabs()
                .await
                .map_err(|error| SubjectError::Driver(error.to_string()))?;
        }
        // Only now is there a Chrome: servers that drive it over DevTools are told where.
        let words = Words {
            devtools: stage.chrome.map(Chrome::devtools_url).unwrap_or_default().to_owned(),
            session: uuid::Uuid::new_v4().simple().to_string(),
        };
        let (inner, _) = TokioChildProcess::builder(self.command(server, &words))
            .stderr(sink)
            .spawn()
            .map_err(|error| failed(format!("`{}`: {error}", self.fill(&server.command))))?;
        let command = self.fill(&server.command);
        let server = inner.id();
        let info = ClientConfig::new(ClientCapabilities::default(), Implementation::new("lab", env!("CARGO_PKG_VERSION")));
        let client = tokio::time::timeout(CALL_BOUND, info.serve(LoggedTransport { inner, log }))
            .await
            .map_err(|_| {
                let bound = CALL_BOUND.as_secs();
                failed(format!("`{command}` gave no JSON-RPC answer on its standard output within {bound} s{}", told()))
            })?
            .map_err(|error| match error {
                ClientInitializeError::ConnectionClosed(_) | ClientInitializeError::TransportError { .. } => {
                    failed(format!("`{command}` ended before it answered{}", told()))
                }
                error => failed(format!("`{command}`: {error}")),
            })?;
        Ok(Box::new(Session::new(self, client, words, server)))
    }

    fn own_log(&self) -> Option<PathBuf> {
        let frames = self.prepared.adapter.daemon.as_ref()?.frames.as_ref()?;
        Some(self.state.join(frames))
    }

    async fn lose(&self, fault: Fault, chrome: &Chrome) -> Result<(), SubjectError> {
        self.lose_part(fault, chrome).await
    }

    async fn generation(&self) -> Option<String> {
        self.worker_word().await.ok()
    }

    fn cable(&self) -> Option<&Cable> {
        self.cable.as_ref()
    }

    async fn record(&self, path: Option<&Path>) -> Result<(), SubjectError> {
        let answer = Control::open(&self.address()?).await?.ask(&serde_json::json!({"record": path})).await?;
        match answer.get("recorded") {
            Some(_) => Ok(()),
            None => Err(SubjectError::Start(format!("it writes no transcript: {answer}"))),
        }
    }

    async fn stop(&self) -> Result<(), SubjectError> {
        if self.stopped.swap(true, Ordering::Relaxed) {
            return Ok(());
        }
        drop(self.guard.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take());
        let Some(pid) = self.daemon() else { return Ok(()) };
        // It may have ended by itself.
        if kill(pid, Signal::SIGTERM).is_err() {
            return Ok(());
        }
        let started = Instant::now();
        while is_running(pid.as_raw()) {
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
