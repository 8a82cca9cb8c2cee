//! The person's word before money moves: the call waits for it, and no argument of any tool stands in for it.

use std::time::Duration;

use protocol::{ErrorCode, HumanConfirm, Permission, Refusal};

use super::tool::{Context, ToolError};
use crate::browser::BrowserCall as _;
use crate::render;

/// So long the person has.
const LIMIT: Duration = Duration::from_secs(180);
/// Between two words to the caller that the wait goes on.
const PROGRESS: Duration = Duration::from_secs(5);

/// What is to be confirmed, in words: `"Pay" (amount ¥100)`.
fn words(label: &str, amount: Option<&str>) -> String {
    let amount = amount.map_or_else(String::new, |amount| format!(" (amount {})", render::quote(amount)));
    format!("{}{amount}", render::quote(label))
}

/// Asks the person about what the extension refused. `Ok` means that exactly this may be sent once more.
pub(super) async fn ask(context: &Context, tab: u32, refusal: &Refusal) -> Result<(), ToolError> {
    let Refusal::NeedsConfirmation { label, amount, pressed } = refusal else { return Err(render::refusal(refusal)) };
    if context.part {
        return Err(render::refusal(refusal));
    }
    let what = words(label, amount.as_deref());
    let before =
        if *pressed == 0 { "nothing was pressed".to_owned() } else { "what came before it was done, this was not pressed".to_owned() };
    (context.progress)(format!("waiting for the user to allow {what} in the browser"));
    let asked = context.desk.browser.call(HumanConfirm { tab, limit_ms: LIMIT.as_millis() as u32 }, &context.cancel);
    tokio::pin!(asked);
    let mut tick = tokio::time::interval(PROGRESS);
    tick.tick().await;
    let answer = loop {
        tokio::select! {
            answer = &mut asked => break answer,
            _ = tick.tick() => (context.progress)(format!("still waiting for the user to allow {what} in the browser")),
        }
    };
    let declined = |why: &str| Err(ToolError::new(ErrorCode::Declined, format!("{why} {what}; {before}")));
    match answer {
        Ok(confirmed) => match confirmed.permission {
            Permission::Allowed => Ok(()),
            Permission::Refused => declined("the user did not allow"),
            Permission::TimedOut => declined(&format!("nobody answered within {} s whether to allow", LIMIT.as_secs())),
        },
        Err(error) if error.code == ErrorCode::Cancelled => Err(error.into()),
        Err(error) => declined(&format!("the user could not be asked ({}) about", error.message)),
    }
}

/// What was allowed is not what is there now.
pub(super) fn another(refusal: &Refusal) -> ToolError {
    let Refusal::NeedsConfirmation { label, amount, .. } = refusal else { return render::refusal(refusal) };
    ToolError::new(
        ErrorCode::StaleRef,
        format!(
            "the page changed while the user was asked: it is {} now, which was not allowed; it was not pressed",
            words(label, amount.as_deref())
        ),
    )
}
