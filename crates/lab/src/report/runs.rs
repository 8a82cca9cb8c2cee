//! The folders of runs: one each, the latest kept, found again by what failed in them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use nix::sys::signal::kill;
use nix::unistd::Pid;

use crate::event::{Case, Event};

use super::lines::FILE;

/// How many runs are kept.
const KEPT: usize = 20;
/// The variable that keeps more, or fewer.
const VARIABLE: &str = "LAB_RUNS";

/// How many runs are to be kept.
///
/// # Errors
/// When the variable holds no number from 1.
pub fn kept() -> Result<usize, String> {
    match std::env::var(VARIABLE) {
        Err(_) => Ok(KEPT),
        Ok(text) => match text.parse() {
            Ok(count) if count > 0 => Ok(count),
            _ => Err(format!("{VARIABLE}={text} is no number of runs to keep; write 1 or more, or unset it")),
        },
    }
}

/// The name of a run that begins now: no other run at the same moment can have it.
pub fn name(date: &str, time: &str) -> String {
    format!("{}-{time}-{}", date.replace('-', ""), std::process::id())
}

/// Removes the oldest runs, so that with the one to come there are as many as are to be kept. Runs that still go on stay.
pub fn prune(runs: &Path, keep: usize) {
    let mut folders = folders(runs);
    let surplus = (folders.len() + 1).saturating_sub(keep);
    folders.truncate(surplus);
    for folder in folders.into_iter().filter(|folder| !goes_on(folder)) {
        if let Err(error) = std::fs::remove_dir_all(&folder) {
            // Another run may just be doing the same.
            tracing::debug!(%error, folder = %folder.display(), "an old run could not be removed");
        }
    }
}

/// The folder of the latest run against this subject that has ended.
pub fn latest_run(runs: &Path, subject: &str) -> Option<PathBuf> {
    folders(runs).into_iter().rev().find(|folder| !goes_on(folder) && subject_of(folder).as_deref() == Some(subject))
}

/// The folder of the latest run that has ended.
pub fn latest(runs: &Path) -> Option<PathBuf> {
    folders(runs).into_iter().rev().find(|folder| !goes_on(folder))
}

/// Everything that happened in a run. A line that a crash has cut short is passed over.
///
/// # Errors
/// When its record cannot be read, in words.
pub fn events_of(folder: &Path) -> Result<Vec<Event>, String> {
    let path = folder.join(FILE);
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
    Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}

/// The cases of a run that did not pass.
///
/// # Errors
/// When its record cannot be read, in words.
pub fn failed_in(folder: &Path) -> Result<BTreeSet<Case>, String> {
    let path = folder.join(FILE);
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
    let mut failed = BTreeSet::new();
    for line in text.lines() {
        // A crash may have cut the last line; all whole ones count.
        if let Ok(Event::ScenarioFinished { report }) = serde_json::from_str(line)
            && !report.verdict.is_success()
        {
            failed.insert(report.case());
        }
    }
    Ok(failed)
}

/// All runs, the oldest first.
fn folders(runs: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(runs).into_iter().flatten().flatten();
    let mut folders = entries.map(|entry| entry.path()).filter(|path| path.join(FILE).is_file()).collect::<Vec<_>>();
    // Their names are times.
    folders.sort();
    folders
}

/// Whether the process that makes the run still lives. A number that somebody else has by now only keeps it longer.
fn goes_on(folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let process = name.rsplit('-').next().and_then(|number| number.parse::<i32>().ok()).filter(|number| *number > 1);
    let ended = || std::fs::read_to_string(folder.join(FILE)).is_ok_and(|text| text.contains("\"event\":\"run_finished\""));
    process.is_some_and(|process| kill(Pid::from_raw(process), None).is_ok()) && !ended()
}

fn subject_of(folder: &Path) -> Option<String> {
    let text = std::fs::read_to_string(folder.join(FILE)).ok()?;
    match serde_json::from_str(text.lines().next()?) {
        Ok(Event::RunStarted { subject, .. }) => Some(subject),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(runs: &Path, name: &str, subject: &str) -> PathBuf {
        let folder = runs.join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let event = Event::RunStarted { run: name.into(), subject: subject.into(), cases: 1, jobs: 1 };
        std::fs::write(folder.join(FILE), format!("{}\n", serde_json::to_string(&event).unwrap())).unwrap();
        folder
    }

    /// No process has this number: it is beyond what any system gives.
    const NOBODY: i32 = i32::MAX;

    #[test]
    fn the_oldest_runs_go_and_those_under_way_stay() {
        let runs = tempfile::tempdir().unwrap();
        let alive = run(runs.path(), &format!("20260101-000000-{}", std::process::id()), "tegata");
        for day in 1..=5 {
            run(runs.path(), &format!("2026020{day}-000000-{NOBODY}"), "tegata");
        }
        std::fs::create_dir_all(runs.path().join("mine")).unwrap();
        prune(runs.path(), 3);
        let left =
            folders(runs.path()).iter().map(|folder| folder.file_name().unwrap().to_string_lossy()[..8].to_owned()).collect::<Vec<_>>();
        assert_eq!(left, ["20260101", "20260204", "20260205"]);
        assert!(alive.is_dir() && runs.path().join("mine").is_dir(), "what is no run is not ours");
        prune(&runs.path().join("nowhere"), 3);
    }

    #[test]
    fn the_latest_run_is_the_last_of_its_subject_that_ended() {
        let runs = tempfile::tempdir().unwrap();
        let wanted = run(runs.path(), &format!("20260101-000000-{NOBODY}"), "tegata");
        run(runs.path(), &format!("20260102-000000-{NOBODY}"), "liar");
        run(runs.path(), &format!("20260103-000000-{}", std::process::id()), "tegata");
        assert_eq!(latest_run(runs.path(), "tegata"), Some(wanted));
        assert_eq!(latest_run(runs.path(), "mute"), None);
    }
}
