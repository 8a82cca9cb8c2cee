//! Claim against truth: the decision table of a step, and what a scenario's steps come to together. Pure.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::scenario::{Expect, Outcome, OutcomeClass};

/// What became of a step or a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Everything was as it must be.
    Passed,
    /// Passed, but only when tried again.
    Flaky,
    /// Failed as listed in known-failures.yaml.
    Known,
    /// Listed as a known failure and passes: the entry is stale.
    Fixed,
    /// The subject has no tool for a step.
    NotExpressible,
    /// The subject's snapshot does not show the target.
    NotSeen,
    /// The truth, the reply's text or the journal is not what it must be.
    Failed,
    /// The right class of claim for the wrong reason.
    WrongReason,
    /// Abstains where the truth can be known.
    Evasive,
    /// Claims no effect, and there was one.
    FalseAlarm,
    /// Claims an effect that is not there.
    Lie,
    /// Chrome, the extension or the subject did not come up.
    Environment,
    /// The lab's own fault.
    LabError,
}

impl Verdict {
    /// Every verdict, the best first.
    pub const ALL: [Self; 13] = [
        Self::Passed,
        Self::Flaky,
        Self::Known,
        Self::Fixed,
        Self::NotExpressible,
        Self::NotSeen,
        Self::Failed,
        Self::WrongReason,
        Self::Evasive,
        Self::FalseAlarm,
        Self::Lie,
        Self::Environment,
        Self::LabError,
    ];

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Flaky => "flaky",
            Self::Known => "known",
            Self::Fixed => "fixed",
            Self::NotExpressible => "not_expressible",
            Self::NotSeen => "not_seen",
            Self::Failed => "failed",
            Self::WrongReason => "wrong_reason",
            Self::Evasive => "evasive",
            Self::FalseAlarm => "false_alarm",
            Self::Lie => "lie",
            Self::Environment => "environment",
            Self::LabError => "lab_error",
        }
    }

    /// Whether a run with it can end in success.
    pub fn is_success(self) -> bool {
        matches!(self, Self::Passed | Self::Flaky | Self::Known)
    }

    /// Whether later steps cannot make it any plainer.
    pub fn ends_scenario(self) -> bool {
        matches!(
            self,
            Self::Lie | Self::FalseAlarm | Self::Evasive | Self::Environment | Self::LabError | Self::NotSeen | Self::NotExpressible
        )
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// What a reply asserts about the page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "word", rename_all = "snake_case")]
pub enum Claim {
    /// An outcome word.
    Outcome(Outcome),
    /// A refusal with its code.
    Refused(String),
    /// Success without an outcome word (servers that know none).
    Success,
    /// The reply says nothing that can be read as a claim.
    Unreadable,
}

impl Claim {
    /// What it comes to.
    pub fn class(&self) -> Option<OutcomeClass> {
        match self {
            Self::Outcome(outcome) => Some(outcome.class()),
            Self::Refused(_) => Some(OutcomeClass::NoEffect),
            Self::Success => Some(OutcomeClass::Effect),
            Self::Unreadable => None,
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outcome(outcome) => write!(f, "{outcome}"),
            Self::Refused(code) => write!(f, "refused: {code}"),
            Self::Success => f.write_str("success"),
            Self::Unreadable => f.write_str("nothing readable"),
        }
    }
}

/// A judgement and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// The reason, in words; empty when it passed.
    pub why: String,
}

impl Judgement {
    /// Passed.
    pub fn passed() -> Self {
        Self { verdict: Verdict::Passed, why: String::new() }
    }

    /// Something else, with its reason.
    pub fn new(verdict: Verdict, why: impl Into<String>) -> Self {
        Self { verdict, why: why.into() }
    }
}

