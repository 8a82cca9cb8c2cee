//! `ask_human` and `status_line`: a panel in the page, for the person who sits before it.

use std::time::Duration;

use async_trait::async_trait;
use protocol::{ErrorCode, HumanPanel, Panel, PanelAnswer, PanelState, PanelWord, WaitProbe};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use tokio::time::Instant;

use super::changes::changes_seen;
use super::reading::TabCall;
use super::target::own_tab;
use super::tool::{Access, Context, Group, Reply, Tool, ToolError};
use super::wait::Conditions;
use crate::browser::BrowserCall as _;
use crate::render;

/// Between two looks for an answer.
const PACE: Duration = Duration::from_millis(400);
/// Between two words to the caller that the wait goes on.
const PROGRESS: Duration = Duration::from_secs(5);
/// Bounds of the wait, and how long it is by itself.
const SHORTEST_MS: u32 = 5_000;
const LONGEST_MS: u32 = 600_000;
const USUAL_MS: u32 = 300_000;
/// Longest question and longest line.
const PROMPT: usize = 1_000;
const LINE: usize = 80;

/// Arguments of `ask_human`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AskParams {
    /// What the user is to do or to decide.
    prompt: String,
    /// Limit in milliseconds, 5000 to 600000; default 300000.
    timeout_ms: Option<u32>,
    /// Ends the wait without a press when one of these holds: alternatives as in wait_for.
    #[serde(default)]
    until: Vec<Map<String, Value>>,
    /// Default: current.
    tab: Option<u32>,
}

/// See its description.
pub(super) struct AskHuman;

#[async_trait]
impl Tool for AskHuman {
    const NAME: &'static str = "ask_human";
    const DESCRIPTION: &'static str = "Ask the user, by a panel in the page with Done, Cancel and a note: log in, solve a captcha, decide. Waits for the answer. continued: go on; completed: until holds; cancelled: stop the task; timed_out: nobody answered.";
    const GROUP: Group = Group::Human;
    const ACCESS: Access = Access::Acts;
    type Params = AskParams;

    async fn call(context: &Context, params: AskParams) -> Result<Reply, ToolError> {
        let prompt = text("prompt", &params.prompt, PROMPT)?;
        let limit = params.timeout_ms.unwrap_or(USUAL_MS);
        if !(SHORTEST_MS..=LONGEST_MS).contains(&limit) {
            return Err(ToolError::new(ErrorCode::InvalidArgument, format!("timeout_ms is {SHORTEST_MS} to {LONGEST_MS}")));
        }
        let until = if params.until.is_empty() { None } else { Some(Conditions::read(serde_json::json!(params.until))?) };
        let tab = own_tab(context, params.tab)?;
        let call = TabCall::begin(context, tab).await;
        let question = Question { tab, id: context.desk.next_watch(), prompt, limit: Duration::from_millis(u64::from(limit)), until };
        let result = question.ask(context).await;
        Ok(call.settle(result).await)
    }
}

/// A question that stands.
struct Question {
    tab: u32,
    id: u32,
    prompt: String,
    limit: Duration,
    until: Option<Conditions>,
}

impl Question {
    async fn ask(&self, context: &Context) -> Result<Reply, ToolError> {
        // A page that cannot show it is refused at once; one that loads meanwhile is asked again.
        let first = self.shown(context).await?;
        let ended = self.wait(context, first).await;
        let close = HumanPanel { tab: self.tab, panel: Panel::Close { id: self.id } };
        let _ = context.desk.browser.call(close, &tokio_util::sync::CancellationToken::new()).await;
        let mut said = ended?;
        if let Some(changes) = changes_seen(context, self.tab).await {
            said.push('\n');
            said.push_str(&changes);
        }
        Ok(Reply::text(said))
    }

    async fn shown(&self, context: &Context) -> Result<PanelState, ToolError> {
        let panel = Panel::Ask { id: self.id, text: self.prompt.clone() };
        Ok(context.desk.browser.call(HumanPanel { tab: self.tab, panel }, &context.cancel).await?)
    }

