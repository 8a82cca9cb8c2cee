//! Finding the daemon of an instance, starting it when none lives, replacing it when it is older.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use tokio::time::Instant;

use super::door::{Caller, DoorError, Socket, ask, relay_door};
use crate::daemon::{Build, DOOR_VERSION, DaemonFile, Question, StateDir, StateError, private_log};

/// How long a daemon may take to come up.
pub(super) const COMING_UP: Duration = Duration::from_secs(10);

/// How often it is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(15);

/// When a started daemon that shows nothing is started once more.
const START_AGAIN: Duration = Duration::from_secs(3);

/// Why there is no daemon.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The state directory.
    #[error(transparent)]
    State(#[from] StateError),
    /// The program cannot be started.
    #[error("{} cannot be started ({source}). Install Tegata again.", program.display())]
    Program {
        /// Which.
        program: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It started and did not come up.
    #[error("the daemon did not come up within {} s{said}. Its log is {}.", COMING_UP.as_secs(), log.display())]
    Late {
        /// The log.
        log: PathBuf,
        /// Its last line.
        said: String,
    },
    /// A newer daemon that speaks otherwise.
    #[error("the daemon is newer (relay door {theirs}, this program speaks {DOOR_VERSION}). Start your agent with the newer tegata.")]
    Newer {
        /// Its door.
        theirs: u32,
    },
}

/// This program, to start the daemon with.
///
/// # Errors
/// When the system does not tell.
pub fn program() -> Result<PathBuf, StartError> {
    std::env::current_exe().map_err(|source| StartError::Program { program: PathBuf::from("tegata"), source })
}

/// The daemon of this instance; started when none lives, replaced when it is older than `build`.
///
/// # Errors
/// Why there is none.
pub async fn find_or_start(state: &StateDir, program: &Path, build: Build) -> Result<DaemonFile, StartError> {
    state.open()?;
    let deadline = Instant::now() + COMING_UP;
    let mut started: Option<Instant> = None;
    loop {
        if let Some(file) = state.living()? {
            if file.build >= build {
                return if file.door == DOOR_VERSION { Ok(file) } else { Err(StartError::Newer { theirs: file.door }) };
            }
            replace_older(&file).await;
        } else if state.holder()?.is_none() && started.is_none_or(|at| at.elapsed() > START_AGAIN) {
            spawn(state, program)?;
            started = Some(Instant::now());
        }
        if Instant::now() >= deadline {
            return Err(StartError::Late { log: state.file("daemon.log"), said: last_words(state) });
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

/// Opens the relay's door of the daemon of this instance. A daemon that closes while it is knocked at is on its way down: the next
/// one is looked for, within the bound.
///
/// # Errors
/// Why there is none.
pub async fn enter(state: &StateDir, program: &Path, build: Build, caller: &Caller) -> Result<Socket, StartError> {
    let deadline = Instant::now() + COMING_UP;
    loop {
        let file = find_or_start(state, program, build).await?;
        match relay_door(&file, caller).await {
            Ok(socket) => return Ok(socket),
            Err(error) if Instant::now() >= deadline => {
                return Err(StartError::Late { log: state.file("daemon.log"), said: format!(" ({error})") });
            }
            Err(_) => tokio::time::sleep(LOOK_EVERY).await,
        }
    }
}

/// Waits, bounded, until the daemon that is on its way down has a successor: whoever replaced it starts that.
pub(super) async fn successor(state: &StateDir, before: Option<u32>) -> Result<(), StartError> {
    let deadline = Instant::now() + COMING_UP;
    while state.living()?.is_none_or(|file| Some(file.pid) == before) && Instant::now() < deadline {
        tokio::time::sleep(LOOK_EVERY).await;
    }
    Ok(())
}

/// Tells an older daemon to end; one that does not listen is told by signal.
pub async fn replace_older(file: &DaemonFile) {
    match ask(file, Question::Replace).await {
        Ok(_) => {}
        // It is on its way down already, or speaks otherwise: the lock says that the process is a daemon of ours.
        Err(DoorError::Silent(_) | DoorError::Strange(_)) => {
            let pid = i32::try_from(file.pid).unwrap_or(0);
            if pid > 1 {
                // A process that is gone needs no signal.
                let _ = nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), nix::sys::signal::Signal::SIGTERM);
            }
        }
        Err(DoorError::Refused(_)) => {}
    }
}

fn spawn(state: &StateDir, program: &Path) -> Result<(), StartError> {
    let wrap = |source| StartError::Program { program: program.to_owned(), source };
    let log = private_log(&state.file("daemon.log")).map_err(wrap)?;
    let mut command = tokio::process::Command::new(program);
    command.args(["daemon", "--detached"]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::from(log)).current_dir("/");
    // A relative directory would be another one from there.
    if !state.is_default() {
        command.env(crate::daemon::STATE_DIR_VARIABLE, state.path());
    }
    // Dropping the handle leaves the process alone; it is reaped in the background.
    command.spawn().map(drop).map_err(wrap)
}

fn last_words(state: &StateDir) -> String {
    let log = std::fs::read_to_string(state.file("daemon.log")).unwrap_or_default();
    log.lines()
        .rev()
        .find(|line| line.starts_with("tegata: "))
        .map(|line| format!(" ({})", line.trim_start_matches("tegata: ")))
        .unwrap_or_default()
}
