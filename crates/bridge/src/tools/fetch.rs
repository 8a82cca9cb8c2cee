//! `fetch` and `download`.

use std::fmt::Write as _;
use std::path::Path;

use async_trait::async_trait;
use base64::Engine as _;
use protocol::{Content, DataDownload, DataFetch, ErrorCode, Fetched, Header};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::network::body_text;
use super::paging::{Pages, Paging, Stop};
use super::reading::TabCall;
use super::target::own_tab;
use super::tool::{Access, Context, Group, Reply, Tool, ToolError};
use crate::browser::BrowserCall as _;
use crate::render;

/// Default bytes of an answer that is shown.
const SHOWN: u32 = 60_000;
/// Most bytes of an answer.
const MOST: u32 = 12_000_000;
/// Bytes of one page when paging.
const PAGE: u32 = 2_000_000;
/// Bytes of the first page that are shown when all are saved.
const PREVIEW: usize = 1_500;
/// Default and longest time of one request, in milliseconds.
const LIMIT_MS: u32 = 30_000;
const LONGEST_MS: u32 = 120_000;
const LONGEST_DOWNLOAD_MS: u32 = 600_000;
const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/// Arguments of `fetch`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FetchParams {
    /// Address; relative to the page's, or absolute.
    url: String,
    /// GET (default), POST, …; all but GET and HEAD act as the user.
    method: Option<String>,
    /// Headers, name to value.
    #[serde(default)]
    headers: Map<String, Value>,
    /// Text to send.
    body: Option<String>,
    /// Several pages in turn.
    pages: Option<Paging>,
    /// File for the body, below the allowed folder; pages become JSON lines.
    save: Option<String>,
    /// Most bytes of an answer; default 60000, with save 12000000.
    max_bytes: Option<u32>,
    /// Limit of a request in milliseconds; default 30000.
    timeout_ms: Option<u32>,
    /// Default: current.
    tab: Option<u32>,
}

/// See its description.
pub(super) struct Fetch;

#[async_trait]
impl Tool for Fetch {
    const NAME: &'static str = "fetch";
    const DESCRIPTION: &'static str =
        "Request an address as the page would, with the user's cookies; read or save the answer, also page by page.";
    const GROUP: Group = Group::Data;
    const ACCESS: Access = Access::Acts;
    type Params = FetchParams;

    async fn call(context: &Context, params: FetchParams) -> Result<Reply, ToolError> {
        let ask = checked(&params)?;
        let place = params.save.as_deref().map(|path| context.desk.files.place(path)).transpose()?;
        let pages = params.pages.as_ref().map(|paging| Pages::new(paging, &params.url)).transpose()?;
        let tab = own_tab(context, params.tab)?;
        let ask = DataFetch { tab, ..ask };
        let call = TabCall::begin(context, tab).await;
        let result = match pages {
            None => one(context, ask, place).await,
            Some(pages) => all(context, ask, pages, place).await,
        };
        Ok(call.settle(result).await)
    }
}

