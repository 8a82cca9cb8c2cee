//! Names of keys, and the chords that are made of them.

use protocol::{Chord, ErrorCode, PressedKey};

use super::tool::ToolError;

/// Longest sequence, repetitions included.
const LONGEST: usize = 100;

/// A key by name: `key`, `code`, virtual key code, what it writes, other names.
type Named = (&'static str, &'static str, u32, Option<&'static str>, &'static [&'static str]);

/// Keys that have a name (UI Events `key` values).
const NAMED: &[Named] = &[
    ("Enter", "Enter", 13, Some("\r"), &["return"]),
    ("Tab", "Tab", 9, None, &[]),
    ("Escape", "Escape", 27, None, &["esc"]),
    ("Space", "Space", 32, Some(" "), &["spacebar"]),
    ("Backspace", "Backspace", 8, None, &[]),
    ("Delete", "Delete", 46, None, &["del"]),
    ("Insert", "Insert", 45, None, &["ins"]),
    ("ArrowUp", "ArrowUp", 38, None, &["up"]),
    ("ArrowDown", "ArrowDown", 40, None, &["down"]),
    ("ArrowLeft", "ArrowLeft", 37, None, &["left"]),
    ("ArrowRight", "ArrowRight", 39, None, &["right"]),
    ("Home", "Home", 36, None, &[]),
    ("End", "End", 35, None, &[]),
    ("PageUp", "PageUp", 33, None, &["pgup"]),
    ("PageDown", "PageDown", 34, None, &["pgdn", "pgdown"]),
    ("ContextMenu", "ContextMenu", 93, None, &["menu"]),
    ("F1", "F1", 112, None, &[]),
    ("F2", "F2", 113, None, &[]),
    ("F3", "F3", 114, None, &[]),
    ("F4", "F4", 115, None, &[]),
    ("F5", "F5", 116, None, &[]),
    ("F6", "F6", 117, None, &[]),
    ("F7", "F7", 118, None, &[]),
    ("F8", "F8", 119, None, &[]),
    ("F9", "F9", 120, None, &[]),
    ("F10", "F10", 121, None, &[]),
    ("F11", "F11", 122, None, &[]),
    ("F12", "F12", 123, None, &[]),
    ("Control", "ControlLeft", 17, None, &["ctrl"]),
    ("Shift", "ShiftLeft", 16, None, &[]),
    ("Alt", "AltLeft", 18, None, &["option"]),
    ("Meta", "MetaLeft", 91, None, &["cmd", "command", "win", "super"]),
];

/// Those of them that are held.
const MODIFIERS: &[&str] = &["Control", "Shift", "Alt", "Meta"];

/// The one of two that a platform's shortcuts use.
const EITHER: &str = "ControlOrMeta";

/// Printable keys of a US keyboard: code, virtual key code, plain and shifted character.
const PRINTABLE: &[(&str, u32, char, char)] = &[
    ("Backquote", 192, '`', '~'),
    ("Digit1", 49, '1', '!'),
    ("Digit2", 50, '2', '@'),
    ("Digit3", 51, '3', '#'),
    ("Digit4", 52, '4', '$'),
    ("Digit5", 53, '5', '%'),
    ("Digit6", 54, '6', '^'),
    ("Digit7", 55, '7', '&'),
    ("Digit8", 56, '8', '*'),
    ("Digit9", 57, '9', '('),
    ("Digit0", 48, '0', ')'),
    ("Minus", 189, '-', '_'),
    ("Equal", 187, '=', '+'),
    ("BracketLeft", 219, '[', '{'),
    ("BracketRight", 221, ']', '}'),
    ("Backslash", 220, '\\', '|'),
    ("Semicolon", 186, ';', ':'),
    ("Quote", 222, '\'', '"'),
    ("Comma", 188, ',', '<'),
    ("Period", 190, '.', '>'),
    ("Slash", 191, '/', '?'),
];

/// A sequence of chords, and it in words: `Tab, 3 characters, Enter`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Sequence {
    /// In order.
    pub(super) chords: Vec<Chord>,
    /// What may stand in a reply: characters are only counted, they could be a secret.
    pub(super) words: String,
}

/// Reads a sequence of chords between blanks, taken `times` times.
pub(super) fn sequence(text: &str, times: usize) -> Result<Sequence, ToolError> {
    let once = text.split_whitespace().map(chord).collect::<Result<Vec<_>, _>>()?;
    if once.is_empty() || times == 0 {
        return Err(invalid("there is no key to press").with_next("Name one, like Enter, Control+A or ArrowDown"));
    }
    if once.len().saturating_mul(times) > LONGEST {
        return Err(invalid(format!("{} keys are more than {LONGEST}", once.len().saturating_mul(times))).with_next("Use type for text"));
    }
    let words = if times > 1 { format!("{} times {}", times, words(&once)) } else { words(&once) };
    let chords = (0..times).flat_map(|_| once.iter().map(|(chord, _)| chord.clone())).collect();
    Ok(Sequence { chords, words })
}

/// One chord, and its name unless it is a mere character.
fn chord(text: &str) -> Result<(Chord, Option<String>), ToolError> {
    let mut held: Vec<PressedKey> = Vec::new();
    let mut rest = text;
    // The plus of `Control++` is the key itself.
    while let Some(at) = rest.char_indices().skip(1).find(|(_, sign)| *sign == '+').map(|(at, _)| at) {
        let modifier = modifier(&rest[..at])?;
        if held.iter().any(|known| known.key == modifier.key) {
            return Err(invalid(format!("{} is named twice in one chord", modifier.key)).with_next("Name each modifier once"));
        }
        held.push(modifier);
        rest = &rest[at + 1..];
    }
    if rest.is_empty() {
        return Err(invalid("a chord ends without its key").with_next("Write the key last, like Control+A"));
    }
    let shift = held.iter().any(|key| key.key == "Shift");
    let command = held.iter().any(|key| key.key != "Shift");
    let mut signs = rest.chars();
    let key = match (signs.next(), signs.next()) {
        (Some(sign), None) => character(sign, shift, command),
        _ => named(rest).ok_or_else(|| unknown(rest))?,
    };
    if MODIFIERS.contains(&key.key.as_str()) && held.iter().any(|known| known.key == key.key) {
        return Err(invalid(format!("{} is named twice in one chord", key.key)).with_next("Name each modifier once"));
    }
    let plain = held.is_empty() && key.key.chars().count() == 1 && key.key != " ";
    let word = if key.key == " " { "Space" } else { &key.key };
    let names = held.iter().map(|key| key.key.as_str()).chain([word]).collect::<Vec<_>>().join("+");
    // A character that is written as capital needs its Shift.
    let needs_shift = !shift && !command && !key.code.is_empty() && key.key.chars().count() == 1 && is_shifted(&key.key);
    if needs_shift {
        held.extend(named("Shift"));
    }
    let key = if command { PressedKey { text: None, ..key } } else { key };
    Ok((Chord { held, key }, (!plain).then_some(names)))
}

fn words(chords: &[(Chord, Option<String>)]) -> String {
    let mut said: Vec<String> = Vec::new();
    let mut characters = 0;
    let flush = |said: &mut Vec<String>, characters: &mut usize| {
        if *characters > 0 {
            said.push(if *characters == 1 { "1 character".to_owned() } else { format!("{characters} characters") });
        }
        *characters = 0;
    };
    for (_, name) in chords {
        match name {
            None => characters += 1,
            Some(name) => {
                flush(&mut said, &mut characters);
                said.push(name.clone());
            }
        }
    }
    flush(&mut said, &mut characters);
    said.join(", ")
}

fn modifier(word: &str) -> Result<PressedKey, ToolError> {
    let key = named(word).filter(|key| MODIFIERS.contains(&key.key.as_str()));
    key.ok_or_else(|| {
        let near = nearest(word, MODIFIERS.iter().copied().chain([EITHER]));
        invalid(format!("{} is no modifier", quoted(word)))
            .with_next(near.map_or_else(|| "Modifiers are Control, Shift, Alt, Meta".to_owned(), |near| format!("Did you mean {near}?")))
    })
}

fn named(word: &str) -> Option<PressedKey> {
    let either = if cfg!(target_os = "macos") { "meta" } else { "control" };
    let lower = word.to_lowercase();
    let lower = if lower == EITHER.to_lowercase() { either } else { lower.as_str() };
    let (key, code, number, text, _) = NAMED.iter().find(|(key, .., others)| key.eq_ignore_ascii_case(lower) || others.contains(&lower))?;
    let key = if *key == "Space" { " " } else { key };
    Some(PressedKey { key: key.into(), code: (*code).into(), number: *number, text: text.map(Into::into) })
}

/// A character's key; one that no key writes comes as text alone. In a shortcut letters are the plain ones: Control+A presses a.
fn character(sign: char, shift: bool, command: bool) -> PressedKey {
    let sign = if command && !shift { sign.to_ascii_lowercase() } else { sign };
    let written = |sign: char, code: String, number: u32| {
        let text = sign.to_string();
        PressedKey { key: text.clone(), code, number, text: Some(text) }
    };
    if sign.is_ascii_alphabetic() {
        let sign = if shift { sign.to_ascii_uppercase() } else { sign };
        return written(sign, format!("Key{}", sign.to_ascii_uppercase()), u32::from(sign.to_ascii_uppercase()));
    }
    match PRINTABLE.iter().find(|(_, _, plain, shifted)| sign == *plain || sign == *shifted) {
        Some((code, number, _, shifted)) => written(if shift { *shifted } else { sign }, (*code).to_owned(), *number),
        None => written(sign, String::new(), 0),
    }
}

fn is_shifted(key: &str) -> bool {
    key.chars().all(|sign| sign.is_ascii_uppercase() || PRINTABLE.iter().any(|(.., shifted)| *shifted == sign))
}

fn unknown(word: &str) -> ToolError {
    let near = nearest(word, NAMED.iter().map(|(name, ..)| *name).chain([EITHER]));
    invalid(format!("there is no key {}", quoted(word))).with_next(match near {
        Some(near) => format!("Did you mean {near}? Text goes in with type"),
        None => "Keys are single characters and names like Enter, Tab, Escape, ArrowDown, F5; text goes in with type".to_owned(),
    })
}

/// Letters only: what was meant as text could be a secret.
fn quoted(word: &str) -> String {
    let plain = word.len() <= 20 && word.bytes().all(|byte| byte.is_ascii_alphabetic());
    if plain { format!("\"{word}\"") } else { format!("of that name ({} characters)", word.chars().count()) }
}

/// The name that was meant, if one is near enough.
fn nearest(word: &str, names: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let lower = word.to_lowercase();
    names
        .map(|name| (strsim::jaro_winkler(&lower, &name.to_lowercase()), name))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|one, other| one.0.total_cmp(&other.0))
        .map(|(_, name)| name)
}

