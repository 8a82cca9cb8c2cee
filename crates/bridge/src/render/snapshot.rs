//! The snapshot, its delta, and page text, as an agent reads them.

use protocol::{FrameText, Snapshot, Tab};

use super::cut::shorten;
use super::delta::Delta;
use super::line::Line;
use super::neutral::{Neutralised, plain};
use super::outline::Outline;
use super::words::{LONGEST, address, quote};
use super::{Fence, tab_line};

/// Default budget of a snapshot in bytes, about 6,000 tokens.
pub const SNAPSHOT_BUDGET: usize = 24_000;

/// A text and how much of it was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// The text.
    pub text: String,
    /// Lines (or characters) in all.
    pub total: usize,
    /// How many of them the budget left out.
    pub left_out: usize,
}

/// How a snapshot is to be shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct View {
    /// Its number.
    pub number: u32,
    /// Most bytes of the outline; `usize::MAX`: all of it.
    pub budget: usize,
    /// Only what can be acted on, and what is on top.
    pub interactive: bool,
    /// Only so many levels.
    pub depth: Option<u16>,
    /// The part in words: `the viewport`, `inside button "Go"`.
    pub part: Option<String>,
    /// Why it is a full one although a delta was asked for.
    pub full_because: Option<String>,
}

/// An outline as a reply.
#[must_use]
pub fn page(snapshot: &Snapshot, outline: &Outline, view: &View, fence: &Fence) -> Rendered {
    let mut notes = Vec::new();
    let mut lines: std::borrow::Cow<'_, [Line]> = outline.lines.as_slice().into();
    let mut on_top = outline.on_top;
    if view.interactive {
        let (kept, characters) = interactive(&lines, on_top);
        lines = kept.into();
        notes.push(format!(
            "interactive only: {characters} characters of text left out; snapshot without interactive, or get_text, reads them"
        ));
    }
    if let Some(depth) = view.depth {
        let kept: Vec<Line> = lines.iter().filter(|line| line.depth < depth).cloned().collect();
        on_top = kept.iter().position(|line| &*line.text == "page:").unwrap_or(0);
        let deeper = lines.len() - kept.len();
        if deeper > 0 {
            notes.push(format!("depth {depth}: {deeper} deeper lines left out; snapshot with a target goes on below it"));
        }
        lines = kept.into();
    }
    if outline.cut > 0 {
        notes.push(format!("{} texts cut at {LONGEST} characters; get_text with a target reads one whole", outline.cut));
    }
    let short = shorten(&lines, on_top, view.budget);
    let mut body = vanished(snapshot);
    body.push_str(&short.text);
    let mut text = head(&snapshot.tab, view.number);
    if let Some(why) = &view.full_because {
        text.push_str(&format!("\nfull, because {why}"));
    }
    text.push('\n');
    text.push_str(&fence.around(&body));
    if let Some(line) = outline.neutralised.line() {
        text.push('\n');
        text.push_str(&line);
    }
    let part = view.part.as_ref().map_or_else(String::new, |part| format!(" {part}"));
    text.push_str(&format!("\n{} nodes{part}", outline.nodes));
    let reasons: Vec<_> = snapshot.frames.iter().map(|frame| frame.unreadable.as_deref()).collect();
    text.push_str(&unread(&reasons));
    for note in &notes {
        text.push_str(&format!("\n{note}"));
    }
    if short.left_out > 0 {
        let (total, left_out, budget) = (lines.len(), short.left_out, view.budget);
        let greatest = short.call.as_ref().map_or_else(String::new, |call| format!("snapshot {call} shows the greatest part, "));
        text.push_str(&format!(
            "\n{left_out} of {total} lines left out by the budget of {budget} bytes: {}. {greatest}snapshot {{\"budget\":0}} all; click and type reach any node by role and name",
            short.roles
        ));
    }
    Rendered { text, total: lines.len(), left_out: short.left_out }
}

/// What changed since a snapshot, as a reply; `None` when the delta is larger than `budget`.
#[must_use]
pub fn changes(
    snapshot: &Snapshot,
    now: &Outline,
    base: &[Line],
    delta: &Delta,
    numbers: (u32, u32),
    fence: &Fence,
    budget: usize,
) -> Option<String> {
    let (since, number) = numbers;
    let (inside, left_out) = delta.text(base, budget);
    if left_out > 0 {
        return None;
    }
    let mut text = head(&snapshot.tab, number);
    text.push_str(&format!("\nsince snapshot {since}: {}", counts(delta)));
    let body = vanished(snapshot) + &inside;
    if !body.is_empty() {
        text.push('\n');
        text.push_str(&fence.around(&body));
    }
    if let Some(line) = now.neutralised.line().filter(|_| !inside.is_empty()) {
        text.push('\n');
        text.push_str(&line);
    }
    Some(text)
}

