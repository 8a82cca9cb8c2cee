//! What stays of an outline under a budget: long runs of siblings lose their middle before the end of the page is lost.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::line::{Line, ends};

/// How many siblings stay, tried in turn until the rest fits.
const KEPT: [usize; 13] = [400, 200, 120, 80, 50, 30, 20, 14, 10, 7, 5, 4, LEAST];
/// Fewer siblings than this say nothing of a run.
const LEAST: usize = 3;
/// Bytes of a line that stands for what is left out, about.
const GAP: usize = 50;
/// The last line, when the end had to go.
const REST: &str = "… the rest is left out\n";
/// Pages with more headings than this may lose some of them.
const MANY_HEADINGS: usize = 150;

/// An outline under a budget.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shortened {
    /// The text, each line ended.
    pub text: String,
    /// Lines left out.
    pub left_out: usize,
    /// What was left out: roles with their counts, most first.
    pub roles: String,
    /// Arguments of `snapshot` that show the greatest part of it, when that part has a name.
    pub call: Option<String>,
}

/// The outline as text in at most `budget` bytes (about: lines that stand for gaps are counted roughly, then cut exactly).
#[must_use]
pub fn shorten(lines: &[Line], on_top: usize, budget: usize) -> Shortened {
    let bytes: usize = lines.iter().map(Line::bytes).sum();
    if bytes <= budget {
        let mut text = String::with_capacity(bytes);
        lines.iter().for_each(|line| line.push_to(&mut text));
        return Shortened { text, ..Shortened::default() };
    }
    let shape = Shape::of(lines, on_top);
    let mut short = Shortened::default();
    for kept in KEPT.into_iter().filter(|&kept| kept == LEAST || shape.bytes(lines, kept) <= budget) {
        let whole;
        (short, whole) = write(lines, &shape, kept, budget);
        if whole {
            break;
        }
    }
    short
}

struct Shape {
    ends: Vec<usize>,
    /// Line above each, by index plus one; 0 for none.
    parents: Vec<usize>,
    /// Place of each among its siblings, headings not counted.
    places: Vec<usize>,
    /// Siblings below each parent (index plus one), headings not counted.
    counts: Vec<usize>,
    /// Lines that stay while anything stays.
    fixed: Vec<bool>,
}

impl Shape {
    fn of(lines: &[Line], on_top: usize) -> Self {
        let ends = ends(lines.iter().map(|line| u32::from(line.depth)));
        let headings = lines.iter().filter(|line| line.role() == "heading").count();
        let mut parents = vec![0; lines.len()];
        let mut places = vec![0; lines.len()];
        let mut counts = vec![0; lines.len() + 1];
        let mut fixed = vec![false; lines.len()];
        let mut open: Vec<usize> = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            while open.pop_if(|above| ends[*above] <= at).is_some() {}
            let parent = open.last().map_or(0, |above| above + 1);
            parents[at] = parent;
            fixed[at] = (headings <= MANY_HEADINGS && line.role() == "heading")
                || (parent == 0 && (at < on_top || &*line.text == "page:"))
                || line.text.contains(" of columns: ");
            if !fixed[at] {
                places[at] = counts[parent];
                counts[parent] += 1;
            }
            open.push(at);
        }
        Self { ends, parents, places, counts, fixed }
    }

    /// Whether a line goes, with all below it, when this many siblings stay.
    fn goes(&self, at: usize, kept: usize) -> bool {
        let count = self.counts[self.parents[at]];
        let tail = kept / 4;
        !self.fixed[at] && count > kept + 1 && (kept - tail..count - tail).contains(&self.places[at])
    }

    fn bytes(&self, lines: &[Line], kept: usize) -> usize {
        let mut bytes = 0;
        let mut at = 0;
        let mut gap = usize::MAX;
        while at < lines.len() {
            if self.goes(at, kept) {
                if gap != at {
                    bytes += GAP + lines[at].indent();
                }
                at = self.ends[at];
                gap = at;
            } else {
                bytes += lines[at].bytes();
                at += 1;
            }
        }
        bytes
    }
}

/// Lines left out at one place.
struct Gap {
    from: usize,
    to: usize,
}

/// The text, and whether the end of the page is in it.
fn write(lines: &[Line], shape: &Shape, kept: usize, budget: usize) -> (Shortened, bool) {
    let mut out = Shortened::default();
    let mut whole = true;
    let mut roles: BTreeMap<&str, usize> = BTreeMap::new();
    let mut greatest: Option<Gap> = None;
    let mut leave = |from: usize, to: usize| {
        for line in &lines[from..to] {
            *roles.entry(line.role()).or_default() += 1;
        }
        if greatest.as_ref().is_none_or(|gap| gap.to - gap.from < to - from) {
            greatest = Some(Gap { from, to });
        }
    };
    let mut at = 0;
    while at < lines.len() {
        if out.text.len() + lines[at].bytes() + REST.len() > budget {
            whole = false;
            leave(at, lines.len());
            out.left_out += lines.len() - at;
            out.text.push_str(REST);
            break;
        }
        if !shape.goes(at, kept) {
            lines[at].push_to(&mut out.text);
            at += 1;
            continue;
        }
        let from = at;
        let mut tops: BTreeMap<&str, usize> = BTreeMap::new();
        while at < lines.len() && lines[at].depth == lines[from].depth && shape.goes(at, kept) {
            *tops.entry(lines[at].role()).or_default() += 1;
            at = shape.ends[at];
        }
        leave(from, at);
        out.left_out += at - from;
        out.text.extend(std::iter::repeat_n(' ', lines[from].indent()));
        let _ = writeln!(out.text, "… left out here: {}", counted(&tops, 3));
    }
    out.roles = counted(&roles, 6);
    out.call = greatest.and_then(|gap| call_for(lines, shape, &gap));
    (out, whole)
}

/// `1,200 row, 300 link`: the most frequent first.
fn counted(roles: &BTreeMap<&str, usize>, most: usize) -> String {
    let mut sorted: Vec<(&str, usize)> = roles.iter().map(|(role, count)| (*role, *count)).collect();
    sorted.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let rest: usize = sorted.iter().skip(most).map(|(_, count)| count).sum();
    let mut words: Vec<String> = sorted.iter().take(most).map(|(role, count)| format!("{count} {role}")).collect();
    if rest > 0 {
        words.push(format!("{rest} more"));
    }
    words.join(", ")
}

/// A name that may stand outside of the fence: short, whole, of plain words.
fn is_harmless(name: &str) -> bool {
    name.len() <= 60 && name.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '"' | '-' | '.' | ',' | ':'))
}

/// Arguments that show what a gap left out: the named or numbered line around it, or the first such line in it.
fn call_for(lines: &[Line], shape: &Shape, gap: &Gap) -> Option<String> {
    let around = shape.parents[gap.from].checked_sub(1);
    let inner = (gap.from..gap.to).find(|&at| shape.ends[at] > at + 1);
    [around, inner].into_iter().flatten().find_map(|at| {
        let line = &lines[at];
        match (line.ref_word(), line.name()) {
            (Some(word), _) => Some(format!(r#"{{"target":{{"ref":"{word}"}}}}"#)),
            (None, Some(name)) if is_harmless(name) => Some(format!(r#"{{"target":{{"role":"{}","name":{name}}}}}"#, line.role())),
            _ => None,
        }
    })
}
