//! `tegata report`: one file that a person can read, and attach to a bug.
#![expect(clippy::print_stdout, reason = "this is what a command line is for")]

use std::borrow::Cow;
use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bridge::daemon::{Answer, Connected, Question, Remembered, StateDir, now};
use bridge::redact::{prose, secret_lines};
use bridge::relay::ask;
use protocol::{PROTOCOL_VERSION, REPORT_MAJOR, REPORT_MINOR, ReportHop, ReportLine, ReportPrograms, TranscriptVersion};

use super::status::measure;
use super::{CANNOT_BEGIN, failure};

/// How many lines of the log are taken along.
const LOG_LINES: usize = 300;

/// Marks that stand for something left out, and what that was.
const MARKS: [(&str, &str); 4] = [
    ("{{typed:", "texts that were typed or sent"),
    ("[secret]", "words that look like passwords or keys"),
    ("[looks like a secret]", "codes"),
    ("lines that look like secrets left out]", "groups of codes"),
];

pub(super) async fn report(state: &StateDir, minutes: u64, out: Option<&Path>) -> ExitCode {
    let path = place(out);
    let way = match measure(state).await {
        Ok(way) => way,
        Err(sentence) => return failure(&sentence, CANNOT_BEGIN),
    };
    let (daemon, extension, recent) = asked(state, minutes).await;
    let mut notes: Vec<String> = way.warnings.iter().map(|note| scrubbed(note)).collect();
    if daemon.is_none() {
        notes.push("no daemon runs: what it remembered of the last minutes is gone with it".into());
    } else if recent.is_none() {
        notes.push("the daemon remembers nothing of the last minutes (TEGATA_RECENT=0, or an older build)".into());
    }
    let hop = |hop: &super::status::Hop| ReportHop { name: hop.name.into(), ok: hop.ok, ms: hop.ms, detail: scrubbed(&hop.detail) };
    let programs = ReportPrograms {
        tegata: env!("CARGO_PKG_VERSION").into(),
        daemon,
        protocol: PROTOCOL_VERSION,
        os: system(),
        browser: extension.as_ref().map(|one| one.browser.clone() + if one.headless { ", headless" } else { "" }),
        extension: extension.as_ref().map(|one| format!("{} ({})", one.version, one.build)),
    };
    let head = ReportLine::Report {
        version: TranscriptVersion { major: REPORT_MAJOR, minor: REPORT_MINOR },
        made: now(),
        programs: programs.clone(),
        hops: way.hops.iter().map(hop).collect(),
        broken: way.broken.map(ToOwned::to_owned),
        notes: notes.clone(),
    };
    let log = log_tail(state);
    let lines = std::iter::once(head).chain(log.iter().map(|text| ReportLine::Log { text: text.clone() }));
    let mut text: String = lines.map(|line| serde_json::to_string(&line).unwrap_or_default() + "\n").collect();
    if let Some(recent) = &recent {
        text.push_str(&recent.transcript);
    }
    match written(&path, &text) {
        Ok(()) => {}
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            return failure(&format!("{} exists. Give another name with --out.", path.display()), 2);
        }
        Err(error) => return failure(&format!("{} cannot be written ({error}). Give another place with --out.", path.display()), 1),
    }
    println!("{} ({} KB, only you can read it)", path.display(), text.len().div_ceil(1024));
    println!("in it: {}", contents(&programs, way.broken, log.len(), recent.as_ref()));
    println!("masked: {}", masked(&text));
    for note in &notes {
        println!("note: {note}");
    }
    println!("Addresses and texts of the pages you worked on stand in it: read it before you attach it.");
    ExitCode::SUCCESS
}

/// Where it is to be written.
fn place(out: Option<&Path>) -> PathBuf {
    let digits: String = now().chars().filter(|sign| sign.is_ascii_alphanumeric()).take(15).collect();
    // Such files can be attached to an issue everywhere.
    let name = format!("tegata-report-{digits}.txt");
    match out {
        Some(out) if out.is_dir() => out.join(name),
        Some(out) => out.to_owned(),
        None => PathBuf::from(name),
    }
}

async fn asked(state: &StateDir, minutes: u64) -> (Option<String>, Option<Connected>, Option<Remembered>) {
    let Ok(Some(file)) = state.living() else { return (None, None, None) };
    let extension = match ask(&file, Question::Status).await {
        Ok(Answer::Status(status)) => status.extension,
        _ => None,
    };
    // A daemon of another build may not know the question.
    let recent = match ask(&file, Question::Recent(minutes)).await {
        Ok(Answer::Recent(recent)) => recent,
        _ => None,
    };
    (Some(format!("{} ({})", file.version, file.build)), extension, recent)
}

/// The system by its own name, where it tells one.
fn system() -> String {
    let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    let name = name.map(|name| format!(", {}", name.trim_matches('"'))).unwrap_or_default();
    format!("{} {}{name}", std::env::consts::OS, std::env::consts::ARCH)
}

/// The last lines of the daemon's log.
fn log_tail(state: &StateDir) -> Vec<String> {
    let bytes = std::fs::read(state.file("daemon.log")).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().collect();
    let tail = lines[lines.len().saturating_sub(LOG_LINES)..].join("\n");
    secret_lines(&tail).lines().map(scrubbed).collect()
}

/// Without secrets in prose and without the name of the user's own folder.
fn scrubbed(text: &str) -> String {
    let text = prose(text);
    match std::env::var("HOME").ok().filter(|home| home.len() > 1) {
        Some(home) => text.replace(&home, "~"),
        None => Cow::into_owned(text),
    }
}

fn written(path: &Path, text: &str) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes())
}

fn contents(programs: &ReportPrograms, broken: Option<&str>, log: usize, recent: Option<&Remembered>) -> String {
    let browser = programs.browser.as_deref().unwrap_or("no browser connected");
    let hops = broken.map_or_else(|| "every hop works".to_owned(), |broken| format!("broken hop: {broken}"));
    let recent = match recent {
        Some(Remembered { frames, latest_s: Some(latest), .. }) => format!("{frames} frames, the latest {latest} s ago"),
        Some(_) => "no frames".into(),
        None => "no transcript".into(),
    };
    format!("tegata {} on {} with {browser}; {hops}; {log} lines of the log; {recent}", programs.tegata, programs.os)
}

fn masked(text: &str) -> String {
    let found = MARKS.iter().map(|(mark, what)| (text.matches(mark).count(), what)).filter(|(count, _)| *count > 0);
    let found: Vec<String> = found.map(|(count, what)| format!("{what} ({count} places)")).collect();
    if found.is_empty() { "nothing had to be".into() } else { found.join(", ") }
}
