//! The event stream of a run: the runner's only output, and all that any report knows.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::scenario::Profile;
use crate::verdict::Verdict;

/// Something that happened in a run. One JSON line each in `runs/<timestamp>/events.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The run began.
    RunStarted {
        /// The run's name (its folder).
        run: String,
        /// The server under test.
        subject: String,
        /// How many cases (scenario × profile) there are.
        cases: usize,
        /// How many Chromes work at once.
        jobs: usize,
    },
    /// An attempt at a case began.
    ScenarioStarted {
        /// Which.
        case: Case,
        /// From 1.
        attempt: u32,
    },
    /// A step is over.
    StepFinished {
        /// Which case.
        case: Case,
        /// From 1.
        attempt: u32,
        /// What came of it.
        step: StepReport,
    },
    /// A case is over, with all its attempts.
    ScenarioFinished {
        /// What came of it.
        report: ScenarioReport,
    },
    /// A scenario's file has faults, so it was not run.
    ScenarioUnreadable {
        /// Its name.
        name: String,
        /// The line of the first fault, from 1.
        line: u64,
        /// Every fault, one a line.
        reason: String,
    },
    /// The environment does not come up, so the run ends: what is left is reported as `environment` with no attempt made.
    EnvironmentFailed {
        /// Why, with the way out.
        reason: String,
    },
    /// The run is over.
    RunFinished {
        /// How long it took.
        duration_ms: u64,
        /// It was ended before all cases were run.
        interrupted: bool,
    },
}

/// A scenario in a profile.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Case {
    /// The scenario's name.
    pub name: String,
    /// The profile it runs in.
    pub profile: Profile,
}

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.profile {
            Profile::Calm => f.write_str(&self.name),
            Profile::Wild | Profile::Headed => write!(f, "{} ({})", self.name, self.profile),
        }
    }
}

/// What came of a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepReport {
    /// The step in words.
    pub step: String,
    /// Its line in the scenario file.
    pub line: u64,
    /// Its own verdict.
    pub verdict: Verdict,
    /// What the reply asserted (none for reads and waits).
    pub claim: Option<String>,
    /// What the journal saw.
    pub truth: Option<String>,
    /// Why it is what it is; empty when it passed.
    pub reason: String,
    /// How long the call took.
    pub ms: u64,
    /// When it began, in milliseconds since the attempt did.
    #[serde(default)]
    pub at_ms: u64,
    /// How the page looked before and after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pictures: Option<Pictures>,
}

/// Pictures of a page around a step, by their file names in the attempt's evidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pictures {
    /// Before.
    pub before: String,
    /// After.
    pub after: String,
    /// Where the page says that it was hit, in CSS pixels of its viewport.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hit: Option<(f64, f64)>,
}

/// An attempt at a case that another one followed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttemptReport {
    /// Its verdict.
    pub verdict: Verdict,
    /// Why.
    pub reason: String,
    /// Its steps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<StepReport>,
    /// Where its evidence is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<String>,
}

/// What came of a case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScenarioReport {
    /// The scenario's name.
    pub name: String,
    /// Its fixture.
    pub fixture: String,
    /// The server under test.
    pub subject: String,
    /// The profile it ran in.
    pub profile: Profile,
    /// The verdict.
    pub verdict: Verdict,
    /// Why; empty when it passed.
    pub reason: String,
    /// How many attempts were made.
    pub attempts: u32,
    /// How long all of them took.
    pub duration_ms: u64,
    /// The steps of the last attempt.
    pub steps: Vec<StepReport>,
    /// Which of several rounds it belongs to, from 1.
    #[serde(default = "first", skip_serializing_if = "is_first")]
    pub round: u32,
    /// Where the evidence of the last attempt is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<String>,
    /// The attempts before it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<AttemptReport>,
}

fn first() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
fn is_first(round: &u32) -> bool {
    *round == 1
}

impl ScenarioReport {
    /// Which case it is.
    pub fn case(&self) -> Case {
        Case { name: self.name.clone(), profile: self.profile }
    }

    /// The command that runs the case again.
    pub fn again(&self) -> String {
        let subject = if self.subject == "tegata" { String::new() } else { format!(" --subject {}", self.subject) };
        format!("cargo run -p lab -- scenario run {} --profile {}{subject}", self.name, self.profile)
    }

    /// The step that decided the verdict.
    pub fn decisive(&self) -> Option<&StepReport> {
        self.steps.iter().max_by(|one, other| {
            // `max_by` keeps the last of equals; the first one decided.
            one.verdict.cmp(&other.verdict).then(std::cmp::Ordering::Greater)
        })
    }
}

/// The name of an attempt among a run's files.
pub fn attempt_file(name: &str, profile: Profile, attempt: u32, round: u32) -> String {
    let round = if round > 1 { format!(".round-{round}") } else { String::new() };
    format!("{}.{profile}.{attempt}{round}", name.replace('/', "."))
}

/// How often each verdict was given; every verdict is there, with 0 if need be.
pub fn summary<'a>(reports: impl IntoIterator<Item = &'a ScenarioReport>) -> BTreeMap<&'static str, usize> {
    let mut counts = Verdict::ALL.map(|verdict| (verdict.word(), 0)).into_iter().collect::<BTreeMap<_, _>>();
    for report in reports {
        *counts.entry(report.verdict.word()).or_default() += 1;
    }
    counts
}
