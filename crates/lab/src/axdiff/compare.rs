//! Our tree against Chrome's: every node that either side shows. Pure.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::explained::Rule;
use super::node::Shown;
use super::visit::Document;

/// In what the two differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Chrome shows a node that we do not.
    Missing,
    /// We show a node that Chrome does not.
    Extra,
    /// The role.
    Role,
    /// The name.
    Name,
    /// A state.
    State,
    /// Text that Chrome shows and we do not.
    Text,
    /// The order of the nodes that both show.
    Order,
    /// A case whose expectation does not hold for Chrome.
    Expected,
}

/// One difference.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The page: a fixture's id or a topic.
    pub page: String,
    /// In what.
    pub kind: Kind,
    /// The node in words: ours, else Chrome's.
    pub node: String,
    /// Its role: Chrome's, else ours.
    pub role: String,
    /// Roles around it in Chrome's tree, innermost first.
    pub around: Vec<String>,
    /// What we say.
    pub ours: String,
    /// What Chrome says.
    pub chrome: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = format!("{:?}", self.kind).to_lowercase();
        write!(out, "{}: {kind} of {}: ours {:?}, Chrome's {:?}", self.page, self.node, self.ours, self.chrome)?;
        if !self.around.is_empty() {
            write!(out, "   (in {})", self.around.iter().take(4).map(String::as_str).collect::<Vec<_>>().join(" < "))?;
        }
        Ok(())
    }
}

/// All differences of one document.
pub(super) fn differences(page: &str, document: &Document) -> Vec<Difference> {
    let mut found = Vec::new();
    let ours: BTreeMap<i64, &Shown> = document.ours.iter().map(|node| (node.backend, node)).collect();
    let mut met = BTreeSet::new();
    let mut both = Vec::new();
    for chrome in &document.chrome.elements {
        if !met.insert(chrome.backend) {
            continue;
        }
        let differ = |kind, own: &str, theirs: &str| Difference {
            page: page.to_owned(),
            kind,
            node: worded(ours.get(&chrome.backend).copied().unwrap_or(chrome)),
            role: chrome.role.clone(),
            around: chrome.around.clone(),
            ours: own.to_owned(),
            chrome: theirs.to_owned(),
        };
        let Some(own) = ours.get(&chrome.backend) else {
            found.push(differ(Kind::Missing, "", &chrome.name));
            continue;
        };
        both.push(chrome.backend);
        if own.role != chrome.role {
            found.push(differ(Kind::Role, &own.role, &chrome.role));
        }
        if own.name != chrome.name {
            found.push(differ(Kind::Name, &own.name, &chrome.name));
        }
        for state in own.states.difference(&chrome.states) {
            found.push(differ(Kind::State, state, ""));
        }
        for state in chrome.states.difference(&own.states) {
            found.push(differ(Kind::State, "", state));
        }
    }
    for own in document.ours.iter().filter(|own| !met.contains(&own.backend)) {
        found.push(Difference {
            page: page.to_owned(),
            kind: Kind::Extra,
            node: worded(own),
            role: own.role.clone(),
            around: Vec::new(),
            ours: own.name.clone(),
            chrome: String::new(),
        });
    }
    found.extend(order(page, document, &both));
    found.extend(texts(page, document));
    found
}

/// The first node that stands elsewhere.
fn order(page: &str, document: &Document, both: &[i64]) -> Option<Difference> {
    let known: BTreeSet<i64> = both.iter().copied().collect();
    let ours: Vec<&Shown> = document.ours.iter().filter(|node| known.contains(&node.backend)).collect();
    let at = ours.iter().zip(both).position(|(own, chrome)| own.backend != *chrome)?;
    let theirs = document.chrome.elements.iter().find(|node| node.backend == both[at])?;
    Some(Difference {
        page: page.to_owned(),
        kind: Kind::Order,
        node: format!("node {at}"),
        role: theirs.role.clone(),
        around: theirs.around.clone(),
        ours: worded(ours[at]),
        chrome: worded(theirs),
    })
}

/// Text of Chrome's that is nowhere in ours.
fn texts(page: &str, document: &Document) -> Vec<Difference> {
    let mut found = Vec::new();
    for text in &document.chrome.texts {
        let bare: String = text.name.chars().filter(|char| !char.is_whitespace()).collect();
        if document.said.contains(&bare) {
            continue;
        }
        found.push(Difference {
            page: page.to_owned(),
            kind: Kind::Text,
            node: "text".into(),
            role: "text".into(),
            around: text.around.clone(),
            ours: String::new(),
            chrome: text.name.clone(),
        });
    }
    found
}

/// What is left when every rule took what it explains; used rules are marked.
pub(super) fn unexplained(differences: Vec<Difference>, rules: &[Rule], used: &mut BTreeSet<usize>) -> Vec<Difference> {
    differences
        .into_iter()
        .filter(|difference| match rules.iter().position(|rule| rule.explains(difference)) {
            Some(rule) => {
                used.insert(rule);
                false
            }
            None => true,
        })
        .collect()
}

/// A node in words.
pub(super) fn worded(node: &Shown) -> String {
    let states: Vec<&str> = node.states.iter().map(String::as_str).collect();
    let states = if states.is_empty() { String::new() } else { format!(" ({})", states.join(", ")) };
    format!("{} {:?}{states}", node.role, node.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axdiff::node::ChromeTree;

    fn node(backend: i64, role: &str, name: &str) -> Shown {
        Shown { backend, role: role.into(), name: name.into(), ..Shown::default() }
    }

    fn document(ours: Vec<Shown>, chrome: Vec<Shown>) -> Document {
        let chrome = ChromeTree { elements: chrome, texts: Vec::new() };
        Document { url: String::new(), ours, said: String::new(), chrome, cases: Vec::new() }
    }

    fn kinds(ours: Vec<Shown>, chrome: Vec<Shown>) -> Vec<Kind> {
        differences("p", &document(ours, chrome)).into_iter().map(|difference| difference.kind).collect()
    }

    #[test]
    fn each_kind_is_seen() {
        let [a, b] = [node(1, "button", "A"), node(2, "link", "B")];
        assert_eq!(kinds(vec![a.clone(), b.clone()], vec![a.clone(), b.clone()]), []);
        assert_eq!(kinds(vec![b.clone(), a.clone()], vec![a.clone(), b.clone()]), [Kind::Order]);
        assert_eq!(kinds(vec![a.clone()], vec![b.clone()]), [Kind::Missing, Kind::Extra]);
        assert_eq!(kinds(vec![node(1, "link", "B")], vec![a.clone()]), [Kind::Role, Kind::Name]);
        let checked = Shown { states: ["checked".to_owned()].into(), ..a.clone() };
        assert_eq!(kinds(vec![a], vec![checked]), [Kind::State]);
    }

    #[test]
    fn a_rule_explains_only_what_it_fits() {
        let rules: Vec<Rule> = serde_saphyr::from_str("[{kind: missing, roles: [link], chrome: 'B+', reason: r}]").unwrap();
        let found = |name: &str| differences("p", &document(vec![], vec![node(2, "link", name)]));
        let mut used = BTreeSet::new();
        assert_eq!(unexplained(found("BC"), &rules, &mut used).len(), 1, "a pattern fits the whole text");
        assert!(used.is_empty());
        assert!(unexplained(found("BB"), &rules, &mut used).is_empty() && used.contains(&0));
    }
}
