//! `eval`: code of the agent in the page's own world, the payment gate armed meanwhile.

use std::fmt::Write as _;

use async_trait::async_trait;
use protocol::{DataEval, ErrorCode, EvalEnd, EvalWay, Evaluated};
use schemars::JsonSchema;
use serde::Deserialize;

use super::act::lost_or;
use super::changes::changes_seen;
use super::reading::TabCall;
use super::target::own_tab;
use super::tool::{Access, Context, Group, Reply, Tool, ToolError};
use crate::browser::BrowserCall as _;
use crate::render;

/// Longest code, in bytes.
const LONGEST: usize = 100_000;
/// UTF-16 units of a value that are told.
const SHOWN: u32 = 20_000;
/// How long a promise is awaited: by itself, and at most.
const USUAL_MS: u32 = 10_000;
const LONGEST_MS: u32 = 60_000;

/// Arguments of `eval`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EvalParams {
    /// JavaScript; the value of its last expression is the answer. await and return may stand at the top.
    code: String,
    /// How long a promise is awaited; default 10000, at most 60000.
    timeout_ms: Option<u32>,
    /// Default: current.
    tab: Option<u32>,
}

/// See its description.
pub(super) struct Eval;

#[async_trait]
impl Tool for Eval {
    const NAME: &'static str = "eval";
    const DESCRIPTION: &'static str = "Run JavaScript in the page's main frame and get the value as JSON. For what no other tool can read or do; it claims no effect, and presses on what moves money are held back.";
    const GROUP: Group = Group::Data;
    const ACCESS: Access = Access::Acts;
    type Params = EvalParams;

    async fn call(context: &Context, params: EvalParams) -> Result<Reply, ToolError> {
        let wrong = |what: String| Err(ToolError::new(ErrorCode::InvalidArgument, what));
        if params.code.trim().is_empty() {
            return wrong("code is empty".into());
        }
        if params.code.len() > LONGEST {
            return wrong(format!("code has {} bytes, more than {LONGEST}", params.code.len()));
        }
        let limit_ms = params.timeout_ms.unwrap_or(USUAL_MS);
        if limit_ms == 0 || limit_ms > LONGEST_MS {
            return wrong(format!("timeout_ms is {limit_ms}; it goes from 1 to {LONGEST_MS}"));
        }
        let tab = own_tab(context, params.tab)?;
        let call = TabCall::begin(context, tab).await;
        let result = run(context, DataEval { tab, code: params.code, limit_ms, limit: SHOWN }).await;
        Ok(call.settle(result).await)
    }
}

async fn run(context: &Context, ask: DataEval) -> Result<Reply, ToolError> {
    let (tab, limit_ms) = (ask.tab, ask.limit_ms);
    let done = match context.desk.browser.call(ask, &context.cancel).await {
        Ok(done) => done,
        Err(error) => return lost_or(error, "eval"),
    };
    if let Some(stopped) = &done.stopped {
        let amount = stopped.amount.as_ref().map_or_else(String::new, |amount| format!(" (amount {})", render::quote(amount)));
        let what = format!(
            "the script pressed {}{amount}, which moves money; that press was held back, the rest of the script ran",
            render::quote(&stopped.label)
        );
        return Err(ToolError::new(ErrorCode::Declined, what)
            .with_next("If it is to be pressed, use click: the user is asked then. Do not look for a way round"));
    }
    let mut text = told(&done, limit_ms);
    if done.end != EvalEnd::Gone
        && !context.part
        && let Some(changes) = changes_seen(context, tab).await
    {
        let _ = write!(text, "\n{changes}");
    }
    Ok(Reply::text(text))
}

fn told(done: &Evaluated, limit_ms: u32) -> String {
    let way = match done.way {
        EvalWay::Script => "",
        EvalWay::Debugger => " (through the debugger: the page's policy forbids such scripts)",
    };
    let head = match done.end {
        EvalEnd::Value => format!("value{way}:"),
        EvalEnd::Thrown => format!("threw{way}:"),
        EvalEnd::Late => return format!("late: no value within {limit_ms} ms; the script may still run"),
        EvalEnd::Gone => return format!("gone: the page went away while the script ran\n{}", render::tab_line(&done.tab)),
    };
    let clean = crate::redact::secret_lines(&done.text);
    let cut = usize::try_from(done.total).unwrap_or(usize::MAX).saturating_sub(done.text.encode_utf16().count());
    let mut text = format!("{head}\n{}", render::fenced(&clean, &render::Fence::new()));
    if cut > 0 {
        let _ = write!(text, "\ncut: {cut} more characters; let the script return less");
    }
    text
}