fn invalid(what: impl Into<String>) -> ToolError {
    ToolError::new(ErrorCode::InvalidArgument, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pressed(text: &str) -> Vec<String> {
        let keys = |chord: &Chord| {
            let held = chord.held.iter().map(|key| key.key.clone());
            let text = chord.key.text.clone().map(|text| format!("={text}")).unwrap_or_default();
            held.chain([format!("{}({}){text}", chord.key.key, chord.key.code)]).collect::<Vec<_>>().join("+")
        };
        sequence(text, 1).unwrap().chords.iter().map(keys).collect()
    }

    #[test]
    fn chords_are_read_as_people_write_them() {
        let cases = [
            ("Enter", "Enter(Enter)=\r"),
            ("ctrl+a", "Control+a(KeyA)"),
            ("Control+A", "Control+a(KeyA)"),
            ("Control+Shift+a", "Control+Shift+A(KeyA)"),
            ("Shift+Tab", "Shift+Tab(Tab)"),
            ("Control++", "Control++(Equal)"),
            ("+", "Shift++(Equal)=+"),
            ("a", "a(KeyA)=a"),
            ("A", "Shift+A(KeyA)=A"),
            ("Shift+1", "Shift+!(Digit1)=!"),
            ("!", "Shift+!(Digit1)=!"),
            (".", ".(Period)=."),
            ("é", "é()=é"),
            ("esc", "Escape(Escape)"),
            ("Space", " (Space)= "),
            ("Shift", "Shift(ShiftLeft)"),
        ];
        for (text, expected) in cases {
            assert_eq!(pressed(text), [expected], "{text}");
        }
        assert_eq!(pressed("Tab Tab Enter").len(), 3);
        assert_eq!(sequence("ArrowDown", 5).unwrap().chords.len(), 5);
    }

    #[test]
    fn a_reply_names_keys_and_counts_characters() {
        assert_eq!(sequence("Tab h i Enter Control+c Space", 1).unwrap().words, "Tab, 2 characters, Enter, Control+c, Space");
        assert_eq!(sequence("x", 3).unwrap().words, "3 times 1 character");
    }

    #[test]
    fn what_is_no_key_is_refused_with_the_nearest_name() {
        let cases = [
            ("Entre", "Did you mean Enter"),
            ("Contrl+A", "Did you mean Control"),
            ("ArowDown", "Did you mean ArrowDown"),
            ("a+Control", "is no modifier"),
            ("Control+", "without its key"),
            ("Control+Control+a", "named twice"),
            ("qqqqqqqq", "Keys are single characters"),
            ("", "no key to press"),
        ];
        for (text, expected) in cases {
            let error = sequence(text, 1).unwrap_err().to_string();
            assert!(error.starts_with("invalid_argument") && error.contains(expected), "{text}: {error}");
        }
        assert!(sequence("a", 101).unwrap_err().to_string().contains("more than 100"));
        let typed = sequence("hunter2!", 1).unwrap_err().to_string();
        assert!(!typed.contains("hunter2"), "{typed}");
    }
}
