//! What an agent had been shown: which node a ref stands for, and which reply showed it last.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

/// A line of an outline, of a search's result, or of a delta.
static NODE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"^[~+\s]*(?:[0-9]+\. )?- (?P<role>[a-z]+)(?: (?P<name>"(?:[^"\\]|\\.)*"))?(?P<rest>.*)$"#).ok());

/// A ref at the end of a node's head.
static REF: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\[([a-z]+[0-9]+)\]").ok());

/// A node as it was shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shown {
    pub(super) role: String,
    pub(super) name: String,
    /// Which of several, where it is not the first.
    pub(super) nth: Option<usize>,
    /// Number of the call whose reply showed it last.
    pub(super) by: usize,
    /// Those of earlier calls whose replies showed it just so.
    pub(super) before: Vec<usize>,
}

/// What one session was shown.
#[derive(Debug, Default)]
pub(super) struct Seen {
    nodes: BTreeMap<String, Shown>,
    options: Vec<String>,
}

impl Seen {
    /// Takes in the reply of a call; a whole snapshot takes the place of the options known before.
    pub(super) fn reply(&mut self, call: usize, text: &str, is_snapshot: bool) {
        if is_snapshot {
            self.options.clear();
        }
        let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
        for line in text.lines() {
            let Some(found) = NODE.as_ref().and_then(|node| node.captures(line)) else { continue };
            let part = |name: &str| found.name(name).map_or("", |part| part.as_str());
            let (role, name) = (part("role").to_owned(), plain(part("name")));
            if role == "option" && !name.is_empty() {
                self.options.push(name.clone());
            }
            let Some(word) = REF.as_ref().and_then(|word| word.captures(part("rest"))?.get(1)) else { continue };
            let count = counts.entry((role.clone(), name.clone())).or_default();
            let place = *count;
            *count += 1;
            // Only a snapshot tells which of several it is; what it told once holds while the node is called the same.
            let known = self.nodes.get(word.as_str()).filter(|known| known.role == role && known.name == name);
            let nth = if is_snapshot { Some(place).filter(|place| *place > 0) } else { known.and_then(|known| known.nth) };
            let known_still = !is_snapshot && known.is_some();
            let by = known.filter(|_| known_still).map_or(call, |known| known.by);
            let mut before = known.filter(|known| known.nth == nth).map(|known| known.before.clone()).unwrap_or_default();
            before.extend(known.filter(|known| known.nth == nth && known.by != by).map(|known| known.by));
            self.nodes.insert(word.as_str().to_owned(), Shown { role, name, nth, by, before });
        }
    }

    /// The node of a ref.
    pub(super) fn node(&self, word: &str) -> Option<&Shown> {
        self.nodes.get(word)
    }

    /// The options that were shown last.
    pub(super) fn options(&self) -> &[String] {
        &self.options
    }
}

/// A name without its quotes.
fn plain(name: &str) -> String {
    serde_json::from_str(name).unwrap_or_else(|_| name.trim_matches('"').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refs_are_read_from_snapshots_deltas_and_searches() {
        let mut seen = Seen::default();
        seen.reply(1, "- main\n  - button \"Go\" [a1]\n  - button \"Go\" [a2]\n  - combobox \"Size\" [a3]\n   - option \"Small\"\n", true);
        let node = |seen: &Seen, word: &str| seen.node(word).map(|node| (node.name.clone(), node.nth, node.by));
        assert_eq!(node(&seen, "a2"), Some(("Go".into(), Some(1), 1)));
        seen.reply(
            2,
            "outcome: changed · click button \"Go\" [a2]\n~   - button \"Go\" [a2] pressed\n+   - link \"New \\\"x\\\"\" [a9]",
            false,
        );
        assert_eq!(node(&seen, "a2"), Some(("Go".into(), Some(1), 1)), "it was known");
        assert_eq!(node(&seen, "a9"), Some(("New \"x\"".into(), None, 2)));
        assert_eq!(seen.options(), ["Small"]);
        seen.reply(3, "- button \"Go\" [a1]\n  - button \"Go\" [a2]\n", true);
        seen.reply(4, "- button \"Go\" [a2]\n", true);
        let before = |word: &str| seen.node(word).map(|node| node.before.clone());
        assert_eq!((before("a1"), before("a2")), (Some(vec![1]), Some(vec![])), "the second is the first by now");
        seen.reply(3, "- textbox [a1]\n", true);
        assert_eq!(node(&seen, "a1"), Some((String::new(), None, 3)), "a ref says what it is last");
    }
}
