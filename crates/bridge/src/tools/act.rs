//! One action: dispatch, looks by the timing rule, at most one trusted retry, verdict, reply.

use std::borrow::Cow;
use std::time::Duration;

use protocol::{
    Act, CommandError, Described, ErrorCode, Facts, Input, Listeners, Look, PointerFacts, PointerListeners, Quality, Refusal, Target,
    WatchLook,
};

use tokio::time::Instant;

use super::changes::changes_after;
use super::confirm;
use super::desk::LastAct;
use super::expect::ExpectParam;
use super::reading::{TabCall, told_key};
use super::tool::{Context, Reply, ToolError};
use crate::browser::{BrowserCall as _, LOST};
use crate::judge::{self, Asked, Next, Outcome, Pace, Verdict};
use crate::render::{self, ActReply};

/// An action to be carried out.
pub(super) struct Action {
    /// Tab.
    pub(super) tab: u32,
    /// Target; without one its listeners cannot be asked for.
    pub(super) target: Option<Target>,
    /// What the verdict depends on.
    pub(super) asked: Asked,
    /// Verb and object: `click`, `[a12]`.
    pub(super) verb: Cow<'static, str>,
    /// The target as the caller named it.
    pub(super) object: String,
    /// How the input is made.
    pub(super) way: Way,
    /// What it may activate.
    pub(super) activates: Activates,
}

/// What an action may activate: a batch activates nothing that must not happen by mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Activates {
    /// Nothing.
    Nothing,
    /// Its target, unless the command itself spares it: see [`spare`].
    Unspared,
    /// Its target.
    Target,
    /// Something that is only known when it happens.
    Unknown,
}

/// How the input of an action is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// Synthetic; once more trusted where that can help.
    Gentle,
    /// Trusted where it can be had, else synthetic, and the reply says so.
    Real,
    /// Trusted or not at all: events made by script do nothing here.
    OnlyReal,
}

impl Way {
    /// As the argument `real` asks.
    pub(super) fn of(real: bool) -> Self {
        if real { Self::Real } else { Self::Gentle }
    }
}

/// Sends the action's command with this input under this watch.
pub(super) type Dispatch<'a> = dyn Fn(Input, u32) -> futures_util::future::BoxFuture<'a, Result<Act, CommandError>> + Send + Sync + 'a;

/// Everything known of an action under way.
struct Running {
    watch: u32,
    act: Act,
    look: Look,
    deliveries: Vec<(Input, Option<Described>)>,
    notes: Vec<String>,
    listeners: Option<Listeners>,
}

impl Running {
    /// The verdict as of now. Where nothing listens and nothing happens by itself, what merely moved in time is the page's own doing.
    fn judge(&self, asked: &Asked, closed: bool) -> Verdict {
        let dead = self.listeners.as_ref().is_some_and(|listeners| listeners.types.is_empty() && listeners.default_action.is_none());
        let look = if dead { &judge::own_effects(&self.look) } else { &self.look };
        judge::judge(asked, &self.act, look, closed)
    }
}

/// Between looks for what is expected.
const EXPECT_PACE_MS: f64 = 100.0;

/// An action that is over, before it is worded.
pub(super) struct Acted {
    /// Verb and target in words.
    pub(super) what: String,
    /// The verdict.
    pub(super) verdict: Verdict,
    deliveries: Vec<(Input, Option<Described>)>,
    /// Remarks on how it was done.
    pub(super) notes: Vec<String>,
    /// The last look.
    pub(super) look: Look,
}

/// How an action ended: with a verdict, or with a reply that says all.
pub(super) enum Carried {
    /// With a verdict.
    Acted(Box<Acted>),
    /// Nothing was to be done, or a hop died.
    Said(Reply),
}

impl Acted {
    /// The reply, with the changes that the session has not seen yet.
    pub(super) async fn reply(self, context: &Context, tab: u32) -> Reply {
        let Self { what, verdict, deliveries, notes, look } = self;
        let mut text = render::act_reply(&ActReply { what, verdict: &verdict, deliveries, notes, look: &look });
        if !context.part
            && let Some(changes) = changes_after(context, tab, &verdict).await
        {
            text.push('\n');
            text.push_str(&changes);
        }
        let opened = verdict.evidence.iter().find_map(|item| item.tab);
        Reply { outcome: Some(verdict.outcome), opened, ..Reply::text(text) }
    }
}

/// Carries it out and words the reply. `call` holds the tab's lock.
pub(super) async fn perform(
    context: &Context,
    call: &mut TabCall<'_>,
    action: &Action,
    dispatch: &Dispatch<'_>,
) -> Result<Reply, ToolError> {
    match carry_out(context, call, action, dispatch).await? {
        Carried::Acted(acted) => Ok(acted.reply(context, action.tab).await),
        Carried::Said(reply) => Ok(reply),
    }
}

