//! What cleans up after a lab that was killed: a shell that waits for the lab's end of a pipe to be closed by the system.

use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Kills a process group, and removes its folder when nobody is left (bounded: some systems collect nobody) who could write into it.
const GROUP: &str = r#"read -r _; kill -KILL "-$1" 2>/dev/null
n=0; while kill -0 "-$1" 2>/dev/null && [ $n -lt 20 ]; do sleep 0.1; n=$((n+1)); done
rm -rf -- "$2" || rm -rf -- "$2""#;

/// Kills the process that a JSON file names as its `pid`, then removes the folder.
const DAEMON: &str = r#"read -r _; pid=$(sed -n 's/.*"pid"[^0-9]*\([0-9][0-9]*\).*/\1/p' "$1" 2>/dev/null)
[ -n "$pid" ] && kill -KILL "$pid" 2>/dev/null
rm -rf -- "$2""#;

/// Watches over something for as long as it is there. Dropping it does nothing more; a lab that is killed drops nothing.
pub struct Guard {
    shell: Child,
}

impl Guard {
    /// Over a process group and its folder.
    ///
    /// # Errors
    /// When there is no shell.
    pub fn of_group(group: i32, folder: &Path) -> io::Result<Self> {
        Self::start(GROUP, &group.to_string(), folder)
    }

    /// Over the process that `file` names, and its folder.
    ///
    /// # Errors
    /// When there is no shell.
    pub fn of_daemon(file: &Path, folder: &Path) -> io::Result<Self> {
        Self::start(DAEMON, &file.to_string_lossy(), folder)
    }

    fn start(script: &str, what: &str, folder: &Path) -> io::Result<Self> {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script, "lab-guard", what]).arg(folder);
        // In a group of its own: what ends the lab must not end it too.
        command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        Ok(Self { shell: command.spawn()? })
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        // Before the pipe is closed: whoever ends in order cleans up itself.
        let _ = self.shell.kill();
        let _ = self.shell.wait();
    }
}
