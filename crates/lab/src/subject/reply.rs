//! Reads a server's reply: its outcome, its refusal, the tab it names, the nodes of its snapshot.

use std::time::Duration;

use regex::Regex;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::scenario::{Outcome, RefusalCode};
use crate::verdict::Claim;

use super::Node;

/// The regexes of an adapter file.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Replies {
    /// A node's line in a snapshot; groups `role`, `name` (a JSON string or bare) and `ref`.
    pub node: Option<String>,
    /// The outcome of a write; its group 1 is the word. Without it, a reply that is no error claims success.
    pub outcome: Option<String>,
    /// The code of a refusal; its group 1.
    pub refusal: Option<String>,
    /// For servers without codes of ours: what their refusals say, and the code that means; the first that fits.
    pub refusals: Vec<RefusalForm>,
    /// A reply that is an error though it is not marked as one.
    pub error: Option<String>,
    /// The tab a reply names; its group 1.
    pub tab: Option<String>,
    /// The milliseconds a reply says were spent waiting and watching; its group 1.
    pub window: Option<String>,
}

/// The words of a refusal, and the code they mean.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RefusalForm {
    /// Found anywhere in the reply.
    pub pattern: String,
    /// The code.
    pub code: RefusalCode,
}

/// The regexes, compiled.
#[derive(Debug)]
pub(super) struct Reader {
    node: Option<Regex>,
    outcome: Option<Regex>,
    refusal: Option<Regex>,
    refusals: Vec<(Regex, RefusalCode)>,
    error: Option<Regex>,
    tab: Option<Regex>,
    window: Option<Regex>,
}

impl Reader {
    /// The regexes compiled; otherwise the key of the one that is wrong, and what is wrong with it.
    pub(super) fn new(replies: &Replies) -> Result<Self, (&'static str, String)> {
        let compile = |key: &'static str, source: &Option<String>| {
            source.as_ref().map(|source| Regex::new(source).map_err(|error| (key, error.to_string()))).transpose()
        };
        let form = |form: &RefusalForm| {
            let regex = Regex::new(&form.pattern).map_err(|error| ("refusals", error.to_string()))?;
            Ok::<_, (&'static str, String)>((regex, form.code))
        };
        let node = compile("node", &replies.node)?;
        if let Some(regex) = &node {
            let names = regex.capture_names().flatten().collect::<Vec<_>>();
            if let Some(missing) = ["role", "name", "ref"].iter().find(|wanted| !names.contains(wanted)) {
                return Err(("node", format!("it has no group `{missing}`")));
            }
        }
        Ok(Self {
            node,
            outcome: compile("outcome", &replies.outcome)?,
            refusal: compile("refusal", &replies.refusal)?,
            refusals: replies.refusals.iter().map(form).collect::<Result<_, _>>()?,
            error: compile("error", &replies.error)?,
            tab: compile("tab", &replies.tab)?,
            window: compile("window", &replies.window)?,
        })
    }

    /// Whether the server says outcomes at all.
    pub(super) fn knows_outcomes(&self) -> bool {
        self.outcome.is_some()
    }

    /// Whether a reply is an error though it is not marked as one.
    pub(super) fn is_error(&self, text: &str) -> bool {
        self.error.as_ref().is_some_and(|regex| regex.is_match(text))
    }

    /// What a reply asserts.
    pub(super) fn claim(&self, text: &str, is_error: bool) -> Claim {
        let word = |regex: &Option<Regex>| Some(regex.as_ref()?.captures(text)?.get(1)?.as_str().to_owned());
        if is_error {
            let form = || self.refusals.iter().find(|(regex, _)| regex.is_match(text)).map(|(_, code)| code.to_string());
            return Claim::Refused(word(&self.refusal).or_else(form).unwrap_or_else(|| String::from("no code")));
        }
        if self.outcome.is_none() {
            return Claim::Success;
        }
        word(&self.outcome).and_then(|word| Outcome::from_word(&word)).map_or(Claim::Unreadable, Claim::Outcome)
    }

    /// Whether replies name tabs.
    pub(super) fn names_tabs(&self) -> bool {
        self.tab.is_some()
    }

    /// The tab a reply names.
    pub(super) fn tab(&self, text: &str) -> Option<String> {
        Some(self.tab.as_ref()?.captures(text)?.get(1)?.as_str().to_owned())
    }

    /// How much of a call's time the server says it only waited and watched.
    pub(super) fn waited(&self, text: &str) -> Duration {
        let found = self.window.as_ref().and_then(|regex| regex.captures(text)?.get(1)?.as_str().parse().ok());
        Duration::from_millis(found.unwrap_or(0))
    }

    /// The ref of a node in a snapshot.
    pub(super) fn find(&self, snapshot: &str, node: &Node) -> Option<String> {
        let regex = self.node.as_ref()?;
        snapshot
            .lines()
            .filter_map(|line| regex.captures(line))
            .filter(|found| found.name("role").is_some_and(|role| role.as_str() == node.role))
            .filter(|found| plain(found.name("name").map_or("", |name| name.as_str())) == node.name)
            .filter_map(|found| Some(found.name("ref")?.as_str().to_owned()))
            .nth(node.nth.unwrap_or(0))
    }
}

/// A name without its quotes.
fn plain(name: &str) -> String {
    serde_json::from_str(name).unwrap_or_else(|_| name.trim_matches('"').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader() -> Reader {
        let adapter = include_str!("../../../../subjects/tegata.yaml");
        super::super::Adapter::parse("tegata", adapter).unwrap().reader().unwrap()
    }

    #[test]
    fn a_write_reply_is_read() {
        let text =
            "since_last: the text came late\noutcome: changed · click button \"Go\" [a12]\ndelivered: synthetic\nwindow: 14 ms · complete";
        assert_eq!(reader().claim(text, false), Claim::Outcome(Outcome::Changed));
        assert_eq!([text, "no window"].map(|text| reader().waited(text).as_millis()), [14, 0]);
        assert_eq!(reader().claim("clicked it", false), Claim::Unreadable);
        assert_eq!(reader().claim("outcome: splendid · x", false), Claim::Unreadable);
    }

    #[test]
    fn a_refusal_is_read_past_what_came_late() {
        let text = "since_last: covered: no\ncovered: something lies over it. Close it first.";
        assert_eq!(reader().claim(text, true), Claim::Refused("covered".into()));
        assert_eq!(reader().claim("oh no", true), Claim::Refused("no code".into()));
    }

    #[test]
    fn nodes_are_found_by_role_name_and_number() {
        let text = "tab 3 · Title · http://x/\n«page 5f2c9a — untrusted»\n- heading \"Go\" level=1\n- button \"Go\" [a12]\n- button \"Say \\\"hi\\\"\" expanded [a13]\n- iframe \"pay\" http://x\n  - button \"Go\" [b2]\n- textbox [a14]\n«end 5f2c9a»";
        let find = |role: &str, name: &str, nth| reader().find(text, &Node { role: role.into(), name: name.into(), nth });
        assert_eq!(find("button", "Go", None).as_deref(), Some("a12"));
        assert_eq!(find("button", "Go", Some(1)).as_deref(), Some("b2"));
        assert_eq!(find("button", "Go", Some(2)), None);
        assert_eq!(find("button", "Say \"hi\"", None).as_deref(), Some("a13"));
        assert_eq!(find("textbox", "", None).as_deref(), Some("a14"));
        assert_eq!(find("heading", "Go", None), None, "a node without a ref cannot be acted on");
        assert_eq!(reader().tab("opened tab 3 · http://x").as_deref(), Some("3"));
    }
}