/// Carries it out. `call` holds the tab's lock.
pub(super) async fn carry_out(
    context: &Context,
    call: &mut TabCall<'_>,
    action: &Action,
    dispatch: &Dispatch<'_>,
) -> Result<Carried, ToolError> {
    let what = format!("{} {}", action.verb, action.object).trim_end().to_owned();
    if context.part {
        refuse_sensitive(context, action).await?;
    }
    let mut watch = context.desk.next_watch();
    let trusted_allowed = context.desk.browser.switches().is_some_and(|switches| switches.trusted_input);
    let mut notes = Vec::new();
    let first = match action.way {
        Way::Gentle => Input::Synthetic,
        Way::Real if !trusted_allowed => {
            notes.push("trusted input is switched off in the popup; synthetic input was used".to_owned());
            Input::Synthetic
        }
        Way::OnlyReal if context.desk.browser.switches().is_some_and(|switches| !switches.trusted_input) => return Err(switched_off()),
        Way::Real | Way::OnlyReal => Input::Trusted,
    };
    let mut act = match deliver(action, first, watch, &mut notes, dispatch).await {
        Ok(act) => act,
        Err(error) => return lost_or(error, &what).map(Carried::Said),
    };
    if let Act::Refused { refusal: refusal @ Refusal::NeedsConfirmation { .. } } = &act {
        confirm::ask(context, action.tab, refusal).await?;
        notes.push("the user allowed it once".to_owned());
        // The time in which the person thought is no time in which the page reacts.
        watch = context.desk.next_watch();
        act = match deliver(action, first, watch, &mut notes, dispatch).await {
            Ok(Act::Refused { refusal: refusal @ Refusal::NeedsConfirmation { .. } }) => return Err(confirm::another(&refusal)),
            Ok(act) => act,
            Err(error) => return lost_or(error, &what).map(Carried::Said),
        };
    }
    let (look, delivered, input) = match &act {
        Act::Refused { refusal } => return Err(render::refusal(refusal)),
        Act::Already { before } => {
            let reply = Reply::text(render::already(&action.verb, before));
            return Ok(Carried::Said(Reply { outcome: Some(Outcome::NoEffect), ..reply }));
        }
        Act::Done { look, delivered, input, .. } => (look.as_ref().clone(), delivered.clone(), *input),
    };
    let mut running = Running { watch, act, look, deliveries: vec![(input, delivered)], notes, listeners: None };
    let what = match &running.act {
        Act::Done { before, .. } => {
            let many = matches!(action.asked, Asked::Fields);
            if many { action.verb.to_string() } else { format!("{} {}", action.verb, render::described(&before.described)) }
        }
        Act::Refused { .. } | Act::Already { .. } => what,
    };
    if let Act::Done { dropped: Some(dropped), .. } = &running.act {
        running.notes.push(format!("dropped on {}", render::described(dropped)));
    }
    let may_retry = trusted_allowed && input == Input::Synthetic && matches!(action.asked, Asked::Click);
    let expect = call.expect.take();
    let verdict = match settle(context, action, &mut running, may_retry, dispatch, expect.as_ref()).await {
        Ok(verdict) => verdict,
        Err(error) => return lost_or(error, &what).map(Carried::Said),
    };
    call.desk.last = Some(LastAct { watch, what: what.clone(), told: running.look.evidence.iter().map(told_key).collect() });
    adopt_tabs(context, &verdict);
    if let Some(expect) = &expect {
        let unmet = expect.unmet(context, action.tab, action.target.as_ref(), &running.look).await;
        running.notes.push(match unmet[..] {
            [] => "what was expected is so".to_owned(),
            _ => format!("WARNING: expected {}", unmet.join("; and ")),
        });
    }
    let Running { deliveries, notes, look, .. } = running;
    Ok(Carried::Acted(Box::new(Acted { what, verdict, deliveries, notes, look })))
}

/// Sends it; where the debugger is not to be had the other way is taken, once, and that is said.
async fn deliver(action: &Action, first: Input, watch: u32, notes: &mut Vec<String>, dispatch: &Dispatch<'_>) -> Result<Act, CommandError> {
    match dispatch(first, watch).await {
        Err(error) if action.way == Way::Real && first == Input::Trusted && error.code == ErrorCode::Unsupported => {
            notes.push(format!("trusted input was not possible ({}); synthetic input was used", error.message));
            dispatch(Input::Synthetic, watch).await
        }
        other => other,
    }
}

/// What a command has to spare: in a batch nothing is activated that must not happen by mistake. Asked with the command itself, so that
/// nothing can become another thing in between.
pub(super) fn spare(context: &Context) -> Option<Vec<String>> {
    context.part.then(judge::sensitive_words)
}

