//! A Chrome with the bridge, and one MCP session.

use std::path::{Path, PathBuf};
use std::time::Duration;

use lab::driver::{Chrome, ChromeOptions};
use lab::fixture::{Fixture, FixtureServer, load_all};
use lab::frames::FrameLog;
use lab::subject::{Call, Plan, Stage, Subject, SubjectSession};
use serde_json::{Map, Value, json};
use tokio::sync::{Mutex, MutexGuard};

/// Tests of this file take turns: what they measure is the bridge, not each other.
static TURN: Mutex<()> = Mutex::const_new(());

/// The project's folder.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Everything that runs.
pub(crate) struct Bridge {
    pub(crate) server: FixtureServer,
    pub(crate) chrome: Chrome,
    pub(crate) fixtures: Vec<Fixture>,
    subject: Box<dyn Subject>,
    state: tempfile::TempDir,
    _turn: MutexGuard<'static, ()>,
}

impl Bridge {
    /// Starts a Chrome with the bridge and waits for its hello.
    pub(crate) async fn start() -> Self {
        let turn = TURN.lock().await;
        let root = root();
        let server = FixtureServer::start(&root.join("fixtures")).await.unwrap();
        let state = tempfile::tempdir().unwrap();
        let subject = Plan::prepare(&root, "tegata").await.unwrap().start(state.path()).await.unwrap();
        let chrome = Chrome::launch(ChromeOptions { extension: subject.extension(), ..ChromeOptions::default() }).await.unwrap();
        for url in subject.start_urls() {
            chrome.open(&url).await.unwrap();
        }
        subject.ready().await.unwrap();
        let fixtures = load_all(&root.join("fixtures")).unwrap();
        Self { server, chrome, fixtures, subject, state, _turn: turn }
    }

    /// Opens a session.
    pub(crate) async fn session(&self) -> Session<'_> {
        let stage = Stage { chrome: Some(&self.chrome), server: &self.server, fixture: None };
        Session { inner: self.subject.session(stage, FrameLog::none()).await.unwrap() }
    }

    /// The daemon's process.
    pub(crate) fn daemon(&self) -> u32 {
        let file = std::fs::read_to_string(self.state.path().join("daemon.json")).unwrap();
        let pid = serde_json::from_str::<Value>(&file).unwrap()["pid"].as_u64().unwrap();
        u32::try_from(pid).unwrap()
    }

    /// Ends everything.
    pub(crate) async fn stop(self) {
        self.subject.stop().await.unwrap();
        self.chrome.close().await.unwrap();
    }
}

/// What a tool said.
pub(crate) struct Said {
    pub(crate) text: String,
    pub(crate) is_error: bool,
    pub(crate) took: Duration,
}

/// One MCP session.
pub(crate) struct Session<'a> {
    inner: Box<dyn SubjectSession + 'a>,
}

impl Session<'_> {
    /// Calls a tool, whatever it says.
    pub(crate) async fn ask(&mut self, tool: &str, arguments: Value) -> Said {
        let arguments = arguments.as_object().cloned().unwrap_or_default();
        let call = Call { tool: tool.into(), raw: true, is_write: false, target: None, arguments, tab: None };
        let reply = self.inner.call(&call).await.unwrap().unwrap();
        Said { text: reply.text, is_error: reply.is_error, took: reply.took }
    }

    /// Calls a tool that must succeed.
    pub(crate) async fn get(&mut self, tool: &str, arguments: Value) -> Said {
        let said = self.ask(tool, arguments.clone()).await;
        assert!(!said.is_error, "{tool} {arguments}: {}", said.text);
        said
    }

    /// Opens a tab, makes it the current one, and returns its id.
    pub(crate) async fn open(&mut self, url: &str) -> u64 {
        let said = self.get("tabs", json!({"action": "new", "url": url})).await;
        let id = said.text.split("tab ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap_or_default();
        id.parse().unwrap()
    }

    /// Closes the current tab.
    pub(crate) async fn close_tab(&mut self) {
        self.get("tabs", json!({"action": "close"})).await;
    }

    /// Ends the session.
    pub(crate) async fn close(self) {
        self.inner.close().await;
    }
}

/// No arguments.
pub(crate) fn none() -> Value {
    Value::Object(Map::new())
}
