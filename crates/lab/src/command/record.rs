//! `lab scenario record` and `lab scenario import`: what was done becomes a scenario, which is run once to see that it is one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use crate::chrome::Stage;
use crate::cli::{ImportArgs, MadeArgs, ProfileChoice, RecordArgs};
use crate::fixture::{Fixture, FixtureServer, GROUPS, Journal, RecordKind, epoch_ms};
use crate::record::{self, Page, Recorded, Request, Witness, calls, page_of};
use crate::runner::Manner;
use crate::scenario::{Catalog, LoadError, Unreadable, did_you_mean, parse};
use crate::subject::Plan;
use crate::subject::control::{Address, Control};
use crate::transcript::{Transcript, read};

use super::scenario::{How, Library, play};
use super::{CommandError, Exit, Selection, print, write};

/// How often the lab looks whether the page is still there.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// How exactly the clocks of transcript and journal are to be known to each other, in milliseconds.
const QUICK_MS: f64 = 4.0;

/// How often that is tried, on a busy machine.
const BEGINNINGS: usize = 50;

/// Folders of scenarios that no fixture lies in.
const MORE_GROUPS: [&str; 1] = ["fault"];

type Fixtures = BTreeMap<String, Arc<Fixture>>;

/// A recording, and what is known beside it.
struct Raw {
    transcript: Transcript,
    /// The journal, and when the transcript began in milliseconds since 1970.
    journal: Option<(Journal, f64)>,
    made_by: String,
    rebuilt: Option<String>,
    notes: Vec<String>,
}

/// Runs `scenario record`.
pub(super) async fn record(root: &Path, args: RecordArgs) -> Result<Exit, CommandError> {
    let (library, _) = Library::readable(root)?;
    if let Some(fixture) = &args.fixture {
        known(fixture, &library.fixtures)?;
    }
    if let Some(url) = &args.url {
        let loopback = reqwest::Url::parse(url).is_ok_and(|url| record::is_loopback(&url));
        if !loopback {
            return Err(CommandError::Usage(format!(
                "{url} is no page of this machine; the lab opens http://127.0.0.1 and http://localhost only"
            )));
        }
    }
    let name = full_name(&args.name, args.fixture.as_deref())?;
    free(root, &name, args.made.force)?;
    let raw = match &args.from_session {
        Some(file) => from_session(file, args.fixture.clone())?,
        None => live(root, &args, &name, &library.fixtures).await?,
    };
    make(root, &library.fixtures, &name, raw, &args.made).await
}

/// Runs `scenario import`.
pub(super) async fn import(root: &Path, args: ImportArgs) -> Result<Exit, CommandError> {
    let (library, _) = Library::readable(root)?;
    if let Some(fixture) = &args.fixture {
        known(fixture, &library.fixtures)?;
    }
    let bundle = record::open(&args.bundle).map_err(|error| CommandError::Recording(error.to_string()))?;
    let programs = &bundle.programs;
    let browser = programs.browser.as_deref().unwrap_or("no browser");
    print(&format!("made {} by tegata {} on {} with {browser}", bundle.made, programs.tegata, programs.os))?;
    let page = page_of(&calls(&bundle.transcript), args.fixture.as_deref(), |id| library.fixtures.contains_key(id));
    let group = page.ok().and_then(|page| Some(page.fixture.split_once('/')?.0.to_owned())).unwrap_or_else(|| "navigate".into());
    let name = match &args.name {
        Some(name) => full_name(name, Some(&format!("{group}/")))?,
        None => {
            let made: String = bundle.made.chars().filter(char::is_ascii_digit).take(14).collect();
            format!("{group}/reported-{made}")
        }
    };
    free(root, &name, args.made.force)?;
    let notes = vec![format!("reported with tegata {} on {} with {browser}", programs.tegata, programs.os)];
    let made_by = "`lab scenario import` of a bundle".into();
    let raw = Raw { transcript: bundle.transcript, journal: None, made_by, rebuilt: args.fixture, notes };
    make(root, &library.fixtures, &name, raw, &args.made).await
}

fn known<'a>(fixture: &str, fixtures: &'a Fixtures) -> Result<&'a Arc<Fixture>, CommandError> {
    fixtures.get(fixture).ok_or_else(|| {
        let near = did_you_mean(fixture, fixtures.keys().map(String::as_str));
        let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        CommandError::Usage(format!("there is no fixture `{fixture}`{near}"))
    })
}

/// `GROUP/NAME`; without a group it is the fixture's.
fn full_name(name: &str, fixture: Option<&str>) -> Result<String, CommandError> {
    let (group, own) = match name.split_once('/') {
        Some((group, own)) => (group, own),
        None => (fixture.and_then(|fixture| fixture.split_once('/')).map_or("navigate", |(group, _)| group), name),
    };
    let is_word = !own.is_empty() && own.chars().all(|sign| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '-');
    if !is_word || !(GROUPS.contains(&group) || MORE_GROUPS.contains(&group)) {
        let groups = GROUPS.iter().chain(&MORE_GROUPS).copied().collect::<Vec<_>>().join(", ");
        return Err(CommandError::Usage(format!(
            "`{name}` is no name for a scenario: write GROUP/NAME, in small letters, digits and dashes; the groups are {groups}"
        )));
    }
    Ok(format!("{group}/{own}"))
}

