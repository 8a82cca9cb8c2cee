//! `wait_for`.

use std::time::Duration;

use async_trait::async_trait;
use protocol::{Condition, ErrorCode, Probe, State, WaitProbe};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::time::Instant;

use super::reading::TabCall;
use super::target::own_tab;
use super::tool::{Access, Context, Group, Reply, Tool, ToolError};
use crate::browser::BrowserCall as _;
use crate::render;

/// Between two probes.
const PACE: Duration = Duration::from_millis(100);
/// Between two words to the caller that the wait goes on.
const PROGRESS: Duration = Duration::from_secs(5);
/// Longest wait of one call.
const LONGEST_MS: u32 = 600_000;

/// One alternative: exactly one of its keys (`state` goes with `ref`).
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Alternative {
    /// Visible text appears, in any frame.
    text: Option<String>,
    /// Visible text is gone from all frames.
    gone_text: Option<String>,
    /// An element that matches this selector is visible.
    css: Option<String>,
    /// The address contains this.
    url: Option<String>,
    /// The node of this ref has `state`, or is gone when no state is given.
    r#ref: Option<String>,
    /// State for ref: checked, unchecked, expanded, collapsed, disabled, selected, …
    state: Option<String>,
    /// Loaded and quiet for 500 ms (not a sign that the page is ready: prefer text).
    idle: Option<bool>,
}

/// Arguments of `wait_for`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WaitParams {
    /// Alternatives; the first that holds ends the wait.
    any: Vec<Alternative>,
    /// Limit in milliseconds; default 10000.
    timeout_ms: Option<u32>,
    /// Default: current.
    tab: Option<u32>,
}

/// See its description.
pub(super) struct WaitFor;

#[async_trait]
impl Tool for WaitFor {
    const NAME: &'static str = "wait_for";
    const DESCRIPTION: &'static str = "Wait until one of several things is so: text there or gone, selector, address, state of a ref, idle. Says which one; at the limit it fails and says what is there instead.";
    const GROUP: Group = Group::Wait;
    const ACCESS: Access = Access::Reads;
    type Params = WaitParams;

    async fn call(context: &Context, params: WaitParams) -> Result<Reply, ToolError> {
        let (conditions, words) = conditions(&params.any)?;
        let limit = params.timeout_ms.unwrap_or(10_000);
        if limit > LONGEST_MS {
            return Err(ToolError::new(ErrorCode::InvalidArgument, format!("timeout_ms is at most {LONGEST_MS}")));
        }
        let tab = own_tab(context, params.tab)?;
        let call = TabCall::begin(context, tab).await;
        let result = wait(context, tab, &conditions, &words, Duration::from_millis(u64::from(limit))).await;
        Ok(call.settle(result).await)
    }
}

/// Alternatives, checked.
#[derive(Debug)]
pub(super) struct Conditions {
    conditions: Vec<Condition>,
    words: Vec<String>,
}

impl Conditions {
    /// Reads the `any` of a batch's step.
    pub(super) fn read(any: serde_json::Value) -> Result<Self, ToolError> {
        let any: Vec<Alternative> = serde_json::from_value(any).map_err(|_| {
            ToolError::new(
                ErrorCode::InvalidArgument,
                "conditions are a list like [{\"text\":\"Saved\"}], of text, gone_text, css, url, ref with state, idle",
            )
        })?;
        let (conditions, words) = conditions(&any)?;
        Ok(Self { conditions, words })
    }

    /// As the extension is asked.
    pub(super) fn list(&self) -> &[Condition] {
        &self.conditions
    }

    /// In words.
    pub(super) fn words(&self) -> String {
        self.words.join(" or ")
    }
}

/// Whether one of them holds now.
pub(super) async fn hold(context: &Context, tab: u32, any: &Conditions) -> Result<bool, ToolError> {
    let probe = context.desk.browser.call(WaitProbe { tab, conditions: any.conditions.clone() }, &context.cancel).await?;
    Ok(probe.met.is_some())
}

