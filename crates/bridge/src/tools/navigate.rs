//! `navigate`.

use async_trait::async_trait;
use protocol::{ErrorCode, NavigateGo, NavigateHistory, NavigateReload, Navigation, NavigationEnd};
use schemars::JsonSchema;
use serde::Deserialize;

use super::act::lost_or;
use super::reading::TabCall;
use super::target::own_tab;
use super::tool::{Access, Context, Group, Reply, Tool, ToolError};
use crate::browser::BrowserCall as _;
use crate::judge::Outcome;
use crate::render;

/// How long a load is waited for.
pub(super) const LOAD_LIMIT_MS: u32 = 15_000;

/// Where to in the tab's history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Action {
    /// One entry back.
    Back,
    /// One entry forward.
    Forward,
    /// The same page anew.
    Reload,
}

/// Arguments of `navigate`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NavigateParams {
    /// Address (http or https); or use action.
    url: Option<String>,
    /// back, forward or reload; or use url.
    action: Option<Action>,
    /// Default: current.
    tab: Option<u32>,
}

/// See its description.
pub(super) struct Navigate;

#[async_trait]
impl Tool for Navigate {
    const NAME: &'static str = "navigate";
    const DESCRIPTION: &'static str =
        "Go to an address, back, forward, or reload, in a tab of yours. Refs from before are gone afterwards.";
    const GROUP: Group = Group::Navigate;
    const ACCESS: Access = Access::Acts;
    type Params = NavigateParams;

    async fn call(context: &Context, params: NavigateParams) -> Result<Reply, ToolError> {
        let url = params.url.as_deref().map(checked_url).transpose()?;
        let tab = own_tab(context, params.tab)?;
        let what = match (&url, params.action) {
            (Some(url), None) => format!("navigate to {url}"),
            (None, Some(Action::Back)) => "navigate back".to_owned(),
            (None, Some(Action::Forward)) => "navigate forward".to_owned(),
            (None, Some(Action::Reload)) => "reload".to_owned(),
            _ => {
                return Err(ToolError::new(ErrorCode::InvalidArgument, "navigate needs exactly one of url and action"));
            }
        };
        let call = TabCall::begin(context, tab).await;
        let browser = &context.desk.browser;
        let cancel = &context.cancel;
        let limit_ms = LOAD_LIMIT_MS;
        let result = match (url, params.action) {
            (Some(url), _) => browser.call(NavigateGo { tab, url, limit_ms }, cancel).await,
            (None, Some(Action::Back)) => browser.call(NavigateHistory { tab, delta: -1, limit_ms }, cancel).await,
            (None, Some(Action::Forward)) => browser.call(NavigateHistory { tab, delta: 1, limit_ms }, cancel).await,
            (None, _) => browser.call(NavigateReload { tab, limit_ms }, cancel).await,
        };
        let result = match result {
            Ok(navigation) => worded(&what, &navigation),
            Err(error) => lost_or(error, &what),
        };
        Ok(call.settle(result).await)
    }
}

/// An address that tools may open.
pub(super) fn checked_url(url: &str) -> Result<String, ToolError> {
    let url = url.trim();
    let scheme = url.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
    match scheme.as_deref() {
        Some("http" | "https") if url.chars().any(|c| c.is_control() || c == ' ') => {
            Err(ToolError::new(ErrorCode::InvalidArgument, "the address has a space or control character in it"))
        }
        Some("http" | "https") => Ok(url.to_owned()),
        Some("about") if url == "about:blank" => Ok(url.to_owned()),
        Some(scheme) if !scheme.is_empty() && !scheme.contains('.') && scheme != "localhost" => {
            Err(ToolError::new(ErrorCode::RestrictedPage, "the address is not one of a web page: tools open http and https only"))
        }
        _ => Err(ToolError::new(ErrorCode::InvalidArgument, "what was given is not an absolute address")
            .with_next("Write it with http:// or https://")),
    }
}

fn worded(what: &str, navigation: &Navigation) -> Result<Reply, ToolError> {
    let outcome = match navigation.end {
        NavigationEnd::Complete
        | NavigationEnd::Interactive
        | NavigationEnd::Committed
        | NavigationEnd::SameDocument
        | NavigationEnd::Failed => Outcome::Navigated,
        NavigationEnd::Nothing => Outcome::NoEffect,
        NavigationEnd::Dialog => Outcome::Dialog,
        NavigationEnd::EndOfHistory => {
            return Err(ToolError::new(ErrorCode::NoMatch, format!("{what}: the history has no such entry")));
        }
    };
    let mut text = format!("outcome: {} · {what} · {}\n{}", outcome.word(), end_words(navigation), render::tab_line(&navigation.tab));
    if let Some(status) = navigation.status {
        text.push_str(&format!("\nHTTP {status}"));
    }
    Ok(Reply::text(text))
}

/// How a navigation ended, in words.
pub(super) fn end_words(navigation: &Navigation) -> String {
    match navigation.end {
        NavigationEnd::Complete => "loaded".to_owned(),
        NavigationEnd::Interactive => format!("parsed, still loading after {LOAD_LIMIT_MS} ms"),
        NavigationEnd::Committed => {
            format!("the document came, but is not parsed after {LOAD_LIMIT_MS} ms")
        }
        NavigationEnd::SameDocument => "same document, other address".to_owned(),
        NavigationEnd::Nothing => "no document came (no content, a download, or the page stayed)".to_owned(),
        NavigationEnd::Failed => format!("Chrome shows an error page ({})", navigation.error.as_deref().unwrap_or("unknown error")),
        NavigationEnd::EndOfHistory => "the history has no such entry".to_owned(),
        NavigationEnd::Dialog => match &navigation.tab.dialog {
            Some(dialog) => format!("{} holds it: {}", render::dialog_word(dialog.kind), render::quote(&dialog.text)),
            None => "a native dialog holds it".to_owned(),
        },
    }
}
