//! The tree of a tab as lines: what is on top first (open dialogs, alerts, live regions), then the page; each text once.

use std::collections::HashMap;

use protocol::{FrameTree, Node, Snapshot, State, Value};

use super::line::{Line, ends};
use super::link::destination;
use super::neutral::Neutralised;
use super::table::Columns;
use super::words::{LONGEST, address, push_quoted};
use super::{ref_word, state_word};
use crate::redact;

/// Live regions without a wish of their own are moved up to this many.
const MOST_STATUS: usize = 12;

/// A tree as lines.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outline {
    /// In order: with `on top:` and `page:` lines when something is on top.
    pub lines: Vec<Line>,
    /// How many of the lines stand on top, their heading included.
    pub on_top: usize,
    /// Nodes behind the lines.
    pub nodes: usize,
    /// Texts that were cut at [`LONGEST`] characters.
    pub cut: usize,
    /// What was made harmless.
    pub neutralised: Neutralised,
}

/// The whole tree, or only what `within` marks.
#[must_use]
pub fn outline(snapshot: &Snapshot, marked: bool) -> Outline {
    let marked_top = snapshot.frames.iter().find(|frame| frame.within.is_some());
    let mut builder = Builder {
        snapshot,
        frames: snapshot.frames.iter().map(|frame| (frame.frame, frame)).collect(),
        marked,
        out: Outline::default(),
        top: Vec::new(),
        status: 0,
    };
    let mut page = Vec::new();
    if let Some(first) = if marked { marked_top } else { snapshot.frames.first() } {
        builder.frame(first, 0, &mut page);
    }
    let Builder { mut out, top, .. } = builder;
    out.neutralised.lone += snapshot.frames.iter().filter_map(|frame| frame.lone).sum::<u32>();
    if top.is_empty() {
        out.lines = page;
    } else {
        let heading = |text: &str| Line { depth: 0, key: None, text: text.into() };
        out.lines = Vec::with_capacity(top.len() + page.len() + 2);
        out.lines.push(heading("on top:"));
        out.lines.extend(top);
        out.on_top = out.lines.len();
        out.lines.push(heading("page:"));
        out.lines.extend(page);
    }
    redact::mask_lines(out.lines.iter_mut().filter(|line| line.key.is_none()).map(|line| &mut line.text));
    out
}

pub(super) struct Builder<'a> {
    snapshot: &'a Snapshot,
    frames: HashMap<u32, &'a FrameTree>,
    marked: bool,
    out: Outline,
    top: Vec<Line>,
    status: usize,
}

/// A frame's nodes with their shape.
pub(super) struct Shape<'a> {
    pub(super) frame: &'a FrameTree,
    pub(super) nodes: &'a [Node],
    pub(super) ends: Vec<usize>,
    /// Marked nodes, when only those are wanted.
    wanted: Option<Vec<bool>>,
}

impl Shape<'_> {
    fn is_wanted(&self, at: usize) -> bool {
        self.wanted.as_ref().is_none_or(|wanted| wanted.get(at).copied().unwrap_or(false))
    }

    /// Indices of the children.
    pub(super) fn children(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.ends[at];
        std::iter::successors((at + 1 < end).then_some(at + 1), move |child| Some(self.ends[*child]).filter(|next| *next < end))
    }

    /// The text run that is all there is inside a node.
    fn only_text(&self, at: usize) -> Option<&str> {
        let child = self.nodes.get(at + 1)?;
        (self.ends[at] == at + 2 && child.role == "text" && child.node.is_none() && self.is_wanted(at + 1)).then_some(())?;
        child.name.as_deref()
    }
}

impl<'a> Builder<'a> {
    /// Frames nest a few deep, nodes thousands: only frames recurse.
    fn frame(&mut self, frame: &'a FrameTree, indent: u32, page: &mut Vec<Line>) {
        let nodes = frame.nodes.as_slice();
        let wanted = frame.within.as_ref().filter(|_| self.marked).map(|pairs| wanted(nodes.len(), pairs));
        let base = wanted.as_ref().and_then(|wanted| wanted.iter().position(|wanted| *wanted)).map_or(0, |first| nodes[first].depth);
        let shape = Shape { frame, nodes, ends: ends(nodes.iter().map(|node| node.depth)), wanted };
        let shift = i64::from(indent) - i64::from(base);
        self.range(&shape, 0, nodes.len(), shift, Place::Page { tables: 0 }, page);
        self.orphans(frame, indent, page);
    }