/// Judges the claim of a write by the journal's truth.
pub fn judge_write(claim: &Claim, effect: bool, expect: &Expect) -> Judgement {
    let Some(class) = claim.class() else {
        return Judgement::new(Verdict::Failed, "the reply of a write must say its outcome, and this one does not");
    };
    let allowed = is_allowed(claim, expect);
    match (class, effect) {
        (OutcomeClass::Effect, false) => {
            return Judgement::new(Verdict::Lie, format!("the reply claims `{claim}`, the journal saw no effect"));
        }
        (OutcomeClass::NoEffect, true) => {
            return Judgement::new(Verdict::FalseAlarm, format!("the reply claims `{claim}`, the journal saw an effect"));
        }
        (OutcomeClass::Abstains, _) if !allowed => {
            let truth = if effect { "an effect" } else { "no effect" };
            let why = format!("the reply says `{claim}` where the truth can be known: the journal saw {truth}");
            return Judgement::new(Verdict::Evasive, why);
        }
        _ => {}
    }
    if let Some(wanted) = expect.effect
        && wanted != effect
    {
        let why = match effect {
            true => format!("it had an effect and must have none (the reply says `{claim}`)"),
            false => format!("it had no effect and must have one (the reply says `{claim}`)"),
        };
        return Judgement::new(Verdict::Failed, why);
    }
    if !allowed {
        return Judgement::new(Verdict::WrongReason, format!("the reply says `{claim}`, expected {}", wanted(expect)));
    }
    Judgement::passed()
}

/// Whether the scenario allows exactly this claim.
fn is_allowed(claim: &Claim, expect: &Expect) -> bool {
    match claim {
        Claim::Outcome(outcome) => expect.outcome.iter().any(|allowed| allowed == outcome),
        Claim::Refused(code) => expect.refusal.iter().any(|allowed| allowed.to_string() == *code),
        // A server without outcome words can only be right or wrong about the effect; that not all of it landed it would
        // have to say.
        Claim::Success => expect.outcome.is_empty() || expect.outcome.iter().any(|allowed| *allowed != Outcome::Partial),
        Claim::Unreadable => false,
    }
}

fn wanted(expect: &Expect) -> String {
    let outcomes = expect.outcome.iter().map(|outcome| format!("`{outcome}`"));
    let refusals = expect.refusal.iter().map(|code| format!("`refused: {code}`"));
    outcomes.chain(refusals).collect::<Vec<_>>().join(" or ")
}

/// The verdict of a scenario: the gravest of its steps, the first of equals.
pub fn of_steps<'a>(steps: impl IntoIterator<Item = &'a Judgement>) -> Judgement {
    let mut gravest = Judgement::passed();
    for step in steps {
        if step.verdict > gravest.verdict {
            gravest = step.clone();
        }
    }
    gravest
}

/// What attempts come to: a pass after a failure is flaky and keeps the first failure's reason.
pub fn of_attempts(attempts: &[Judgement]) -> Judgement {
    let Some((last, earlier)) = attempts.split_last() else {
        return Judgement::new(Verdict::LabError, "no attempt was made");
    };
    match (last.verdict, earlier.first()) {
        (Verdict::Passed, Some(first)) => Judgement::new(Verdict::Flaky, format!("attempt 1 was {}: {}", first.verdict, first.why)),
        _ => last.clone(),
    }
}