fn path_of(root: &Path, name: &str) -> PathBuf {
    root.join("scenarios").join(format!("{name}.yaml"))
}

fn free(root: &Path, name: &str, force: bool) -> Result<(), CommandError> {
    match path_of(root, name).exists() && !force {
        true => Err(CommandError::Usage(format!("there is a scenario `{name}` already; --force puts this one in its place"))),
        false => Ok(()),
    }
}

fn from_session(file: &Path, rebuilt: Option<String>) -> Result<Raw, CommandError> {
    let blobs = file.parent().unwrap_or(Path::new(".")).join(protocol::BLOB_FOLDER);
    let transcript = read(file, &blobs).map_err(|error| CommandError::Recording(error.to_string()))?;
    let made_by = "`lab scenario record --from-session`".into();
    Ok(Raw { transcript, journal: None, made_by, rebuilt, notes: Vec::new() })
}

/// Lets somebody work in a Chrome of the lab, until they are done.
async fn live(root: &Path, args: &RecordArgs, name: &str, fixtures: &Fixtures) -> Result<Raw, CommandError> {
    let lab = |error: &dyn std::fmt::Display| CommandError::Lab(error.to_string());
    let place = tempfile::TempDir::with_prefix("lab-record-").map_err(|error| lab(&error))?;
    let file = place.path().join("daemon.jsonl");
    let stop = super::interrupted();
    tokio::pin!(stop);
    let stage = tokio::select! {
        started = Stage::start(root, args.headed, Vec::new()) => started?,
        () = &mut stop => return Err(CommandError::Recording("it was ended before it began".into())),
    };
    let run = FixtureServer::new_run();
    let url = match (&args.fixture, &args.url) {
        (Some(fixture), _) => stage.server().url(known(fixture, fixtures)?, &run, &args.query.iter().cloned().collect()),
        (None, url) => url.clone().unwrap_or_default(),
    };
    let recorded = async {
        let address = Address::read(&stage.addresses().state_dir.join("daemon.json"))?;
        let mut control = Control::open(&address).await?;
        // Begun again until the answer is quick: between question and answer lies the time at which it began.
        let mut began_ms = 0.0;
        for _ in 0..BEGINNINGS {
            let asked_ms = epoch_ms();
            control.ask(&json!({"record": file})).await?;
            let took = epoch_ms() - asked_ms;
            began_ms = asked_ms + took / 2.0;
            if took < QUICK_MS {
                break;
            }
        }
        Ok::<_, crate::subject::SubjectError>((control, began_ms))
    };
    let (mut control, began_ms) = match recorded.await {
        Ok(recorded) => recorded,
        Err(error) => {
            stage.stop().await?;
            return Err(error.into());
        }
    };
    let ended = async {
        invite(&stage, &url, name, args.until_closed)?;
        let shown = show(&stage, &run, &url);
        let input = async { if args.until_closed { std::future::pending().await } else { end_of_input().await } };
        let closed = async { if args.until_closed { closed(&stage, &url).await } else { std::future::pending().await } };
        tokio::select! {
            () = &mut stop => {}
            () = input => {}
            () = closed => {}
            () = shown => {}
        }
        Ok::<_, CommandError>(())
    };
    let ended = ended.await;
    // A page that is gone or stands still has said what it has said.
    let journal = match stage.server().barrier(&run).await {
        Ok(journal) => journal,
        Err(_) => stage.server().hub().journal(&run),
    };
    let written = control.ask(&json!({"record": null})).await;
    stage.stop().await?;
    ended?;
    written?;
    let mut raw = from_session(&file, None)?;
    raw.journal = args.fixture.is_some().then_some((journal, began_ms));
    raw.made_by = "`lab scenario record`".into();
    Ok(raw)
}

/// Tells how to work in it.
fn invite(stage: &Stage, url: &str, name: &str, until_closed: bool) -> Result<(), CommandError> {
    let mcp = stage.addresses().mcp;
    let environment: Vec<String> = mcp.env.iter().map(|(key, value)| format!("{key}='{value}'")).collect();
    let program = format!("{} {}", environment.join(" "), mcp.command);
    print(&format!("agent:  {program} {}", mcp.args.join(" ")))?;
    print(&format!("person: {program} call tabs '{{\"action\":\"new\",\"url\":\"{url}\"}}' --session me"))?;
    print(&format!("page:   {url}   (open it first)"))?;
    let end = if until_closed { "Closing the page" } else { "Ctrl-C or the end of input (Ctrl-D)" };
    print(&format!("{end} ends it and writes scenarios/{name}.yaml."))
}

