//! What stands for a text that nobody may know: something of the same length, or what the caller says it was.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use protocol::read_typed_mark;
use regex::Regex;

/// A mark of the transcript's writer.
static MARK: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\{\{typed:[0-9]+:[0-9]+\}\}").ok());

/// What a field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Text,
    Digits,
    Mail,
    Date,
    /// One of those that the page shows.
    Option,
}

impl Shape {
    /// By the field's role and name.
    pub(super) fn of(role: &str, name: &str) -> Self {
        let name = name.to_lowercase();
        match role {
            "spinbutton" | "slider" => Self::Digits,
            "combobox" | "listbox" => Self::Option,
            _ if name.contains("mail") => Self::Mail,
            _ if ["date", "day", "birth"].iter().any(|word| name.contains(word)) => Self::Date,
            _ if ["card", "phone", "pin", "code", "cvc", "cvv"].iter().any(|word| name.contains(word)) => Self::Digits,
            _ => Self::Text,
        }
    }
}

/// The texts that stand for typed ones.
#[derive(Debug, Default)]
pub(super) struct Fillers {
    told: BTreeMap<u32, String>,
    made: BTreeMap<u32, String>,
    secrets: u32,
}

/// Ordinals of texts that no mark stands for: a secret field's short ones.
const UNMARKED: u32 = 10_000;

impl Fillers {
    /// With those that the caller gives back.
    pub(super) fn told(told: BTreeMap<u32, String>) -> Self {
        Self { told, ..Self::default() }
    }

    /// A text with something in the place of each mark.
    pub(super) fn put(&mut self, text: &str, shape: Shape) -> String {
        let Some(mark) = MARK.as_ref() else { return text.to_owned() };
        let put = |found: &regex::Captures<'_>| {
            let (ordinal, chars) = read_typed_mark(&found[0]).unwrap_or_default();
            self.of(ordinal, chars, shape)
        };
        mark.replace_all(text, put).into_owned()
    }

    /// What stands for a text of a secret field that has no mark.
    pub(super) fn secret(&mut self, text: &str, shape: Shape) -> String {
        self.secrets += 1;
        self.of(UNMARKED + self.secrets, text.chars().count(), shape)
    }

    /// Uses a text that the page itself showed.
    pub(super) fn known(&mut self, ordinal: u32, text: &str) {
        self.told.entry(ordinal).or_insert_with(|| text.to_owned());
    }

    fn of(&mut self, ordinal: u32, chars: usize, shape: Shape) -> String {
        if let Some(told) = self.told.get(&ordinal) {
            return told.clone();
        }
        self.made.entry(ordinal).or_insert_with(|| filler(ordinal % UNMARKED, chars, shape)).clone()
    }

    /// What stands for a text of so many characters, typed in one of these marks.
    pub(super) fn for_chars(&self, chars: usize, marks: &[(u32, usize)]) -> Option<&str> {
        let ordinal = marks.iter().rev().find(|(_, of)| *of == chars)?.0;
        self.told.get(&ordinal).or_else(|| self.made.get(&ordinal)).map(String::as_str)
    }

    /// Each text that was made up, in words.
    pub(super) fn words(&self) -> Vec<String> {
        let word = |(ordinal, text): (&u32, &String)| {
            let chars = text.chars().count();
            if *ordinal > UNMARKED {
                format!("a text of {chars} characters for a secret field is made up: {text}")
            } else {
                format!(
                    "typed text {ordinal} ({chars} characters) was masked, and is made up: {text} (--typed {ordinal}=TEXT gives it back)"
                )
            }
        };
        self.made.iter().map(word).collect()
    }
}

/// The marks in a text: ordinal and number of characters.
pub(super) fn marks(text: &str) -> Vec<(u32, usize)> {
    let found = MARK.iter().flat_map(|mark| mark.find_iter(text));
    found.filter_map(|found| read_typed_mark(found.as_str())).collect()
}

/// A text of so many characters that is another for each ordinal.
fn filler(ordinal: u32, chars: usize, shape: Shape) -> String {
    let number = ordinal.to_string();
    let cycle = |signs: &'static str, many: usize| signs.chars().cycle().take(many).collect::<String>();
    match shape {
        Shape::Mail if chars >= 8 + number.len() => format!("{}{number}@x.test", cycle("filler", chars - 7 - number.len())),
        Shape::Date if chars == 10 => format!("2001-02-{:02}", ordinal % 28 + 1),
        Shape::Digits => match chars.checked_sub(number.len()) {
            Some(left) => cycle("1234567890", left) + number.as_str(),
            None => cycle("1234567890", chars),
        },
        _ => match chars.checked_sub(number.len()) {
            Some(left) => cycle("filler", left) + number.as_str(),
            None => cycle("filler", chars),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filler_has_the_length_and_is_the_same_for_the_same_text() {
        let mut fillers = Fillers::told(BTreeMap::from([(9, "Berlin".into())]));
        assert_eq!(fillers.put("{{typed:1:8}} and {{typed:2:8}} in {{typed:9:6}}", Shape::Text), "fillerf1 and fillerf2 in Berlin");
        assert_eq!(fillers.put("{{typed:1:8}}", Shape::Digits), "fillerf1", "once made it stays");
        assert_eq!(fillers.put("{{typed:3:4}}", Shape::Digits), "1233");
        assert_eq!(fillers.put("{{typed:4:12}}", Shape::Mail), "fill4@x.test");
        assert_eq!(fillers.put("{{typed:5:10}}", Shape::of("textbox", "#day")), "2001-02-06");
        assert_eq!(fillers.secret("123", Shape::Digits), "121");
        assert_eq!(fillers.for_chars(8, &[(1, 8), (2, 8)]), Some("fillerf2"));
        assert_eq!(fillers.words().len(), 6);
        for (ordinal, chars) in [(1, 1), (12, 1), (1, 40), (3, 9)] {
            for shape in [Shape::Text, Shape::Digits, Shape::Mail] {
                assert_eq!(filler(ordinal, chars, shape).chars().count(), chars);
            }
        }
        assert_eq!(marks("a {{typed:1:8}} b {{typed:2:3}}"), [(1, 8), (2, 3)]);
    }
}
