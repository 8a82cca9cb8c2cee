//! `tegata status`: every hop from here to a page, measured; the first broken one is named, with the way out.
#![expect(clippy::print_stdout, reason = "this is what a command line is for")]

use std::process::ExitCode;
use std::time::Instant;

use bridge::daemon::{Answer, Echoed, Question, StateDir, Status};
use bridge::relay::ask;
use protocol::RefusedWhy;
use serde::Serialize;

use super::extension::{folder, source_hash};
use super::{CANNOT_BEGIN, failure};

/// One hop.
#[derive(Debug, Serialize)]
pub(super) struct Hop {
    pub(super) name: &'static str,
    pub(super) ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ms: Option<f64>,
    pub(super) detail: String,
}

/// The whole way.
#[derive(Debug, Default, Serialize)]
pub(super) struct Way {
    ready: bool,
    pub(super) hops: Vec<Hop>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) broken: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    generation: Option<String>,
    sessions: Vec<String>,
    pub(super) warnings: Vec<String>,
}

/// Measures every hop, as far as they go.
pub(super) async fn measure(state: &StateDir) -> Result<Way, String> {
    let mut way = Way::default();
    match walk(state, &mut way).await {
        Ok(()) | Err(Stop::Broken) => {}
        Err(Stop::State(sentence)) => return Err(sentence),
    }
    way.ready = way.broken.is_none();
    Ok(way)
}

pub(super) async fn status(state: &StateDir, json: bool) -> ExitCode {
    let way = match measure(state).await {
        Ok(way) => way,
        Err(sentence) => return failure(&sentence, CANNOT_BEGIN),
    };
    if json {
        println!("{}", serde_json::to_string(&way).unwrap_or_default());
    } else {
        print(&way);
    }
    if way.ready { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

enum Stop {
    Broken,
    State(String),
}

impl Way {
    fn works(&mut self, name: &'static str, ms: Option<f64>, detail: String) {
        self.hops.push(Hop { name, ok: true, ms: ms.map(|ms| (ms * 100.0).round() / 100.0), detail });
    }

    fn breaks(&mut self, name: &'static str, detail: impl Into<String>, fix: impl Into<String>) -> Stop {
        self.hops.push(Hop { name, ok: false, ms: None, detail: detail.into() });
        self.broken = Some(name);
        self.fix = Some(fix.into());
        Stop::Broken
    }
}

async fn walk(state: &StateDir, way: &mut Way) -> Result<(), Stop> {
    let living = state.living().map_err(|error| Stop::State(error.to_string()))?;
    let Some(file) = living else {
        // None can be started where nothing can be written.
        state.open().map_err(|error| Stop::State(error.to_string()))?;
        return Err(way.breaks("daemon", "no daemon runs", "Start your agent, or run `tegata extension --pair`; both start it."));
    };
    let began = Instant::now();
    let status = match ask(&file, Question::Status).await {
        Ok(Answer::Status(status)) => status,
        Ok(_) => return Err(way.breaks("daemon", "it answered another question", "Run `tegata stop` and try again.")),
        Err(error) => return Err(way.breaks("daemon", error.to_string(), "Run `tegata stop` and try again.")),
    };
    let took = began.elapsed().as_secs_f64() * 1000.0;
    way.works("daemon", Some(took), format!("pid {}, port {}, build {}, {} agents", file.pid, file.port, file.build, status.agents));
    way.sessions.clone_from(&status.sessions);
    pairing(&status, way)?;
    link(&status, way)?;
    let echo = match ask(&file, Question::Echo).await {
        Ok(Answer::Echo(echo)) => echo,
        Ok(_) => return Err(way.breaks("extension", "the daemon answered another question", "Run `tegata stop` and try again.")),
        Err(error) => return Err(way.breaks("extension", error.to_string(), "Reload the extension at chrome://extensions.")),
    };
    page(&echo, way)
}

fn pairing(status: &Status, way: &mut Way) -> Result<(), Stop> {
    if status.paired == 0 {
        if let Some(refused) = status.refusal.as_ref().filter(|refused| refused.why == RefusedWhy::Protocol) {
            return Err(way.breaks("link", "the extension was turned away", refused.message.clone()));
        }
        let detail = status.refusal.as_ref().map_or_else(|| "no extension is paired".to_owned(), |refused| refused.message.clone());
        return Err(way.breaks("pairing", detail, "Run `tegata extension --pair` and open the address it prints in Chrome."));
    }
    way.works("pairing", None, format!("{} paired", status.paired));
    Ok(())
}

fn link(status: &Status, way: &mut Way) -> Result<(), Stop> {
    let Some(extension) = &status.extension else {
        let refused = status.refusal.as_ref().map(|refused| refused.message.clone());
        let fix = refused.clone().unwrap_or_else(|| {
            "Open the Chrome that has the extension; if it is open, see its popup, or reload it at chrome://extensions.".to_owned()
        });
        return Err(way.breaks("link", refused.map_or("no extension is connected", |_| "the extension was turned away"), fix));
    };
    way.generation = Some(extension.generation.clone());
    let head = if extension.headless { ", headless" } else { "" };
    way.works("link", None, format!("{}{head}, extension {}, connected for {} s", extension.browser, extension.version, extension.seconds));
    if extension.paused {
        way.warnings.push("the user has paused the bridge in the extension's popup".to_owned());
    }
    let built = folder().ok().and_then(|folder| source_hash(&folder));
    if built.is_some_and(|built| built != extension.build) {
        way.warnings.push("the extension in Chrome is another build than the one on disk; reload it at chrome://extensions".to_owned());
    }
    Ok(())
}

fn page(echo: &Echoed, way: &mut Way) -> Result<(), Stop> {
    match &echo.link {
        Ok(ms) => way.works("extension", Some(*ms), format!("worker answers, socket in {}", echo.socket.as_deref().unwrap_or("?"))),
        Err(error) => return Err(way.breaks("extension", error.clone(), "Reload the extension at chrome://extensions.")),
    }
    let tab = echo.tab.map(|tab| format!("tab {tab}")).unwrap_or_default();
    match &echo.page {
        Ok(ms) => way.works("page", Some(*ms), tab),
        // Nothing to measure is not a broken hop: the first tool call opens a tab.
        Err(error) if echo.tab.is_none() => way.warnings.push(format!("the last hop was not measured: {error}")),
        Err(error) => return Err(way.breaks("page", format!("{tab}: {error}"), "Reload that page.")),
    }
    Ok(())
}

fn print(way: &Way) {
    for hop in &way.hops {
        let mark = if hop.ok { "ok    " } else { "BROKEN" };
        let ms = hop.ms.map(|ms| format!("{ms:>8.2} ms")).unwrap_or_else(|| " ".repeat(11));
        println!("{:<10} {mark} {ms}  {}", hop.name, hop.detail);
    }
    for warning in &way.warnings {
        println!("note: {warning}");
    }
    if let (Some(broken), Some(fix)) = (way.broken, &way.fix) {
        println!("broken hop: {broken}. {fix}");
    }
}
