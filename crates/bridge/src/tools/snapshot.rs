//! `snapshot` and `get_text`.

use async_trait::async_trait;
use protocol::{SnapshotTake, SnapshotText, TextResult};
use schemars::JsonSchema;
use serde::Deserialize;

use super::reading::TabCall;
use super::target::{TargetParam, own_tab};
use super::tool::{Access, Context, Group, Reply, Tool, ToolError};
use crate::browser::BrowserCall as _;
use crate::{redact, render};

/// Arguments of `snapshot`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SnapshotParams {
    /// Tab id; default: the current tab.
    tab: Option<u32>,
}

/// See its description.
pub(super) struct Snapshot;

#[async_trait]
impl Tool for Snapshot {
    const NAME: &'static str = "snapshot";
    const DESCRIPTION: &'static str = "Read the page as an outline of roles, names, states and values, all frames and shadow roots included, with a ref for everything that can be acted on.";
    const GROUP: Group = Group::Snapshot;
    const ACCESS: Access = Access::Reads;
    type Params = SnapshotParams;

    async fn call(context: &Context, params: SnapshotParams) -> Result<Reply, ToolError> {
        let tab = own_tab(context, params.tab)?;
        let call = TabCall::begin(context, tab).await;
        let result = context.desk.browser.call(SnapshotTake { tab }, &context.cancel).await;
        let result = result.map_err(ToolError::from).map(|snapshot| {
            let rendered = render::snapshot(&snapshot, &render::Fence::new(), render::SNAPSHOT_BUDGET);
            Reply::text(redact::secret_lines(&rendered.text))
        });
        Ok(call.settle(result))
    }
}

/// Arguments of `get_text`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GetTextParams {
    /// Only this part; default: the whole page with its frames.
    target: Option<TargetParam>,
    /// Tab id; default: the current tab.
    tab: Option<u32>,
}

/// See its description.
pub(super) struct GetText;

#[async_trait]
impl Tool for GetText {
    const NAME: &'static str = "get_text";
    const DESCRIPTION: &'static str = "Read the visible text of the page, or of one element. Scripts, styles and hidden text are left out.";
    const GROUP: Group = Group::Snapshot;
    const ACCESS: Access = Access::Reads;
    type Params = GetTextParams;

    async fn call(context: &Context, params: GetTextParams) -> Result<Reply, ToolError> {
        let target = params.target.map(|target| target.resolve()).transpose()?.map(|(target, _)| target);
        let tab = own_tab(context, params.tab)?;
        let call = TabCall::begin(context, tab).await;
        let result = match context.desk.browser.call(SnapshotText { tab, target }, &context.cancel).await {
            Ok(TextResult::Read { tab, frames }) => {
                let rendered = render::text(&frames, &render::Fence::new(), render::SNAPSHOT_BUDGET);
                Ok(Reply::text(format!("{}\n{}", render::tab_line(&tab), redact::secret_lines(&rendered.text))))
            }
            Ok(TextResult::Refused { refusal }) => Err(render::refusal(&refusal)),
            Err(error) => Err(error.into()),
        };
        Ok(call.settle(result))
    }
}
