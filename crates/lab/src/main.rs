//! Entry point: parse, run, tell the error, end with its code.

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use tracing_subscriber::EnvFilter;

#[tokio::main]
async fn main() -> ExitCode {
    let cli = lab::cli::Cli::parse();
    let filter = EnvFilter::try_from_env("LAB_LOG").unwrap_or_else(|_| EnvFilter::new("lab=warn"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).without_time().init();
    match lab::command::run(cli).await {
        Ok(exit) => exit.into(),
        Err(error) => {
            let exit = error.exit();
            // Nobody is left to be told when standard error is gone.
            let _ = writeln!(std::io::stderr(), "{:?}", miette::Report::new(error));
            exit.into()
        }
    }
}
