//! `type`.

use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use protocol::{Act, ErrorCode, KeyboardType, Refusal};
use schemars::JsonSchema;
use serde::Deserialize;

use super::act::{Action, Activates, Way, perform};
use super::expect::{ExpectParam, checked};
use super::reading::TabCall;
use super::target::{TargetParam, own_tab};
use super::tool::{Access, Context, Group, Reply, Tool, ToolError};
use crate::browser::BrowserCall as _;
use crate::judge::{Asked, Wanted};

/// Longest text of one call, in bytes.
const LONGEST: usize = 4 * 1024 * 1024;

/// How text meets what is there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Mode {
    /// Replace what is there.
    #[default]
    Replace,
    /// Add to its end.
    Append,
}

/// Arguments of `type`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TypeParams {
    /// The field.
    target: TargetParam,
    /// Text to put in; "" clears the field.
    text: String,
    /// replace (default) or append.
    #[serde(default)]
    mode: Mode,
    /// Press Enter afterwards.
    #[serde(default)]
    submit: bool,
    /// See click.
    expect: Option<ExpectParam>,
    /// Default: current.
    tab: Option<u32>,
    /// Use trusted input at once (the debugger); default: only where it is needed.
    #[serde(default)]
    real: bool,
}

/// Refuses control characters, which no keyboard puts into a field.
pub(super) fn plain(text: &str) -> Result<(), ToolError> {
    match text.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
        None => Ok(()),
        Some(c) => {
            Err(ToolError::new(ErrorCode::InvalidArgument, format!("the text has the control character U+{:04X} in it", u32::from(c)))
                .with_next("Leave it out; keys such as Escape or Backspace are no text"))
        }
    }
}

/// See its description.
pub(super) struct Type;

#[async_trait]
impl Tool for Type {
    const NAME: &'static str = "type";
    const DESCRIPTION: &'static str = "Put text into a field or editor and read it back. The reply tells what the field really holds: changed, partial (cut or not chosen), reverted (the page put it back), no_effect.";
    const GROUP: Group = Group::Keyboard;
    const ACCESS: Access = Access::Acts;
    type Params = TypeParams;

    async fn call(context: &Context, params: TypeParams) -> Result<Reply, ToolError> {
        let (target, object) = params.target.resolve()?;
        if params.text.len() > LONGEST {
            return Err(ToolError::new(
                ErrorCode::InvalidArgument,
                format!("the text has {} bytes, more than {LONGEST}", params.text.len()),
            )
            .with_next("Type it in parts with mode append"));
        }
        plain(&params.text)?;
        if context.part && params.submit {
            let what = "type with submit sends what it is typed into, and act sends nothing by itself; nothing was typed";
            return Err(ToolError::new(ErrorCode::NeedsConfirmation, what)
                .with_next("Type without submit here, then press Enter by a call of its own"));
        }
        let tab = own_tab(context, params.tab)?;
        let expect = checked(params.expect)?;
        let mut call = TabCall::begin(context, tab).await;
        call.expect = expect;
        let append = params.mode == Mode::Append;
        let submit = params.submit;
        let asked = Asked::Text(Wanted { text: params.text.clone(), append, submit });
        let verb = if append { "append to" } else { "type into" };
        let action = Action {
            tab,
            target: Some(target.clone()),
            asked,
            verb: verb.into(),
            object,
            way: Way::of(params.real),
            activates: Activates::Nothing,
        };
        let text = params.text;
        // Text that is in already is not typed again when only its Enter was held back.
        let typed = AtomicBool::new(false);
        let typed = &typed;
        let result = perform(context, &mut call, &action, &|input, watch| {
            let in_already = typed.load(Ordering::Relaxed);
            let text = if in_already { String::new() } else { text.clone() };
            let command = KeyboardType { tab, target: target.clone(), text, append: append || in_already, submit, input, watch };
            Box::pin(async move {
                let act = context.desk.browser.call(command, &context.cancel).await?;
                if let Act::Refused { refusal: Refusal::NeedsConfirmation { pressed: 1.., .. } } = &act {
                    typed.store(true, Ordering::Relaxed);
                }
                Ok(act)
            })
        })
        .await;
        Ok(call.settle(result).await)
    }
}
