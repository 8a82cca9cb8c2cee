//! `drag`.

use async_trait::async_trait;
use protocol::{ErrorCode, Offset, PointerDrag};
use schemars::JsonSchema;
use serde::Deserialize;

use super::act::{Action, Activates, Way, perform};
use super::expect::{ExpectParam, checked};
use super::reading::TabCall;
use super::target::{TargetParam, own_tab};
use super::tool::{Access, Context, Group, Reply, Tool, ToolError};
use crate::browser::BrowserCall as _;
use crate::judge::Asked;

/// Farthest offset.
const FARTHEST: i32 = 10_000;

/// A distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OffsetParam {
    /// To the right.
    x: i32,
    /// Down.
    y: i32,
}

/// Arguments of `drag`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DragParams {
    /// What to drag.
    target: TargetParam,
    /// Onto what.
    to: Option<TargetParam>,
    /// CSS pixels from the middle of to, or without to from where it is.
    offset: Option<OffsetParam>,
    /// See click.
    expect: Option<ExpectParam>,
    /// Default: current.
    tab: Option<u32>,
}

/// See its description.
pub(super) struct Drag;

#[async_trait]
impl Tool for Drag {
    const NAME: &'static str = "drag";
    const DESCRIPTION: &'static str =
        "Drag an element onto another or by an offset (lists, boards, sliders, HTML5 drag and drop). Judged by where it stands afterwards.";
    const GROUP: Group = Group::Pointer;
    const ACCESS: Access = Access::Acts;
    type Params = DragParams;

    async fn call(context: &Context, params: DragParams) -> Result<Reply, ToolError> {
        let (target, object) = params.target.resolve()?;
        let onto = params.to.as_ref().map(TargetParam::resolve).transpose()?.map(|(onto, _)| onto);
        let offset = offset(params.offset, onto.is_some())?;
        if onto.as_ref() == Some(&target) {
            return Err(invalid("target and to are the same", "Name two, or give an offset"));
        }
        let tab = own_tab(context, params.tab)?;
        let expect = checked(params.expect)?;
        let mut call = TabCall::begin(context, tab).await;
        call.expect = expect;
        let action = Action {
            tab,
            target: Some(target.clone()),
            asked: Asked::Drag,
            verb: "drag".into(),
            object,
            way: Way::Real,
            activates: Activates::Nothing,
        };
        let result = perform(context, &mut call, &action, &|input, watch| {
            let command = PointerDrag { tab, target: target.clone(), onto: onto.clone(), offset, input, watch };
            Box::pin(async move { context.desk.browser.call(command, &context.cancel).await })
        })
        .await;
        Ok(call.settle(result).await)
    }
}

fn offset(given: Option<OffsetParam>, onto: bool) -> Result<Offset, ToolError> {
    match given {
        None if onto => Ok(Offset::default()),
        None => Err(invalid("there is no to and no offset", "Say onto what, or how far")),
        Some(OffsetParam { x: 0, y: 0 }) if !onto => Err(invalid("an offset of 0,0 goes nowhere", "Say how far")),
        Some(OffsetParam { x, y }) if x.abs() > FARTHEST || y.abs() > FARTHEST => {
            Err(invalid("the offset is farther than 10000 pixels", "Drag in steps"))
        }
        Some(OffsetParam { x, y }) => Ok(Offset { x, y }),
    }
}

fn invalid(what: &str, next: &str) -> ToolError {
    ToolError::new(ErrorCode::InvalidArgument, what).with_next(next)
}