/// Puts the fixture's tab in front as soon as it is there, as a run does. Never done.
async fn show(stage: &Stage, run: &str, url: &str) {
    let mut records = stage.server().follow();
    loop {
        match records.recv().await {
            Ok(told) if told.run == run && matches!(told.record.kind, RecordKind::Hello { top: true, .. }) => break,
            Err(tokio::sync::broadcast::error::RecvError::Closed) => std::future::pending().await,
            // Of many records one may be missed; another page says hello.
            _ => {}
        }
    }
    if let Ok(tab) = stage.chrome().find_tab(url).await
        && let Err(error) = stage.chrome().activate(&tab).await
    {
        tracing::warn!(%error, "the page stays behind");
    }
    std::future::pending().await
}

/// Done when nothing more can come from the standard input. A thread of its own reads it: nothing waits for it at the end.
async fn end_of_input() {
    let (done, ended) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
        let _ = done.send(());
    });
    // The thread never goes without a word.
    let _ = ended.await;
}

/// Done when the page was there and is there no more, or its browser is gone.
async fn closed(stage: &Stage, url: &str) {
    let mut seen = None;
    let mut every = tokio::time::interval(LOOK_EVERY);
    loop {
        every.tick().await;
        match (stage.chrome().tabs().await, &seen) {
            (Err(_), _) => return,
            (Ok(tabs), Some(tab)) if tabs.iter().all(|(one, _)| one != tab) => return,
            (Ok(tabs), None) => seen = tabs.into_iter().find(|(_, at)| at == url).map(|(tab, _)| tab),
            _ => {}
        }
    }
}

/// Makes the scenario, writes it, and runs it.
async fn make(root: &Path, fixtures: &Fixtures, name: &str, raw: Raw, made: &MadeArgs) -> Result<Exit, CommandError> {
    let is_fixture = |id: &str| fixtures.contains_key(id);
    if let Some(cut) = &raw.transcript.cut {
        print(&format!("truncated: {cut}; it is read as far as it goes"))?;
    }
    let witness = raw.journal.and_then(|(journal, began_ms)| {
        let page = page_of(&calls(&raw.transcript), None, is_fixture).ok()?;
        Some(Witness::of(journal, began_ms, fixtures.get(&page.fixture)?))
    });
    let request = Request {
        made_by: raw.made_by,
        guards: made.guards.clone(),
        typed: made.typed.iter().cloned().collect(),
        rebuilt: raw.rebuilt.as_deref(),
        witness: witness.as_ref(),
        notes: raw.notes,
    };
    let recorded = record::convert(&raw.transcript, &request, is_fixture)
        .map_err(|why| CommandError::Recording(format!("nothing was recorded: {why}")))?;
    let path = path_of(root, name);
    match &recorded.page {
        Ok(page) => finished(root, fixtures, name, page, &recorded, made).await,
        Err(needed) => {
            // Not loaded with the others: no scenario can name a page that is not there.
            let draft = path.with_extension("yaml.draft");
            write(&draft, &recorded.yaml)?;
            tell(&recorded)?;
            print(&format!("written: {} ({} steps)", shown(root, &draft), recorded.steps))?;
            let needed = needed.as_deref().unwrap_or("a page that the recording does not name");
            print(&format!(
                "It needs this page: {needed}. Make a fixture of it, for example by `lab capture URL --as GROUP/NAME`, and give its name with --fixture."
            ))?;
            Ok(Exit::Ok)
        }
    }
}

async fn finished(
    root: &Path,
    fixtures: &Fixtures,
    name: &str,
    page: &Page,
    recorded: &Recorded,
    made: &MadeArgs,
) -> Result<Exit, CommandError> {
    let path = path_of(root, name);
    let file = format!("scenarios/{name}.yaml");
    let catalog = Catalog::of(fixtures.values().map(AsRef::as_ref));
    if let Err(faults) = parse(name, &file, &recorded.yaml, &catalog) {
        // What a person can mend is kept.
        let draft = path.with_extension("yaml.draft");
        write(&draft, &recorded.yaml)?;
        tell(recorded)?;
        print(&format!("written: {}; it has faults:", shown(root, &draft)))?;
        return Err(LoadError::of(vec![Unreadable { name: name.to_owned(), faults }]).into());
    }
    write(&path, &recorded.yaml)?;
    tell(recorded)?;
    print(&format!("written: {file} ({} steps on {}, {} reads dropped)", recorded.steps, page.fixture, recorded.dropped))?;
    if made.no_run {
        return Ok(Exit::Ok);
    }
    let library = Library::readable(root)?.0;
    let selection = Selection { names: vec![name.to_owned()], profile: ProfileChoice::Calm, wild: true, ..Selection::default() };
    let jobs = selection.jobs(&library.scenarios, &library.fixtures);
    let plan = Plan::prepare(root, "tegata").await?;
    let how = How { workers: 1, manner: Manner::default(), unreadable: Vec::new() };
    let outcome = play(root, jobs, ("tegata".into(), plan), how, library.known, Vec::new()).await?;
    let exit = Exit::of_run(&outcome.reports, outcome.interrupted);
    if exit == Exit::Failed {
        print(&format!("{file} does not pass as it stands: mend it, or keep it as the report of a fault in known-failures.yaml."))?;
    }
    Ok(exit)
}

fn tell(recorded: &Recorded) -> Result<(), CommandError> {
    recorded.notes.iter().try_for_each(|note| print(&format!("note: {note}")))
}

fn shown(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}
