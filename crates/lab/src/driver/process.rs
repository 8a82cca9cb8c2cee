//! A child process that leads its own process group, and the end of that whole group.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

/// How long the members of a killed group may take to be gone.
const END_BOUND: Duration = Duration::from_secs(5);
/// Pause between two looks at a group that is ending: its members are not our children, nothing wakes us.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// A process group of ours. Dropping it kills it.
pub(super) struct Group {
    leader: Child,
    id: i32,
    ended: bool,
}

impl Group {
    /// Starts the command as the leader of a new group.
    pub(super) fn spawn(command: &mut Command) -> io::Result<Self> {
        let leader = command.process_group(0).spawn()?;
        let id = i32::try_from(leader.id()).map_err(io::Error::other)?;
        Ok(Self { leader, id, ended: false })
    }

    /// The group's id, equal to the leader's process id.
    pub(super) fn id(&self) -> i32 {
        self.id
    }

    /// The leader, to take its pipes.
    pub(super) fn leader(&mut self) -> &mut Child {
        &mut self.leader
    }

    /// Kills every member and waits, bounded, until all are gone.
    pub(super) fn end(&mut self) {
        if self.ended {
            return;
        }
        self.ended = true;
        // An error here means that the group is empty already.
        let _ = killpg(Pid::from_raw(self.id), Signal::SIGKILL);
        let _ = self.leader.wait();
        let started = Instant::now();
        while group_is_alive(self.id) && started.elapsed() < END_BOUND {
            std::thread::sleep(LOOK_EVERY);
            let _ = killpg(Pid::from_raw(self.id), Signal::SIGKILL);
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
    let entries = std::fs::read_dir("/proc").ok()?;
    let mut readable = false;
    for entry in entries.flatten() {
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
        readable = true;
        // The name in parentheses may hold anything, so fields are counted from its end: state, parent, group.
        let Some((_, fields)) = stat.rsplit_once(") ") else { continue };
        let mut fields = fields.split(' ');
        let running = fields.next().is_some_and(|state| state != "Z" && state != "X");
        if running && fields.nth(1).and_then(|id| id.parse().ok()) == Some(group) {
            return Some(true);
        }
    }
    readable.then_some(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_the_leader_and_what_it_started() {
        let mut group = Group::spawn(Command::new("sh").args(["-c", "sleep 60 & sleep 60"])).unwrap();
        let id = group.id();
        assert!(group_is_alive(id));
        group.end();
        assert!(!group_is_alive(id));
    }

    #[test]
    fn dropping_ends_it_too() {
        let group = Group::spawn(Command::new("sh").args(["-c", "sleep 60 & sleep 60"])).unwrap();
        let id = group.id();
        drop(group);
        assert!(!group_is_alive(id));
    }
}
