//! `press_key`.

use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use protocol::{Act, Chord, KeyboardPress, Refusal};
use schemars::JsonSchema;
use serde::Deserialize;

use super::act::{Action, Activates, Way, perform};
use super::expect::{ExpectParam, checked};
use super::keys::sequence;
use super::reading::TabCall;
use super::target::{TargetParam, own_tab};
use super::tool::{Access, Context, Group, Reply, Tool, ToolError};
use crate::browser::BrowserCall as _;
use crate::judge::Asked;

/// Arguments of `press_key`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PressParams {
    /// Keys or chords, separated by blanks: Enter, Control+Shift+A, Tab Tab Space.
    keys: String,
    /// How often; default 1.
    times: Option<u32>,
    /// Focused first; default: what has the focus.
    target: Option<TargetParam>,
    /// See click.
    expect: Option<ExpectParam>,
    /// Default: current.
    tab: Option<u32>,
}

/// See its description.
pub(super) struct PressKey;

#[async_trait]
impl Tool for PressKey {
    const NAME: &'static str = "press_key";
    const DESCRIPTION: &'static str = "Press real keys (Tab, Enter, Escape, arrows, Control+A) and tell what they did. For text: type.";
    const GROUP: Group = Group::Keyboard;
    const ACCESS: Access = Access::Acts;
    type Params = PressParams;

    async fn call(context: &Context, params: PressParams) -> Result<Reply, ToolError> {
        let target = params.target.as_ref().map(TargetParam::resolve).transpose()?;
        let (target, object) = target.map_or_else(|| (None, "what has the focus".to_owned()), |(target, object)| (Some(target), object));
        let sequence = sequence(&params.keys, params.times.unwrap_or(1) as usize)?;
        let tab = own_tab(context, params.tab)?;
        let expect = checked(params.expect)?;
        let mut call = TabCall::begin(context, tab).await;
        call.expect = expect;
        let activates = activates(&sequence.chords);
        let verb = format!("press {} on", sequence.words).into();
        let asked = Asked::Keys(u32::try_from(sequence.chords.len()).unwrap_or(u32::MAX));
        let action = Action { tab, target: target.clone(), asked, verb, object, way: Way::OnlyReal, activates };
        let chords = sequence.chords;
        // Of a sequence that stopped before a press that moves money only the rest is sent again.
        let done = AtomicUsize::new(0);
        let done = &done;
        let result = perform(context, &mut call, &action, &|_, watch| {
            let before = done.load(Ordering::Relaxed);
            let rest = chords.get(before..).unwrap_or_default().to_vec();
            // After the first key the focus is where the keys have put it.
            let target = target.clone().filter(|_| before == 0);
            Box::pin(async move {
                let mut act = context.desk.browser.call(KeyboardPress { tab, target, chords: rest, watch }, &context.cancel).await?;
                match &mut act {
                    Act::Refused { refusal: Refusal::NeedsConfirmation { pressed, .. } } => {
                        done.fetch_add(*pressed as usize, Ordering::Relaxed);
                    }
                    Act::Done { accepted: Some(accepted), .. } => *accepted += before as u32,
                    _ => {}
                }
                Ok(act)
            })
        })
        .await;
        Ok(call.settle(result).await)
    }
}

/// Enter and Space activate what has the focus; after Tab nobody knows yet what that is.
fn activates(chords: &[Chord]) -> Activates {
    let presses = |chord: &Chord| matches!(chord.key.key.as_str(), "Enter" | " ");
    match (chords.iter().position(|chord| chord.key.key == "Tab"), chords.iter().rposition(presses)) {
        (_, None) => Activates::Nothing,
        (Some(moved), Some(pressed)) if moved < pressed => Activates::Unknown,
        _ => Activates::Target,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_sequence_activates_is_known_until_it_moves_the_focus() {
        let of = |text: &str| activates(&sequence(text, 1).unwrap().chords);
        assert_eq!(of("Tab x ArrowDown"), Activates::Nothing);
        assert_eq!((of("Enter"), of("Space"), of("x Enter Tab")), (Activates::Target, Activates::Target, Activates::Target));
        assert_eq!((of("Tab Enter"), of("Shift+Tab Space")), (Activates::Unknown, Activates::Unknown));
    }
}
