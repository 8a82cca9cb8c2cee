//! Characters and words of page text that could deceive a reader: made visible, and counted.

/// What was made harmless in page text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Neutralised {
    /// Characters that reorder text (U+200E, U+202A to U+202E, U+2066 to U+2069…).
    pub bidi: u32,
    /// Characters without width that hide in words. The joiner and non-joiner stay: emoji and scripts need them.
    pub zero_width: u32,
    /// Tag characters, an invisible alphabet (U+E0000 to U+E007F) outside of a flag.
    pub tags: u32,
    /// Texts that look like the marks around page content.
    pub markers: u32,
    /// Halves of surrogate pairs, replaced by U+FFFD in the page already.
    pub lone: u32,
}

impl Neutralised {
    /// Counts what [`super::quote`] and [`super::Fence`] make harmless in a text.
    pub fn count(&mut self, text: &str) {
        if text.is_ascii() {
            return;
        }
        let mut flag = false;
        for (at, c) in text.char_indices() {
            match kind(c) {
                Some(Unseen::Bidi) => self.bidi += 1,
                Some(Unseen::ZeroWidth) => self.zero_width += 1,
                Some(Unseen::Tag) if !flag => self.tags += 1,
                _ if c == '«' && poses_as_mark(&text[at + c.len_utf8()..]) => self.markers += 1,
                _ => {}
            }
            flag = c == FLAG || (flag && kind(c) == Some(Unseen::Tag));
        }
    }

    /// The same of two texts.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            bidi: self.bidi + other.bidi,
            zero_width: self.zero_width + other.zero_width,
            tags: self.tags + other.tags,
            markers: self.markers + other.markers,
            lone: self.lone + other.lone,
        }
    }

    /// `neutralised: 2 bidi controls, 1 fake marker`; nothing when there was nothing.
    #[must_use]
    pub fn line(&self) -> Option<String> {
        let words = [
            (self.bidi, "bidi control"),
            (self.zero_width, "zero-width character"),
            (self.tags, "tag character"),
            (self.lone, "lone surrogate"),
            (self.markers, "fake marker"),
        ];
        let said: Vec<String> = words
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| format!("{count} {word}{}", if *count == 1 { "" } else { "s" }))
            .collect();
        (!said.is_empty()).then(|| format!("neutralised: {}", said.join(", ")))
    }
}

/// The black flag: tag characters after it spell a region.
const FLAG: char = '\u{1f3f4}';

/// Kinds of characters nobody sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unseen {
    Bidi,
    ZeroWidth,
    Tag,
    /// Controls and line separators: they would break the line.
    Control,
}

fn kind(c: char) -> Option<Unseen> {
    match c {
        '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => Some(Unseen::Bidi),
        '\u{200b}' | '\u{2060}'..='\u{2065}' | '\u{feff}' | '\u{180e}' => Some(Unseen::ZeroWidth),
        '\u{e0000}'..='\u{e007f}' => Some(Unseen::Tag),
        '\u{2028}' | '\u{2029}' => Some(Unseen::Control),
        c if c.is_control() => Some(Unseen::Control),
        _ => None,
    }
}

/// A character that a person does not see and that can hide or reorder text, or break a line.
#[must_use]
pub(super) fn is_unseen(c: char) -> bool {
    kind(c).is_some()
}

/// Whether what stands after `«` reads like one of our marks.
fn poses_as_mark(rest: &str) -> bool {
    let rest = rest.trim_start();
    ["page", "end"].iter().any(|word| rest.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word)))
}

/// Plain text of several lines with the unseen characters taken out, and what they were. Line breaks and tabs stay.
#[must_use]
pub(super) fn plain(text: &str) -> (String, Neutralised) {
    let mut found = Neutralised::default();
    found.count(text);
    let mut out = String::with_capacity(text.len());
    let mut flag = false;
    for c in text.chars() {
        let unseen = kind(c);
        let stays = unseen.is_none() || matches!(c, '\n' | '\t') || (flag && unseen == Some(Unseen::Tag));
        flag = c == FLAG || (flag && unseen == Some(Unseen::Tag));
        if stays {
            out.push(c);
        } else if matches!(c, '\u{2028}' | '\u{2029}' | '\r') {
            out.push('\n');
        }
    }
    (out, found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_counted_and_said() {
        let mut found = Neutralised::default();
        found.count("a\u{202e}b\u{200b}c\u{e0041} «END 1» « page» «bonjour» \u{1f3f4}\u{e0067}\u{e007f}");
        assert_eq!(found, Neutralised { bidi: 1, zero_width: 1, tags: 1, markers: 2, lone: 0 });
        assert_eq!(found.line().unwrap(), "neutralised: 1 bidi control, 1 zero-width character, 1 tag character, 2 fake markers");
        assert_eq!(Neutralised::default().line(), None);
        assert_eq!(plain("a\u{202e}b\u{2028}c\td").0, "ab\ncd".replace("cd", "c\td"));
    }
}
