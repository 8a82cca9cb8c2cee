//! What a failure looks like: enough to know it again in a shorter scenario, and no more.

use std::fmt;

use crate::event::ScenarioReport;
use crate::scenario::{Outcome, OutcomeClass, Scenario};
use crate::verdict::Verdict;

/// The verdict with the tool whose step decided it and what kind of claim that made. The words of the reason may differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symptom {
    /// The verdict of the step that decided; that of a known failure is the one behind it.
    pub verdict: Verdict,
    /// The word of its tool; empty where no step decided.
    pub tool: &'static str,
    /// What its reply claimed; none where it claims nothing.
    pub claim: Option<OutcomeClass>,
}

impl Symptom {
    /// The symptom of a report of this scenario.
    pub fn of(report: &ScenarioReport, scenario: &Scenario) -> Self {
        // `decisive` may be one that passed, where the failure came after the last step.
        let decisive = report.decisive().filter(|step| step.verdict != Verdict::Passed);
        let Some(decisive) = decisive else { return Self { verdict: report.verdict, tool: "", claim: None } };
        let place = report.steps.iter().position(|step| std::ptr::eq(step, decisive));
        let step = place.and_then(|place| scenario.steps.get(place));
        let tool = step.map_or("", |step| step.action.word());
        Self { verdict: decisive.verdict, tool, claim: decisive.claim.as_deref().and_then(class) }
    }
}

impl fmt::Display for Symptom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.verdict)?;
        if !self.tool.is_empty() {
            write!(f, " of `{}`", self.tool)?;
        }
        match self.claim {
            Some(OutcomeClass::Effect) => f.write_str(", which claims an effect"),
            Some(OutcomeClass::NoEffect) => f.write_str(", which claims none"),
            Some(OutcomeClass::Abstains) => f.write_str(", which abstains"),
            None => Ok(()),
        }
    }
}

/// The class of a claim as reports word it.
fn class(claim: &str) -> Option<OutcomeClass> {
    if claim.starts_with("refused: ") {
        return Some(OutcomeClass::NoEffect);
    }
    if claim == "success" {
        return Some(OutcomeClass::Effect);
    }
    Outcome::ALL.into_iter().find(|outcome| outcome.word() == claim).map(Outcome::class)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::Claim;

    #[test]
    fn claims_are_known_by_their_words() {
        for outcome in Outcome::ALL {
            let claim = Claim::Outcome(outcome);
            assert_eq!(class(&claim.to_string()), claim.class());
        }
        for claim in [Claim::Refused("covered".into()), Claim::Success, Claim::Unreadable] {
            assert_eq!(class(&claim.to_string()), claim.class());
        }
    }
}
