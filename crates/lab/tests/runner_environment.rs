//! A machine that lacks something: the run ends at once with one block, the way out, and its own exit code.

#![allow(clippy::expect_used, reason = "in a test a panic with its reason is the report")]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("is there")
}

const SCENARIO: &str = "guards: It counts.\nfixture: pointer/control\nsteps:\n  - click: {target: {role: button, name: Go}}\n    expect: {outcome: changed, effect: true}\n";

/// A project of our own with this many scenarios.
fn project(count: usize) -> tempfile::TempDir {
    let project = tempfile::tempdir().expect("a folder");
    for name in ["fixtures", "subjects"] {
        symlink(root().join(name), project.path().join(name)).expect("links");
    }
    fs::create_dir_all(project.path().join("scenarios/pointer")).expect("a folder");
    for number in 0..count {
        fs::write(project.path().join(format!("scenarios/pointer/s{number}.yaml")), SCENARIO).expect("writes");
    }
    project
}

/// A program that says this when asked for its version, and runs `body` otherwise.
fn program(folder: &Path, name: &str, version: &str, body: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/sh\nif [ \"$1\" = --version ]; then echo '{version}'; exit; fi\n{body}\n")).expect("writes");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("is ours");
    path
}

/// Runs with these variables; exit code, standard output, standard error on one line.
fn run(project: &Path, subject: &str, env: &[(&str, &Path)]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lab"));
    command.arg("--root").arg(project).args(["scenario", "run", "--subject", subject, "--report"]);
    command.arg(format!("json={}", project.join("report.json").display()));
    command.envs(env.iter().map(|(name, value)| (*name, *value))).env("NO_COLOR", "1").stdin(Stdio::null());
    let Output { status, stdout, stderr } = command.output().expect("starts");
    let stderr = String::from_utf8_lossy(&stderr).replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ");
    (status.code().expect("has a code"), String::from_utf8_lossy(&stdout).into_owned(), stderr)
}

#[test]
fn what_is_missing_is_told_once_for_all_cases() {
    let bin = tempfile::tempdir().expect("a folder");
    let chrome = program(bin.path(), "chrome", "Chromium 155.0.1.2", "exit 1");
    let same = program(bin.path(), "chromedriver", "ChromeDriver 155.0.9.9 (x)", "echo 'the port is on fire' >&2; exit 1");
    let newer = program(bin.path(), "newer", "ChromeDriver 156.0.9.9 (x)", "exit 1");
    let mute = program(bin.path(), "mute", "", "exit 1");
    let nowhere = Path::new("/nowhere/chrome");
    let cases: [(&[(&str, &Path)], &str); 4] = [
        (&[("LAB_CHROME", nowhere)], "LAB_CHROME names /nowhere/chrome, which is no file"),
        (&[("LAB_CHROME", &chrome), ("LAB_CHROMEDRIVER", &newer)], "Install the ChromeDriver for Chrome 155.0.1.2"),
        (&[("LAB_CHROME", &mute), ("LAB_CHROMEDRIVER", &same)], "did not answer with a version"),
        (
            &[("LAB_CHROME", &chrome), ("LAB_CHROMEDRIVER", &same)],
            "ChromeDriver ended before it was ready. Its last words: the port is on fire",
        ),
    ];
    for (env, sentence) in cases {
        let project = project(5);
        let (exit, stdout, stderr) = run(project.path(), "liar", env);
        assert_eq!(exit, 5, "{stdout}{stderr}");
        assert_eq!(stdout.matches("why:").count(), 1, "{stdout}");
        assert!(stdout.contains(sentence), "{sentence}: {stdout}");
        assert!(stdout.contains("5 environment"), "{stdout}");
        assert_eq!(stdout.lines().last(), Some("0 passed, 5 failed"));
        let report = fs::read_to_string(project.path().join("report.json")).expect("is written");
        let report: serde_json::Value = serde_json::from_str(&report).expect("is JSON");
        assert_eq!(report["summary"]["environment"], 5);
        assert!(report["environment"].as_str().is_some_and(|why| why.contains(sentence)), "{report}");
    }
}

#[test]
fn an_extension_that_is_not_built_or_old_stops_the_run_before_any_browser() {
    let project = project(1);
    let (exit, _, stderr) = run(project.path(), "tegata", &[]);
    assert!(exit == 5 && stderr.contains("the extension is not built") && stderr.contains("run ci/setup"), "{exit} {stderr}");
    let extension = project.path().join("extension");
    fs::create_dir_all(extension.join("src")).expect("a folder");
    fs::create_dir_all(extension.join("dist")).expect("a folder");
    for name in ["src/a.ts", "manifest.json", "build.mjs", "package.json"] {
        fs::write(extension.join(name), name).expect("writes");
    }
    fs::write(extension.join("dist/build.json"), r#"{"version":"1","source_hash":"of other files"}"#).expect("writes");
    let (exit, stdout, stderr) = run(project.path(), "tegata", &[("LAB_CHROME", Path::new("/nowhere/chrome"))]);
    assert!(exit == 5 && stderr.contains("older than its source") && stderr.contains("run ci/setup"), "{exit} {stderr}");
    assert!(!stdout.contains("cases against"), "no run is begun: {stdout}");
}
