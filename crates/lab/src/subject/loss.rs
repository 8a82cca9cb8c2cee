//! The parts a subject can lose, each with the proof that it is gone.

use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};

use crate::driver::{Chrome, is_running};
use crate::scenario::Fault;

use super::SubjectError;
use super::process::{END_BOUND, LOOK_AGAIN, Process, READY_BOUND};

impl Process {
    /// Loses a part.
    pub(super) async fn lose_part(&self, fault: Fault, chrome: &Chrome) -> Result<(), SubjectError> {
        let of_chrome = |error: crate::driver::ChromeError| SubjectError::Driver(error.to_string());
        match fault {
            Fault::KillDaemon => self.signal_daemon(Signal::SIGKILL).await,
            Fault::RestartDaemon => self.signal_daemon(Signal::SIGTERM).await,
            Fault::KillServiceWorker => {
                let before = self.worker_word().await?;
                chrome.end_worker(&self.extension_address()?).await.map_err(of_chrome)?;
                self.another_worker(&before).await
            }
            Fault::ReloadExtension => {
                let before = self.worker_word().await?;
                chrome.reload_extension(&self.extension_address()?).await.map_err(of_chrome)?;
                self.another_worker(&before).await
            }
            Fault::DebuggerCancelled => chrome.cancel_debugger(&self.extension_address()?).await.map_err(of_chrome),
            Fault::HalfOpen => chrome.halt().await.map_err(of_chrome),
            Fault::DropSocket => self.cut_cable().await,
            // The runner's own: the tab is no part of the subject, the session's server belongs to the session, and an answer is
            // lost only when the runner says which.
            Fault::KillRelay
            | Fault::LostAcknowledgement
            | Fault::HideTab
            | Fault::FreezeTab
            | Fault::DiscardTab
            | Fault::CrashTab
            | Fault::CloseTab => Ok(()),
        }
    }

    /// Cuts the connection of extension and daemon, and waits until another one is made.
    async fn cut_cable(&self) -> Result<(), SubjectError> {
        use super::Subject as _;
        let Some(cable) = self.cable() else {
            return Err(SubjectError::Driver("there is no cable between extension and daemon that could be cut".into()));
        };
        let made = cable.made();
        if cable.cut() == 0 {
            return Err(SubjectError::Driver("no connection of the extension was open that could be cut".into()));
        }
        let started = Instant::now();
        while cable.made() == made {
            if started.elapsed() > READY_BOUND {
                let bound = READY_BOUND.as_secs();
                return Err(SubjectError::Start(format!(
                    "the extension made no other connection within {bound} s after its socket was cut"
                )));
            }
            tokio::time::sleep(LOOK_AGAIN).await;
        }
        Ok(())
    }

    fn extension_address(&self) -> Result<String, SubjectError> {
        let id = self.connection.id.as_deref().ok_or_else(|| SubjectError::Start("the subject names no extension".into()))?;
        Ok(format!("chrome-extension://{id}/"))
    }

    /// Sends the daemon a signal and waits until it is gone.
    async fn signal_daemon(&self, signal: Signal) -> Result<(), SubjectError> {
        let pid = self.daemon().ok_or_else(|| SubjectError::Start("there is no daemon to end".into()))?;
        kill(pid, signal).map_err(|error| SubjectError::Start(format!("pid {pid} cannot be ended: {error}")))?;
        let started = Instant::now();
        while is_running(pid.as_raw()) {
            if started.elapsed() > END_BOUND {
                return Err(SubjectError::Start(format!("the daemon (pid {pid}) still runs {} s after {signal}", END_BOUND.as_secs())));
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        Ok(())
    }

    /// The word of the worker's present life.
    pub(super) async fn worker_word(&self) -> Result<String, SubjectError> {
        let Some((command, pattern)) = &self.prepared.worker else {
            return Err(SubjectError::Start("the adapter file does not tell the lives of a worker apart (`worker`)".into()));
        };
        let printed = self.run(command).await?;
        let word = pattern.captures(&printed).and_then(|found| Some(found.get(1)?.as_str().to_owned()));
        word.ok_or_else(|| SubjectError::Start(format!("no word of a worker in: {}", printed.trim())))
    }

    /// Waits until another worker than the one with this word has taken its place.
    async fn another_worker(&self, before: &str) -> Result<(), SubjectError> {
        let started = Instant::now();
        let mut last = before.to_owned();
        while started.elapsed() < READY_BOUND {
            match self.worker_word().await {
                Ok(word) if word != before => return Ok(()),
                Ok(word) => last = word,
                Err(error) => last = error.to_string(),
            }
            tokio::time::sleep(LOOK_AGAIN).await;
        }
        Err(SubjectError::Start(format!("no other worker came within {} s: {last}", READY_BOUND.as_secs())))
    }
}
