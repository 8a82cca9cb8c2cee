//! Lines of an outline: what a snapshot shows, what deltas compare.

use super::ref_word;

/// Nesting beyond this is shown flat.
const DEEPEST: u16 = 40;

/// One line of an outline.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Line {
    /// Nesting level.
    pub depth: u16,
    /// Document and number, when the line is of a node with a ref.
    pub key: Option<(u32, u32)>,
    /// The line without its indent: `- button "Go" [a12]`.
    pub text: Box<str>,
}

impl Line {
    /// The role: the first word after the dash.
    #[must_use]
    pub fn role(&self) -> &str {
        let rest = self.text.strip_prefix("- ").unwrap_or(&self.text);
        rest.split([' ', ':']).next().unwrap_or_default()
    }

    /// The name in quotes, when there is one.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        let rest = self.text.strip_prefix("- ")?.split_once(' ')?.1;
        let inner = rest.strip_prefix('"')?;
        let mut escaped = false;
        let end = inner.char_indices().find_map(|(at, c)| {
            let ends = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            ends.then_some(at)
        })?;
        Some(&rest[..end + 2])
    }

    /// The ref, when it has one.
    #[must_use]
    pub fn ref_word(&self) -> Option<String> {
        self.key.map(|(doc, node)| ref_word(doc, node))
    }

    /// Spaces before the text: one a level, for pages nest deep and each line pays.
    #[must_use]
    pub fn indent(&self) -> usize {
        usize::from(self.depth.min(DEEPEST))
    }

    /// Bytes with indent and line break.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.indent() + self.text.len() + 1
    }

    /// Writes it.
    pub fn push_to(&self, out: &mut String) {
        out.extend(std::iter::repeat_n(' ', self.indent()));
        out.push_str(&self.text);
        out.push('\n');
    }
}

/// For each line the index after its last descendant.
#[must_use]
pub(super) fn ends(depths: impl ExactSizeIterator<Item = u32>) -> Vec<usize> {
    let count = depths.len();
    let mut ends = vec![count; count];
    let mut open: Vec<(u32, usize)> = Vec::new();
    for (at, depth) in depths.enumerate() {
        while let Some((above, of)) = open.pop_if(|(above, _)| *above >= depth) {
            debug_assert!(above >= depth);
            ends[of] = at;
        }
        open.push((depth, at));
    }
    ends
}
