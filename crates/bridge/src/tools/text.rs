//! `read_text` and `read_dom`.

use async_trait::async_trait;
use protocol::{ErrorCode, HtmlResult, SnapshotHtml};
use schemars::JsonSchema;
use serde::Deserialize;

use super::reading::TabCall;
use super::target::{TargetParam, own_tab};
use super::tool::{Access, Context, Group, Reply, Tool, ToolError};
use crate::browser::BrowserCall as _;
use crate::readable::{Article, Form, read};
use crate::{redact, render};

/// HTML that is read to find the main content in, in UTF-16 units.
const PAGE_LIMIT: u32 = 4_000_000;
/// Default length of a reply, in characters.
const DEFAULT: u32 = 20_000;
/// Longest reply, in characters.
const LONGEST: u32 = 200_000;

/// How text is written, as agents write it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Format {
    /// Markdown.
    #[default]
    Markdown,
    /// Plain text.
    Text,
}

/// Arguments of `read_text`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReadTextParams {
    /// Only this part, whole; default: the page's main content.
    target: Option<TargetParam>,
    /// markdown (default) or text.
    #[serde(default)]
    format: Format,
    /// Most characters; default 20000.
    max_chars: Option<u32>,
    /// Default: current.
    tab: Option<u32>,
}

/// A limit in characters that makes sense.
fn limit(given: Option<u32>) -> Result<u32, ToolError> {
    match given.unwrap_or(DEFAULT) {
        limit if (100..=LONGEST).contains(&limit) => Ok(limit),
        limit => Err(ToolError::new(ErrorCode::InvalidArgument, format!("max_chars is {limit}; it goes from 100 to {LONGEST}"))),
    }
}

/// See its description.
pub(super) struct ReadText;

#[async_trait]
impl Tool for ReadText {
    const NAME: &'static str = "read_text";
    const DESCRIPTION: &'static str = "Read the page's main content as Markdown, without navigation and boilerplate. For articles and docs; get_text has all visible text.";
    const GROUP: Group = Group::Snapshot;
    const ACCESS: Access = Access::Reads;
    type Params = ReadTextParams;

    async fn call(context: &Context, params: ReadTextParams) -> Result<Reply, ToolError> {
        let limit = limit(params.max_chars)?;
        let target = params.target.map(|target| target.resolve()).transpose()?.map(|(target, _)| target);
        let tab = own_tab(context, params.tab)?;
        let form = match params.format {
            Format::Markdown => Form::Markdown,
            Format::Text => Form::Text,
        };
        let whole = target.is_some();
        let call = TabCall::begin(context, tab).await;
        let result = match context.desk.browser.call(SnapshotHtml { tab, target, shown: true, limit: PAGE_LIMIT }, &context.cancel).await {
            Ok(HtmlResult::Read { tab, frame, frames }) => {
                let cut = frame.total as usize > frame.html.encode_utf16().count();
                let (html, url) = (frame.html, frame.url);
                // Parsing a large page takes its time, which others shall not wait for.
                let read = tokio::task::spawn_blocking(move || read(&html, &url, form, whole)).await;
                match read {
                    Ok(article) => {
                        let mut text = format!("{}\n{}", render::tab_line(&tab), article_text(&article, limit as usize));
                        if cut {
                            text.push_str(&format!(
                                "\npartial: the page's HTML is longer than {PAGE_LIMIT} characters; its end was not read"
                            ));
                        }
                        if frames > 0 && !whole {
                            text.push_str(&format!("\n{frames} frames are not in it; get_text reads them"));
                        }
                        Ok(Reply::text(text))
                    }
                    Err(_) => Err(ToolError::new(ErrorCode::Internal, "the page's HTML could not be converted").with_next("Use get_text")),
                }
            }
            Ok(HtmlResult::Refused { refusal }) => Err(render::refusal(&refusal)),
            Err(error) => Err(error.into()),
        };
        Ok(call.settle(result).await)
    }
}

fn article_text(article: &Article, limit: usize) -> String {
    let clean = redact::secret_lines(&article.text);
    let end = clean.char_indices().nth(limit).map_or(clean.len(), |(at, _)| at);
    let (shown, left) = render::cut_at(&clean, end);
    let mut text = match (&article.byline, article.main) {
        (Some(byline), _) => format!("main content · by {}\n", render::quote(byline)),
        (None, true) => "main content\n".to_owned(),
        (None, false) => String::new(),
    };
    if !article.main && !article.asked {
        text.push_str("no main content stands out: this is the whole page\n");
    }
    if shown.trim().is_empty() {
        text.push_str("there is no text");
        return text;
    }
    text.push_str(&render::fenced(shown, &render::Fence::new()));
    if left > 0 {
        text.push_str(&format!("\ncut: {left} more characters; give max_chars, or target for one part"));
    }
    text
}

/// Arguments of `read_dom`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReadDomParams {
    /// Only this element; default: the document.
    target: Option<TargetParam>,
    /// Most characters; default 20000.
    max_chars: Option<u32>,
    /// Default: current.
    tab: Option<u32>,
}

/// See its description.
pub(super) struct ReadDom;

#[async_trait]
impl Tool for ReadDom {
    const NAME: &'static str = "read_dom";
    const DESCRIPTION: &'static str =
        "Read the HTML of an element or the document, shadow roots included; script and style text is left out.";
    const GROUP: Group = Group::Snapshot;
    const ACCESS: Access = Access::Reads;
    type Params = ReadDomParams;

    async fn call(context: &Context, params: ReadDomParams) -> Result<Reply, ToolError> {
        let limit = limit(params.max_chars)?;
        let target = params.target.map(|target| target.resolve()).transpose()?.map(|(target, _)| target);
        let tab = own_tab(context, params.tab)?;
        let call = TabCall::begin(context, tab).await;
        let result = match context.desk.browser.call(SnapshotHtml { tab, target, shown: false, limit }, &context.cancel).await {
            Ok(HtmlResult::Read { tab, frame, .. }) => {
                let shown = frame.html.encode_utf16().count();
                let fenced = render::fenced(&redact::secret_lines(&frame.html), &render::Fence::new());
                let mut text = format!("{}\n{fenced}", render::tab_line(&tab));
                if (frame.total as usize) > shown {
                    text.push_str(&format!("\ncut: {shown} of {} characters; give max_chars, or target for one part", frame.total));
                }
                if frame.masked > 0 {
                    text.push_str(&format!("\n{} secret values are masked", frame.masked));
                }
                Ok(Reply::text(text))
            }
            Ok(HtmlResult::Refused { refusal }) => Err(render::refusal(&refusal)),
            Err(error) => Err(error.into()),
        };
        Ok(call.settle(result).await)
    }
}
