//! The small words: refs, quoted names, nodes, tabs.

use protocol::{Described, DialogKind, State, Tab};

use super::neutral::is_unseen;

/// A ref as an agent reads it: the document's ordinal in letters, the node's number in digits (`a12`).
#[must_use]
pub fn ref_word(doc: u32, node: u32) -> String {
    let mut letters = Vec::new();
    let mut rest = doc;
    while rest > 0 {
        let digit = (rest - 1) % 26;
        letters.push(b'a' + u8::try_from(digit).unwrap_or(0));
        rest = (rest - 1) / 26;
    }
    letters.reverse();
    format!("{}{node}", String::from_utf8_lossy(&letters))
}

/// Document and node of a ref; `None` when it is not one.
#[must_use]
pub fn parse_ref(word: &str) -> Option<(u32, u32)> {
    let digits = word.find(|c: char| c.is_ascii_digit())?;
    let (letters, number) = word.split_at(digits);
    if letters.is_empty() || !letters.bytes().all(|b| b.is_ascii_lowercase()) || number.starts_with('0') {
        return None;
    }
    let doc = letters.bytes().try_fold(0u32, |doc, b| doc.checked_mul(26)?.checked_add(u32::from(b - b'a') + 1))?;
    Some((doc, number.parse().ok()?))
}

/// Longest text between quotes, in characters.
pub(super) const LONGEST: usize = 200;

/// A text from a page in quotes: one line, controls, bidi controls and zero-width characters escaped, cut at 200 characters.
#[must_use]
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(LONGEST * 2) + 2);
    push_quoted(&mut out, text);
    out
}

/// The same, at the end of a text.
pub(super) fn push_quoted(out: &mut String, text: &str) {
    out.push('"');
    // Most texts need nothing.
    if text.len() <= LONGEST && text.bytes().all(|byte| (0x20..0x7f).contains(&byte) && byte != b'"' && byte != b'\\') {
        out.push_str(text);
        out.push('"');
        return;
    }
    let mut units = [0; 2];
    for (count, c) in text.chars().enumerate() {
        if count == LONGEST {
            out.push('…');
            break;
        }
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if is_unseen(c) => c.encode_utf16(&mut units).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}"))),
            c => out.push(c),
        }
    }
    out.push('"');
}

/// A node in words: `button "Go" [a12]`.
#[must_use]
pub fn described(node: &Described) -> String {
    let mut out = node.role.clone();
    if !node.name.is_empty() {
        out.push(' ');
        out.push_str(&quote(&node.name));
    }
    if let (Some(doc), Some(number)) = (node.doc, node.node) {
        out.push_str(&format!(" [{}]", ref_word(doc, number)));
    }
    if let Some(place) = &node.within {
        let how = if place.role == "heading" { "under" } else { "in" };
        out.push_str(&format!(" {how} {} {}", place.role, quote(&place.name)));
    }
    out
}

/// A state as it stands in a snapshot.
#[must_use]
pub fn state_word(state: State) -> &'static str {
    match state {
        State::Checked => "checked",
        State::Unchecked => "unchecked",
        State::Mixed => "mixed",
        State::Pressed => "pressed",
        State::Unpressed => "unpressed",
        State::Expanded => "expanded",
        State::Collapsed => "collapsed",
        State::Selected => "selected",
        State::Current => "current",
        State::Disabled => "disabled",
        State::Readonly => "readonly",
        State::Required => "required",
        State::Invalid => "invalid",
        State::Busy => "busy",
        State::Modal => "modal",
        State::Focused => "focused",
        State::Inert => "inert",
        State::Clickable => "clickable",
        State::File => "file",
        State::Multiple => "multiple",
    }
}

/// Kind of a dialog as pages call it.
#[must_use]
pub fn dialog_word(kind: DialogKind) -> &'static str {
    match kind {
        DialogKind::Alert => "alert",
        DialogKind::Confirm => "confirm",
        DialogKind::Prompt => "prompt",
        DialogKind::BeforeUnload => "beforeunload",
    }
}

/// A tab in one line: `tab 3 · "Title" · http://…`.
#[must_use]
pub fn tab_line(tab: &Tab) -> String {
    let state = if tab.discarded {
        " · unloaded"
    } else if tab.loading {
        " · still loading"
    } else {
        ""
    };
    format!("tab {} · {} · {}{state}", tab.id, quote(&tab.title), address(&tab.url))
}

/// An address on one line; a page can put anything but line breaks into it, and long ones say nothing more.
#[must_use]
pub(super) fn address(url: &str) -> String {
    if url.len() <= LONGEST && url.bytes().all(|byte| (0x21..0x7f).contains(&byte)) {
        return url.to_owned();
    }
    let clean: String = url.chars().filter(|c| !is_unseen(*c) && !matches!(c, '«' | '»')).collect();
    match clean.char_indices().nth(200) {
        Some((at, _)) => format!("{}…", &clean[..at]),
        None => clean,
    }
}
