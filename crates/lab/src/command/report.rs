//! `lab report`: a report of a run that was made before, from its own record.

use std::path::{Path, PathBuf};

use crate::cli::ReportArgs;
use crate::report::{ReportRequest, note, runs};

use super::{CommandError, Exit};

pub(super) fn run(root: &Path, args: &ReportArgs) -> Result<Exit, CommandError> {
    let home = root.join("runs");
    let folder = find(&home, args.run.as_deref())?;
    let wanted = [
        args.html.clone().map(ReportRequest::Html),
        args.junit.clone().map(ReportRequest::Junit),
        args.json.clone().map(ReportRequest::Json),
    ];
    let wanted = wanted.into_iter().flatten().collect::<Vec<_>>();
    if wanted.is_empty() {
        return Err(CommandError::Usage("say which report: --html FILE, --junit FILE or --json FILE".into()));
    }
    let events = runs::events_of(&folder).map_err(CommandError::Lab)?;
    let at = folder.parent().unwrap_or(&home);
    for report in wanted {
        let mut consumer = report.consumer(at);
        events.iter().for_each(|event| consumer.event(event));
        consumer.finish().map_err(CommandError::Lab)?;
    }
    note(&format!("reported {}", folder.display()));
    Ok(Exit::Ok)
}

/// The run meant: a folder, a name in runs/, or the latest.
pub(super) fn find(home: &Path, run: Option<&Path>) -> Result<PathBuf, CommandError> {
    let found = match run {
        Some(run) => [run.to_owned(), home.join(run)].into_iter().find(|folder| folder.join("events.jsonl").is_file()),
        None => runs::latest(home),
    };
    let meant = || run.map_or_else(|| String::from("no run at all"), |run| format!("no run `{}`", run.display()));
    found.ok_or_else(|| CommandError::NothingMatched(format!("there is {} in {}", meant(), home.display())))
}
