//! The snapshot and page text as an agent reads them.

use protocol::{FrameText, FrameTree, Node, Snapshot, Value};

use super::words::address;
use super::{Fence, quote, ref_word, state_word, tab_line};

/// Default budget of a snapshot in bytes, about 6,000 tokens.
pub const SNAPSHOT_BUDGET: usize = 24_000;

/// A text and how much of it was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// The text.
    pub text: String,
    /// Nodes (or characters) in all.
    pub total: usize,
    /// How many of them the budget left out.
    pub left_out: usize,
}

/// The tree of a tab as text, under a budget in bytes.
#[must_use]
pub fn snapshot(snapshot: &Snapshot, fence: &Fence, budget: usize) -> Rendered {
    let mut body = String::new();
    let mut total = 0;
    let mut left_out = 0;
    let mut at = Cursor { snapshot, budget, body: &mut body, total: &mut total, left_out: &mut left_out };
    if let Some(main) = snapshot.frames.first() {
        at.frame(main, 0);
    }
    let mut text = format!("{}\n{}", tab_line(&snapshot.tab), fence.around(&body));
    text.push_str(&format!("\n{total} nodes"));
    if left_out > 0 {
        text.push_str(&format!(
            ", {left_out} of them left out by the budget of {budget} bytes: the end of the page is missing. get_text with a target reads one part; click and type reach any node by role and name"
        ));
    }
    Rendered { text, total, left_out }
}

struct Cursor<'a> {
    snapshot: &'a Snapshot,
    budget: usize,
    body: &'a mut String,
    total: &'a mut usize,
    left_out: &'a mut usize,
}

impl Cursor<'_> {
    /// Frames nest a few deep, nodes thousands: only frames recurse.
    fn frame(&mut self, frame: &FrameTree, indent: usize) {
        for node in &frame.nodes {
            let depth = indent + node.depth as usize;
            let inside =
                node.frame.and_then(|id| self.snapshot.frames.iter().find(|other| other.frame == id && other.parent == Some(frame.frame)));
            self.line(&node_line(node, frame.doc, inside), depth);
            if let Some(inside) = inside {
                self.frame(inside, depth + 1);
            }
        }
        self.orphans(frame, indent);
    }

    /// Frames whose place in the parent is not known (not announced yet) are listed after it.
    fn orphans(&mut self, parent: &FrameTree, indent: usize) {
        let placed = |id: u32| parent.nodes.iter().any(|node| node.frame == Some(id));
        let snapshot = self.snapshot;
        for frame in snapshot.frames.iter().filter(|frame| frame.parent == Some(parent.frame) && !placed(frame.frame)) {
            let why = frame.unreadable.as_deref().map_or_else(String::new, |why| format!(" unreadable: {why}"));
            self.line(&format!("- iframe {}{why}", address(&frame.url)), indent);
            self.frame(frame, indent + 1);
        }
    }

    fn line(&mut self, line: &str, depth: usize) {
        *self.total += 1;
        let indent = depth.min(40) * 2;
        if *self.left_out > 0 || self.body.len() + indent + line.len() + 1 > self.budget {
            *self.left_out += 1;
            return;
        }
        self.body.extend(std::iter::repeat_n(' ', indent));
        self.body.push_str(line);
        self.body.push('\n');
    }
}

fn node_line(node: &Node, doc: u32, inside: Option<&FrameTree>) -> String {
    let mut line = format!("- {}", node.role);
    if let Some(name) = node.name.as_deref().filter(|name| !name.is_empty()) {
        line.push(' ');
        line.push_str(&quote(name));
    }
    if let Some(number) = node.node {
        line.push_str(&format!(" [{}]", ref_word(doc, number)));
    }
    if let Some(level) = node.level {
        line.push_str(&format!(" level={level}"));
    }
    for state in &node.states {
        line.push(' ');
        line.push_str(state_word(*state));
    }
    match &node.value {
        Some(Value::Plain { text }) if !text.is_empty() => line.push_str(&format!(" value={}", quote(text))),
        Some(Value::Secret { length }) => line.push_str(&format!(" value=<{length} characters, secret>")),
        Some(Value::Plain { .. }) | None => {}
    }
    if let Some(url) = &node.url {
        line.push_str(&format!(" → {}", address(url)));
    }
    if let Some(inside) = inside {
        line.push_str(&format!(" {}", address(&inside.url)));
        if let Some(why) = &inside.unreadable {
            line.push_str(&format!(" unreadable: {why}"));
        }
    }
    if let Some(why) = &node.opaque {
        line.push_str(&format!(" opaque: {why}"));
    }
    line
}

/// Visible text of frames, cut at a budget in bytes.
#[must_use]
pub fn text(frames: &[FrameText], fence: &Fence, budget: usize) -> Rendered {
    let mut body = String::new();
    for frame in frames {
        if frame.frame != 0 && frames.len() > 1 {
            body.push_str(&format!("\n[frame {}]\n", address(&frame.url)));
        }
        match &frame.unreadable {
            Some(why) => body.push_str(&format!("(unreadable: {why})\n")),
            None => body.push_str(frame.text.trim_end()),
        }
        body.push('\n');
    }
    let total = body.chars().count();
    let cut = floor_boundary(&body, budget);
    let left_out = body[cut..].chars().count();
    let mut text = fence.around(&body[..cut]);
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
