//! The steps of an `act`, checked whole before the first is done.

use protocol::ErrorCode;
use serde_json::{Map, Value};

use super::tool::{Access, ToolError};
use super::{registry, wait};

/// Most steps of one batch, and most actions when all is unrolled.
const MOST_STEPS: usize = 20;
pub(super) const MOST_ACTIONS: usize = 60;
/// Rounds of a repeat.
const ROUNDS: usize = 10;
const MOST_ROUNDS: usize = 25;
/// Tools that cannot be a step.
const ALONE: &[&str] = &["act", "tabs", "screenshot", "fetch", "download", "ask_human", "reload"];

/// One step.
#[derive(Debug)]
pub(super) enum Step {
    /// A tool with its arguments.
    Call {
        /// Its name.
        tool: &'static str,
        /// Its arguments.
        arguments: Map<String, Value>,
    },
    /// Goes on only when one of the conditions holds now.
    Assert {
        /// Alternatives.
        conditions: wait::Conditions,
    },
    /// One of two ways.
    If {
        /// Alternatives.
        conditions: wait::Conditions,
        /// When one holds.
        then: Vec<Step>,
        /// When none does.
        otherwise: Vec<Step>,
    },
    /// Again and again.
    Repeat {
        /// Each round.
        steps: Vec<Step>,
        /// Ends it.
        until: Option<wait::Conditions>,
        /// Most rounds.
        most: usize,
    },
}

impl Step {
    /// In a word or two.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Call { tool, .. } => (*tool).to_owned(),
            Self::Assert { conditions } => format!("assert {}", conditions.words()),
            Self::If { conditions, .. } => format!("if {}", conditions.words()),
            Self::Repeat { steps, .. } => format!("repeat of {} steps", steps.len()),
        }
    }

    /// Actions when everything in it is done as often as it may be.
    fn actions(&self) -> usize {
        let all = |steps: &[Self]| steps.iter().map(Self::actions).sum::<usize>();
        match self {
            Self::Call { .. } => 1,
            Self::Assert { .. } => 0,
            Self::If { then, otherwise, .. } => all(then).max(all(otherwise)),
            // The bound of actions ends a long repeat that has a condition; one without is done to its end.
            Self::Repeat { steps, until, most } => all(steps) * if until.is_some() { 1 } else { *most },
        }
    }
}

fn wrong(place: &str, what: &str) -> ToolError {
    ToolError::new(ErrorCode::InvalidArgument, format!("step {place}: {what}; nothing was done")).with_next("Mend the steps and call again")
}

/// Reads the steps; the first that is wrong is the error, and nothing is done.
pub(super) fn read(steps: Vec<Map<String, Value>>) -> Result<Vec<Step>, ToolError> {
    if steps.is_empty() || steps.len() > MOST_STEPS {
        return Err(ToolError::new(ErrorCode::InvalidArgument, format!("steps are 1 to {MOST_STEPS}; nothing was done"))
            .with_next("Split them into several calls"));
    }
    let steps =
        steps.into_iter().enumerate().map(|(at, step)| read_step(&format!("{}", at + 1), step, true)).collect::<Result<Vec<_>, _>>()?;
    if steps.iter().map(Step::actions).sum::<usize>() > MOST_ACTIONS {
        return Err(ToolError::new(
            ErrorCode::InvalidArgument,
            format!("the steps are more than {MOST_ACTIONS} actions in all; nothing was done"),
        )
        .with_next("Split them into several calls"));
    }
    Ok(steps)
}

fn read_step(place: &str, mut step: Map<String, Value>, outer: bool) -> Result<Step, ToolError> {
    let Some(Value::String(word)) = step.remove("do") else {
        return Err(wrong(place, "`do` names no tool"));
    };
    if !outer && matches!(word.as_str(), "if" | "repeat" | "assert") {
        return Err(wrong(place, "if, repeat and assert stand on the first level only"));
    }
    let read = match word.as_str() {
        "assert" => Step::Assert { conditions: conditions(place, &mut step, "any")?.ok_or_else(|| wrong(place, "`any` is missing"))? },
        "if" => Step::If {
            conditions: conditions(place, &mut step, "any")?.ok_or_else(|| wrong(place, "`any` is missing"))?,
            then: inner(place, &mut step, "then", false)?,
            otherwise: inner(place, &mut step, "else", false)?,
        },
        "repeat" => {
            let most = match step.remove("max") {
                None => ROUNDS,
                Some(max) => match max.as_u64().and_then(|max| usize::try_from(max).ok()) {
                    Some(max) if (1..=MOST_ROUNDS).contains(&max) => max,
                    _ => return Err(wrong(place, &format!("max is 1 to {MOST_ROUNDS}"))),
                },
            };
            let steps = inner(place, &mut step, "steps", true)?;
            if steps.is_empty() {
                return Err(wrong(place, "`steps` is missing"));
            }
            Step::Repeat { steps, until: conditions(place, &mut step, "until")?, most }
        }
        _ => return tool(place, &word, step),
    };
    match step.keys().next() {
        None => Ok(read),
        Some(key) => Err(wrong(place, &format!("{word} has no {key}"))),
    }
}

/// A step that is a tool's call; its arguments are checked now.
fn tool(place: &str, word: &str, arguments: Map<String, Value>) -> Result<Step, ToolError> {
    let found = registry().iter().find(|tool| tool.name() == word && !ALONE.contains(&word));
    let Some(tool) = found else {
        let names: Vec<&str> = registry().iter().map(|tool| tool.name()).filter(|name| !ALONE.contains(name)).collect();
        return Err(wrong(place, &format!("`do` is one of {}, assert, if, repeat", names.join(", "))));
    };
    tool.check(&Value::Object(arguments.clone())).map_err(|error| wrong(place, &error.what))?;
    Ok(Step::Call { tool: tool.name(), arguments })
}

fn inner(place: &str, step: &mut Map<String, Value>, key: &str, repeated: bool) -> Result<Vec<Step>, ToolError> {
    let Some(list) = step.remove(key) else { return Ok(Vec::new()) };
    let Value::Array(list) = list else { return Err(wrong(place, &format!("{key} is a list of steps"))) };
    let mut steps = Vec::new();
    for (at, one) in list.into_iter().enumerate() {
        let place = format!("{place}.{}", at + 1);
        let Value::Object(one) = one else { return Err(wrong(&place, "a step is an object")) };
        if repeated && acts_on_ref(&one) {
            return Err(wrong(&place, "a ref in a repeat would act on one node again and again; name it by role and name"));
        }
        steps.push(read_step(&place, one, false)?);
    }
    Ok(steps)
}

fn acts_on_ref(step: &Map<String, Value>) -> bool {
    let acts = step
        .get("do")
        .and_then(Value::as_str)
        .and_then(|word| registry().iter().find(|tool| tool.name() == word))
        .is_some_and(|tool| tool.access() == Access::Acts);
    acts && step.get("target").is_some_and(|target| target.get("ref").is_some())
}

fn conditions(place: &str, step: &mut Map<String, Value>, key: &str) -> Result<Option<wait::Conditions>, ToolError> {
    step.remove(key).map(|any| wait::Conditions::read(any).map_err(|error| wrong(place, &error.what))).transpose()
}
