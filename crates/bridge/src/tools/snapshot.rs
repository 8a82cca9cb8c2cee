//! `snapshot` and `get_text`.

use async_trait::async_trait;
use protocol::{ErrorCode, SnapshotText, TextResult};
use schemars::JsonSchema;
use serde::Deserialize;

use super::changes;
use super::reading::TabCall;
use super::target::{TargetParam, own_tab};
use super::tool::{Access, Context, Group, Reply, Tool, ToolError, aside};
use super::trees;
use crate::browser::BrowserCall as _;
use crate::render::View;
use crate::{redact, render};

/// Smallest budget in bytes: less shows nothing of use.
const LEAST_BUDGET: u32 = 500;
/// Greatest depth.
const MOST_DEPTH: u16 = 200;

/// Arguments of `snapshot`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SnapshotParams {
    /// Default: current.
    tab: Option<u32>,
    /// Only this part of the page.
    target: Option<TargetParam>,
    /// Only what can be acted on, with alerts and dialogs.
    #[serde(default)]
    interactive: bool,
    /// Only what is in the viewport.
    #[serde(default)]
    viewport: bool,
    /// Only so many levels of the outline.
    depth: Option<u16>,
    /// Most bytes; default 24000, 0: all.
    budget: Option<u32>,
    /// Number of an earlier snapshot (0: the last one): only what changed since.
    since: Option<u32>,
}

impl SnapshotParams {
    /// How to show it; the number comes later.
    fn view(&self) -> Result<View, ToolError> {
        let wrong = |what: String, next: &str| Err(ToolError::new(ErrorCode::InvalidArgument, what).with_next(next));
        let budget = match self.budget {
            None => render::SNAPSHOT_BUDGET,
            Some(0) => usize::MAX,
            Some(budget) if budget < LEAST_BUDGET => {
                return wrong(format!("budget {budget} is less than {LEAST_BUDGET} bytes"), "Give 0 for all, or more");
            }
            Some(budget) => budget as usize,
        };
        if self.depth.is_some_and(|depth| depth == 0 || depth > MOST_DEPTH) {
            return wrong(format!("depth is 1 to {MOST_DEPTH}"), "Leave it out for all levels");
        }
        if self.target.is_some() && self.viewport {
            return wrong("target and viewport name two parts".to_owned(), "Give one of them");
        }
        if self.since.is_some() && (self.target.is_some() || self.viewport || self.interactive || self.depth.is_some()) {
            return wrong("since compares whole pages".to_owned(), "Leave out target, viewport, interactive and depth");
        }
        Ok(View { budget, interactive: self.interactive, depth: self.depth, ..View::default() })
    }
}

/// See its description.
pub(super) struct Snapshot;

#[async_trait]
impl Tool for Snapshot {
    const NAME: &'static str = "snapshot";
    const DESCRIPTION: &'static str = "Read the page as an outline of roles, names, states and values, all frames and shadow roots included, with a ref for everything that can be acted on (a box without `checked` is not checked). Long pages are shortened to a budget; the last line says what was left out and how to read it.";
    const GROUP: Group = Group::Snapshot;
    const ACCESS: Access = Access::Reads;
    type Params = SnapshotParams;

    async fn call(context: &Context, params: SnapshotParams) -> Result<Reply, ToolError> {
        let mut view = params.view()?;
        let named = params.target.as_ref().map(TargetParam::resolve).transpose()?;
        let tab = own_tab(context, params.tab)?;
        let call = TabCall::begin(context, tab).await;
        view.part = match &named {
            Some((_, words)) => Some(format!("inside {words}")),
            None => params.viewport.then(|| "in the viewport".to_owned()),
        };
        let result =
            match trees::take(&context.desk, &context.cancel, trees::wanted(tab, named.map(|(target, _)| target), params.viewport)).await {
                Ok(snapshot) => {
                    let reply = aside(|| shown(context, tab, params.since, view, &snapshot));
                    context.desk.trees.keep(tab, snapshot.frames);
                    reply
                }
                Err(error) => Err(error.into()),
            };
        Ok(call.settle(result).await)
    }
}

fn shown(context: &Context, tab: u32, since: Option<u32>, mut view: View, snapshot: &protocol::Snapshot) -> Result<Reply, ToolError> {
    if let Some(refusal) = &snapshot.refused {
        return Err(render::refusal(refusal));
    }
    view.number = context.desk.seen.next_number();
    let fence = render::Fence::new();
    let whole = render::outline(snapshot, false);
    let mut text = None;
    if let Some(since) = since {
        let (delta, why) = delta_since(context, tab, since, &view, snapshot, &whole, &fence);
        (text, view.full_because) = (delta, why);
    }
    let text = text.unwrap_or_else(|| {
        if view.part.is_some() {
            render::page(snapshot, &render::outline(snapshot, true), &view, &fence).text
        } else {
            render::page(snapshot, &whole, &view, &fence).text
        }
    });
    changes::keep(context, tab, view.number, snapshot, whole);
    Ok(Reply::text(text))
}

/// The delta as a reply, or why there is none.
fn delta_since(
    context: &Context,
    tab: u32,
    since: u32,
    view: &View,
    snapshot: &protocol::Snapshot,
    now: &render::Outline,
    fence: &render::Fence,
) -> (Option<String>, Option<String>) {
    let (seen, session) = (&context.desk.seen, context.session.id());
    let Some(base) = (if since == 0 { seen.latest(session, tab) } else { seen.base(session, tab, since) }) else {
        let what = if since == 0 { "no snapshot".to_owned() } else { format!("snapshot {since}") };
        return (None, Some(format!("{what} of this tab is not known any more")));
    };
    if base.doc != changes::main_doc(snapshot) {
        return (None, Some(format!("the page is another document since snapshot {}", base.number)));
    }
    let delta = changes::between(&base, now);
    let size = now.lines.iter().map(render::Line::bytes).sum::<usize>();
    match render::changes(snapshot, now, &base.lines, &delta, (base.number, view.number), fence, view.budget.min(size)) {
        Some(text) => (Some(text), None),
        None => (None, Some("the changes are larger than the page".to_owned())),
    }
}

/// Arguments of `get_text`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GetTextParams {
    /// Only this part; default: the whole page with its frames.
    target: Option<TargetParam>,
    /// Default: current.
    tab: Option<u32>,
}

/// See its description.
pub(super) struct GetText;

#[async_trait]
impl Tool for GetText {
    const NAME: &'static str = "get_text";
    const DESCRIPTION: &'static str = "Read the visible text of the page, or of one element. Scripts, styles and hidden text are left out.";
    const GROUP: Group = Group::Snapshot;
    const ACCESS: Access = Access::Reads;
    type Params = GetTextParams;

    async fn call(context: &Context, params: GetTextParams) -> Result<Reply, ToolError> {
        let target = params.target.map(|target| target.resolve()).transpose()?.map(|(target, _)| target);
        let tab = own_tab(context, params.tab)?;
        let call = TabCall::begin(context, tab).await;
        let result = match context.desk.browser.call(SnapshotText { tab, target }, &context.cancel).await {
            Ok(TextResult::Read { tab, frames }) => Ok(aside(|| {
                let rendered = render::text(&frames, &render::Fence::new(), render::SNAPSHOT_BUDGET);
                Reply::text(format!("{}\n{}", render::tab_line(&tab), redact::prose(&redact::secret_lines(&rendered.text))))
            })),
            Ok(TextResult::Refused { refusal }) => Err(render::refusal(&refusal)),
            Err(error) => Err(error.into()),
        };
        Ok(call.settle(result).await)
    }
}