    /// Frames whose place in the parent is not known (not announced yet) are listed after it.
    fn orphans(&mut self, parent: &FrameTree, indent: u32, page: &mut Vec<Line>) {
        if self.marked {
            return;
        }
        let snapshot = self.snapshot;
        let mut lost = snapshot.frames.iter().filter(|frame| frame.parent == Some(parent.frame)).peekable();
        if lost.peek().is_none() {
            return;
        }
        let placed: Vec<u32> = parent.nodes.iter().filter_map(|node| node.frame).collect();
        for frame in lost.filter(|frame| !placed.contains(&frame.frame)) {
            let why = frame.unreadable.as_deref().map_or_else(String::new, |why| format!(" unreadable: {why}"));
            page.push(line(indent, None, format!("- iframe {}{why}", address(&frame.url))));
            self.out.nodes += 1;
            self.frame(frame, indent + 1, page);
        }
    }

    /// Lines of the nodes from `start` to `end`; `shift` is added to their depth.
    pub(super) fn range(&mut self, shape: &Shape<'a>, start: usize, end: usize, shift: i64, place: Place, page: &mut Vec<Line>) {
        let mut tables: Vec<Columns> = Vec::new();
        let mut at = start;
        while at < end {
            let node = &shape.nodes[at];
            if !shape.is_wanted(at) {
                at += 1;
                continue;
            }
            while tables.pop_if(|table| table.end <= at).is_some() {}
            let in_table = matches!(place, Place::Page { tables } if tables > 0) || !tables.is_empty();
            if matches!(place, Place::Page { .. }) && !in_table && self.goes_up(shape, at) {
                let mut lines = Vec::new();
                let up = -i64::from(node.depth);
                self.range(shape, at, shape.ends[at], up, Place::Top, &mut lines);
                if let Some(first) = lines.first_mut() {
                    first.text = with_place(&first.text, &place_of(shape, at, self.snapshot.frames.first()));
                }
                self.top.append(&mut lines);
                at = shape.ends[at];
                continue;
            }
            let depth = u32::try_from(i64::from(node.depth) + shift).unwrap_or(0);
            if node.role == "row" && !shape.is_partial(at) {
                let columns = tables.last().filter(|table| table.end > at);
                let inner = match place {
                    Place::Top => Place::Top,
                    Place::Page { tables } => Place::Page { tables: tables + 1 },
                };
                self.row(shape, at, depth, columns, inner, page);
                at = shape.ends[at];
                continue;
            }
            if matches!(node.role.as_str(), "table" | "grid" | "treegrid") {
                tables.push(Columns::of(shape, at));
            }
            at = self.plain(shape, at, depth, page);
        }
    }

    /// The line of one node, and of the frame in it; returns the index after what it told.
    fn plain(&mut self, shape: &Shape<'a>, at: usize, depth: u32, page: &mut Vec<Line>) -> usize {
        let node = &shape.nodes[at];
        let inside = node.frame.and_then(|id| self.frames.get(&id).copied()).filter(|other| other.parent == Some(shape.frame.frame));
        let mut text = self.node_text(node, shape.frame, inside);
        self.out.nodes += 1;
        let mut next = at + 1;
        if node.name.as_deref().is_none_or(str::is_empty)
            && let Some(only) = shape.only_text(at)
        {
            text.push_str(": ");
            self.push_text(&mut text, only);
            self.out.nodes += 1;
            next += 1;
        }
        page.push(line(depth, node.node.map(|number| (shape.frame.doc, number)), text));
        if let Some(inside) = inside {
            self.frame(inside, depth + 1, page);
        }
        next
    }

    /// A text of the page in quotes, counted.
    pub(super) fn push_text(&mut self, out: &mut String, text: &str) {
        self.out.neutralised.count(text);
        if text.len() > LONGEST && text.chars().nth(LONGEST).is_some() {
            self.out.cut += 1;
        }
        push_quoted(out, &redact::prose(text));
    }

    /// One node counted without a line of its own.
    pub(super) fn count_node(&mut self) {
        self.out.nodes += 1;
    }

