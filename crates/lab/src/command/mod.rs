//! The body of each command: reads, chooses, runs, and says with which code to end.

mod bench;
mod bless;
mod capture;
mod compare;
mod exit;
mod minimize;
mod record;
mod report;
mod scenario;
mod select;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::cli::{Cli, Command, ScenarioCommand};
use crate::{axdiff, chrome, serve};

pub use exit::{CommandError, Exit};
pub use select::{Partition, Selection};

/// Runs the command and returns how to end.
///
/// # Errors
/// Everything that kept it from doing what was asked, each with its exit code.
pub async fn run(cli: Cli) -> Result<Exit, CommandError> {
    let root = match cli.root {
        Some(root) => root,
        None => find_root(&std::env::current_dir().map_err(|error| CommandError::Lab(error.to_string()))?)?,
    };
    match cli.command {
        Command::Scenario(ScenarioCommand::Run(args)) => scenario::run(&root, args).await,
        Command::Scenario(ScenarioCommand::Bless(args)) => bless::run(&root, args).await,
        Command::Scenario(ScenarioCommand::Minimize(args)) => minimize::run(&root, args).await,
        Command::Scenario(ScenarioCommand::Record(args)) => record::record(&root, args).await,
        Command::Scenario(ScenarioCommand::Import(args)) => record::import(&root, args).await,
        Command::Scenario(ScenarioCommand::List(args)) => scenario::list(&root, &args),
        Command::Scenario(ScenarioCommand::Lint(args)) => scenario::lint(&root, &args),
        Command::Scenario(ScenarioCommand::Explain(args)) => scenario::explain(&root, &args),
        Command::Serve(args) => {
            serve::run(&root.join("fixtures"), args.port, &mut std::io::stdout(), interrupted()).await?;
            Ok(Exit::Ok)
        }
        Command::Axdiff(args) => {
            let outcome = axdiff::run(&root, &args.names).await?;
            outcome.print(&mut std::io::stdout()).map_err(|error| CommandError::Lab(error.to_string()))?;
            Ok(if outcome.is_clean() { Exit::Ok } else { Exit::Failed })
        }
        Command::Bench(args) => bench::run(&root, args).await,
        Command::Compare(args) => compare::run(&root, args).await,
        Command::Capture(args) => capture::run(&root, args).await,
        Command::Report(args) => report::run(&root, &args),
        Command::Chrome(args) => {
            let request = chrome::Request { headed: args.headed, json: args.json, env: args.env };
            chrome::run(&root, request, &mut std::io::stdout(), interrupted()).await?;
            Ok(Exit::Ok)
        }
    }
}

/// Done when somebody wants it to end: Ctrl-C, or the word of a process manager.
async fn interrupted() {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut terminate) = signal(SignalKind::terminate()) else {
        // Without the one there is still the other.
        let _ = tokio::signal::ctrl_c().await;
        return;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        // An error means that no handler can be had; then nothing can interrupt either.
        result = tokio::signal::ctrl_c() => if result.is_err() { std::future::pending().await },
    }
}

/// The nearest folder above that holds fixtures and scenarios.
fn find_root(from: &Path) -> Result<PathBuf, CommandError> {
    from.ancestors()
        .find(|folder| folder.join("fixtures").is_dir() && folder.join("scenarios").is_dir())
        .map(Path::to_owned)
        .ok_or_else(|| CommandError::NoRoot(from.to_owned()))
}

/// Writes to the standard output.
fn print(text: &str) -> Result<(), CommandError> {
    match writeln!(std::io::stdout(), "{text}") {
        // Whoever read has enough.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(CommandError::Lab(error.to_string())),
        Ok(()) => Ok(()),
    }
}

/// Writes a file, with the folders above it.
fn write(path: &Path, text: &str) -> Result<(), CommandError> {
    let told = |error: std::io::Error| CommandError::Lab(format!("{} could not be written: {error}", path.display()));
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(told)?;
    }
    std::fs::write(path, text).map_err(told)
}
