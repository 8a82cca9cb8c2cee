//! A display of our own, for a Chrome with a window on a machine that shows none: Xvfb, ended with its Chrome.

use std::io;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::error::ChromeError;
use super::launch::await_line;
use super::process::Group;

/// Larger than the window, so that Chrome does not fit it in.
const SCREEN: &str = "1400x1000x24";

/// See the file's head. Dropping it ends it.
pub(super) struct Display {
    name: String,
    _group: Group,
    _folder: TempDir,
}

impl Display {
    /// Starts one under a number that is free.
    pub(super) async fn start() -> Result<Self, ChromeError> {
        let folder = TempDir::with_prefix("lab-display-")?;
        let path = PathBuf::from("Xvfb");
        let mut command = Command::new(&path);
        command
            .args(["-displayfd", "1", "-screen", "0", SCREEN, "-nolisten", "tcp", "-noreset"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut group = Group::spawn(&mut command, folder.path()).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => ChromeError::NoDisplay,
            _ => ChromeError::Spawn { path, source },
        })?;
        let stdout = group.leader().and_then(|leader| leader.stdout.take()).ok_or_else(|| io::Error::other("Xvfb has no output"))?;
        let stdout = tokio::process::ChildStdout::from_std(stdout)?;
        let name =
            await_line(stdout, None, "Xvfb", folder.path(), |line| line.trim().parse::<u32>().ok().map(|number| format!(":{number}")))
                .await?;
        Ok(Self { name, _group: group, _folder: folder })
    }

    /// For the environment variable `DISPLAY`.
    pub(super) fn name(&self) -> &str {
        &self.name
    }
}
