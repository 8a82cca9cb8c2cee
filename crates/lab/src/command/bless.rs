//! `lab scenario bless`: records scenarios anew and shows what is different from what is committed, as a review.

use std::collections::BTreeSet;
use std::io::{BufRead as _, IsTerminal as _};
use std::path::{Path, PathBuf};

use console::style;

use crate::cli::BlessArgs;
use crate::event::Case;
use crate::replay::unsuited;
use crate::runner::{Job, Manner};
use crate::subject::Plan;
use crate::transcript::{Transcript, compare, file_of, read};

use super::scenario::{How, Library, play};
use super::{CommandError, Exit, Selection, print};

/// What becomes of a transcript that is different.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Decision {
    Accept,
    Reject,
    /// Nobody was asked.
    Open,
}

/// Runs it.
pub(super) async fn run(root: &Path, args: BlessArgs) -> Result<Exit, CommandError> {
    let library = Library::load(root)?;
    let scenarios = root.join("scenarios");
    let selection = Selection { names: args.filter.names.clone(), profile: args.profile, wild: true, ..Selection::default() };
    let mut jobs = selection.jobs(&library.scenarios, &library.fixtures);
    if args.filter.names.is_empty() {
        jobs.retain(|job| scenarios.join(file_of(&job.case())).is_file());
    }
    let mut open = false;
    jobs.retain(|job| match unsuited(&job.scenario) {
        Some(why) => {
            // Asked for by name it would be missed.
            open |= args.filter.names.contains(&job.scenario.name);
            let _ = print(&format!("{}: cannot be replayed: {why}", job.case()));
            false
        }
        None => true,
    });
    if jobs.is_empty() {
        return Err(CommandError::NothingMatched(format!("there is {} that can be recorded", selection.words())));
    }
    let cases: Vec<Case> = jobs.iter().map(Job::case).collect();
    let plan = Plan::prepare(root, "tegata").await?;
    let manner = Manner { retries: args.retries, record: true, ..Manner::default() };
    let how = How { workers: usize::from(args.jobs), manner, unreadable: Vec::new() };
    let outcome = play(root, jobs, ("tegata".into(), plan), how, library.known, Vec::new()).await?;
    let Some(folder) = crate::report::runs::latest_run(&root.join("runs"), "tegata") else {
        return Err(CommandError::Lab("the run left no folder".into()));
    };
    let review = Review { recorded: folder.join("transcripts"), scenarios, args: &args };
    for case in cases {
        let passed = outcome.reports.iter().any(|report| report.case() == case && report.verdict.is_success());
        open |= !review.case(&case, passed)?;
    }
    review.prune()?;
    Ok(if outcome.interrupted {
        Exit::Interrupted
    } else if open {
        Exit::Failed
    } else {
        Exit::Ok
    })
}

struct Review<'a> {
    recorded: PathBuf,
    scenarios: PathBuf,
    args: &'a BlessArgs,
}

