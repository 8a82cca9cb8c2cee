//! `lab bench`: measures, prints the tables, and says what could not be measured.

use std::path::Path;

use crate::bench::{BASE, Request, as_json, base_table, goal_table, goals, inside_table, run as measure, tables};
use crate::cli::BenchArgs;
use crate::report::note;

use super::{CommandError, Exit, print, write};

pub(super) async fn run(root: &Path, args: BenchArgs) -> Result<Exit, CommandError> {
    if cfg!(debug_assertions) {
        note("this is a debug build: for figures that mean something, cargo run --release -p lab -- bench …");
    }
    if let Some(binary) = args.base.as_ref().filter(|binary| !binary.is_file()) {
        return Err(CommandError::Usage(format!("--base names {}, which is no file", binary.display())));
    }
    let against = args.against.into_iter().filter(|name| *name != args.subject).collect();
    let request =
        Request { ours: args.subject, against, base: args.base, pages: args.pages, documents: args.documents, repeats: args.repeats };
    let outcome = tokio::select! {
        outcome = measure(root, &request, note) => outcome?,
        // Dropping the half-played stage ends all of it.
        () = super::interrupted() => return Ok(Exit::Interrupted),
    };
    let (measured, cast) = (&outcome.measured, &outcome.cast);
    if let Some(file) = &args.json {
        write(file, &format!("{:#}\n", as_json(measured, cast, &outcome.about)))?;
    }
    let goals = goal_table(&goals(measured, cast));
    print(&format!("{}\n\n{}{}{goals}", outcome.about, tables(measured, cast), inside_table(measured)))?;
    if request.base.is_some() {
        print(&format!("Against the base:\n\n{}", base_table(measured, cast, BASE)))?;
    }
    for missed in &measured.missed {
        print(&format!("not measured: {missed}"))?;
    }
    // A goal that is missed is a figure; a subject that could not be measured is a failure.
    Ok(if measured.missed.is_empty() { Exit::Ok } else { Exit::Failed })
}
