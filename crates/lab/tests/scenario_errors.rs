//! Faults of scenario files, as a person sees them: what, where, and what to write in its place.

#![allow(clippy::expect_used, reason = "in a test a panic with its reason is the report")]

use std::collections::BTreeMap;
use std::fmt::Write;

use lab::scenario::{Catalog, Profile, ScenarioError, parse};

fn catalog() -> Catalog {
    let variants = BTreeMap::from([("delay".to_owned(), vec!["0".to_owned(), "900".to_owned()])]);
    let goals = ["count", "journal"].map(str::to_owned).into();
    Catalog {
        fixtures: BTreeMap::from([("pointer/control".to_owned(), variants)]),
        goals: BTreeMap::from([("pointer/control".to_owned(), goals)]),
    }
}

fn faults(source: &str) -> Vec<ScenarioError> {
    parse("pointer/it", "scenarios/pointer/it.yaml", source, &catalog()).expect_err("the file is wrong")
}

fn rendered(source: &str) -> String {
    let handler = miette::GraphicalReportHandler::new_themed(miette::GraphicalTheme::unicode_nocolor()).with_width(100);
    let mut text = String::new();
    for fault in faults(source) {
        handler.render_report(&mut text, &fault).expect("renders");
    }
    text
}

const HEAD: &str = "guards: It works.\nfixture: pointer/control\n";
const CHANGED: &str = "    expect: {outcome: changed, effect: true}\n";

fn with_steps(steps: &str) -> String {
    format!("{HEAD}steps:\n{steps}")
}

#[test]
fn every_fault_has_its_place_and_a_way_out() {
    let go = "{role: button, name: Go}";
    let cases = [
        ("unknown key", "guards: It works.\nfixtures: pointer/control\nsteps: []\n".to_owned()),
        ("unknown tool", with_steps(&format!("  - clik: {{target: {go}}}\n"))),
        ("unknown argument", with_steps(&format!("  - click: {{target: {{role: button, nam: Go}}}}\n{CHANGED}"))),
        ("unknown outcome", with_steps(&format!("  - click: {{target: {go}}}\n    expect: {{outcome: chnaged}}\n"))),
        ("unknown fixture", "guards: It works.\nfixture: pointer/contrl\nsteps:\n  - snapshot: {}\n".to_owned()),
        ("unknown variant", format!("{HEAD}query: {{dely: \"900\"}}\nsteps:\n  - snapshot: {{}}\n")),
        ("variant value", format!("{HEAD}query: {{delay: \"901\"}}\nsteps:\n  - snapshot: {{}}\n")),
        ("two targets", with_steps(&format!("  - click: {{target: {{role: button, name: b, css: \"#go\"}}}}\n{CHANGED}"))),
        (
            "ref before as",
            with_steps(&format!("  - click: {{target: {go}}}\n    as: go\n{CHANGED}  - click: {{target: {{ref: goo}}}}\n{CHANGED}")),
        ),
        ("unknown tab", with_steps("  - snapshot: {}\n    tab: other\n")),
        ("two tools", with_steps("  - click: {target: {css: \"#go\"}}\n    snapshot: {}\n")),
        ("no tool", with_steps("  - expect: {reply: x}\n")),
        ("no truth", with_steps("  - click: {target: {css: \"#go\"}}\n    expect: {outcome: changed}\n")),
        ("contradiction", with_steps("  - click: {target: {css: \"#go\"}}\n    expect: {outcome: no_effect, effect: true}\n")),
        ("outcome of a read", with_steps("  - snapshot: {}\n    expect: {outcome: changed}\n")),
        ("page in wild", format!("{HEAD}profiles: [wild]\nsteps:\n  - page: {{click: \"#go\"}}\n")),
        ("no call to disturb", with_steps("  - fault: kill_service_worker\n    during: {fault: kill_daemon}\n")),
        ("unknown fault", with_steps("  - fault: kill_chrome\n")),
        ("no colour", with_steps("  - screenshot: {}\n    expect: {image: {colour: green}}\n")),
        (
            "raw write without truth",
            with_steps("  - call: {tool: click, arguments: {target: 5}}\n    expect: {refusal: invalid_argument}\n"),
        ),
        (
            "unknown word in lines",
            with_steps(&format!("  - click: {{target: {go}}}\n    expect:\n      refusal: coverd\n      effect: false\n")),
        ),
        ("key missing in lines", with_steps("  - until:\n      goal: {count: 1}\n      within_ms: 5\n")),
        (
            "key missing in braces",
            with_steps(&format!(
                "  - click: {{target: {go}}}\n    during: {{fault: kill_daemon, until: {{goal: {{count: 1}}, within_ms: 5}}}}\n{CHANGED}"
            )),
        ),
        ("unknown role", with_steps(&format!("  - click: {{target: {{role: buton, name: Go}}}}\n{CHANGED}"))),
        ("unknown goal", with_steps(&format!("  - click: {{target: {go}}}\n{CHANGED}    journal:\n      goal: {{cuont: 1}}\n"))),
        ("unknown goal to wait for", with_steps("  - until: {goal: {done: true}, why: it comes, within_ms: 5}\n")),
        ("which answer", with_steps(&format!("  - click: {{target: {go}}}\n    during: {{fault: lost_acknowledgement}}\n{CHANGED}"))),
        ("an answer at idle", with_steps("  - fault: lost_acknowledgement\n")),
        ("missing key", "fixture: pointer/control\nsteps: []\n".to_owned()),
        ("not yaml", "guards: [\n".to_owned()),
        ("wrong type", with_steps("  - wait_for: {any: [{text: Saved}], timeout_ms: soon}\n")),
    ];
    let mut text = String::new();
    for (title, source) in cases {
        writeln!(text, "=== {title}\n{}", rendered(&source)).expect("writes");
    }
    insta::assert_snapshot!(text);
}

#[test]
fn several_faults_are_told_at_once() {
    let steps = format!("  - click: {{target: {{ref: a}}}}\n{CHANGED}  - click: {{target: {{css: x}}}}\n");
    assert_eq!(faults(&with_steps(&steps)).len(), 2);
}

#[test]
fn a_right_file_is_read() {
    let source = format!(
        "{HEAD}query: {{delay: 900}}\nprofiles: [calm, wild]\nsteps:\n  - click: {{target: {{css: \"#go\"}}}}\n    \
         expect:\n      outcome: [changed, unattributed]\n      effect: true\n      within_ms: 100\n    \
         journal: {{goal: {{count: 1}}}}\n"
    );
    let scenario = parse("pointer/it", "f", &source, &catalog()).expect("is right");
    assert_eq!(scenario.query["delay"], "900");
    assert_eq!(scenario.profiles, [Profile::Calm, Profile::Wild]);
    let step = &scenario.steps[0];
    assert_eq!(step.expect.outcome.0.len(), 2);
    assert_eq!(step.expect.bound_ms(Profile::Wild), Some(1400), "a hidden tab is watched longer");
    assert_eq!(step.line, 6);
    // There is one truth: a list cannot allow a claim and its contrary.
    assert_eq!(faults(&source.replace("unattributed", "no_effect")).len(), 1);
}
