//! The command line: the only place that prints.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "this is what a command line is for")]

mod call;
mod extension;
mod report;
mod status;
mod tools;

use std::process::ExitCode;

use bridge::daemon::{Build, Clock, Question, ServeError, Sink, StateDir, start_log};
use bridge::relay::{ask, program, run};
use bridge::tools::Offer;
use clap::{Parser, Subcommand};

/// Exit code when the daemon cannot begin: state directory, port, another daemon.
const CANNOT_BEGIN: u8 = 3;

/// Lets AI agents drive the Chrome you are logged in to, and proves what they did.
#[derive(Debug, Parser)]
#[command(name = "tegata", version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Serve MCP on stdin and stdout; this is what an agent's configuration names.
    Mcp {
        /// Which tools the agent is told of: core (what most tasks need, under 15 KB) or all.
        #[arg(long, default_value = "all", value_parser = ["core", "all"])]
        tools: String,
    },
    /// Run the daemon in the foreground (agents start it by themselves).
    Daemon {
        /// Listen on this port of 127.0.0.1.
        #[arg(long)]
        port: Option<u16>,
        /// Leave the terminal and log to daemon.log only.
        #[arg(long, hide = true)]
        detached: bool,
        /// Hold the clock, and let it go on by control questions only (replay).
        #[arg(long, hide = true)]
        held_clock: bool,
    },
    /// Measure every hop from here to a page, and name the broken one.
    Status {
        /// One line of JSON.
        #[arg(long)]
        json: bool,
    },
    /// Call one tool and print its reply.
    Call {
        /// Tool.
        tool: String,
        /// Its arguments as a JSON object.
        #[arg(default_value = "{}")]
        arguments: String,
        /// Keep the tabs under this name for the next call.
        #[arg(long)]
        session: Option<String>,
    },
    /// Show the tools, or one with the schema of its arguments.
    Tools {
        /// Tool.
        tool: Option<String>,
    },
    /// Say where the extension is, and pair it.
    Extension {
        /// One line of JSON.
        #[arg(long)]
        json: bool,
        /// Make a one-time pairing code; starts the daemon.
        #[arg(long)]
        pair: bool,
    },
    /// Write one file to attach to a bug: versions, hops, the last minutes and the end of the log, masked.
    Report {
        /// How much of what was done last, in minutes.
        #[arg(long, default_value_t = 10, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10))]
        minutes: u64,
        /// The file, or the folder it is to lie in (default: this one).
        #[arg(long, value_name = "DIR-or-FILE")]
        out: Option<std::path::PathBuf>,
    },
    /// End the daemon.
    Stop,
}

/// Runs the command of this process.
pub(crate) fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let Verb::Daemon { detached: true, .. } = arguments.command {
        // A session of its own: the terminal of the agent that started it must not take it down. It has one already when this fails.
        let _ = nix::unistd::setsid();
    }
    let mut runtime = match arguments.command {
        Verb::Daemon { held_clock: true, .. } => {
            let mut one = tokio::runtime::Builder::new_current_thread();
            one.start_paused(true);
            one
        }
        _ => tokio::runtime::Builder::new_multi_thread(),
    };
    let runtime = runtime.worker_threads(2).enable_all().build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => return failure(&format!("the system gives no threads ({error}). Close some programs."), CANNOT_BEGIN),
    };
    let code = runtime.block_on(carry_out(arguments.command));
    // A thread may still sit in a read of stdin.
    runtime.shutdown_background();
    code
}

async fn carry_out(verb: Verb) -> ExitCode {
    let state = match StateDir::locate() {
        Ok(state) => state,
        Err(error) => return failure(&error.to_string(), CANNOT_BEGIN),
    };
    match verb {
        Verb::Mcp { tools } => mcp(state, Offer::of(&tools).unwrap_or_default()).await,
        Verb::Daemon { port, detached, held_clock } => daemon(&state, port, detached, held_clock.then(Clock::held)).await,
        Verb::Status { json } => status::status(&state, json).await,
        Verb::Call { tool, arguments, session } => call::call(&state, &tool, &arguments, session.as_deref()).await,
        Verb::Tools { tool } => tools::tools(tool.as_deref()),
        Verb::Extension { json, pair } => extension::extension(&state, json, pair).await,
        Verb::Report { minutes, out } => report::report(&state, minutes, out.as_deref()).await,
        Verb::Stop => stop(&state).await,
    }
}

async fn mcp(state: StateDir, offer: Offer) -> ExitCode {
    if let Err(error) = state.open() {
        return failure(&error.to_string(), CANNOT_BEGIN);
    }
    if let Err(error) = start_log(&state, Sink::Stderr) {
        return failure(&error.to_string(), CANNOT_BEGIN);
    }
    let program = match program() {
        Ok(program) => program,
        Err(error) => return failure(&error.to_string(), CANNOT_BEGIN),
    };
    let build = Build::of(&program);
    match run(state, program, build, offer).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure(&error.to_string(), CANNOT_BEGIN),
    }
}

async fn daemon(state: &StateDir, port: Option<u16>, detached: bool, clock: Option<Clock>) -> ExitCode {
    let began = async {
        state.open()?;
        start_log(state, if detached { Sink::File } else { Sink::Both })?;
        let program = std::env::current_exe()?;
        bridge::daemon::serve(state, port, Build::of(&program), clock).await
    };
    match began.await {
        Ok(()) => ExitCode::SUCCESS,
        // Several relays may start one at once: one wins, the others are not in the way.
        Err(ServeError::Lives(_)) if detached => ExitCode::SUCCESS,
        Err(error) => failure(&error.to_string(), CANNOT_BEGIN),
    }
}

async fn stop(state: &StateDir) -> ExitCode {
    let file = match state.living() {
        Ok(Some(file)) => file,
        Ok(None) => {
            println!("no daemon runs");
            return ExitCode::SUCCESS;
        }
        Err(error) => return failure(&error.to_string(), CANNOT_BEGIN),
    };
    if let Err(error) = ask(&file, Question::Stop).await {
        return failure(&format!("{error}. End process {} by hand.", file.pid), 1);
    }
    let deadline = tokio::time::Instant::now() + std::time::Duration::from_secs(5);
    while state.holder().is_ok_and(|holder| holder == Some(file.pid)) {
        if tokio::time::Instant::now() >= deadline {
            return failure(&format!("the daemon does not end. End process {} by hand.", file.pid), 1);
        }
        tokio::time::sleep(std::time::Duration::from_millis(15)).await;
    }
    println!("the daemon has ended");
    ExitCode::SUCCESS
}

/// Prints a sentence and gives the code.
fn failure(sentence: &str, code: u8) -> ExitCode {
    eprintln!("tegata: {sentence}");
    ExitCode::from(code)
}
