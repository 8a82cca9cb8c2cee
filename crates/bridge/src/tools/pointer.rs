//! `click`.

use async_trait::async_trait;
use protocol::PointerClick;
use schemars::JsonSchema;
use serde::Deserialize;

use super::act::{Action, perform};
use super::reading::TabCall;
use super::target::{TargetParam, own_tab};
use super::tool::{Access, Context, Group, Reply, Tool, ToolError};
use crate::browser::BrowserCall as _;
use crate::judge::Asked;

/// Arguments of `click`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ClickParams {
    /// What to click.
    target: TargetParam,
    /// Tab id; default: current.
    tab: Option<u32>,
    /// Use trusted input at once (the debugger); default: only where it is needed.
    #[serde(default)]
    real: bool,
}

/// See its description.
pub(super) struct Click;

#[async_trait]
impl Tool for Click {
    const NAME: &'static str = "click";
    const DESCRIPTION: &'static str = "Click one element. The reply tells what really happened: outcome (changed, navigated, opened_tab, dialog, requested, no_effect, …) with evidence. Refused with a reason when the element is stale, covered, disabled or hidden.";
    const GROUP: Group = Group::Pointer;
    const ACCESS: Access = Access::Acts;
    type Params = ClickParams;

    async fn call(context: &Context, params: ClickParams) -> Result<Reply, ToolError> {
        let (target, object) = params.target.resolve()?;
        let tab = own_tab(context, params.tab)?;
        let mut call = TabCall::begin(context, tab).await;
        let action = Action { tab, target: target.clone(), asked: Asked::Click, verb: "click", object, real: params.real };
        let result = perform(context, &mut call, &action, &|input, watch| {
            let target = target.clone();
            Box::pin(async move { context.desk.browser.call(PointerClick { tab, target, input, watch }, &context.cancel).await })
        })
        .await;
        Ok(call.settle(result))
    }
}
