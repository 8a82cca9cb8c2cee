//! What goes wrong on purpose: when it strikes, who does it, and the proof that it happened.

use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio_util::sync::CancellationToken;

use crate::driver::{Chrome, TabHandle, is_running};
use crate::fixture::{Journal, JournalError};
use crate::frames::Tail;
use crate::scenario::{During, Fault, Person, Until};
use crate::subject::SubjectError;
use crate::verdict::{Judgement, Verdict};

use super::attempt::{Scene, Stopped, lab_error};
use super::expectation::reached;

/// Longest wait for a call to be under way, before something goes wrong in it.
const UNDER_WAY_BOUND: Duration = Duration::from_secs(5);
/// How long something may take to be seen to have gone wrong.
const SEEN_BOUND: Duration = Duration::from_secs(5);
/// Pause between two looks at something that cannot tell us by itself.
const LOOK_AGAIN: Duration = Duration::from_millis(5);
/// What the address of a subject's card holds.
const CARD: &str = "/confirm.html";

/// Whom it can strike.
pub(super) struct Victim<'a> {
    /// The fixture's tab.
    pub(super) stage: Option<&'a TabHandle>,
    /// The process of the session's server.
    pub(super) server: Option<u32>,
    /// The run whose journal tells when.
    pub(super) run: &'a str,
}

/// Something that goes wrong in an attempt.
pub(super) struct Strike<'a> {
    scene: Scene<'a>,
    victim: Victim<'a>,
}

impl<'a> Strike<'a> {
    pub(super) fn new(scene: Scene<'a>, victim: Victim<'a>) -> Self {
        Self { scene, victim }
    }

