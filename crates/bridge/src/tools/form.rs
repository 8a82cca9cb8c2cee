//! `check`, `uncheck` and `select_option`.

use std::borrow::Cow;

use async_trait::async_trait;
use protocol::{FormCheck, FormSelect};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::Value;

use super::act::{Action, Activates, Way, perform};
use super::expect::{self, ExpectParam};
use super::reading::TabCall;
use super::target::{TargetParam, own_tab};
use super::tool::{Access, Context, Group, Reply, Tool, ToolError};
use crate::browser::BrowserCall as _;
use crate::judge::{Asked, Holding};

/// Most options of one call.
const MOST_OPTIONS: usize = 100;

/// Arguments of `check` and `uncheck`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CheckParams {
    /// Box, radio, switch or toggle button.
    target: TargetParam,
    /// See click.
    expect: Option<ExpectParam>,
    /// Default: current.
    tab: Option<u32>,
    /// Trusted input.
    #[serde(default)]
    real: bool,
}

async fn check(context: &Context, params: CheckParams, checked: bool) -> Result<Reply, ToolError> {
    let (target, object) = params.target.resolve()?;
    let tab = own_tab(context, params.tab)?;
    let expect = expect::checked(params.expect)?;
    let mut call = TabCall::begin(context, tab).await;
    call.expect = expect;
    let verb = if checked { "check" } else { "uncheck" };
    let action = Action {
        tab,
        target: Some(target.clone()),
        asked: Asked::Held(Holding::State),
        verb: verb.into(),
        object,
        way: Way::of(params.real),
        activates: Activates::Nothing,
    };
    let result = perform(context, &mut call, &action, &|input, watch| {
        let target = target.clone();
        Box::pin(async move { context.desk.browser.call(FormCheck { tab, target, checked, input, watch }, &context.cancel).await })
    })
    .await;
    Ok(call.settle(result).await)
}

/// See its description.
pub(super) struct Check;

#[async_trait]
impl Tool for Check {
    const NAME: &'static str = "check";
    const DESCRIPTION: &'static str =
        "Check a checkbox, radio, switch or toggle button; presses nothing when it is checked already. The state is read back.";
    const GROUP: Group = Group::Form;
    const ACCESS: Access = Access::Acts;
    type Params = CheckParams;

    async fn call(context: &Context, params: CheckParams) -> Result<Reply, ToolError> {
        check(context, params, true).await
    }
}

/// See its description.
pub(super) struct Uncheck;

#[async_trait]
impl Tool for Uncheck {
    const NAME: &'static str = "uncheck";
    const DESCRIPTION: &'static str = "The reverse of check.";
    const GROUP: Group = Group::Form;
    const ACCESS: Access = Access::Acts;
    type Params = CheckParams;

    async fn call(context: &Context, params: CheckParams) -> Result<Reply, ToolError> {
        check(context, params, false).await
    }
}

/// One option or several.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "Value")]
pub(super) struct Options(Vec<String>);

impl TryFrom<Value> for Options {
    type Error = &'static str;

    fn try_from(value: Value) -> Result<Self, Self::Error> {
        let text = |value: Value| if let Value::String(text) = value { Ok(text) } else { Err("an option is a text") };
        match value {
            Value::Array(options) if options.len() > MOST_OPTIONS => Err("these are too many options"),
            Value::Array(options) => options.into_iter().map(text).collect::<Result<_, _>>().map(Self),
            one => Ok(Self(vec![text(one)?])),
        }
    }
}

impl JsonSchema for Options {
    fn schema_name() -> Cow<'static, str> {
        "Options".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": ["string", "array"], "items": {"type": "string"}})
    }
}

/// Arguments of `select_option`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SelectParams {
    /// The list: select, listbox, combobox, or the button that opens it.
    target: TargetParam,
    /// Label or value; several for a multiple list: all that are to be chosen afterwards.
    option: Options,
    /// See click.
    expect: Option<ExpectParam>,
    /// Default: current.
    tab: Option<u32>,
}

/// See its description.
pub(super) struct SelectOption;

#[async_trait]
impl Tool for SelectOption {
    const NAME: &'static str = "select_option";
    const DESCRIPTION: &'static str =
        "Choose from a list, native or custom (it is opened first). What is chosen is read back; a missing option lists those there are.";
    const GROUP: Group = Group::Form;
    const ACCESS: Access = Access::Acts;
    type Params = SelectParams;

    async fn call(context: &Context, params: SelectParams) -> Result<Reply, ToolError> {
        let (target, object) = params.target.resolve()?;
        let Options(options) = params.option;
        let tab = own_tab(context, params.tab)?;
        let expect = expect::checked(params.expect)?;
        let mut call = TabCall::begin(context, tab).await;
        call.expect = expect;
        let asked = Asked::Held(Holding::Choice);
        let action = Action {
            tab,
            target: Some(target.clone()),
            asked,
            verb: "select in".into(),
            object,
            way: Way::Gentle,
            activates: Activates::Nothing,
        };
        let result = perform(context, &mut call, &action, &|input, watch| {
            let command = FormSelect { tab, target: target.clone(), options: options.clone(), input, watch };
            Box::pin(async move { context.desk.browser.call(command, &context.cancel).await })
        })
        .await;
        Ok(call.settle(result).await)
    }
}
