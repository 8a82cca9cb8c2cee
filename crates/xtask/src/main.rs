//! Build chores that need no tool but cargo (and npm for the extension): `cargo xtask ci | codegen | extension | tidy`.
#![allow(clippy::print_stdout, reason = "a task runner talks to the person who called it")]

mod chores;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// Build chores of this project.
#[derive(Debug, Parser)]
#[command(bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

/// What can be asked for.
#[derive(Debug, Subcommand)]
enum Task {
    /// Run every check, as CI does (ci/test).
    Ci,
    /// Write the files generated from Rust: the extension's protocol types.
    Codegen {
        /// Only say whether they are current.
        #[arg(long)]
        check: bool,
    },
    /// Build the extension into extension/dist.
    Extension {
        /// Build again on every change.
        #[arg(long, conflicts_with = "check")]
        watch: bool,
        /// Only say whether the built extension is current.
        #[arg(long)]
        check: bool,
    },
    /// Check the project's own rules: who may name what, sizes, words, coverage.
    Tidy,
}

fn main() -> ExitCode {
    let root = root();
    match run(&Cli::parse().task, &root) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: &Task, root: &Path) -> Result<()> {
    match task {
        Task::Ci => chores::ci(root),
        Task::Codegen { check } => chores::codegen(root, *check),
        Task::Extension { watch: true, .. } => chores::extension_watch(root),
        Task::Extension { check: true, .. } => chores::extension_check(root),
        Task::Extension { .. } => chores::extension_build(root),
        Task::Tidy => chores::tidy(root),
    }
}

/// The folder of the workspace.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_path_buf()
}