    async fn wait(&self, context: &Context, first: PanelState) -> Result<String, ToolError> {
        let began = Instant::now();
        let mut told = began;
        let mut state = Some(first);
        let after = |began: Instant| format!("after {:.1} s", began.elapsed().as_secs_f64());
        loop {
            if let Some(PanelAnswer { word, note }) = state.take().and_then(|state| state.answer) {
                let note = note.map_or_else(String::new, |note| format!(" · the user's note: {}", render::quote(&note)));
                return Ok(match word {
                    PanelWord::Done => format!("continued {}{note}", after(began)),
                    PanelWord::Cancel => {
                        format!("cancelled {}{note}\nThe user wants the task stopped: do nothing more of it.", after(began))
                    }
                });
            }
            if let Some(until) = &self.until {
                let probe = WaitProbe { tab: self.tab, conditions: until.list().to_vec() };
                if let Ok(probe) = context.desk.browser.call(probe, &context.cancel).await
                    && probe.met.is_some()
                {
                    return Ok(format!("completed {}: {} holds", after(began), until.words()));
                }
            }
            let now = Instant::now();
            if now >= began + self.limit {
                return Ok(format!("timed_out {}: nobody answered", after(began)));
            }
            if now >= told + PROGRESS {
                told = now;
                (context.progress)(format!("still waiting for the user {}", after(began)));
            }
            tokio::select! {
                () = tokio::time::sleep_until((now + PACE).min(began + self.limit)) => {}
                () = context.cancel.cancelled() => return Err(ToolError::new(ErrorCode::Cancelled, "the caller gave up waiting for the user")),
            }
            state = match self.shown(context).await {
                Ok(state) => Some(state),
                Err(error) if matches!(error.code, ErrorCode::NoTab | ErrorCode::Paused | ErrorCode::ExtensionNotConnected) => {
                    return Err(error);
                }
                // Between two pages nobody can be asked.
                Err(_) => None,
            };
        }
    }
}

/// Arguments of `status_line`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct StatusParams {
    /// At most 80 characters; "" takes it away.
    text: String,
    /// Default: current.
    tab: Option<u32>,
}

/// See its description.
pub(super) struct StatusLine;

#[async_trait]
impl Tool for StatusLine {
    const NAME: &'static str = "status_line";
    const DESCRIPTION: &'static str =
        "Tell the user in one line in the page what you are doing. Does not wait; snapshots and pictures do not show it.";
    const GROUP: Group = Group::Human;
    const ACCESS: Access = Access::Acts;
    type Params = StatusParams;

    async fn call(context: &Context, params: StatusParams) -> Result<Reply, ToolError> {
        let line = if params.text.is_empty() { String::new() } else { text("text", &params.text, LINE)? };
        let tab = own_tab(context, params.tab)?;
        let call = TabCall::begin(context, tab).await;
        let gone = line.is_empty();
        let result = context.desk.browser.call(HumanPanel { tab, panel: Panel::Status { text: line } }, &context.cancel).await;
        let result = result.map(|_| Reply::text(if gone { "taken away" } else { "shown until the next page" })).map_err(ToolError::from);
        Ok(call.settle(result).await)
    }
}

/// A text for a person: not empty, not too long, no control characters but line breaks.
fn text(key: &str, given: &str, most: usize) -> Result<String, ToolError> {
    let wrong = |what: String| Err(ToolError::new(ErrorCode::InvalidArgument, what));
    let said = given.trim();
    if said.is_empty() {
        return wrong(format!("{key} is empty"));
    }
    let length = said.chars().count();
    if length > most {
        return wrong(format!("{key} has {length} characters, more than {most}"));
    }
    if said.chars().any(|sign| sign.is_control() && !(most > LINE && sign == '\n')) {
        return wrong(format!("{key} has control characters"));
    }
    Ok(said.to_owned())
}