/// The `changes:` block of an action's reply, at most about `budget` bytes; false: some of them were left out.
#[must_use]
pub fn changes_block(
    snapshot: &Snapshot,
    base: &[Line],
    delta: &Delta,
    numbers: (u32, u32),
    fence: &Fence,
    budget: usize,
) -> (String, bool) {
    let (since, number) = numbers;
    let (inside, left_out) = delta.text(base, budget);
    let body = vanished(snapshot) + &inside;
    let whole = left_out == 0;
    let now = if whole && !delta.is_empty() { format!(", now snapshot {number}") } else { String::new() };
    let mut text = format!("changes: {} since snapshot {since}{now}", counts(delta));
    if !body.is_empty() {
        text.push('\n');
        text.push_str(&fence.around(&body));
    }
    if left_out > 0 {
        text.push_str(&format!("\n{left_out} changes left out; snapshot {{\"since\":{since}}} tells all"));
    }
    (text, whole)
}

fn counts(delta: &Delta) -> String {
    if delta.is_empty() {
        return "none".to_owned();
    }
    let (added, removed, changed) = delta.counts();
    let words = [(added, "added"), (removed, "removed"), (changed, "changed")];
    words.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect::<Vec<_>>().join(", ")
}

/// What is said when not every frame could be read.
///
/// `reasons` holds one entry a frame, the main one first.
fn unread(reasons: &[Option<&str>]) -> String {
    let count = reasons.iter().flatten().count();
    match (count, reasons.first()) {
        (0, _) => String::new(),
        (_, Some(Some(why))) => format!("\npartial: the page itself could not be read: {why}"),
        _ => format!("\npartial: {count} of {} frames could not be read", reasons.len()),
    }
}

fn head(tab: &Tab, number: u32) -> String {
    format!("{} · snapshot {number}", tab_line(tab))
}

/// Toasts that came and went since the last snapshot.
fn vanished(snapshot: &Snapshot) -> String {
    let mut out = String::new();
    for gone in snapshot.frames.iter().flat_map(|frame| &frame.vanished) {
        let role: String = gone.role.chars().filter(char::is_ascii_lowercase).take(20).collect();
        out.push_str(&format!("appeared and went: {role} {} {:.1} s ago\n", quote(&gone.text), gone.ago_ms / 1000.0));
    }
    out
}

/// Lines with refs, frames, and what is on top; the depth counts what is kept. Also the characters of text left out.
fn interactive(lines: &[Line], on_top: usize) -> (Vec<Line>, usize) {
    let mut kept = Vec::new();
    let mut characters = 0;
    let mut open: Vec<u16> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        while open.pop_if(|depth| *depth >= line.depth).is_some() {}
        if at < on_top || line.key.is_some() || matches!(line.role(), "iframe" | "page") {
            let depth = u16::try_from(open.len()).unwrap_or(u16::MAX);
            kept.push(Line { depth, ..line.clone() });
            open.push(line.depth);
        } else {
            characters += line.text.split('"').skip(1).step_by(2).map(|text| text.chars().count()).sum::<usize>();
        }
    }
    (kept, characters)
}

/// Visible text of frames, cut at a budget in bytes.
#[must_use]
pub fn text(frames: &[FrameText], fence: &Fence, budget: usize) -> Rendered {
    let mut body = String::new();
    let mut found = Neutralised::default();
    for frame in frames {
        if frame.frame != 0 && frames.len() > 1 {
            body.push_str(&format!("\n[frame {}]\n", address(&frame.url)));
        }
        match &frame.unreadable {
            Some(why) => body.push_str(&format!("(unreadable: {why})\n")),
            None => {
                let (plain, hidden) = plain(frame.text.trim_end());
                found = found.and(hidden);
                body.push_str(&plain);
            }
        }
        body.push('\n');
        found.lone += frame.lone.unwrap_or(0);
    }
    let total = body.chars().count();
    let cut = floor_boundary(&body, budget);
    let left_out = body[cut..].chars().count();
    let mut text = fence.around(&body[..cut]);
    if let Some(line) = found.line() {
        text.push('\n');
        text.push_str(&line);
    }
    let reasons: Vec<_> = frames.iter().map(|frame| frame.unreadable.as_deref()).collect();
    text.push_str(&unread(&reasons));
    if left_out > 0 {
        text.push_str(&format!("\ncut: {} of {total} characters shown; get_text with a target reads one part", total - left_out));
    }
    Rendered { text, total, left_out }
}

/// The last character boundary at or before `at`.
fn floor_boundary(text: &str, at: usize) -> usize {
    if at >= text.len() {
        return text.len();
    }
    (0..=at).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0)
}
