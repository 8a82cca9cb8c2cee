//! `click` and `hover`.

use async_trait::async_trait;
use protocol::{Button, ErrorCode, Modifier, PointerClick, PointerHover, Press, Target};
use schemars::JsonSchema;
use serde::Deserialize;

use super::act::{Action, Activates, Way, perform, spare};
use super::expect::{ExpectParam, checked};
use super::reading::TabCall;
use super::target::{TargetParam, own_tab};
use super::tool::{Access, Context, Group, Reply, Tool, ToolError};
use crate::browser::BrowserCall as _;
use crate::judge::Asked;

/// Longest hold.
const LONGEST_MS: u32 = 5_000;

/// A button of the mouse.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum ButtonParam {
    /// Main.
    #[default]
    Left,
    /// Context menus.
    Right,
    /// The wheel.
    Middle,
}

/// A key that is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
enum ModifierParam {
    /// Alt.
    Alt,
    /// Control.
    Control,
    /// Meta.
    Meta,
    /// Shift.
    Shift,
}

/// A point of the viewport.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PointParam {
    /// From the left.
    x: f64,
    /// From the top.
    y: f64,
}

/// Arguments of `click`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ClickParams {
    /// What to click: ref from a snapshot (a12), or role with name (nth: which of several, from 0), or css of one element.
    target: Option<TargetParam>,
    /// Instead of target: a point of the viewport in CSS pixels, for canvases.
    at: Option<PointParam>,
    /// left (default), right, middle.
    #[serde(default)]
    button: ButtonParam,
    /// 2 double, 3 triple; default 1.
    count: Option<u32>,
    /// Keys held meanwhile.
    #[serde(default)]
    modifiers: Vec<ModifierParam>,
    /// Milliseconds between press and release.
    #[serde(default)]
    hold_ms: u32,
    /// Ends the wait when so, warns when not: {checked, value, text} of the target, {appears, gone}: a text or css:SELECTOR.
    expect: Option<ExpectParam>,
    /// Default: current.
    tab: Option<u32>,
    /// Use trusted input at once (the debugger); default: only where it is needed.
    #[serde(default)]
    real: bool,
}

impl ClickParams {
    fn resolve(&self) -> Result<(Target, String), ToolError> {
        match (&self.target, self.at) {
            (Some(target), None) => target.resolve(),
            (None, Some(at)) => point(at),
            (Some(_), Some(_)) => Err(invalid("target and at name two places").with_next("Give one of them")),
            (None, None) => Err(invalid("there is no target and no at").with_next("Give a target, or for a canvas a point")),
        }
    }

    fn press(&self) -> Result<Press, ToolError> {
        let count = self.count.unwrap_or(1);
        if !(1..=3).contains(&count) {
            return Err(invalid(format!("count {count} is not 1, 2 or 3")).with_next("Click several times with several calls"));
        }
        if self.hold_ms > LONGEST_MS {
            return Err(invalid(format!("hold_ms {} is more than {LONGEST_MS}", self.hold_ms)).with_next("Hold shorter"));
        }
        let mut modifiers: Vec<Modifier> = Vec::new();
        for modifier in &self.modifiers {
            let modifier = match modifier {
                ModifierParam::Alt => Modifier::Alt,
                ModifierParam::Control => Modifier::Control,
                ModifierParam::Meta => Modifier::Meta,
                ModifierParam::Shift => Modifier::Shift,
            };
            if modifiers.contains(&modifier) {
                return Err(invalid("a modifier is named twice").with_next("Name each once"));
            }
            modifiers.push(modifier);
        }
        let button = match self.button {
            ButtonParam::Left => Button::Left,
            ButtonParam::Right => Button::Right,
            ButtonParam::Middle => Button::Middle,
        };
        Ok(Press { button, count, modifiers, hold_ms: self.hold_ms })
    }
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
        let (target, object) = params.resolve()?;
        let press = params.press()?;
        let tab = own_tab(context, params.tab)?;
        let expect = checked(params.expect)?;
        let mut call = TabCall::begin(context, tab).await;
        call.expect = expect;
        let verb = verb(&press, &target).into();
        let action = Action {
            tab,
            target: Some(target.clone()),
            asked: Asked::Click,
            verb,
            object,
            way: Way::of(params.real),
            activates: Activates::Unspared,
        };
        let result = perform(context, &mut call, &action, &|input, watch| {
            let command = PointerClick { tab, target: target.clone(), press: press.clone(), input, watch, spare: spare(context) };
            Box::pin(async move { context.desk.browser.call(command, &context.cancel).await })
        })
        .await;
        Ok(call.settle(result).await)
    }
}

/// `click`, `double-click`, `right-click with Control held on`, `click at 10,20 on`.
fn verb(press: &Press, target: &Target) -> String {
    let mut words = match press.count {
        2 => "double-".to_owned(),
        3 => "triple-".to_owned(),
        _ => String::new(),
    };
    words.push_str(match press.button {
        Button::Left => "click",
        Button::Right => "right-click",
        Button::Middle => "middle-click",
    });
    if !press.modifiers.is_empty() {
        let names: Vec<String> = press.modifiers.iter().map(|modifier| format!("{modifier:?}")).collect();
        words.push_str(&format!(" with {} held", names.join("+")));
    }
    if press.hold_ms > 0 {
        words.push_str(&format!(" for {} ms", press.hold_ms));
    }
    if let Target::Point { x, y } = target {
        words.push_str(&format!(" at {x},{y}"));
    }
    if words.contains(' ') { words + " on" } else { words }
}

fn point(at: PointParam) -> Result<(Target, String), ToolError> {
    let side = |value: f64| if (0.0..=100_000.0).contains(&value) { Some(value as u32) } else { None };
    match (side(at.x), side(at.y)) {
        (Some(x), Some(y)) => Ok((Target::Point { x, y }, format!("what lies at {x},{y}"))),
        _ => Err(invalid("the point is outside the viewport").with_next("Give a point of the viewport in CSS pixels")),
    }
}

fn invalid(what: impl Into<String>) -> ToolError {
    ToolError::new(ErrorCode::InvalidArgument, what)
}

/// Arguments of `hover`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct HoverParams {
    /// Where to move the pointer.
    target: TargetParam,
    /// See click.
    expect: Option<ExpectParam>,
    /// Default: current.
    tab: Option<u32>,
}

/// See its description.
pub(super) struct Hover;

#[async_trait]
impl Tool for Hover {
    const NAME: &'static str = "hover";
    const DESCRIPTION: &'static str = "Move the pointer onto an element and leave it; menus or tooltips that open are told.";
    const GROUP: Group = Group::Pointer;
    const ACCESS: Access = Access::Acts;
    type Params = HoverParams;

    async fn call(context: &Context, params: HoverParams) -> Result<Reply, ToolError> {
        let (target, object) = params.target.resolve()?;
        let tab = own_tab(context, params.tab)?;
        let expect = checked(params.expect)?;
        let mut call = TabCall::begin(context, tab).await;
        call.expect = expect;
        let action = Action {
            tab,
            target: Some(target.clone()),
            asked: Asked::Hover,
            verb: "hover over".into(),
            object,
            way: Way::Real,
            activates: Activates::Nothing,
        };
        let result = perform(context, &mut call, &action, &|input, watch| {
            let command = PointerHover { tab, target: target.clone(), input, watch };
            Box::pin(async move { context.desk.browser.call(command, &context.cancel).await })
        })
        .await;
        Ok(call.settle(result).await)
    }
}