fn checked(params: &FetchParams) -> Result<DataFetch, ToolError> {
    let wrong = |what: String, next: &str| ToolError::new(ErrorCode::InvalidArgument, what).with_next(next);
    let method = params.method.as_deref().unwrap_or("GET").to_uppercase();
    if !METHODS.contains(&method.as_str()) {
        return Err(wrong(format!("{} is no method", render::quote(&method)), "Use one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"));
    }
    if params.body.is_some() && matches!(method.as_str(), "GET" | "HEAD") {
        return Err(wrong(format!("{method} sends no body"), "Leave body out, or use POST"));
    }
    if params.url.trim().is_empty() {
        return Err(wrong("url is empty".into(), "Give an address"));
    }
    // Relative addresses have no scheme; one with another scheme is none of the page's.
    let scheme = params
        .url
        .split_once(':')
        .map(|(scheme, _)| scheme)
        .filter(|scheme| scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.')));
    if let Some(scheme) =
        scheme.filter(|scheme| !scheme.is_empty() && !scheme.eq_ignore_ascii_case("http") && !scheme.eq_ignore_ascii_case("https"))
    {
        return Err(wrong(format!("{scheme} addresses cannot be fetched"), "Give an http or https address"));
    }
    let headers = params.headers.iter().map(|(name, value)| match value {
        Value::String(value) => Ok(Header { name: name.clone(), value: value.clone() }),
        Value::Number(value) => Ok(Header { name: name.clone(), value: value.to_string() }),
        _ => Err(wrong(format!("the header {} is no text", render::quote(name)), "Give each header as text")),
    });
    let headers = headers.collect::<Result<_, _>>()?;
    let default = if params.pages.is_some() {
        PAGE
    } else if params.save.is_some() {
        MOST
    } else {
        SHOWN
    };
    let limit = params.max_bytes.unwrap_or(default);
    if limit == 0 || limit > MOST {
        return Err(wrong(format!("max_bytes is {limit}; it goes from 1 to {MOST}"), "For larger files use download"));
    }
    let limit_ms = params.timeout_ms.unwrap_or(LIMIT_MS);
    if limit_ms == 0 || limit_ms > LONGEST_MS {
        return Err(wrong(format!("timeout_ms is {limit_ms}; it goes from 1 to {LONGEST_MS}"), "Give a smaller limit"));
    }
    Ok(DataFetch { tab: 0, url: params.url.trim().to_owned(), method, headers, body: params.body.clone(), limit, limit_ms })
}

fn head(answer: &Fetched) -> String {
    let mime = if answer.mime.is_empty() { "no type" } else { &answer.mime };
    let line = format!("{} · {} · {} bytes · {}", answer.status, mime, answer.content.bytes, answer.url);
    render::fenced(&line, &render::Fence::new())
}

fn bytes(content: &Content) -> Result<Vec<u8>, ToolError> {
    if !content.binary {
        return Ok(content.data.clone().into_bytes());
    }
    base64::engine::general_purpose::STANDARD
        .decode(&content.data)
        .map_err(|_| ToolError::new(ErrorCode::Internal, "the bytes did not arrive as they were sent"))
}

async fn one(context: &Context, ask: DataFetch, place: Option<super::files::Place>) -> Result<Reply, ToolError> {
    let answer = context.desk.browser.call(ask, &context.cancel).await?;
    let Some(place) = place else {
        return Ok(Reply::text(format!("status {}\n{}\n{}", answer.status, head(&answer), body_text(&answer.content))));
    };
    if answer.content.cut {
        let what = format!("the answer is longer than {} bytes and was not saved", answer.content.bytes);
        return Err(ToolError::new(ErrorCode::Unsupported, what).with_next("Give a larger max_bytes, or use download"));
    }
    let bytes = bytes(&answer.content)?;
    place.write(&bytes)?;
    Ok(Reply::text(format!("status {}\n{}\nsaved {} bytes to {}", answer.status, head(&answer), bytes.len(), place.path().display())))
}

async fn all(context: &Context, ask: DataFetch, mut pages: Pages, place: Option<super::files::Place>) -> Result<Reply, ToolError> {
    let mut lines = String::new();
    let mut told = String::new();
    let mut first = String::new();
    let mut count = 0;
    let stop = loop {
        let url = pages.url().to_owned();
        let answer = match context.desk.browser.call(DataFetch { url: url.clone(), ..ask.clone() }, &context.cancel).await {
            Ok(answer) => answer,
            // What came before is worth having.
            Err(error) if count > 0 => break Stop::Failed(error.to_string()),
            Err(error) => return Err(error.into()),
        };
        if answer.content.binary {
            break Stop::Binary;
        }
        if answer.content.cut {
            break Stop::TooLarge(ask.limit);
        }
        let next = pages.next(answer.status, &answer.content.data);
        if !matches!(next, Some(Stop::Status(_) | Stop::Empty | Stop::Same)) {
            count += 1;
            if count == 1 {
                first.clone_from(&answer.content.data);
            }
            let body = serde_json::from_str::<Value>(&answer.content.data).unwrap_or_else(|_| Value::String(answer.content.data.clone()));
            let _ = writeln!(lines, "{}", json!({"url": answer.url, "status": answer.status, "body": body}));
            let _ = writeln!(told, "page {count}: {} · {} bytes · {}", answer.status, answer.content.bytes, answer.url);
            (context.progress)(format!("{count} pages fetched"));
        }
        if lines.len() > MOST as usize {
            break Stop::TooLarge(MOST);
        }
        if let Some(stop) = next {
            break stop;
        }
    };
    let mut text = format!("{count} pages; ended because {stop}\n");
    if count == 0 {
        return Err(ToolError::new(ErrorCode::NoMatch, format!("no page came: {stop}"))
            .with_next("Fetch the address without pages and look at the answer"));
    }
    let (shown, budget) = match &place {
        Some(place) => {
            place.write(lines.as_bytes())?;
            let _ = writeln!(text, "saved {count} lines of JSON, {} bytes, to {}", lines.len(), place.path().display());
            (format!("{told}page 1 begins:\n{first}"), told.len() + PREVIEW)
        }
        None => (lines, SHOWN as usize),
    };
    let clean = crate::redact::secret_lines(&shown);
    let (shown, left) = render::cut_at(&clean, budget);
    text.push_str(&render::fenced(shown, &render::Fence::new()));
    if left > 0 && place.is_none() {
        let _ = write!(text, "\ncut: {left} more characters; give save to keep all");
    }
    Ok(Reply::text(text))
}

/// Arguments of `download`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DownloadParams {
    /// Absolute http or https address.
    url: String,
    /// File, below the allowed folder; default: its own name.
    save: Option<String>,
    /// Limit in milliseconds; default 120000.
    timeout_ms: Option<u32>,
    /// Default: current.
    tab: Option<u32>,
}

