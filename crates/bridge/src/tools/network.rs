//! `console` and `network`.

use async_trait::async_trait;
use base64::Engine as _;
use protocol::{Content, DataBody, DataConsole, DataRequests, ErrorCode, Recording, Request};
use schemars::JsonSchema;
use serde::Deserialize;

use super::reading::TabCall;
use super::target::own_tab;
use super::tool::{Access, Context, Group, Reply, Tool, ToolError};
use crate::browser::BrowserCall as _;
use crate::{redact, render};

/// Entries of one console reply.
const MOST_ENTRIES: u32 = 500;
/// Lines of one directory.
const MOST_REQUESTS: u32 = 500;
/// Default and longest body in a reply, in bytes.
const BODY: u32 = 60_000;
const LONGEST_BODY: u32 = 1_000_000;
/// Bytes of text in one reply.
const BUDGET: usize = 24_000;

/// Arguments of `console`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ConsoleParams {
    /// Mark of an earlier reply: only what came after it.
    since: Option<f64>,
    /// Only warnings, errors and exceptions.
    #[serde(default)]
    errors: bool,
    /// Most entries, the newest; default 100.
    limit: Option<u32>,
    /// Default: current.
    tab: Option<u32>,
}

/// See its description.
pub(super) struct Console;

#[async_trait]
impl Tool for Console {
    const NAME: &'static str = "console";
    const DESCRIPTION: &'static str =
        "Read the page's console messages and uncaught exceptions since its load, or since a mark. Needs the debugger for a moment.";
    const GROUP: Group = Group::Data;
    const ACCESS: Access = Access::Reads;
    type Params = ConsoleParams;

    async fn call(context: &Context, params: ConsoleParams) -> Result<Reply, ToolError> {
        let limit = within("limit", params.limit, 100, MOST_ENTRIES)?;
        if params.since.is_some_and(|since| !since.is_finite() || since < 0.0) {
            return Err(
                ToolError::new(ErrorCode::InvalidArgument, "since is no mark").with_next("Use the mark of an earlier console reply")
            );
        }
        let tab = own_tab(context, params.tab)?;
        let call = TabCall::begin(context, tab).await;
        let ask = DataConsole { tab, since: params.since, limit: MOST_ENTRIES };
        let result = context.desk.browser.call(ask, &context.cancel).await.map_err(ToolError::from).map(|console| {
            let mark = console.entries.last().map(|entry| entry.at).or(params.since).unwrap_or(0.0);
            let wanted = |level: &str| matches!(level, "error" | "warning" | "assert");
            let all: Vec<_> =
                console.entries.into_iter().filter(|entry| !params.errors || entry.exception || wanted(&entry.level)).collect();
            let entries = &all[all.len().saturating_sub(limit as usize)..];
            let dropped = console.dropped as usize + all.len() - entries.len();
            let mut text = format!("{}\n{} messages", render::tab_line(&console.tab), entries.len());
            if dropped > 0 {
                text.push_str(&format!(", {dropped} older ones left out"));
            }
            text.push_str(&format!(" · mark {mark}"));
            if !entries.is_empty() {
                text.push('\n');
                text.push_str(&redact::secret_lines(&render::console(entries, &render::Fence::new())));
            }
            if let Some(missing) = console.missing {
                text.push_str(&format!("\npartial: {missing}"));
            }
            Reply::text(text)
        });
        Ok(call.settle(result).await)
    }
}

fn within(name: &str, given: Option<u32>, default: u32, most: u32) -> Result<u32, ToolError> {
    match given.unwrap_or(default) {
        limit if (1..=most).contains(&limit) => Ok(limit),
        limit => Err(ToolError::new(ErrorCode::InvalidArgument, format!("{name} is {limit}; it goes from 1 to {most}"))),
    }
}

/// Whether bodies are kept from now on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Record {
    /// Keep them.
    Start,
    /// No more.
    Stop,
}

/// Arguments of `network`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NetworkParams {
    /// Only requests whose address contains this.
    r#match: Option<String>,
    /// The body of one answer: its number, or a part of its address (the newest).
    body: Option<BodyOf>,
    /// start keeps bodies from now on (attaches the debugger, at most 10 minutes); stop ends it.
    record: Option<Record>,
    /// Most requests, the newest; default 100.
    limit: Option<u32>,
    /// Most bytes of a body; default 60000.
    max_bytes: Option<u32>,
    /// Default: current.
    tab: Option<u32>,
}

/// Which body.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
enum BodyOf {
    /// By number.
    Number(u32),
    /// By a part of the address.
    Part(String),
}

/// See its description.
pub(super) struct Network;