/// The same for commands that spare nothing themselves.
async fn refuse_sensitive(context: &Context, action: &Action) -> Result<(), ToolError> {
    match action.activates {
        Activates::Nothing | Activates::Unspared => return Ok(()),
        Activates::Target => {}
        Activates::Unknown => {
            let what = format!("what {} {} would activate is not known before; nothing was pressed", action.verb, action.object);
            return Err(ToolError::new(ErrorCode::NeedsConfirmation, what)
                .with_next("Press the key that activates as a step of its own, after the one that moves the focus"));
        }
    }
    match context.desk.browser.call(PointerFacts { tab: action.tab, target: action.target.clone() }, &context.cancel).await? {
        Facts::Refused { refusal } => Err(render::refusal(&refusal)),
        Facts::Known { facts } if judge::is_sensitive(&facts) => Err(render::refusal(&Refusal::Sensitive { target: facts.described })),
        Facts::Known { .. } => Ok(()),
    }
}

/// What an action without trusted input comes to.
fn switched_off() -> ToolError {
    ToolError::new(ErrorCode::Unsupported, "this needs trusted input, which is switched off in the extension's popup; nothing was done")
        .with_next("Ask the user to switch trusted input on, or use click, type or fill")
}

/// Looks until the rule closes the window; retries once with trusted input where that can help.
async fn settle(
    context: &Context,
    action: &Action,
    running: &mut Running,
    may_retry: bool,
    dispatch: &Dispatch<'_>,
    expect: Option<&ExpectParam>,
) -> Result<Verdict, CommandError> {
    // A drag takes its time before it is over.
    let dispatched_ms = if action.asked == Asked::Drag { running.look.elapsed_ms } else { 0.0 };
    let mut pace = Pace { looks: 1, stable: false, dispatched_ms, probed: !may_retry, retried: false };
    let mut previous: Option<Verdict> = None;
    // The worker's clock is the better one, but it begins anew with the worker: the window must end by ours too.
    let began = Instant::now();
    loop {
        let verdict = running.judge(&action.asked, false);
        pace.stable = previous.as_ref().is_some_and(|before| same(before, &verdict));
        let waits = match expect {
            Some(expect) => !expect.unmet(context, action.tab, action.target.as_ref(), &running.look).await.is_empty(),
            None => false,
        };
        // A value that is there now may be put back: it is read once more, as without an expectation.
        let steady = pace.stable || matches!(action.asked, Asked::Click);
        // A drop may be taken back and an answer may open another dialog: these end by their own rule.
        let patient = matches!(action.asked, Asked::Drag | Asked::Answer);
        if expect.is_some() && !waits && steady && !patient && verdict.outcome.claim() == judge::Claim::Effect {
            return Ok(running.judge(&action.asked, true));
        }
        let mut next = judge::next(&action.asked, &running.act, &verdict, &running.look, &pace);
        let judged = pace.probed || !judge::rests_on_time(&verdict);
        if waits && judged && next == Next::Close && judge::may_expect(&verdict, &running.look, &pace) {
            next = Next::Look(EXPECT_PACE_MS);
        }
        match next {
            Next::Probe => {
                pace.probed = true;
                running.listeners = probe(context, action).await;
            }
            Next::Look(ms) => {
                tokio::select! {
                    () = tokio::time::sleep(Duration::from_micros((ms * 1000.0) as u64)) => {}
                    // The input is out: an effect that is known now is the answer, silence after so short a time is none.
                    () = context.cancel.cancelled() => return Ok(given_up(running.judge(&action.asked, false), &running.look)),
                }
            }
            // Merely in time: whoever listens decides whether the action can have done it.
            Next::Close if !pace.probed && judge::rests_on_time(&verdict) => {
                pace.probed = true;
                running.listeners = probe(context, action).await;
            }
            Next::Close => {
                let closed = running.judge(&action.asked, true);
                if pace.retried || closed.outcome != Outcome::NoEffect || !retry_can_help(running) || context.cancel.is_cancelled() {
                    return Ok(explained(closed, running));
                }
                pace = Pace { looks: 1, stable: false, dispatched_ms: running.look.elapsed_ms, probed: true, retried: true };
                previous = None;
                if !retry(running, dispatch).await? {
                    return Ok(explained(closed, running));
                }
                continue;
            }
        }
        previous = Some(verdict);
        let look = context.desk.browser.call(WatchLook { tab: action.tab, watch: running.watch }, &context.cancel).await;
        let mut look = look.or_else(|error| unseen(error, &running.look))?;
        if look.quality == Quality::Unavailable && look.evidence.is_empty() {
            // A watch that was lost takes nothing back of what it had seen.
            look.evidence.clone_from(&running.look.evidence);
        }
        look.elapsed_ms = look.elapsed_ms.max(began.elapsed().as_secs_f64() * 1000.0);
        running.look = look;
        pace.looks += 1;
    }
}

