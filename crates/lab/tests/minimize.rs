//! `lab scenario minimize`, against subjects that lie: the steps that matter stay, what does not repeat is not shrunk.

#![allow(clippy::expect_used, reason = "in a test a panic with its reason is the report")]

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("is there")
}

/// A case in a run's record: its name, its verdict, its one step.
type Case = (&'static str, &'static str, &'static str);

/// Runs the lab to its end: exit code, standard output, standard error.
fn lab(project: &Path, args: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lab"));
    command.arg("--root").arg(project).args(args).env("NO_COLOR", "1").stdin(Stdio::null());
    let output = command.output().expect("starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().expect("has a code"), text(&output.stdout), text(&output.stderr))
}

/// A project with the real fixtures, a scenario, and a subject of its own that can be changed.
fn project(scenario: &str) -> tempfile::TempDir {
    let project = tempfile::tempdir().expect("a folder");
    symlink(root().join("fixtures"), project.path().join("fixtures")).expect("links");
    for (file, text) in [("scenarios/pointer/it.yaml", scenario), ("subjects/it.yaml", "title: Lies\nbuiltin: liar\n")] {
        let path = project.path().join(file);
        std::fs::create_dir_all(path.parent().expect("has one")).expect("a folder");
        std::fs::write(path, text).expect("writes");
    }
    project
}

const LONG: &str = "\
# yaml-language-server: $schema=../scenario.schema.json
guards: A click that is claimed has happened.
fixture: pointer/control
steps:
  # What stands here is not needed.
  - snapshot: {}
  - page: {click: \"#go\"}
    journal:
      goal: {count: 1}
  - until: {goal: {count: 1}, why: the page has counted, within_ms: 3000}
  # This is the one that lies.
  - click: {target: {role: button, name: Go}}
    as: go
    expect: {outcome: changed, effect: true}
  - get_text: {}
  - click: {target: {ref: go}}
    expect: {outcome: changed, effect: true}
";

const SHORT: &str = "\
# yaml-language-server: $schema=../scenario.schema.json
guards: A click that is claimed has happened.
fixture: pointer/control
steps:
  # This is the one that lies.
  - click: {target: {role: button, name: Go}}
    as: go
    expect: {outcome: changed, effect: true}
";

#[test]
fn a_scenario_shrinks_to_the_step_that_lies_and_a_flaky_one_does_not() {
    let project = project(LONG);
    let (code, said, told) = lab(project.path(), &["scenario", "run", "--subject", "it", "--profile", "calm"]);
    assert_eq!(code, 1, "{said}{told}");
    let (code, said, told) = lab(project.path(), &["scenario", "minimize"]);
    assert_eq!(code, 0, "{said}{told}");
    assert!(said.contains("lie of `click`, which claims an effect") && said.contains("6 → 1 steps"), "{said}");
    let file = said.lines().last().expect("names the file");
    let short = std::fs::read_to_string(file).expect("is written");
    let (head, rest) = short.split_once('\n').expect("has a first line");
    assert!(head.starts_with("# The shortest of pointer/it that is lie of `click`"), "{head}");
    assert_eq!(rest, SHORT);

    // The same scenario no longer comes to the same: whoever lied cannot tell now.
    std::fs::write(project.path().join("subjects/it.yaml"), "title: Cannot tell\nbuiltin: evasive\n").expect("writes");
    let (code, said, told) = lab(project.path(), &["scenario", "minimize"]);
    assert_eq!(code, 7, "{said}{told}");
    assert!(said.contains("pointer/it is flaky: it was lie of `click`") && said.contains("the scenario is evasive"), "{said}");
}

#[test]
fn what_cannot_be_shrunk_is_told_before_anything_is_started() {
    let project = project(LONG);
    let runs = project.path().join("runs/20260101-000000-2147483647");
    std::fs::create_dir_all(&runs).expect("a folder");
    let record = |cases: &[Case]| {
        let mut lines = String::from("{\"event\":\"run_started\",\"run\":\"x\",\"subject\":\"it\",\"cases\":1,\"jobs\":1}\n");
        for (name, verdict, step) in cases {
            let step = format!(
                "{{\"step\":\"{step}\",\"line\":6,\"verdict\":\"{verdict}\",\"claim\":null,\"truth\":null,\"reason\":\"x\",\"ms\":1}}"
            );
            lines.push_str(&format!(
                "{{\"event\":\"scenario_finished\",\"report\":{{\"name\":\"{name}\",\"fixture\":\"pointer/control\",\"subject\":\"it\",\"profile\":\"calm\",\"verdict\":\"{verdict}\",\"reason\":\"x\",\"attempts\":1,\"duration_ms\":1,\"steps\":[{step}]}}}}\n"
            ));
        }
        std::fs::write(runs.join("events.jsonl"), lines).expect("writes");
    };
    let minimize = |args: &[&str]| lab(project.path(), &[&["scenario", "minimize", "20260101-000000-2147483647"], args].concat());
    let snapshot = "take a snapshot";
    let cases: [(&[Case], &[&str], i32, &str); 6] = [
        (&[("pointer/it", "passed", snapshot)], &[], 4, "no scenario failed in this run"),
        (&[("pointer/it", "lie", snapshot)], &["nowhere"], 4, "no scenario with nowhere in its name failed"),
        (&[("pointer/it", "environment", snapshot)], &[], 4, "nothing was learnt of the subject"),
        (&[("pointer/it", "lie", snapshot), ("pointer/other", "lie", snapshot)], &[], 2, "2 scenarios failed, say which"),
        (&[("pointer/other", "lie", snapshot)], &[], 3, "`pointer/other` of the run is gone"),
        (&[("pointer/it", "lie", "click something else")], &[], 3, "has other steps than when it was run"),
    ];
    for (run, args, code, sentence) in cases {
        record(run);
        let (ended, said, told) = minimize(args);
        let told = told.replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!((ended, told.contains(sentence)), (code, true), "{sentence}: {ended} {said}{told}");
    }
}