#[async_trait]
impl Tool for Network {
    const NAME: &'static str = "network";
    const DESCRIPTION: &'static str =
        "List what the tab requested since first contact, or read one answer's body (kept only after record start, never requested again).";
    const GROUP: Group = Group::Data;
    const ACCESS: Access = Access::Reads;
    type Params = NetworkParams;

    async fn call(context: &Context, params: NetworkParams) -> Result<Reply, ToolError> {
        let limit = within("limit", params.limit, 100, MOST_REQUESTS)?;
        let most = within("max_bytes", params.max_bytes, BODY, LONGEST_BODY)?;
        let recording = match params.record {
            None => Recording::Keep,
            Some(Record::Start) => Recording::Start,
            Some(Record::Stop) => Recording::Stop,
        };
        let tab = own_tab(context, params.tab)?;
        let call = TabCall::begin(context, tab).await;
        let listed = context.desk.browser.call(DataRequests { tab, recording }, &context.cancel).await;
        let result = match (listed, params.body) {
            (Err(error), _) => Err(error.into()),
            (Ok(listed), Some(body)) => one_body(context, tab, &listed.requests, &body, most, listed.recording).await,
            (Ok(listed), None) => {
                let fits = |one: &&Request| params.r#match.as_ref().is_none_or(|part| one.url.contains(part.as_str()));
                let all: Vec<&Request> = listed.requests.iter().filter(fits).collect();
                let mut lines = String::new();
                let mut shown = 0;
                for one in all.iter().rev().take(limit as usize) {
                    let line = render::request(one);
                    if lines.len() + line.len() > BUDGET {
                        break;
                    }
                    lines.insert_str(0, &format!("{line}\n"));
                    shown += 1;
                }
                let mut text = format!("{}\n{} requests since first contact", render::tab_line(&listed.tab), all.len());
                if params.r#match.is_some() {
                    text.push_str(&format!(" with that in their address, of {}", listed.requests.len()));
                }
                if shown < all.len() {
                    text.push_str(&format!(", the newest {shown} are shown"));
                }
                if listed.dropped > 0 {
                    text.push_str(&format!(", {} older ones were dropped", listed.dropped));
                }
                text.push_str(if listed.recording { " · bodies are kept from now on" } else { " · bodies are not kept" });
                if !lines.is_empty() {
                    text.push('\n');
                    text.push_str(&render::fenced(&lines, &render::Fence::new()));
                }
                Ok(Reply::text(text))
            }
        };
        Ok(call.settle(result).await)
    }
}

async fn one_body(
    context: &Context,
    tab: u32,
    requests: &[Request],
    wanted: &BodyOf,
    most: u32,
    recording: bool,
) -> Result<Reply, ToolError> {
    let none =
        |what: String| ToolError::new(ErrorCode::NoMatch, what).with_next("List the requests with network and take a number from there");
    let number = match wanted {
        BodyOf::Number(number) => *number,
        BodyOf::Part(part) => {
            let fits = |one: &&Request| one.url.contains(part.as_str());
            let newest = requests.iter().rev().find(|one| fits(one) && one.body).or_else(|| requests.iter().rev().find(fits));
            newest.ok_or_else(|| none(format!("no request of this tab has {} in its address", render::quote(part))))?.number
        }
    };
    let answer = context.desk.browser.call(DataBody { tab, number, limit: most }, &context.cancel).await?;
    let head = render::request(&answer.request);
    let Some(content) = answer.content else {
        let why = answer.missing.unwrap_or_default();
        let next = if recording {
            "Let the page request it again, then ask for its body; or use fetch, which requests it anew"
        } else {
            "Call network with record start, let the page request it again, then ask; or use fetch, which requests it anew"
        };
        return Err(ToolError::new(ErrorCode::NoMatch, format!("the body of request {number} is not there: {why}")).with_next(next));
    };
    Ok(Reply::text(format!("{}\n{}", render::fenced(&head, &render::Fence::new()), body_text(&content))))
}

/// A body in words: text between the markers, bytes only described.
pub(super) fn body_text(content: &Content) -> String {
    if content.binary {
        let start: Vec<String> = base64::engine::general_purpose::STANDARD
            .decode(content.data.get(..24).unwrap_or_default())
            .unwrap_or_default()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        return format!(
            "binary body of {} bytes, beginning {}; it is not shown: save it with fetch or download",
            content.bytes,
            start.join(" ")
        );
    }
    if content.data.is_empty() {
        return "the body is empty".to_owned();
    }
    let mut text = render::fenced(&redact::secret_lines(&content.data), &render::Fence::new());
    if content.cut {
        text.push_str("\ncut: the body is longer; give max_bytes");
    }
    text
}