/// The verdict of a call whose caller gave up before the window was over.
fn given_up(verdict: Verdict, look: &Look) -> Verdict {
    if verdict.outcome.claim() == judge::Claim::Effect {
        return verdict;
    }
    Verdict::bare(
        Outcome::Interrupted,
        format!("the input was delivered and the caller gave up after {:.0} ms of looking: it may still take effect", look.elapsed_ms),
    )
}

/// Two looks that say the same.
fn same(before: &Verdict, now: &Verdict) -> bool {
    let moved = |verdict: &Verdict| verdict.evidence.iter().map(|item| (item.what.clone(), item.times)).collect::<Vec<_>>();
    before.outcome == now.outcome && before.remark == now.remark && moved(before) == moved(now)
}

/// A look that failed is not silence: it is said, and only a broken link ends the action.
fn unseen(error: CommandError, before: &Look) -> Result<Look, CommandError> {
    if error.message.starts_with(LOST) || error.code == ErrorCode::ExtensionNotConnected {
        return Err(error);
    }
    let mut look = before.clone();
    // Nothing more can be seen; the window is over by the silence rule of any tab.
    look.elapsed_ms = before.elapsed_ms.max(10_000.0);
    look.quality = Quality::Unavailable;
    look.missing.push(error.message);
    Ok(look)
}

/// Who listens; what cannot be had counts as unknown, and then nothing is retried.
async fn probe(context: &Context, action: &Action) -> Option<Listeners> {
    let target = action.target.clone()?;
    context.desk.browser.call(PointerListeners { tab: action.tab, target }, &context.cancel).await.ok()
}

/// A retry is worth it only where the listeners are known to have done nothing with the first input, and never for what must not
/// happen twice (ADR 0003: a handler that is merely slow must not run a second time).
fn retry_can_help(running: &Running) -> bool {
    let Act::Done { before, .. } = &running.act else { return false };
    let asks = running
        .listeners
        .as_ref()
        .is_some_and(|listeners| !listeners.types.is_empty() && (listeners.inert || !listeners.needs_activation.is_empty()));
    asks && !judge::is_sensitive(before) && !judge::is_toggle(before)
}

/// One more delivery, trusted, under the same watch. False: it was not possible.
async fn retry(running: &mut Running, dispatch: &Dispatch<'_>) -> Result<bool, CommandError> {
    match dispatch(Input::Trusted, running.watch).await {
        Ok(Act::Done { look, delivered, input, .. }) => {
            running.deliveries.push((input, delivered));
            running.notes.push(
                "nothing moved after synthetic input and the page's listeners did nothing with it: delivered once more, trusted".to_owned(),
            );
            running.look = *look;
            Ok(true)
        }
        Ok(Act::Already { .. }) => Ok(false),
        Ok(Act::Refused { refusal }) => {
            running.notes.push(format!("no trusted retry: {}", render::refusal(&refusal).what));
            Ok(false)
        }
        Err(error) if error.message.starts_with(LOST) => Err(error),
        Err(error) => {
            running.notes.push(format!("no trusted retry: {}", error.message));
            Ok(false)
        }
    }
}

/// Says why nothing moved, as far as the listeners tell.
fn explained(mut verdict: Verdict, running: &Running) -> Verdict {
    if verdict.outcome == Outcome::NoEffect && verdict.remark.is_none() {
        verdict.remark = running.listeners.as_ref().map(|listeners| match (&listeners.default_action, listeners.types.is_empty()) {
            (None, true) => "nothing listens on it and it does nothing by itself".to_owned(),
            (Some(action), true) => format!("nothing moved; by itself it would {action}"),
            (_, false) => {
                format!("it has listeners ({}), but nothing moved; a late reaction is told in the next reply; real: true would press it again with the browser's own input", listeners.types.join(", "))
            }
        });
    }
    verdict
}

/// Tabs that the action opened belong to the session.
fn adopt_tabs(context: &Context, verdict: &Verdict) {
    for tab in verdict.evidence.iter().filter_map(|item| item.tab) {
        context.session.adopt(tab);
    }
}

/// A link that broke after the dispatch is an outcome of its own: it may have happened.
pub(super) fn lost_or(error: CommandError, what: &str) -> Result<Reply, ToolError> {
    if error.message.starts_with(LOST) {
        let text = format!(
            "outcome: {} · {what} · {}\nIt may have happened. Take a snapshot before you try again; it was not sent again.",
            Outcome::Interrupted.word(),
            error.message
        );
        return Ok(Reply { outcome: Some(Outcome::Interrupted), ..Reply::text(text) });
    }
    Err(error.into())
}
