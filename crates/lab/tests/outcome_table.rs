//! The table of outcomes and refusals, held against the project's own scenarios: each word is expected in at least two of them, one of
//! them in a cross-site frame or a shadow root.

#![allow(clippy::expect_used, reason = "in a test a panic with its reason is the report")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use lab::scenario::{Catalog, Outcome, RefusalCode, Scenario, load_all};

/// Words that need no scenario in a frame or shadow root: what they are about is no part of a document.
const OF_NO_DOCUMENT: &[(&str, &str)] = &[
    ("interrupted", "a hop died, wherever the target was"),
    ("restricted_page", "the page itself is not Chrome's to give"),
    ("tab_owned", "a tab belongs to a session as a whole"),
    ("no_tab", "a tab is there or not"),
    ("extension_not_connected", "nothing is reached at all"),
    ("internal", "only what nobody foresaw"),
    ("unsupported", "what Chrome, the page's kind or a switch does not give at all"),
];

/// Words that no scenario can bring about, and what shows them instead.
const ELSEWHERE: &[(&str, &str)] = &[
    ("paused", "only the user's switch in the popup says it: extension/test/link.test.ts"),
    ("needs_confirmation", "the end of a step of act, in its list: scenarios/human/act-stops.yaml, scenarios/form/batch-sensitive.yaml"),
    ("cancelled", "its caller has gone and reads no reply: crates/bridge/src/daemon/connection.rs"),
    ("protocol_mismatch", "an extension of another version: crates/bridge/tests/it/handshake.rs"),
    ("internal", "only what nobody foresaw; a stopped browser is the one way to it: scenarios/fault/half-open.yaml"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Whether its target stands in a frame of another site or in a shadow root.
fn is_deep(scenario: &Scenario) -> bool {
    let page = fs::read_to_string(root().join(format!("fixtures/{}.html", scenario.fixture))).expect("the page is there");
    let frame = page.contains("{{origin_b}}") && page.contains("<iframe");
    let always = (page.contains("attachShadow") || page.contains("shadowrootmode")) && !page.contains("=== \"shadow\"");
    frame || always || scenario.query.values().any(|value| value == "shadow" || value == "cross")
}

#[test]
fn every_word_is_expected_by_two_scenarios_one_of_them_deep() {
    let fixtures = lab::fixture::load_all(&root().join("fixtures")).expect("the fixtures are read");
    let scenarios =
        load_all(&root().join("scenarios"), &Catalog::of(&fixtures)).unwrap_or_else(|error| panic!("{:?}", miette::Report::new(error)));
    let mut found: BTreeMap<String, (BTreeSet<&str>, bool)> = BTreeMap::new();
    for scenario in &scenarios {
        let deep = is_deep(scenario);
        for step in &scenario.steps {
            let words = step.expect.outcome.iter().map(ToString::to_string).chain(step.expect.refusal.iter().map(ToString::to_string));
            for word in words {
                let (names, any) = found.entry(word).or_default();
                names.insert(&scenario.name);
                *any |= deep;
            }
        }
    }
    let mut lacking = Vec::new();
    let words = Outcome::ALL.iter().map(ToString::to_string).chain(RefusalCode::ALL.iter().map(ToString::to_string));
    for word in words {
        let (names, deep) = found.get(&word).cloned().unwrap_or_default();
        let excused = |table: &[(&str, &str)]| table.iter().any(|(excused, _)| *excused == word);
        if names.len() < 2 && !excused(ELSEWHERE) {
            lacking.push(format!("{word}: {} scenarios ({names:?})", names.len()));
        } else if names.len() >= 2 && excused(ELSEWHERE) {
            lacking.push(format!("{word}: has {} scenarios and needs no excuse", names.len()));
        }
        if !deep && !excused(ELSEWHERE) && !excused(OF_NO_DOCUMENT) {
            lacking.push(format!("{word}: none in a cross-site frame or a shadow root"));
        }
    }
    assert!(lacking.is_empty(), "the table is not covered:\n{}", lacking.join("\n"));
}

#[test]
fn an_excuse_names_what_is_there() {
    for (word, why) in ELSEWHERE {
        for path in why.split([' ', ',', ';']).filter(|part| part.contains('/')) {
            assert!(root().join(path.trim_end_matches(':')).is_file(), "{word}: {path} is not there");
        }
    }
}