/// Applies the list of known failures.
pub fn with_known(judgement: Judgement, known_issue: Option<&str>) -> Judgement {
    let Some(issue) = known_issue else { return judgement };
    match judgement.verdict {
        Verdict::Passed => {
            let why = format!("it passes and is listed as a known failure ({issue}): remove the entry");
            Judgement::new(Verdict::Fixed, why)
        }
        // Nothing was learnt about the subject.
        Verdict::Environment | Verdict::LabError => judgement,
        verdict => Judgement::new(Verdict::Known, format!("{issue}: {verdict}: {}", judgement.why)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::OneOrMany;

    fn expect(outcomes: &[Outcome], refusals: &[&str], effect: bool) -> Expect {
        let refusal = refusals.iter().map(|code| serde_json::from_value((*code).into()).unwrap()).collect();
        Expect { outcome: OneOrMany(outcomes.to_vec()), refusal: OneOrMany(refusal), effect: Some(effect), ..Expect::default() }
    }

    fn verdict(claim: &Claim, effect: bool, expect: &Expect) -> Verdict {
        judge_write(claim, effect, expect).verdict
    }

    #[test]
    fn every_outcome_meets_every_truth() {
        for outcome in Outcome::ALL {
            for effect in [true, false] {
                let exact = expect(&[outcome], &[], effect);
                let wrong_class = match (outcome.class(), effect) {
                    (OutcomeClass::Effect, false) => Some(Verdict::Lie),
                    (OutcomeClass::NoEffect, true) => Some(Verdict::FalseAlarm),
                    _ => None,
                };
                let claim = Claim::Outcome(outcome);
                assert_eq!(verdict(&claim, effect, &exact), wrong_class.unwrap_or(Verdict::Passed), "{outcome} {effect}");
                let other = expect(&[], &["covered"], effect);
                let not_named = match outcome.class() {
                    OutcomeClass::Abstains => Verdict::Evasive,
                    _ => wrong_class.unwrap_or(Verdict::WrongReason),
                };
                assert_eq!(verdict(&claim, effect, &other), not_named, "{outcome} {effect}");
                // The truth itself is not the one the scenario must have.
                let contrary = expect(&[outcome], &[], !effect);
                assert_eq!(verdict(&claim, effect, &contrary), wrong_class.unwrap_or(Verdict::Failed), "{outcome} {effect}");
            }
        }
    }

    #[test]
    fn refusals_claim_that_nothing_happened() {
        let covered = Claim::Refused("covered".into());
        assert_eq!(verdict(&covered, false, &expect(&[], &["covered", "not_visible"], false)), Verdict::Passed);
        assert_eq!(verdict(&covered, false, &expect(&[], &["disabled"], false)), Verdict::WrongReason);
        assert_eq!(verdict(&covered, false, &expect(&[Outcome::NoEffect], &[], false)), Verdict::WrongReason);
        assert_eq!(verdict(&covered, false, &expect(&[Outcome::Changed], &[], true)), Verdict::Failed);
        assert_eq!(verdict(&covered, true, &expect(&[], &["covered"], false)), Verdict::FalseAlarm);
    }

    #[test]
    fn a_reply_without_a_claim_fails() {
        assert_eq!(verdict(&Claim::Unreadable, true, &expect(&[Outcome::Changed], &[], true)), Verdict::Failed);
        assert_eq!(verdict(&Claim::Success, true, &expect(&[Outcome::Changed], &[], true)), Verdict::Passed);
        assert_eq!(verdict(&Claim::Success, false, &expect(&[Outcome::NoEffect], &[], false)), Verdict::Lie);
        assert_eq!(verdict(&Claim::Success, true, &expect(&[Outcome::Partial], &[], true)), Verdict::WrongReason);
        assert_eq!(verdict(&Claim::Success, true, &expect(&[Outcome::Partial, Outcome::Changed], &[], true)), Verdict::Passed);
    }

    #[test]
    fn the_gravest_step_names_the_scenario() {
        let steps =
            [Verdict::Passed, Verdict::Failed, Verdict::Lie, Verdict::WrongReason].map(|verdict| Judgement::new(verdict, verdict.word()));
        assert_eq!(of_steps(&steps).why, "lie");
        assert_eq!(of_steps(&[]).verdict, Verdict::Passed);
    }

    #[test]
    fn retries_never_hide() {
        let failed = Judgement::new(Verdict::Failed, "x");
        assert_eq!(of_attempts(&[failed.clone(), Judgement::passed()]).verdict, Verdict::Flaky);
        assert_eq!(of_attempts(&[failed.clone(), failed.clone()]).verdict, Verdict::Failed);
        assert_eq!(of_attempts(&[Judgement::passed()]).verdict, Verdict::Passed);
    }

    #[test]
    fn known_failures_go_stale() {
        let known = |verdict| with_known(Judgement::new(verdict, ""), Some("https://example.org/1")).verdict;
        assert_eq!(known(Verdict::Lie), Verdict::Known);
        assert_eq!(known(Verdict::Passed), Verdict::Fixed);
        assert_eq!(known(Verdict::Environment), Verdict::Environment);
        assert_eq!(with_known(Judgement::passed(), None).verdict, Verdict::Passed);
        assert!(!Verdict::Fixed.is_success() && Verdict::Known.is_success());
    }
}