/// See its description.
pub(super) struct Download;

#[async_trait]
impl Tool for Download {
    const NAME: &'static str = "download";
    const DESCRIPTION: &'static str = "Download an address with Chrome, with the user's cookies, and move the file to the allowed folder.";
    const GROUP: Group = Group::Data;
    const ACCESS: Access = Access::Acts;
    type Params = DownloadParams;

    async fn call(context: &Context, params: DownloadParams) -> Result<Reply, ToolError> {
        let limit_ms = params.timeout_ms.unwrap_or(120_000);
        if limit_ms == 0 || limit_ms > LONGEST_DOWNLOAD_MS {
            return Err(ToolError::new(
                ErrorCode::InvalidArgument,
                format!("timeout_ms is {limit_ms}; it goes from 1 to {LONGEST_DOWNLOAD_MS}"),
            ));
        }
        let url = super::navigate::checked_url(&params.url)?;
        // A wrong path is told before anything is downloaded.
        let place = params.save.as_deref().map(|path| context.desk.files.place(path)).transpose()?;
        let tab = own_tab(context, params.tab)?;
        let call = TabCall::begin(context, tab).await;
        let result = match context.desk.browser.call(DataDownload { tab, url, limit_ms }, &context.cancel).await {
            Ok(done) => {
                let place = match place {
                    Some(place) => Ok(place),
                    None => context.desk.files.place(&done.name),
                };
                place.and_then(|place| {
                    place.take(Path::new(&done.path))?;
                    let mime = if done.mime.is_empty() { "no type" } else { &done.mime };
                    let from = render::fenced(&format!("{mime} · {}", done.url), &render::Fence::new());
                    Ok(Reply::text(format!("downloaded {} bytes to {}\n{from}", done.bytes, place.path().display())))
                })
            }
            Err(error) => Err(error.into()),
        };
        Ok(call.settle(result).await)
    }
}
