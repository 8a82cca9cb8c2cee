//! `scroll`.

use async_trait::async_trait;
use protocol::{ErrorCode, PointerScroll, Scroll};
use schemars::JsonSchema;
use serde::Deserialize;

use super::act::{Action, Activates, Way, perform};
use super::expect::{ExpectParam, checked, without_target};
use super::reading::TabCall;
use super::target::{TargetParam, own_tab};
use super::tool::{Access, Context, Group, Reply, Tool, ToolError};
use crate::browser::BrowserCall as _;
use crate::judge::Asked;

/// Part of what is seen at once that a scroll without an amount moves: a little of it stays in view.
const PAGE: f64 = 0.85;

/// Longest way in one call.
const FARTHEST: u32 = 1_000_000;

/// Where to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Direction {
    /// Up.
    Up,
    /// Down.
    Down,
    /// To the left.
    Left,
    /// To the right.
    Right,
}

/// A place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Place {
    /// The beginning.
    Top,
    /// The end.
    Bottom,
    /// Until the target can be seen.
    View,
}

/// Arguments of `scroll`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ScrollParams {
    /// The nearest scroller around it is scrolled; default: the page.
    target: Option<TargetParam>,
    /// up, down, left, right.
    direction: Option<Direction>,
    /// CSS pixels; default: most of what is seen at once.
    amount: Option<u32>,
    /// Instead of direction: top, bottom, or view (the target itself into view).
    to: Option<Place>,
    /// See click.
    expect: Option<ExpectParam>,
    /// Default: current.
    tab: Option<u32>,
}

impl ScrollParams {
    fn scroll(&self) -> Result<(Scroll, &'static str), ToolError> {
        match (self.direction, self.to, self.amount) {
            (Some(_), Some(_), _) => Err(invalid("direction and to name two places", "Give one of them")),
            (None, None, _) => Err(invalid("there is no direction and no to", "Give direction, or to")),
            (None, Some(_), Some(_)) => Err(invalid("amount goes with direction", "Leave it out")),
            (None, Some(Place::View), None) if self.target.is_none() => Err(invalid("to view needs a target", "Name what is to be seen")),
            (None, Some(place), None) => Ok(match place {
                Place::Top => (Scroll::Start, "scroll to the top of"),
                Place::Bottom => (Scroll::End, "scroll to the bottom of"),
                Place::View => (Scroll::View, "scroll into view"),
            }),
            (Some(_), None, Some(amount)) if amount == 0 || amount > FARTHEST => {
                Err(invalid("amount is not between 1 and 1000000", "Give pixels, or leave it out"))
            }
            (Some(direction), None, amount) => {
                let (x, y, verb) = match direction {
                    Direction::Up => (0, -1, "scroll up"),
                    Direction::Down => (0, 1, "scroll down"),
                    Direction::Left => (-1, 0, "scroll left"),
                    Direction::Right => (1, 0, "scroll right"),
                };
                let scroll = match amount {
                    Some(amount) => {
                        let amount = i32::try_from(amount).unwrap_or(i32::MAX);
                        Scroll::Pixels { x: x * amount, y: y * amount }
                    }
                    None => Scroll::Pages { x: f64::from(x) * PAGE, y: f64::from(y) * PAGE },
                };
                Ok((scroll, verb))
            }
        }
    }
}

fn invalid(what: &str, next: &str) -> ToolError {
    ToolError::new(ErrorCode::InvalidArgument, what).with_next(next)
}

/// See its description.
pub(super) struct ScrollTool;

#[async_trait]
impl Tool for ScrollTool {
    const NAME: &'static str = "scroll";
    const DESCRIPTION: &'static str = "Scroll the page or the nearest scroller around a target. The reply says what moved from where to where, and when the end is reached.";
    const GROUP: Group = Group::Pointer;
    const ACCESS: Access = Access::Acts;
    type Params = ScrollParams;

    async fn call(context: &Context, params: ScrollParams) -> Result<Reply, ToolError> {
        let target = params.target.as_ref().map(TargetParam::resolve).transpose()?;
        let (target, object) = target.map_or_else(|| (None, "the page".to_owned()), |(target, object)| (Some(target), object));
        let (scroll, verb) = params.scroll()?;
        let tab = own_tab(context, params.tab)?;
        let expect = if target.is_some() { checked(params.expect)? } else { without_target(params.expect)? };
        let mut call = TabCall::begin(context, tab).await;
        call.expect = expect;
        let action = Action {
            tab,
            target: target.clone(),
            asked: Asked::Scroll,
            verb: verb.into(),
            object,
            way: Way::Gentle,
            activates: Activates::Nothing,
        };
        let result = perform(context, &mut call, &action, &|_, watch| {
            let command = PointerScroll { tab, target: target.clone(), scroll, watch };
            Box::pin(async move { context.desk.browser.call(command, &context.cancel).await })
        })
        .await;
        Ok(call.settle(result).await)
    }
}
