//! `dialog`: answers the native dialog that is open.

use async_trait::async_trait;
use protocol::{DialogAnswer, ErrorCode};
use schemars::JsonSchema;
use serde::Deserialize;

use super::act::{Action, Activates, Way, perform};
use super::expect::{ExpectParam, without_target};
use super::reading::TabCall;
use super::target::own_tab;
use super::tool::{Access, Context, Group, Reply, Tool, ToolError};
use crate::browser::BrowserCall as _;
use crate::judge::Asked;

/// The answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Answer {
    /// OK, or leave.
    Accept,
    /// Cancel, or stay.
    Dismiss,
}

/// Arguments of `dialog`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DialogParams {
    /// accept or dismiss.
    action: Answer,
    /// Text for a prompt; default: what it proposes.
    text: Option<String>,
    /// See click.
    expect: Option<ExpectParam>,
    /// Default: current.
    tab: Option<u32>,
}

/// See its description.
pub(super) struct Dialog;

#[async_trait]
impl Tool for Dialog {
    const NAME: &'static str = "dialog";
    const DESCRIPTION: &'static str = "Answer the open alert, confirm, prompt or beforeunload. Nothing is ever answered by itself.";
    const GROUP: Group = Group::Dialog;
    const ACCESS: Access = Access::Acts;
    type Params = DialogParams;

    async fn call(context: &Context, params: DialogParams) -> Result<Reply, ToolError> {
        let accept = params.action == Answer::Accept;
        if !accept && params.text.is_some() {
            return Err(ToolError::new(ErrorCode::InvalidArgument, "text goes with accept only"));
        }
        let tab = own_tab(context, params.tab)?;
        let expect = without_target(params.expect)?;
        let mut call = TabCall::begin(context, tab).await;
        call.expect = expect;
        let (verb, activates) = if accept { ("accept", Activates::Unknown) } else { ("dismiss", Activates::Nothing) };
        let action =
            Action { tab, target: None, asked: Asked::Answer, verb: verb.into(), object: "the dialog".into(), way: Way::Gentle, activates };
        let text = params.text;
        let result = perform(context, &mut call, &action, &|_, watch| {
            let command = DialogAnswer { tab, accept, text: text.clone(), watch };
            Box::pin(async move { context.desk.browser.call(command, &context.cancel).await })
        })
        .await;
        Ok(call.settle(result).await)
    }
}
