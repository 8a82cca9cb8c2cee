//! `act`: several steps in one call, stopped loudly at the first that did not do what it was for.

use std::fmt::Write as _;

use async_trait::async_trait;
use protocol::ErrorCode;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::changes::changes_seen;
use super::plan::{self, Step};
use super::target::own_tab;
use super::tool::{Access, Context, Group, Reply, Tool, ToolError};
use super::{gate, wait};
use crate::judge::{Claim, Outcome};

/// Arguments of `act`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ActParams {
    /// 1 to 20 steps: {"do": TOOL, …its arguments}; {"do":"assert","any":[…]}; {"do":"if","any":[…],"then":[…],"else":[…]};
    /// {"do":"repeat","steps":[…],"until":[…],"max":10}. Conditions are those of wait_for.
    steps: Vec<Map<String, Value>>,
    /// Default: current.
    tab: Option<u32>,
}

/// See its description.
pub(super) struct Act;

#[async_trait]
impl Tool for Act {
    const NAME: &'static str = "act";
    const DESCRIPTION: &'static str = "Do several steps in one call; prefer it to single calls when you know the way. Stops at the first step that is refused, has no effect or does not hold, and says what was done and what was not. Never clicks a sensitive target (submit, pay, delete, …): click that by itself.";
    const GROUP: Group = Group::Pointer;
    const ACCESS: Access = Access::Acts;
    type Params = ActParams;

    async fn call(context: &Context, params: ActParams) -> Result<Reply, ToolError> {
        if context.part {
            return Err(ToolError::new(ErrorCode::InvalidArgument, "act cannot stand inside act"));
        }
        let tab = own_tab(context, params.tab)?;
        let steps = plan::read(params.steps)?;
        let mut run = Run { context: &context.part(), tab, receipt: String::new(), actions: 0 };
        let mut done = 0;
        let mut stopped = None;
        for (at, step) in steps.iter().enumerate() {
            if context.cancel.is_cancelled() {
                stopped = Some("the caller gave up".to_owned());
                break;
            }
            if let Err(why) = run.step(&format!("{}", at + 1), step).await {
                stopped = Some(why);
                break;
            }
            done += 1;
        }
        let head = match &stopped {
            None => format!("done: {done} of {} steps, {} actions", steps.len(), run.actions),
            Some(why) => format!("stopped at step {}: {why} ({done} of {} steps done, {} actions)", done + 1, steps.len(), run.actions),
        };
        let mut text = format!("{head}\n{}", run.receipt.trim_end());
        if stopped.is_some() && done + 1 < steps.len() {
            let rest: Vec<String> = (done + 1..steps.len()).map(|at| format!("{} {}", at + 1, steps[at].words())).collect();
            let _ = write!(text, "\nnot done: {}", rest.join("; "));
        }
        let tab = run.tab;
        if let Some(changes) = changes_seen(context, tab).await {
            let _ = write!(text, "\n{changes}");
        }
        // What was done was done: the words say where it stopped, an error would say that nothing came of it.
        Ok(Reply::text(text))
    }
}

/// A batch under way.
struct Run<'a> {
    context: &'a Context,
    /// Where the steps run: a tab that a step opens is where the next one goes.
    tab: u32,
    receipt: String,
    actions: usize,
}

impl Run<'_> {
    /// One step with what stands inside it; the error is why the batch stops.
    async fn step(&mut self, place: &str, step: &Step) -> Result<(), String> {
        match step {
            Step::Call { tool, arguments } => self.call(place, tool, arguments).await,
            Step::Assert { conditions } => {
                let (holds, words) = self.holds(conditions).await?;
                let _ = writeln!(self.receipt, "{place}. assert {words}: {}", if holds { "holds" } else { "does not hold" });
                if holds { Ok(()) } else { Err(format!("{words} does not hold")) }
            }
            Step::If { conditions, then, otherwise } => {
                let (holds, words) = self.holds(conditions).await?;
                let _ = writeln!(self.receipt, "{place}. if {words}: {}", if holds { "then" } else { "else" });
                let inner = if holds { then } else { otherwise };
                self.all(place, inner).await
            }
            Step::Repeat { steps, until, most } => {
                for round in 1..=*most {
                    if let Some(until) = until
                        && self.holds(until).await?.0
                    {
                        let _ = writeln!(self.receipt, "{place}. repeat: ended before round {round}");
                        return Ok(());
                    }
                    self.all(&format!("{place}.{round}"), steps).await?;
                }
                match until {
                    None => Ok(()),
                    Some(until) => {
                        let (holds, words) = self.holds(until).await?;
                        if holds { Ok(()) } else { Err(format!("{words} does not hold after {most} rounds")) }
                    }
                }
            }
        }
    }

    async fn all(&mut self, place: &str, steps: &[Step]) -> Result<(), String> {
        for (at, step) in steps.iter().enumerate() {
            // Only calls stand inside: one level.
            if let Step::Call { tool, arguments } = step {
                self.call(&format!("{place}.{}", at + 1), tool, arguments).await?;
            }
        }
        Ok(())
    }

    async fn holds(&self, conditions: &wait::Conditions) -> Result<(bool, String), String> {
        let holds = wait::hold(self.context, self.tab, conditions).await.map_err(|error| error.to_string())?;
        Ok((holds, conditions.words()))
    }

    async fn call(&mut self, place: &str, tool: &str, arguments: &Map<String, Value>) -> Result<(), String> {
        if self.actions >= plan::MOST_ACTIONS {
            return Err(format!("{} actions are the most of one act", plan::MOST_ACTIONS));
        }
        let mut arguments = arguments.clone();
        arguments.entry("tab").or_insert_with(|| self.tab.into());
        self.actions += 1;
        let reply = gate::plain(self.context, tool, Value::Object(arguments)).await.unwrap_or_else(|error| Reply::failure(&error));
        let text = reply.first_text();
        let reads = reply.outcome.is_none();
        // An action's evidence in two lines; what was read stands as it is.
        let told: String = if reads || reply.is_error {
            text.to_owned()
        } else {
            text.lines().filter(|line| is_told(line)).take(3).collect::<Vec<_>>().join(" · ")
        };
        let _ = writeln!(self.receipt, "{place}. {tool}: {told}");
        if reply.is_error {
            return Err(text.lines().next().unwrap_or("it failed").to_owned());
        }
        if let Some(tab) = reply.opened {
            self.tab = tab;
        }
        match reply.outcome {
            Some(outcome) if outcome.claim() != Claim::Effect || outcome == Outcome::Partial => {
                Err(format!("{tool} ended in {}", outcome.word()))
            }
            _ => Ok(()),
        }
    }
}

/// Lines of an action's reply that stand in the receipt.
fn is_told(line: &str) -> bool {
    ["since_last:", "outcome:", "- ", "note:", "warning:"].iter().any(|begin| line.starts_with(begin))
}
