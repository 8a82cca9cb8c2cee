//! `expect`: what the caller wants to see after a write. It ends the wait as soon as it is so, and is told when it is not.

use std::borrow::Cow;

use protocol::{Condition, ErrorCode, Look, SnapshotText, State, Target, TextResult, Value, WaitProbe};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

use super::tool::{Context, ToolError};
use crate::browser::BrowserCall as _;
use crate::render;

/// Marks a selector where a text could stand.
const CSS: &str = "css:";

/// What is to be so afterwards; all that are given.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "an object with checked, value, text, gone or appears")]
pub(super) struct ExpectParam {
    checked: Option<bool>,
    value: Option<String>,
    text: Option<String>,
    gone: Option<String>,
    appears: Option<String>,
}

impl JsonSchema for ExpectParam {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Expect".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        // Its keys are described once, in `click`.
        json_schema!({"type": "object"})
    }
}

/// An expectation that can be meant; refused before anything is done when it cannot.
pub(super) fn checked(expect: Option<ExpectParam>) -> Result<Option<ExpectParam>, ToolError> {
    expect.map(|expect| expect.check().map(|()| expect)).transpose()
}

/// The same for an action that is aimed at no element: nothing has a state or a value there.
pub(super) fn without_target(expect: Option<ExpectParam>) -> Result<Option<ExpectParam>, ToolError> {
    if expect.as_ref().is_some_and(|expect| expect.checked.is_some() || expect.value.is_some()) {
        return Err(ToolError::new(ErrorCode::InvalidArgument, "expect names checked or value, and there is no target to have one")
            .with_next("Name text, appears or gone"));
    }
    checked(expect)
}

impl ExpectParam {
    /// Refuses what asks for nothing or contradicts itself.
    fn check(&self) -> Result<(), ToolError> {
        let wrong = |what: &str| Err(ToolError::new(ErrorCode::InvalidArgument, what));
        let Self { checked, value, text, gone, appears } = self;
        if checked.is_none() && value.is_none() && text.is_none() && gone.is_none() && appears.is_none() {
            return wrong("expect names nothing: give checked, value, text, gone or appears");
        }
        if gone.is_some() && gone == appears {
            return wrong("expect wants the same thing to appear and to be gone");
        }
        if [text, gone, appears].into_iter().flatten().any(|wanted| wanted.trim_start_matches(CSS).trim().is_empty()) {
            return wrong("expect wants an empty text");
        }
        Ok(())
    }

    /// What is not so now, in words; nothing when all is.
    pub(super) async fn unmet(&self, context: &Context, tab: u32, target: Option<&Target>, look: &Look) -> Vec<String> {
        let mut unmet = Vec::new();
        if let Some(checked) = self.checked {
            unmet.extend(unchecked(checked, look));
        }
        if let Some(value) = &self.value {
            unmet.extend(other_value(value, look));
        }
        if let Some(text) = &self.text {
            unmet.extend(without_text(context, tab, target, text).await);
        }
        for (wanted, gone) in [(&self.appears, false), (&self.gone, true)] {
            let Some(wanted) = wanted else { continue };
            match seen(context, tab, wanted).await {
                Ok(there) if there != gone => {}
                Ok(_) => unmet.push(format!(
                    "{} to {}",
                    render::quote(wanted),
                    if gone { "be gone, but it is there" } else { "appear, but it did not" }
                )),
                Err(why) => unmet.push(format!("{}, which could not be looked for ({why})", render::quote(wanted))),
            }
        }
        unmet
    }
}

fn unchecked(checked: bool, look: &Look) -> Option<String> {
    let states = look.target.as_ref().filter(|target| target.connected).map(|target| &target.states);
    let now = match states {
        None => "gone",
        Some(states) if states.contains(&State::Mixed) => "mixed",
        Some(states) if states.contains(&State::Checked) || states.contains(&State::Pressed) => "checked",
        Some(_) => "unchecked",
    };
    let wanted = if checked { "checked" } else { "unchecked" };
    (now != wanted).then(|| format!("it to be {wanted}, but it is {now}"))
}

fn other_value(value: &str, look: &Look) -> Option<String> {
    match look.target.as_ref().filter(|target| target.connected).and_then(|target| target.value.as_ref()) {
        Some(Value::Plain { text }) if text == value => None,
        Some(Value::Plain { text }) => Some(format!("the value {}, but it is {}", render::quote(value), render::quote(text))),
        Some(Value::Secret { length }) if *length as usize == value.encode_utf16().count() => None,
        Some(Value::Secret { length }) => Some(format!("another value: the field holds {length} characters (a secret, not shown)")),
        None => Some(format!("the value {}, but the target has none", render::quote(value))),
    }
}

async fn without_text(context: &Context, tab: u32, target: Option<&Target>, text: &str) -> Option<String> {
    let read = context.desk.browser.call(SnapshotText { tab, target: target.cloned() }, &context.cancel).await;
    let fold = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    match read {
        Ok(TextResult::Read { frames, .. }) if frames.iter().any(|frame| fold(&frame.text).contains(&fold(text))) => None,
        Ok(TextResult::Read { .. }) => Some(format!("the text {} in it, which is not there", render::quote(text))),
        Ok(TextResult::Refused { refusal }) => Some(format!("the text {}, but {}", render::quote(text), render::refusal(&refusal).what)),
        Err(error) => Some(format!("the text {}, which could not be read ({})", render::quote(text), error.message)),
    }
}

/// Whether a text or element is to be seen now.
async fn seen(context: &Context, tab: u32, wanted: &str) -> Result<bool, String> {
    let condition = match wanted.strip_prefix(CSS) {
        Some(selector) => Condition::Css { selector: selector.trim().to_owned() },
        None => Condition::Text { text: wanted.to_owned() },
    };
    let probe = context.desk.browser.call(WaitProbe { tab, conditions: vec![condition] }, &context.cancel).await;
    probe.map(|probe| probe.met.is_some()).map_err(|error| error.message)
}
