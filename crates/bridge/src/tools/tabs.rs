//! `tabs`.

use std::sync::Arc;

use async_trait::async_trait;
use protocol::{CommandError, ErrorCode, NavigationEnd, Tab, TabsActivate, TabsClose, TabsCreate, TabsList};
use schemars::JsonSchema;
use serde::Deserialize;

use super::navigate::{LOAD_LIMIT_MS, checked_url, end_words};
use super::target::{own_tab, owned};
use super::tool::{Access, Context, Group, Reply, Tool, ToolError};
use super::trees::read_ahead;
use crate::browser::BrowserCall as _;
use crate::render;

/// What to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Action {
    /// List all tabs.
    List,
    /// Open a tab in the background and make it the current one.
    New,
    /// Take a tab, bring it to the front and make it the current one.
    Select,
    /// Close an own tab.
    Close,
}

/// Arguments of `tabs`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TabsParams {
    /// list, new, select or close.
    action: Action,
    /// new: address to open (http or https).
    url: Option<String>,
    /// select, close: tab id.
    tab: Option<u32>,
}

/// See its description.
pub(super) struct Tabs;

#[async_trait]
impl Tool for Tabs {
    const NAME: &'static str = "tabs";
    const DESCRIPTION: &'static str = "List the user's tabs, open one of your own, take one (select), or close one of yours. You act only on tabs you hold; new tabs open in the background.";
    const GROUP: Group = Group::Tabs;
    const ACCESS: Access = Access::Acts;
    type Params = TabsParams;

    async fn call(context: &Context, params: TabsParams) -> Result<Reply, ToolError> {
        let surplus = match params.action {
            Action::List => params.url.is_some() || params.tab.is_some(),
            Action::New => params.tab.is_some(),
            Action::Select | Action::Close => params.url.is_some(),
        };
        if surplus {
            return Err(ToolError::new(ErrorCode::InvalidArgument, "an argument does not belong to this action")
                .with_next("url goes with new, tab with select and close"));
        }
        match params.action {
            Action::List => list(context).await,
            Action::New => open(context, params.url).await,
            Action::Select => select(context, params.tab).await,
            Action::Close => close(context, params.tab).await,
        }
    }
}

async fn list(context: &Context) -> Result<Reply, ToolError> {
    let tabs = context.desk.browser.call(TabsList {}, &context.cancel).await?.tabs;
    let session = &context.session;
    let mut out = format!("{} tabs", tabs.len());
    for tab in &tabs {
        let mark = if session.current() == Some(tab.id) {
            " (yours, current)".to_owned()
        } else if session.holds(tab.id) {
            " (yours)".to_owned()
        } else {
            session.other_holder(tab.id).map_or_else(String::new, |label| format!(" (held by {label})"))
        };
        out.push_str(&format!("\n{}{mark}", render::tab_line(tab)));
        if tab.active {
            out.push_str(" · in front");
        }
        if let Some(why) = &tab.restricted {
            out.push_str(&format!(" · restricted: {why}"));
        }
        if let Some(dialog) = &tab.dialog {
            out.push_str(&format!(" · {} open: {}", render::dialog_word(dialog.kind), render::quote(&dialog.text)));
        }
    }
    Ok(Reply::text(out))
}

async fn open(context: &Context, url: Option<String>) -> Result<Reply, ToolError> {
    let url = url.as_deref().map(checked_url).transpose()?;
    let opened = context.desk.browser.call(TabsCreate { url, active: false, limit_ms: LOAD_LIMIT_MS }, &context.cancel).await?;
    hold(context, &opened.tab)?;
    let mut text = format!("opened {}", render::tab_line(&opened.tab));
    if !matches!(opened.end, NavigationEnd::Complete) {
        text.push_str(&format!(" · {}", end_words(&opened)));
    }
    if let Some(status) = opened.status.filter(|status| *status >= 400) {
        text.push_str(&format!(" · HTTP {status}"));
    }
    Ok(Reply::text(text))
}

fn hold(context: &Context, tab: &Tab) -> Result<(), ToolError> {
    context.session.hold(tab.id).map_err(|label| owned(tab.id, &label))?;
    if !tab.loading && !tab.discarded && tab.restricted.is_none() {
        tokio::spawn(read_ahead(Arc::clone(&context.desk), tab.id));
    }
    Ok(())
}

async fn select(context: &Context, tab: Option<u32>) -> Result<Reply, ToolError> {
    let tab = tab.ok_or_else(|| ToolError::new(ErrorCode::InvalidArgument, "select needs a tab id"))?;
    let tab = context.session.ownership().now(tab);
    if let Some(label) = context.session.other_holder(tab) {
        return Err(owned(tab, &label));
    }
    let tab = context.desk.browser.call(TabsActivate { tab }, &context.cancel).await?;
    hold(context, &tab)?;
    Ok(Reply::text(format!("selected {}", render::tab_line(&tab))))
}

async fn close(context: &Context, tab: Option<u32>) -> Result<Reply, ToolError> {
    let tab = own_tab(context, tab)?;
    match context.desk.browser.call(TabsClose { tab }, &context.cancel).await {
        // A tab that is gone already is what was asked for.
        Ok(_) | Err(CommandError { code: ErrorCode::NoTab, .. }) => {}
        Err(error) => return Err(error.into()),
    }
    context.session.release(tab);
    context.desk.forget(tab);
    Ok(Reply::text(format!("closed tab {tab}")))
}
