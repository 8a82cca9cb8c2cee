//! Questions of the command line: is it there, does every hop work, a pairing code, the end.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use protocol::{LinkEcho, Refused, TabsList};
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use super::host::Daemon;
use super::transcript::{Recorded, Remembered};
use crate::browser::BrowserCall;

/// A question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// What the daemon knows.
    Status,
    /// The way to a page and back, measured.
    Echo,
    /// A one-time pairing code.
    Pair,
    /// Write a transcript to this file from now on; without one, end it.
    Record(Option<PathBuf>),
    /// What is remembered of so many minutes before the latest frame.
    Recent(u64),
    /// Let the held clock go on.
    Run {
        /// To this time since its beginning, in microseconds.
        until: u64,
        /// Or until the daemon has said more than so many messages.
        heard: u64,
    },
    /// End.
    Stop,
    /// End, because a newer daemon takes over.
    Replace,
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// What the daemon knows.
    Status(Status),
    /// The way to a page and back.
    Echo(Echoed),
    /// The code, in hex.
    Pair(String),
    /// What became of the transcript that was written so far.
    Recorded(Option<Recorded>),
    /// The last minutes; none where nothing is remembered.
    Recent(Option<Remembered>),
    /// The held clock stands again.
    Stands {
        /// Since its beginning, in microseconds.
        us: u64,
        /// How many messages the daemon has said on the sockets of agents and the extension.
        said: u64,
    },
    /// It ends.
    Ending,
    /// It could not.
    Failed(String),
}

/// What the daemon knows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Status {
    /// Paired extensions.
    pub paired: usize,
    /// Agents connected now.
    pub agents: usize,
    /// Labels of the sessions.
    pub sessions: Vec<String>,
    /// The extension, when it is connected.
    pub extension: Option<Connected>,
    /// Why the last extension was turned away.
    pub refusal: Option<Refused>,
}

/// A connected extension.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Connected {
    /// Version.
    pub version: String,
    /// Hash of its sources.
    pub build: String,
    /// Browser.
    pub browser: String,
    /// Runs headless.
    pub headless: bool,
    /// Life of its worker.
    pub generation: String,
    /// Paused by the user.
    pub paused: bool,
    /// For how long, in seconds.
    pub seconds: u64,
}

/// What an echo took, in milliseconds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Echoed {
    /// Daemon → extension → daemon; absent: why not.
    pub link: Result<f64, String>,
    /// Who holds the socket, `offscreen` or `worker`.
    pub socket: Option<String>,
    /// Tab whose page was asked.
    pub tab: Option<u32>,
    /// Worker → page → worker; absent: why not.
    pub page: Result<f64, String>,
}

/// Answers a question. `Stop` and `Replace` are carried out by the caller, once the answer is sent.
pub(super) async fn answer(daemon: &Daemon, question: &Question) -> Answer {
    match question {
        Question::Status => Answer::Status(status(daemon)),
        Question::Echo => Answer::Echo(echo(daemon).await),
        Question::Pair => match daemon.reception.pairings.mint() {
            Ok(code) => Answer::Pair(code),
            Err(error) => Answer::Failed(error.to_string()),
        },
        Question::Record(path) => {
            let transcript = &daemon.audit().transcript;
            let before = transcript.end();
            if let Some(path) = path {
                transcript.begin(path);
            }
            Answer::Recorded(before)
        }
        Question::Recent(minutes) => Answer::Recent(daemon.audit().recent.remembered(*minutes).await),
        Question::Run { until, heard } => match &daemon.audit().clock {
            Some(clock) => {
                let (now, said) = clock.run(Duration::from_micros(*until), *heard).await;
                Answer::Stands { us: u64::try_from(now.as_micros()).unwrap_or(u64::MAX), said }
            }
            None => Answer::Failed("the clock of this daemon goes by itself".into()),
        },
        Question::Stop | Question::Replace => Answer::Ending,
    }
}

fn status(daemon: &Daemon) -> Status {
    let connected = daemon.link().current().map(|connection| Connected {
        version: connection.hello.version.clone(),
        build: connection.hello.build.clone(),
        browser: connection.hello.browser.clone(),
        headless: connection.hello.headless,
        generation: connection.generation(),
        paused: connection.switches().paused,
        seconds: connection.since.elapsed().as_secs(),
    });
    Status {
        paired: daemon.reception.pairings.count(),
        agents: daemon.agents(),
        sessions: daemon.sessions.labels(),
        extension: connected,
        refusal: daemon.link().refusal(),
    }
}

async fn echo(daemon: &Daemon) -> Echoed {
    let never = CancellationToken::new();
    let link = daemon.link();
    let began = Instant::now();
    let first = link.call(LinkEcho { tab: None }, &never).await;
    let took = began.elapsed().as_secs_f64() * 1000.0;
    let (socket, way) = match first {
        Ok(echo) => (Some(echo.socket), Ok(took)),
        Err(error) => (None, Err(error.message)),
    };
    let (tab, page) = match &way {
        Ok(_) => page(daemon).await,
        Err(_) => (None, Err("not asked: the link does not work".to_owned())),
    };
    Echoed { link: way, socket, tab, page }
}

/// Asks the page of a held tab, else of the tab in front, else of any tab that has a page.
async fn page(daemon: &Daemon) -> (Option<u32>, Result<f64, String>) {
    let never = CancellationToken::new();
    let tabs = match daemon.link().call(TabsList {}, &never).await {
        Ok(tabs) => tabs.tabs,
        Err(error) => return (None, Err(error.message)),
    };
    let held: Vec<u32> = daemon.sessions.ownership().held().iter().map(|held| held.tab).collect();
    let usable = tabs.iter().filter(|tab| tab.restricted.is_none() && !tab.discarded && tab.url.starts_with("http"));
    let Some(tab) = usable.min_by_key(|tab| (!held.contains(&tab.id), !tab.active)) else {
        return (None, Err("no http or https page is open".to_owned()));
    };
    match daemon.link().call(LinkEcho { tab: Some(tab.id) }, &never).await {
        Ok(echo) => {
            let failed = echo.page_error.unwrap_or_else(|| "the page's content script did not answer".to_owned());
            (Some(tab.id), echo.page_ms.ok_or(failed))
        }
        Err(error) => (Some(tab.id), Err(error.message)),
    }
}