    fn chrome(&self) -> Result<&'a Chrome, Stopped> {
        self.scene.chrome.ok_or_else(|| Judgement::new(Verdict::LabError, "there is no browser in which anything could go wrong"))
    }

    /// Waits until the call is under way, then lets it happen; a call that is over cannot be struck any more.
    pub(super) async fn during(&self, during: &During, over: &CancellationToken) -> Result<(), Stopped> {
        if let Some(person) = &during.person {
            return self.person(person, &during.card).await;
        }
        match (during.fault, &during.until) {
            (Some(Fault::LostAcknowledgement), Some(until)) => tokio::select! {
                lost = self.lose_answer(until) => lost,
                () = over.cancelled() => Err(missed()),
            },
            (Some(fault), until) => {
                tokio::select! {
                    biased;
                    there = self.under_way(until.as_ref()) => there?,
                    () = over.cancelled() => return Err(missed()),
                }
                self.lose(fault).await
            }
            (None, _) => Ok(()),
        }
    }

    async fn person(&self, person: &Person, card: &[String]) -> Result<(), Stopped> {
        let chrome = self.chrome()?;
        let there = || self.victim.stage.ok_or_else(|| Judgement::new(Verdict::LabError, "there is no fixture tab for the page's user"));
        let pressed = match person {
            Person::Allows => chrome.press_on_card(CARD, card, Some("allow")).await,
            Person::Refuses => chrome.press_on_card(CARD, card, Some("refuse")).await,
            Person::Closes => chrome.press_on_card(CARD, card, None).await,
            Person::Done(note) => chrome.press_in_page(there()?, "Done", Some(note)).await,
            Person::Cancel(note) => chrome.press_in_page(there()?, "Cancel", Some(note)).await,
            Person::Turns(id) => chrome.turn_in_popup(id).await,
            Person::Presses(selector) => chrome.press_in_page(there()?, selector, None).await,
        };
        pressed.map_err(|error| Judgement::new(Verdict::Failed, error.to_string()))
    }

    /// Waits until the call is under way: the journal holds what is awaited, or the call has left for the browser.
    async fn under_way(&self, until: Option<&Until>) -> Result<(), Stopped> {
        let own = self.scene.subject.own_log().map(Tail::here);
        match (until, own) {
            (Some(until), _) => {
                let bound = Duration::from_millis(until.within_ms);
                match self.scene.server.wait_until(self.victim.run, bound, |journal| reached(journal, until)).await {
                    Ok(_) => Ok(()),
                    Err(error @ JournalError::NotReached { .. }) => Err(Judgement::new(Verdict::Failed, format!("{}: {error}", until.why))),
                    Err(error) => Err(lab_error(&error)),
                }
            }
            (None, Some(own)) => {
                let started = Instant::now();
                // A request on the link: from here on the call is in the browser.
                while !own.holds(&["\"hop\":\"link\"", "\"dir\":\"out\"", "\"kind\":\"request\""]) {
                    if started.elapsed() > UNDER_WAY_BOUND {
                        let why = "the subject's own log never showed the call on its way to the browser";
                        return Err(Judgement::new(Verdict::LabError, why));
                    }
                    tokio::time::sleep(LOOK_AGAIN).await;
                }
                Ok(())
            }
            // One without a log loses nothing either.
            (None, None) => Ok(()),
        }
    }

    /// Passes on what the extension says until the journal holds what is awaited; what it says then is lost, and the connection too.
    async fn lose_answer(&self, until: &Until) -> Result<(), Stopped> {
        let Some(cable) = self.scene.subject.cable() else { return Ok(()) };
        let mut questions = cable.censor();
        let losing = async {
            while let Some(question) = questions.recv().await {
                // What the page did before the extension spoke stands in the journal after a barrier.
                let journal = self.scene.server.barrier(self.victim.run).await.map_err(|error| lab_error(&error))?;
                let lost = reached(&journal, until);
                // A connection that ended meanwhile needs no answer.
                let _ = question.send(lost);
                if lost {
                    return Ok(());
                }
            }
            Err(Judgement::new(Verdict::LabError, "the cable was taken away"))
        };
        let bound = Duration::from_millis(until.within_ms);
        tokio::time::timeout(bound, losing).await.unwrap_or_else(|_| {
            Err(Judgement::new(Verdict::Failed, format!("{}: the extension said nothing after it within {bound:?}", until.why)))
        })
    }

    /// Lets it happen now, and makes sure that it did.
    pub(super) async fn lose(&self, fault: Fault) -> Result<(), Stopped> {
        if fault == Fault::KillRelay {
            return self.kill_server().await;
        }
        if fault.is_of_tab() {
            return self.lose_tab(fault).await;
        }
        // What does not come back is the subject's own; what could not be taken away is the lab's.
        let verdict = |error: &SubjectError| if matches!(error, SubjectError::Driver(_)) { Verdict::LabError } else { Verdict::Failed };
        let failed = |error: SubjectError| Judgement::new(verdict(&error), format!("it was to go wrong that {fault}: {error}"));
        self.scene.subject.lose(fault, self.chrome()?).await.map_err(failed)
    }

    async fn lose_tab(&self, fault: Fault) -> Result<(), Stopped> {
        let chrome = self.chrome()?;
        let failed = |why: String| Judgement::new(Verdict::LabError, format!("it was to go wrong that {fault}: {why}"));
        let tab = self.victim.stage.ok_or_else(|| failed("there is no fixture tab".into()))?;
        let lost = match fault {
            Fault::CrashTab => chrome.crash_tab(tab).await,
            Fault::DiscardTab => chrome.discard_tab(tab).await,
            Fault::HideTab => chrome.hide_tab(tab).await,
            Fault::FreezeTab => chrome.freeze_tab(tab).await,
            _ => chrome.close_tab_for_good(tab).await,
        };
        lost.map_err(|error| failed(error.to_string()))?;
        if fault == Fault::FreezeTab {
            let frozen = |journal: &Journal| journal.documents.iter().any(|document| document.frozen);
            self.scene.server.wait_until(self.victim.run, SEEN_BOUND, frozen).await.map_err(|error| failed(error.to_string()))?;
        }
        Ok(())
    }

    async fn kill_server(&self) -> Result<(), Stopped> {
        let Some(id) = self.victim.server.and_then(|id| i32::try_from(id).ok()) else { return Ok(()) };
        let failed = |why: &dyn std::fmt::Display| Judgement::new(Verdict::LabError, format!("the session's server (pid {id}): {why}"));
        kill(Pid::from_raw(id), Signal::SIGKILL).map_err(|error| failed(&error))?;
        let started = Instant::now();
        while is_running(id) {
            if started.elapsed() > SEEN_BOUND {
                return Err(failed(&"it still runs after it was killed"));
            }
            tokio::time::sleep(LOOK_AGAIN).await;
        }
        Ok(())
    }
}

fn missed() -> Stopped {
    Judgement::new(Verdict::Failed, "the call was over before anything could go wrong in it")
}
