//! `reload`: the extension loads itself anew.

use std::time::Duration;

use async_trait::async_trait;
use protocol::{ErrorCode, LinkEcho, LinkReload};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::time::Instant;

use super::tool::{Access, Context, Group, Reply, Tool, ToolError};
use crate::browser::BrowserCall as _;

/// So long it may take to come back.
const LIMIT: Duration = Duration::from_secs(25);
/// Between two questions whether it is back.
const PACE: Duration = Duration::from_millis(200);

/// No arguments.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReloadParams {}

/// See its description.
pub(super) struct Reload;

#[async_trait]
impl Tool for Reload {
    const NAME: &'static str = "reload";
    const DESCRIPTION: &'static str = "Load the Tegata extension anew, when it misbehaves or was updated; not the page (that is navigate). Answers when it is back; refs from before are stale then.";
    const GROUP: Group = Group::Human;
    const ACCESS: Access = Access::Acts;
    type Params = ReloadParams;

    async fn call(context: &Context, _: ReloadParams) -> Result<Reply, ToolError> {
        let browser = &context.desk.browser;
        let before = browser.call(LinkEcho { tab: None }, &context.cancel).await?.generation;
        browser.call(LinkReload {}, &context.cancel).await?;
        let began = Instant::now();
        loop {
            tokio::select! {
                () = tokio::time::sleep(PACE) => {}
                () = context.cancel.cancelled() => return Err(ToolError::new(ErrorCode::Cancelled, "the caller gave up while the extension loaded anew")),
            }
            let echo = tokio::time::timeout(LIMIT, browser.call(LinkEcho { tab: None }, &context.cancel)).await;
            if let Ok(Ok(echo)) = &echo
                && echo.generation != before
            {
                return Ok(Reply::text(format!(
                    "the extension is back after {} ms; tabs stay, refs from before are stale: take a new snapshot",
                    began.elapsed().as_millis()
                )));
            }
            if began.elapsed() > LIMIT {
                return Err(ToolError::new(
                    ErrorCode::ExtensionNotConnected,
                    format!("the extension did not come back within {} s", LIMIT.as_secs()),
                )
                .with_next(
                    "Ask the user to switch it on at chrome://extensions: Chrome leaves an unpacked one off while developer mode is off",
                ));
            }
        }
    }
}
