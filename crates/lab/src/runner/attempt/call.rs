//! A step that calls a tool: the call, what may strike in the middle of it, and its reply held against the journal.

use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use crate::fixture::Journal;
use crate::runner::expectation::{check_journal, check_picture, check_reply, judge_read, shown};
use crate::runner::load::alone;
use crate::runner::strike::{Strike, Victim};
use crate::runner::truth::truth;
use crate::scenario::{Action, Fault, Step};
use crate::subject::{Call, CallTarget, Reply, SubjectError};
use crate::verdict::{Claim, Judgement, Verdict, judge_write};

use super::{Attempt, Judged, MAIN, Scene, Stopped, stopped};

/// How long an effect may come after the reply of a server that says no outcomes: as long as our own watch stays open.
const GRACE: Duration = Duration::from_millis(1500);

impl Attempt<'_> {
    pub(super) async fn call(&mut self, step: &Step) -> Result<Judged, Stopped> {
        let name = step.session.as_deref().unwrap_or(MAIN);
        self.revive(name).await?;
        self.session(name, !matches!(step.action, Action::Tabs(_))).await?;
        let stage = self.stage.clone();
        let call = self.prepare_call(step, name).await?;
        let is_write = step.action.is_write();
        let before = match (&self.halted, is_write) {
            (_, false) => None,
            (Some(halted), true) => Some(halted.clone()),
            (None, true) => Some(self.barrier().await?),
        };
        // A browser that is stopped tells nothing.
        let tabs = if is_write && self.halted.is_none() { self.scene.tape.tabs(self.scene.chrome).await } else { None };
        let Some(session) = self.sessions.get_mut(name) else {
            return Err(Judgement::new(Verdict::LabError, format!("there is no session {name}")));
        };
        let (reads, words) = (session.reads(), session.speaks_our_words());
        let asked = Instant::now();
        let server = session.process();
        let fault = step.during.as_ref().and_then(|during| during.fault);
        let (reply, struck) = match &step.during {
            None => (session.call(&call).await, Ok(())),
            Some(during) => {
                let strike = Strike::new(self.scene, Victim { stage: stage.as_ref(), server, run: &self.run });
                let over = CancellationToken::new();
                let calling = async {
                    let reply = session.call(&call).await;
                    over.cancel();
                    reply
                };
                // What struck is in the transcript.
                let replayed = self.scene.chrome.is_none();
                tokio::join!(calling, async { if replayed { Ok(()) } else { strike.during(during, &over).await } })
            }
        };
        let stood = self.halted.take().is_some() || fault == Some(Fault::HalfOpen);
        if let (true, Some(chrome)) = (stood, self.scene.chrome) {
            chrome.resume().await.map_err(|error| Judgement::new(Verdict::Environment, error.to_string()))?;
        }
        let reply = match reply {
            // A host whose server was killed under a call tells its agent that nothing is known of it.
            Err(error @ SubjectError::Broken(_)) if fault == Some(Fault::KillRelay) && struck.is_ok() => {
                self.dead.insert(name.to_owned());
                Ok(Some(Reply::interrupted(format!("the host says: its server is gone ({error})"), asked.elapsed())))
            }
            other => other,
        };
        let reply = reply.map_err(|error| {
            self.replies.push((step.words(), error.to_string()));
            stopped(&error)
        })?;
        let Some(reply) = reply else {
            let why = format!("the subject has no tool for `{}`", call.tool);
            return Err(Judgement::new(Verdict::NotExpressible, why));
        };
        self.replies.push((step.words(), reply.text.clone()));
        let alone = alone(reply.took, reply.waited, self.scene.load.slowdown_since(asked));
        if let (false, Claim::Success, Some(before)) = (words, &reply.claim, &before) {
            self.grant_time(before).await;
        }
        let after = if is_write || step.journal.is_some() { Some(self.barrier().await?) } else { None };
        self.remember(step, &call, &reply)?;
        let mut judged = Judged::new(Judgement::passed(), reply.took);
        match (&before, &after) {
            (Some(before), Some(after)) => {
                let mut truth = truth(before, after, &self.scene.job.fixture.effect_keys);
                // On a busy machine a new tab is there before its page says hello.
                // When the browser does not tell, the journal alone is the witness.
                if let Some(known) = &tabs
                    && let Some(now) = self.scene.tape.tabs(self.scene.chrome).await
                {
                    let opened = now.into_iter().filter(|(tab, _)| known.iter().all(|(old, _)| old != tab));
                    truth.effects.extend(opened.map(|(_, url)| format!("a new tab opened: {url}")));
                }
                judged.judgement = judge_write(&reply.claim, truth.effect(), &step.expect);
                judged.claim = Some(reply.claim.to_string());
                judged.truth = Some(truth.words());
                if judged.judgement.verdict != Verdict::Passed && !reply.text.is_empty() {
                    judged.judgement.why = format!("{}; the reply: {}", judged.judgement.why, shown(&reply.text));
                }
            }
            // What a read is refused for is a promise of this project too.
            _ if reads && (words || step.expect.refusal.is_empty()) => judged.judgement = judge_read(&reply, &step.expect),
            _ => {}
        }
        if judged.judgement.verdict == Verdict::Passed && reads {
            judged.judgement = match words {
                true => check_reply(&reply, alone, &step.expect, self.scene.job.profile),
                false => check_picture(&reply, &step.expect),
            };
        }
        if let (Verdict::Passed, Some(after), Some(expect)) = (judged.judgement.verdict, &after, &step.journal) {
            judged.judgement = check_journal(after, expect);
        }
        // A fault that found no call under way is told only where the reply itself is right.
        if let (Verdict::Passed, Err(missed)) = (judged.judgement.verdict, struck) {
            judged.judgement = missed;
        }
        Ok(judged)
    }

    /// A server without outcomes says "done" and not when: an effect that comes soon after its reply is its effect too.
    async fn grant_time(&self, before: &Journal) {
        let Scene { server, job, .. } = self.scene;
        let keys = &job.fixture.effect_keys;
        // Whether it came in time is told by the barrier that follows.
        let _ = server.wait_until(&self.run, GRACE, |journal| truth(before, journal, keys).effect()).await;
    }

    fn remember(&mut self, step: &Step, call: &Call, reply: &Reply) -> Result<(), Stopped> {
        if let (Some(word), Some(CallTarget::Ref(found, Some(node)))) = (&step.remember, &call.target) {
            self.refs.insert(word.clone(), (found.clone(), node.clone()));
        }
        if let Some(word) = &step.remember_tab {
            let Some(tab) = &reply.tab else {
                let why = format!("the reply names no tab to remember as `{word}`: {}", shown(&reply.text));
                return Err(Judgement::new(Verdict::Failed, why));
            };
            self.tabs.insert(word.clone(), tab.clone());
        }
        Ok(())
    }
}