impl Review<'_> {
    /// Reviews one case; whether nothing is left open.
    fn case(&self, case: &Case, passed: bool) -> Result<bool, CommandError> {
        let (new, old) = (self.recorded.join(file_of(case)), self.scenarios.join(file_of(case)));
        if !passed || !new.is_file() {
            print(&format!("{case}: {}", style(if passed { "was not recorded" } else { "did not pass, so nothing is recorded" }).red()))?;
            return Ok(false);
        }
        let blobs = |folder: &Path| folder.join(protocol::BLOB_FOLDER);
        let now = read(&new, &blobs(&self.recorded)).map_err(|error| CommandError::Lab(error.to_string()))?;
        // One that cannot be read is as good as none, and the review tells why.
        let (before, fault) = match read(&old, &blobs(&self.scenarios)) {
            Ok(before) => (before, None),
            Err(error) => (Transcript::default(), old.is_file().then(|| error.to_string())),
        };
        let whole = before.cut.is_none() && fault.is_none() && !before.lines.is_empty();
        let Some(diff) = compare(&before, &now) else {
            if whole {
                print(&format!("{case}: unchanged"))?;
                return Ok(true);
            }
            return self.settle(case, &new, &old, "");
        };
        if let Some(fault) = fault.or(before.cut) {
            print(&format!("{case}: {fault}"))?;
        }
        self.settle(case, &new, &old, &diff)
    }

    fn settle(&self, case: &Case, new: &Path, old: &Path, diff: &str) -> Result<bool, CommandError> {
        let is_new = !old.exists();
        // Of a new one all lines are new: their number tells as much.
        if is_new {
            print(&format!("{case}: new, {} lines", diff.lines().count().saturating_sub(2)))?;
        } else {
            print(&format!("{case}:"))?;
            for line in diff.lines() {
                let shown: String = line.chars().take(self.args.width).collect();
                let shown = match line.chars().next() {
                    Some('+') => style(shown).green(),
                    Some('-') => style(shown).red(),
                    _ => style(shown),
                };
                print(&shown.to_string())?;
            }
        }
        match self.decide(case)? {
            Decision::Accept => {
                self.accept(new, old).map_err(|error| CommandError::Lab(format!("{} could not be written: {error}", old.display())))?;
                print(&format!("{case}: accepted"))?;
                Ok(true)
            }
            Decision::Reject => {
                print(&format!("{case}: rejected"))?;
                Ok(false)
            }
            Decision::Open => {
                print(&format!("{case}: different; --accept takes it, --reject leaves it"))?;
                Ok(false)
            }
        }
    }

    fn decide(&self, case: &Case) -> Result<Decision, CommandError> {
        if self.args.accept {
            return Ok(Decision::Accept);
        }
        if self.args.reject {
            return Ok(Decision::Reject);
        }
        if !std::io::stdin().is_terminal() {
            return Ok(Decision::Open);
        }
        loop {
            print(&format!("{case}: [a]ccept or [r]eject?"))?;
            let mut answer = String::new();
            let read = std::io::stdin().lock().read_line(&mut answer).map_err(|error| CommandError::Lab(error.to_string()))?;
            match (read, answer.trim()) {
                (0, _) => return Ok(Decision::Open),
                (_, "a" | "accept") => return Ok(Decision::Accept),
                (_, "r" | "reject") => return Ok(Decision::Reject),
                _ => {}
            }
        }
    }

    fn accept(&self, new: &Path, old: &Path) -> std::io::Result<()> {
        let blobs = self.scenarios.join(protocol::BLOB_FOLDER);
        for name in blobs_in(&std::fs::read_to_string(new)?) {
            std::fs::create_dir_all(&blobs)?;
            std::fs::copy(self.recorded.join(protocol::BLOB_FOLDER).join(&name), blobs.join(&name))?;
        }
        std::fs::copy(new, old).map(|_| ())
    }

    /// Takes away the blobs that no transcript names any more.
    fn prune(&self) -> Result<(), CommandError> {
        let failed = |error: std::io::Error| CommandError::Lab(format!("the blobs could not be looked through: {error}"));
        let folder = self.scenarios.join(protocol::BLOB_FOLDER);
        if !folder.is_dir() {
            return Ok(());
        }
        let mut named = BTreeSet::new();
        for group in std::fs::read_dir(&self.scenarios).map_err(failed)?.flatten().filter(|entry| entry.path().is_dir()) {
            for file in std::fs::read_dir(group.path()).map_err(failed)?.flatten() {
                if file.file_name().to_string_lossy().ends_with(".transcript.jsonl") {
                    named.extend(blobs_in(&std::fs::read_to_string(file.path()).map_err(failed)?));
                }
            }
        }
        for blob in std::fs::read_dir(&folder).map_err(failed)?.flatten() {
            if !named.contains(blob.file_name().to_string_lossy().as_ref()) {
                std::fs::remove_file(blob.path()).map_err(failed)?;
            }
        }
        Ok(())
    }
}

/// The blobs that a transcript names.
fn blobs_in(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| line.contains("\"blob\":"));
    let blob = |line: &str| match serde_json::from_str(line) {
        Ok(protocol::TranscriptLine::Frame { blob: Some(blob), .. }) => Some(blob.file()),
        _ => None,
    };
    lines.filter_map(blob).collect()
}