    pub(super) fn node_text(&mut self, node: &Node, frame: &FrameTree, inside: Option<&FrameTree>) -> String {
        let mut text = format!("- {}", node.role);
        if let Some(name) = node.name.as_deref().filter(|name| !name.is_empty()) {
            text.push(' ');
            self.push_text(&mut text, name);
        }
        if let Some(number) = node.node {
            text.push_str(" [");
            text.push_str(&ref_word(frame.doc, number));
            text.push(']');
        }
        if let Some(level) = node.level {
            text.push_str(&format!(" level={level}"));
        }
        // A box without a word is not checked.
        for state in node.states.iter().filter(|state| **state != State::Unchecked) {
            text.push(' ');
            text.push_str(state_word(*state));
        }
        match &node.value {
            Some(Value::Plain { text: value }) if !value.is_empty() => {
                text.push_str(" value=");
                self.push_text(&mut text, value);
            }
            Some(Value::Secret { length }) => text.push_str(&format!(" value=<{length} characters, secret>")),
            Some(Value::Plain { .. }) | None => {}
        }
        if let Some(url) = node.url.as_deref().filter(|_| inside.is_none()) {
            text.push_str(" → ");
            text.push_str(&destination(url, &frame.url));
        }
        if let Some(inside) = inside {
            text.push_str(&format!(" {}", destination(&inside.url, &frame.url)));
            if let Some(why) = &inside.unreadable {
                text.push_str(&format!(" unreadable: {why}"));
            }
        }
        if let Some(why) = &node.opaque {
            text.push_str(&format!(" opaque: {why}"));
        }
        text
    }

    /// Whether the node is told before the page: an open dialog, an alert, a status that says something.
    fn goes_up(&mut self, shape: &Shape<'_>, at: usize) -> bool {
        let node = &shape.nodes[at];
        match node.role.as_str() {
            "dialog" | "alertdialog" => true,
            "alert" | "status" => {
                let says = node.name.is_some() || shape.ends[at] > at + 1;
                self.status += usize::from(says);
                says && self.status <= MOST_STATUS
            }
            _ => false,
        }
    }
}

/// Where lines go.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place {
    /// To the block on top.
    Top,
    /// To the page, inside this many tables.
    Page {
        /// Tables around.
        tables: u32,
    },
}

impl Shape<'_> {
    /// Whether only some of a node's inside is wanted.
    fn is_partial(&self, at: usize) -> bool {
        self.wanted.as_ref().is_some_and(|wanted| wanted[at..self.ends[at]].iter().any(|wanted| !wanted))
    }
}

fn wanted(count: usize, pairs: &[u32]) -> Vec<bool> {
    let mut wanted = vec![false; count];
    for pair in pairs.chunks_exact(2) {
        let (from, to) = (pair[0] as usize, (pair[1] as usize).min(count));
        if from < to {
            wanted[from..to].fill(true);
        }
    }
    wanted
}

/// The nearest named part of the page around a node, and the frame it is in: what is moved up keeps its place in words.
fn place_of(shape: &Shape<'_>, at: usize, main: Option<&FrameTree>) -> String {
    let mut depth = shape.nodes[at].depth;
    let mut place = String::new();
    for node in shape.nodes[..at].iter().rev() {
        if node.depth >= depth {
            continue;
        }
        depth = node.depth;
        if let Some(name) = node.name.as_deref().filter(|name| !name.is_empty()) {
            place = format!("{} ", node.role);
            push_quoted(&mut place, name);
            break;
        }
    }
    if main.is_some_and(|main| main.frame != shape.frame.frame) {
        place.push_str(if place.is_empty() { "iframe " } else { " of iframe " });
        place.push_str(&address(&shape.frame.url));
    }
    place
}

/// A line that also says in which part of the page the node is: `- alert (in region "Pay"): "Declined"`.
fn with_place(text: &str, place: &str) -> Box<str> {
    if place.is_empty() {
        return text.into();
    }
    let roles = ["- alert", "- status"];
    match roles.iter().find_map(|role| text.strip_prefix(role).map(|rest| (role, rest))) {
        Some((role, rest)) if rest.starts_with(": ") => format!("{role} (in {place}){rest}").into(),
        _ => format!("{text} (in {place})").into(),
    }
}

/// A line.
pub(super) fn line(depth: u32, key: Option<(u32, u32)>, text: String) -> Line {
    Line { depth: u16::try_from(depth).unwrap_or(u16::MAX), key, text: text.into_boxed_str() }
}
