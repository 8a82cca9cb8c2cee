//! What changed between two outlines: found, applied, told.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::time::Instant;

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use super::line::Line;

/// Longest name of a place above a change, in characters.
const LONGEST_PLACE: usize = 60;

/// One line's change. `Change` and `Remove` use up a line of the base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// The line is new.
    Add(Line),
    /// The line is gone; this is what it was.
    Remove(Line),
    /// The line is now this.
    Change(Line),
}

/// Edits at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// Index in the base where it begins.
    pub at: usize,
    /// In order.
    pub edits: Vec<Edit>,
}

/// All that makes the new outline out of the base.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Delta {
    /// In order of the base.
    pub hunks: Vec<Hunk>,
}

/// The delta from `base` to `now`. A line with a ref is the same line while its ref and depth are; others while their text is.
/// After `until` the first way that is found is taken: as right, but maybe longer.
#[must_use]
pub fn diff(base: &[Line], now: &[Line], until: Option<Instant>) -> Delta {
    let head = base.iter().zip(now).take_while(|(a, b)| a == b).count();
    let tail = base[head..].iter().rev().zip(now[head..].iter().rev()).take_while(|(a, b)| a == b).count();
    let (old, new) = (&base[head..base.len() - tail], &now[head..now.len() - tail]);
    let mut delta = Delta::default();
    if old.is_empty() && new.is_empty() {
        return delta;
    }
    let mut tokens: HashMap<Token<'_>, u32> = HashMap::with_capacity(old.len() + new.len());
    let old_ids: Vec<u32> = old.iter().map(|line| id(&mut tokens, line)).collect();
    let new_ids: Vec<u32> = new.iter().map(|line| id(&mut tokens, line)).collect();
    for op in capture_diff_slices_deadline(Algorithm::Myers, &old_ids, &new_ids, until) {
        match op {
            DiffOp::Equal { old_index, new_index, len } => {
                for step in 0..len {
                    // The same node; it may say something else now.
                    let line = &new[new_index + step];
                    if old[old_index + step] != *line {
                        delta.push(head + old_index + step, Edit::Change(line.clone()));
                    }
                }
            }
            DiffOp::Delete { old_index, old_len, .. } => delta.replace(head + old_index, &old[old_index..old_index + old_len], &[]),
            DiffOp::Insert { old_index, new_index, new_len } => delta.replace(head + old_index, &[], &new[new_index..new_index + new_len]),
            DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                delta.replace(head + old_index, &old[old_index..old_index + old_len], &new[new_index..new_index + new_len]);
            }
        }
    }
    delta
}

/// What makes a line the same line in two outlines.
#[derive(PartialEq, Eq, Hash)]
enum Token<'a> {
    Node(u16, (u32, u32)),
    Text(u16, &'a str),
}

fn id<'a>(tokens: &mut HashMap<Token<'a>, u32>, line: &'a Line) -> u32 {
    let token = match line.key {
        Some(key) => Token::Node(line.depth, key),
        None => Token::Text(line.depth, &line.text),
    };
    let next = u32::try_from(tokens.len()).unwrap_or(u32::MAX);
    *tokens.entry(token).or_insert(next)
}

/// The outline that `delta` makes out of `base`.
#[must_use]
pub fn apply(base: &[Line], delta: &Delta) -> Vec<Line> {
    let mut out = Vec::with_capacity(base.len());
    let mut at = 0;
    for hunk in &delta.hunks {
        out.extend_from_slice(base.get(at..hunk.at).unwrap_or_default());
        at = hunk.at;
        for edit in &hunk.edits {
            match edit {
                Edit::Add(line) => out.push(line.clone()),
                Edit::Change(line) => {
                    out.push(line.clone());
                    at += 1;
                }
                Edit::Remove(_) => at += 1,
            }
        }
    }
    out.extend_from_slice(base.get(at..).unwrap_or_default());
    out
}

impl Delta {
    /// Whether nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.hunks.is_empty()
    }

    /// How many lines were added, removed, changed.
    #[must_use]
    pub fn counts(&self) -> (usize, usize, usize) {
        let mut counts = (0, 0, 0);
        for edit in self.hunks.iter().flat_map(|hunk| &hunk.edits) {
            match edit {
                Edit::Add(_) => counts.0 += 1,
                Edit::Remove(_) => counts.1 += 1,
                Edit::Change(_) => counts.2 += 1,
            }
        }
        counts
    }

    /// The delta as text: for each place `@LINE in PLACE`, then lines with `+`, `-` and `~`; LINE counts the lines of the base from 1.
    /// At most about `budget` bytes; the second value is how many edits were left out.
    #[must_use]
    pub fn text(&self, base: &[Line], budget: usize) -> (String, usize) {
        let mut out = String::new();
        let mut left_out = 0;
        for hunk in &self.hunks {
            let mut head = format!("@{}{}\n", hunk.at + 1, place(base, hunk));
            for edit in &hunk.edits {
                let (sign, line) = match edit {
                    Edit::Add(line) => ('+', line),
                    Edit::Remove(line) => ('-', line),
                    Edit::Change(line) => ('~', line),
                };
                if left_out > 0 || out.len() + head.len() + line.bytes() + 2 > budget {
                    left_out += 1;
                    continue;
                }
                out.push_str(&std::mem::take(&mut head));
                out.push(sign);
                out.push(' ');
                line.push_to(&mut out);
            }
        }
        (out, left_out)
    }

    fn push(&mut self, at: usize, edit: Edit) {
        if let Some(last) = self.hunks.last_mut() {
            let used = last.edits.iter().filter(|edit| !matches!(edit, Edit::Add(_))).count();
            if last.at + used == at {
                last.edits.push(edit);
                return;
            }
        }
        self.hunks.push(Hunk { at, edits: vec![edit] });
    }

    /// Some lines in place of others: those alike become changes.
    fn replace(&mut self, mut at: usize, old: &[Line], new: &[Line]) {
        let mut new = new.iter().peekable();
        for before in old {
            let alike = |now: &&Line| before.key.is_none() && now.key.is_none() && now.depth == before.depth && now.role() == before.role();
            if let Some(now) = new.next_if(alike) {
                self.push(at, Edit::Change(now.clone()));
            } else {
                self.push(at, Edit::Remove(before.clone()));
            }
            at += 1;
        }
        for now in new {
            self.push(at, Edit::Add(now.clone()));
        }
    }
}

/// ` in region "Cart" › list "Items"`: the two nearest lines above that have a name.
fn place(base: &[Line], hunk: &Hunk) -> String {
    let Some(depth) = hunk
        .edits
        .iter()
        .map(|edit| match edit {
            Edit::Add(line) | Edit::Remove(line) | Edit::Change(line) => line.depth,
        })
        .min()
    else {
        return String::new();
    };
    let mut depth = depth;
    let mut names = Vec::new();
    for line in base[..hunk.at.min(base.len())].iter().rev() {
        if line.depth >= depth {
            continue;
        }
        depth = line.depth;
        if let Some(name) = line.name() {
            let whole = format!("{} {name}", line.role());
            names.push(match whole.char_indices().nth(LONGEST_PLACE) {
                Some((cut, _)) => format!("{}…", &whole[..cut]),
                None => whole,
            });
        }
        if names.len() == 2 || depth == 0 {
            break;
        }
    }
    if names.is_empty() {
        return String::new();
    }
    names.reverse();
    let mut out = String::new();
    let _ = write!(out, " in {}", names.join(" › "));
    out
}
