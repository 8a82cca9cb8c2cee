//! A child process that leads its own process group, and the end of that whole group and of what left it.

use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;

use super::guard::Guard;

/// How long the members of a killed group may take to be gone.
const END_BOUND: Duration = Duration::from_secs(5);
/// Pause between two looks at a group that is ending: its members are not our children, nothing wakes us.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// A process group of ours. Dropping it kills it.
pub(super) struct Group {
    /// None when somebody else started it.
    leader: Option<Child>,
    id: i32,
    /// Every process of ours names this folder on its command line, also those that left the group.
    folder: PathBuf,
    ended: bool,
    /// Ends it should the lab be killed.
    guard: Option<Guard>,
}

impl Group {
    /// Starts the command as the leader of a new group; `folder` is the one that only this Chrome uses.
    pub(super) fn spawn(command: &mut Command, folder: &Path) -> io::Result<Self> {
        let leader = command.process_group(0).spawn()?;
        let id = i32::try_from(leader.id()).map_err(io::Error::other)?;
        let guard = Guard::of_group(id, folder)?;
        Ok(Self { leader: Some(leader), id, folder: folder.to_owned(), ended: false, guard: Some(guard) })
    }

    /// The group's id, equal to the leader's process id.
    pub(super) fn id(&self) -> i32 {
        self.id
    }

    /// The processes that somebody else starts for us: those that name the folder, and no group.
    pub(super) fn elsewhere(folder: &Path) -> Self {
        Self { leader: None, id: 0, folder: folder.to_owned(), ended: false, guard: None }
    }

    /// Whether we started it.
    pub(super) fn is_ours(&self) -> bool {
        self.leader.is_some()
    }

    /// The leader, to take its pipes.
    pub(super) fn leader(&mut self) -> Option<&mut Child> {
        self.leader.as_mut()
    }

    /// Stops every member, and those that left the group: they live and do nothing.
    pub(super) fn stop(&self) {
        self.signal(Signal::SIGSTOP);
    }

    /// Lets all of them go on.
    pub(super) fn go_on(&self) {
        self.signal(Signal::SIGCONT);
    }

    /// Whether all of them are stopped (true where there is no /proc to tell).
    pub(super) fn stands_still(&self) -> bool {
        let users = users_of(&self.folder);
        let ours = |process: &Process| process.group == self.id && self.leader.is_some() || users.contains(&process.id);
        processes().is_none_or(|mut all| !all.any(|process| ours(&process) && process.running && !process.stopped))
    }

    fn signal(&self, signal: Signal) {
        // An error here means that somebody is gone already. Without a leader there is no group of ours, and 0 would be our own.
        if self.leader.is_some() {
            let _ = killpg(Pid::from_raw(self.id), signal);
        }
        for stray in users_of(&self.folder) {
            let _ = kill(Pid::from_raw(stray), signal);
        }
    }

    /// Kills every member and waits, bounded, until all are gone.
    pub(super) fn end(&mut self) {
        if self.ended {
            return;
        }
        self.ended = true;
        self.guard = None;
        self.signal(Signal::SIGKILL);
        if let Some(leader) = &mut self.leader {
            let _ = leader.wait();
        }
        let started = Instant::now();
        loop {
            // Chrome's crash handlers live in sessions of their own; they follow it, but not always at once.
            let strays = users_of(&self.folder);
            if strays.is_empty() && (self.leader.is_none() || !group_is_alive(self.id)) || started.elapsed() > END_BOUND {
                break;
            }
            self.signal(Signal::SIGKILL);
            std::thread::sleep(LOOK_EVERY);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.end();
    }
}

/// Whether any member of the process group still runs. Ended members that nobody has collected yet do not count.
pub fn group_is_alive(group: i32) -> bool {
    members(group).unwrap_or_else(|| killpg(Pid::from_raw(group), None).is_ok())
}

/// Looks through /proc; `None` where there is none.
fn members(group: i32) -> Option<bool> {
    let mut readable = false;
    for process in processes()? {
        readable = true;
        if process.group == group && process.running {
            return Some(true);
        }
    }
    readable.then_some(false)
}

/// The processes that name the folder on their command line (none where there is no /proc).
pub fn users_of(folder: &Path) -> Vec<i32> {
    let folder = folder.to_string_lossy();
    let names_it = |process: &Process| {
        std::fs::read(format!("/proc/{}/cmdline", process.id)).is_ok_and(|line| String::from_utf8_lossy(&line).contains(folder.as_ref()))
    };
    processes().into_iter().flatten().filter(names_it).map(|process| process.id).collect()
}

struct Process {
    id: i32,
    group: i32,
    /// Not ended: a process that nobody has collected yet does not run any more.
    running: bool,
    /// Stopped by a signal.
    stopped: bool,
}

/// Whether a process is there and not ended: one that nobody has collected yet does not run any more.
pub fn is_running(id: i32) -> bool {
    match processes() {
        Some(mut all) => all.any(|process| process.id == id && process.running),
        None => kill(Pid::from_raw(id), None).is_ok(),
    }
}

fn processes() -> Option<impl Iterator<Item = Process>> {
    let entries = std::fs::read_dir("/proc").ok()?;
    Some(entries.flatten().filter_map(|entry| {
        let id = entry.file_name().to_str()?.parse().ok()?;
        let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
        // The name in parentheses may hold anything, so fields are counted from its end: state, parent, group.
        let (_, fields) = stat.rsplit_once(") ")?;
        let mut fields = fields.split(' ');
        let state = fields.next()?;
        let group = fields.nth(1)?.parse().ok()?;
        Some(Process { id, group, running: !matches!(state, "Z" | "X"), stopped: matches!(state, "T" | "t") })
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_the_leader_and_what_it_started() {
        let mut group = Group::spawn(Command::new("sh").args(["-c", "sleep 60 & sleep 60"]), Path::new("/no/such/folder")).unwrap();
        let id = group.id();
        assert!(group_is_alive(id));
        group.end();
        assert!(!group_is_alive(id));
    }

    #[test]
    fn a_stopped_group_stands_still_until_it_goes_on_and_can_be_ended() {
        let mut group = Group::spawn(Command::new("sh").args(["-c", "sleep 60 & sleep 60"]), Path::new("/no/such/folder")).unwrap();
        assert!(is_running(group.id()) && !group.stands_still());
        group.stop();
        let started = Instant::now();
        while !group.stands_still() && started.elapsed() < END_BOUND {
            std::thread::yield_now();
        }
        assert!(group.stands_still() && is_running(group.id()));
        group.go_on();
        group.stop();
        group.end();
        assert!(!is_running(group.id()));
    }

    #[test]
    fn dropping_ends_it_too() {
        let group = Group::spawn(Command::new("sh").args(["-c", "sleep 60 & sleep 60"]), Path::new("/no/such/folder")).unwrap();
        let id = group.id();
        drop(group);
        assert!(!group_is_alive(id));
    }
}