async fn wait(context: &Context, tab: u32, conditions: &[Condition], words: &[String], limit: Duration) -> Result<Reply, ToolError> {
    let start = Instant::now();
    let mut told = start;
    loop {
        let probe = context.desk.browser.call(WaitProbe { tab, conditions: conditions.to_vec() }, &context.cancel).await?;
        if let Some(index) = probe.met {
            let which = words.get(index as usize).map_or("", String::as_str);
            let frame = probe.frame.filter(|frame| *frame != 0).map_or_else(String::new, |_| " in a child frame".to_owned());
            return Ok(Reply::text(format!(
                "met: {which}{frame} after {} ms\n{}",
                start.elapsed().as_millis(),
                render::tab_line(&probe.tab)
            )));
        }
        let now = Instant::now();
        if now >= start + limit {
            return Err(too_long(&probe, words, limit));
        }
        if now >= told + PROGRESS {
            told = now;
            (context.progress)(format!("still waiting for {} after {} s", words.join(" or "), start.elapsed().as_secs()));
        }
        tokio::select! {
            () = tokio::time::sleep_until((now + PACE).min(start + limit)) => {}
            () = context.cancel.cancelled() => return Err(ToolError::new(ErrorCode::Cancelled, "the caller gave up waiting")),
        }
    }
}

fn too_long(probe: &Probe, words: &[String], limit: Duration) -> ToolError {
    let there = if probe.there.is_empty() { "no visible text".to_owned() } else { render::quote(&probe.there) };
    let unread = if probe.unread > 0 { format!("; {} frames could not be read", probe.unread) } else { String::new() };
    let hidden = if probe.tab.active { "" } else { "; the tab is hidden in the background, where Chrome slows timers and fires no scroll" };
    let what =
        format!("waited {} ms for {}; the page at {} shows {there}{unread}{hidden}", limit.as_millis(), words.join(" or "), probe.tab.url);
    ToolError::new(ErrorCode::Timeout, what)
}

/// The conditions and each in words.
fn conditions(any: &[Alternative]) -> Result<(Vec<Condition>, Vec<String>), ToolError> {
    if any.is_empty() {
        return Err(ToolError::new(ErrorCode::InvalidArgument, "any must name at least one thing to wait for"));
    }
    any.iter().map(condition).collect::<Result<Vec<_>, _>>().map(|pairs| pairs.into_iter().unzip())
}

fn condition(alternative: &Alternative) -> Result<(Condition, String), ToolError> {
    let wrong = |what: String| ToolError::new(ErrorCode::InvalidArgument, what);
    let given = [("text", &alternative.text), ("gone_text", &alternative.gone_text), ("css", &alternative.css), ("url", &alternative.url)];
    if let Some((key, _)) = given.iter().find(|(_, value)| value.as_ref().is_some_and(|value| value.trim().is_empty())) {
        return Err(wrong(format!("{key} is empty, which is so at once")));
    }
    let mut found: Vec<(Condition, String)> = Vec::new();
    if let Some(text) = &alternative.text {
        found.push((Condition::Text { text: text.clone() }, format!("text {}", render::quote(text))));
    }
    if let Some(text) = &alternative.gone_text {
        found.push((Condition::TextGone { text: text.clone() }, format!("text {} gone", render::quote(text))));
    }
    if let Some(selector) = &alternative.css {
        found.push((Condition::Css { selector: selector.clone() }, format!("css {}", render::quote(selector))));
    }
    if let Some(part) = &alternative.url {
        found.push((Condition::Url { part: part.clone() }, format!("address with {}", render::quote(part))));
    }
    if let Some(word) = &alternative.r#ref {
        let (doc, node) = render::parse_ref(word).ok_or_else(|| wrong(format!("{} is not a ref", render::quote(word))))?;
        let state = alternative.state.as_deref().map(state).transpose()?;
        let words = alternative.state.as_ref().map_or_else(|| format!("[{word}] gone"), |state| format!("[{word}] {state}"));
        found.push((Condition::Ref { doc, node, state }, words));
    } else if alternative.state.is_some() {
        return Err(wrong("state goes with ref".into()));
    }
    if alternative.idle == Some(true) {
        found.push((Condition::Idle, "idle".into()));
    }
    match found.len() {
        1 => found.pop().ok_or_else(|| wrong("an alternative names nothing".into())),
        0 => Err(wrong("an alternative of any names nothing to wait for".into())),
        _ => Err(wrong("an alternative of any names several things; write one entry for each".into())),
    }
}

fn state(word: &str) -> Result<State, ToolError> {
    serde_json::from_value(serde_json::Value::String(word.to_owned())).map_err(|_| {
        ToolError::new(
            ErrorCode::InvalidArgument,
            format!("{} is not a state; states are those of the snapshot, like checked or expanded", render::quote(word)),
        )
    })
}
