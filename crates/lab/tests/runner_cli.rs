//! The command line: one exit code each for every way to end, one clear sentence, nothing left running.

#![allow(clippy::expect_used, reason = "in a test a panic with its reason is the report")]

use std::io::{BufRead, BufReader};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("is there")
}

fn lab(root: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lab"));
    command.arg("--root").arg(root).args(args).env("NO_COLOR", "1").stdin(Stdio::null());
    command
}

/// Runs to the end and returns exit code, standard output and standard error (unwrapped to one line).
fn told(command: &mut Command) -> (i32, String, String) {
    let Output { status, stdout, stderr } = command.output().expect("starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let stderr = text(&stderr).replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ");
    (status.code().expect("has a code"), text(&stdout), stderr)
}

/// A project of our own, with the real fixtures and subjects and these scenarios.
fn project(scenarios: &[(&str, &str)]) -> tempfile::TempDir {
    let project = tempfile::tempdir().expect("a folder");
    symlink(root().join("fixtures"), project.path().join("fixtures")).expect("links");
    symlink(root().join("subjects"), project.path().join("subjects")).expect("links");
    let folder = project.path().join("scenarios");
    std::fs::create_dir_all(folder.join("pointer")).expect("a folder");
    for (name, source) in scenarios {
        std::fs::write(folder.join(name), source).expect("writes");
    }
    project
}

const RIGHT: &str = "guards: It counts.\nfixture: pointer/control\nsteps:\n  - click: {target: {role: button, name: Go}}\n    expect: {outcome: changed, effect: true}\n";

#[test]
fn every_way_to_be_wrong_has_its_code_and_a_sentence() {
    let right = project(&[("pointer/it.yaml", RIGHT)]);
    let wrong = project(&[("pointer/it.yaml", &RIGHT.replace("clic", "clik")), ("pointer/other.yaml", "guards: x\n")]);
    let stale =
        project(&[("pointer/it.yaml", RIGHT), ("known-failures.yaml", "- {scenario: pointer/ti, issue: x, expires: 2099-01-01}\n")]);
    let cases: [(&Path, &[&str], i32, &str); 24] = [
        (right.path(), &["bench", "--pages", "D"], 2, "possible values: A, B, C"),
        (right.path(), &["bench", "--against", "nobody"], 2, "no subject `nobody`"),
        (right.path(), &["bench", "--against", "liar"], 5, "nothing to measure"),
        (right.path(), &["compare"], 2, "--against"),
        (right.path(), &["compare", "--against", "nobody"], 2, "no subject `nobody`"),
        (right.path(), &["compare", "--against", "liar", "nowhere"], 4, "no scenario has nowhere in its name"),
        (right.path(), &["scenario", "run", "--nonsense"], 2, "--nonsense"),
        (right.path(), &["scenario", "run", "--report", "pdf=x"], 2, "there is no report `pdf`"),
        (right.path(), &["scenario", "run", "--repeat", "0"], 2, "--repeat"),
        (right.path(), &["scenario", "run", "nowhere", "--bisect"], 125, "no scenario with nowhere in its name"),
        (right.path(), &["report"], 4, "no run at all"),
        (right.path(), &["report", "20990101-000000-1", "--html", "x"], 4, "no run `20990101-000000-1`"),
        (right.path(), &["scenario", "run", "--partition", "3/2"], 2, "write m/n"),
        (right.path(), &["scenario", "run", "--subject", "nobody"], 2, "the subjects are: agent-browser, chrome-devtools"),
        (wrong.path(), &["scenario", "lint"], 3, "did you mean `click`?"),
        (wrong.path(), &["scenario", "run"], 3, "2 scenario file(s) have faults"),
        (stale.path(), &["scenario", "lint"], 3, "did you mean `pointer/it`?"),
        (right.path(), &["scenario", "run", "nowhere"], 4, "no scenario with nowhere in its name"),
        (right.path(), &["scenario", "run", "pointer/ti"], 4, "near it are `pointer/it`"),
        (right.path(), &["scenario", "list", "itt"], 4, "near it are `pointer/it`"),
        (right.path(), &["scenario", "list", "nowhere"], 4, "no scenario has nowhere in its name"),
        (right.path(), &["scenario", "explain", "pointer/ti"], 4, "did you mean `pointer/it`?"),
        (right.path(), &["scenario", "run", "--last-failed"], 4, "no earlier run"),
        // A project without an extension folder: the check comes before any Chrome is started.
        (right.path(), &["scenario", "run"], 5, "the extension is not built"),
    ];
    for (root, args, code, sentence) in cases {
        let (exit, _, stderr) = told(&mut lab(root, args));
        assert_eq!(exit, code, "{args:?}: {stderr}");
        assert!(stderr.contains(sentence), "{args:?}: {stderr}");
    }
}

#[test]
fn the_latest_runs_are_kept_and_two_at_once_do_not_meet() {
    let project = project(&[("pointer/it.yaml", RIGHT)]);
    // Without a Chrome a run is over at once, and is a run all the same.
    let run = || {
        let mut command = lab(project.path(), &["scenario", "run", "--subject", "liar"]);
        command.env("LAB_CHROME", "/nowhere/chrome").env("LAB_RUNS", "3").stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let mut pair = [run().spawn().expect("starts"), run().spawn().expect("starts")];
    for child in &mut pair {
        assert_eq!(child.wait().expect("ends").code(), Some(5));
    }
    let count = || std::fs::read_dir(project.path().join("runs")).expect("is there").count();
    assert_eq!(count(), 2);
    for _ in 0..3 {
        run().status().expect("ends");
    }
    assert_eq!(count(), 3);
    let (exit, _, stderr) = told(lab(project.path(), &["scenario", "run"]).env("LAB_RUNS", "many"));
    assert!(exit == 2 && stderr.contains("LAB_RUNS=many"), "{stderr}");
}

#[test]
fn the_help_tells_every_exit_code() {
    let (_, stdout, _) = told(&mut lab(&root(), &["scenario", "run", "--help"]));
    for code in [
        "0  every",
        "1  a scenario",
        "2  the command",
        "3  a scenario",
        "4  nothing",
        "5  the environment",
        "6  the lab",
        "7  a scenario",
        "130  inter",
    ] {
        assert!(stdout.contains(code), "{code}: {stdout}");
    }
}

#[test]
fn reading_commands_need_no_browser() {
    let project = project(&[("pointer/it.yaml", RIGHT)]);
    let (exit, stdout, _) = told(&mut lab(project.path(), &["scenario", "lint"]));
    assert_eq!((exit, stdout.as_str()), (0, "1 scenarios, no faults\n"));
    let (exit, stdout, _) = told(&mut lab(project.path(), &["scenario", "list"]));
    assert!(exit == 0 && stdout.starts_with("pointer/it  calm"), "{stdout}");
    let (exit, stdout, _) = told(&mut lab(project.path(), &["scenario", "explain", "pointer/it"]));
    assert_eq!(exit, 0);
    insta::assert_snapshot!(stdout);
}

#[test]
fn a_run_stops_at_the_first_failure_and_takes_up_what_failed() {
    let names = ["pointer/a.yaml", "pointer/b.yaml", "pointer/c.yaml"];
    let project = project(&names.map(|name| (name, RIGHT)));
    let run = |more: &[&str]| {
        let args = [&["scenario", "run", "--subject", "evasive", "--jobs", "1"], more].concat();
        let (exit, stdout, _) = told(&mut lab(project.path(), &args));
        (exit, stdout.lines().next_back().unwrap_or_default().to_owned(), stdout)
    };
    let (exit, last, stdout) = run(&["--fail-fast", "--retries", "1"]);
    assert_eq!((exit, last.as_str()), (1, "0 passed, 1 failed"), "{stdout}");
    assert!(stdout.contains("pointer/a: attempt 2") && stdout.contains("2 not run"), "{stdout}");
    assert!(stdout.contains("again: cargo run -p lab -- scenario run pointer/a --profile calm --subject evasive"), "{stdout}");
    let kept = stdout.lines().find_map(|line| line.trim().strip_prefix("kept:")).expect("evidence is kept");
    for name in ["screenshot.png", "replies.txt", "journal.json"] {
        assert!(Path::new(kept.trim()).join(name).is_file(), "{name} in {kept}");
    }
    // A run that was made is reported later from its own folder, with the evidence of every attempt.
    let page = project.path().join("deep/run.html");
    let (exit, _, stderr) = told(&mut lab(project.path(), &["report", "--html", &page.display().to_string()]));
    assert_eq!(exit, 0, "{stderr}");
    let text = std::fs::read_to_string(&page).expect("is written");
    let data = text.split("id=\"data\">").nth(1).and_then(|rest| rest.split("</script>").next()).expect("holds the run");
    let data: serde_json::Value = serde_json::from_str(data).expect("is JSON");
    let attempts = data["cases"][0]["attempts"].as_array().expect("are told");
    assert_eq!(attempts.len(), 2);
    for attempt in attempts {
        assert!(attempt["journal"][0]["kind"] == "hello" && attempt["replies"].as_str().is_some_and(|text| !text.is_empty()), "{attempt}");
    }
    assert!(attempts[1]["steps"][0]["pictures"]["before"].as_str().is_some_and(|url| url.starts_with("data:image/jpeg;base64,")));
    let (_, last, stdout) = run(&["--last-failed"]);
    assert_eq!(last, "0 passed, 1 failed", "{stdout}");
    // The runs of another subject, and one that still goes on, are not the last.
    told(&mut lab(project.path(), &["scenario", "run", "--subject", "liar", "pointer/c"]));
    let (_, last, stdout) = run(&["--last-failed"]);
    assert!(last == "0 passed, 1 failed" && stdout.contains("pointer/a"), "{stdout}");
    let (_, _, stdout) = run(&["--partition", "2/2"]);
    assert!(stdout.contains("evasive pointer/b") && !stdout.contains("pointer/c"), "{stdout}");
}

/// All processes that inherited this mark.
fn marked(mark: &str) -> Vec<String> {
    let wanted = format!("LAB_TEST_MARK={mark}");
    let entries = std::fs::read_dir("/proc").expect("is Linux").flatten();
    let has_mark = |path: &Path| {
        std::fs::read(path.join("environ")).is_ok_and(|bytes| bytes.split(|byte| *byte == 0).any(|one| one == wanted.as_bytes()))
    };
    entries
        .map(|entry| entry.path())
        .filter(|path| has_mark(path))
        .map(|path| std::fs::read_to_string(path.join("comm")).unwrap_or_default().trim().to_owned())
        .collect()
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "looks into /proc")]
fn an_interrupted_run_ends_cleanly_and_leaves_nothing_running() {
    let mark = std::process::id().to_string();
    let folder = tempfile::tempdir().expect("a folder");
    let many = (0..200).map(|number| (format!("pointer/s{number}.yaml"), RIGHT)).collect::<Vec<_>>();
    let many = many.iter().map(|(name, source)| (name.as_str(), *source)).collect::<Vec<_>>();
    let project = project(&many);
    let report = folder.path().join("deep/report.json");
    let request = format!("json={}", report.display());
    let mut command = lab(project.path(), &["scenario", "run", "--subject", "liar", "--jobs", "1", "--report", &request]);
    command.env("LAB_TEST_MARK", &mark).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("starts");
    let mut lines = BufReader::new(child.stdout.take().expect("is piped")).lines();
    let first = lines.by_ref().map(|line| line.expect("is text")).find(|line| line.contains("lie pointer/s"));
    assert!(first.is_some(), "a case is over before the interrupt");
    assert!(marked(&mark).len() > 2, "Chrome is running");
    let asked = Instant::now();
    kill(Pid::from_raw(i32::try_from(child.id()).expect("fits")), Signal::SIGINT).expect("is sent");
    let rest = lines.map(|line| line.expect("is text")).collect::<Vec<_>>();
    let status = child.wait().expect("ends");
    assert_eq!(status.code(), Some(130));
    assert!(asked.elapsed() < Duration::from_secs(10), "it took {:?}", asked.elapsed());
    assert!(rest.last().is_some_and(|line| line.starts_with("0 passed, ")), "{rest:?}");
    assert!(rest.iter().any(|line| line.contains("not run, interrupted after")), "{rest:?}");
    assert!(report.is_file(), "the report is written all the same");
    // The kernel may need a moment to take the killed ones away.
    while !marked(&mark).is_empty() && asked.elapsed() < Duration::from_secs(10) {
        std::thread::yield_now();
    }
    assert_eq!(marked(&mark), Vec::<String>::new());
}

const WRONG: &str = "guards: x\nfixture: pointer/control\nsteps:\n  - clik: {target: {css: \"#go\"}}\n";

#[test]
fn a_faulty_file_keeps_no_other_scenario_from_being_run() {
    let project = project(&[("pointer/good.yaml", READS), ("pointer/typo.yaml", WRONG)]);
    let run = |more: &[&str]| {
        let report = project.path().join("report.json");
        let report = format!("json={}", report.display());
        let args = [&["scenario", "run", "--subject", "liar", "--jobs", "1", "--report", report.as_str()], more].concat();
        told(&mut lab(project.path(), &args))
    };
    let (exit, stdout, stderr) = run(&[]);
    assert_eq!(exit, 3, "{stdout}{stderr}");
    assert!(stdout.contains("passed pointer/good") && stdout.contains("bad_scenario pointer/typo"), "{stdout}");
    assert!(stdout.contains("line 4: unknown key `clik` (did you mean `click`?"), "{stdout}");
    let report = std::fs::read_to_string(project.path().join("report.json")).expect("is written");
    let report: serde_json::Value = serde_json::from_str(&report).expect("is JSON");
    assert_eq!((&report["unreadable"][0]["name"], &report["unreadable"][0]["line"]), (&"pointer/typo".into(), &4.into()));
    assert_eq!(run(&["--bisect"]).0, 125, "nothing can be learnt of a commit whose scenario cannot be read");
    let (exit, stdout, _) = run(&["pointer/good", "--repeat", "2"]);
    assert_eq!(exit, 0, "who did not ask for it is not kept up by it: {stdout}");
    assert_eq!(stdout.lines().next_back(), Some("2 passed, 0 failed"), "{stdout}");
    let (exit, _, stderr) = run(&["pointer/typo"]);
    assert!(exit == 3 && stderr.contains("did you mean `click`?"), "{stderr}");
}

const READS: &str = "guards: It reads.\nfixture: pointer/control\nsteps:\n  - snapshot: {}\n";

#[test]
fn a_run_until_failure_ends_at_the_first_and_waits_for_somebody_to_look() {
    let project = project(&[("pointer/a.yaml", READS), ("pointer/b.yaml", RIGHT)]);
    let args = ["scenario", "run", "--subject", "evasive", "--until-fail", "--repeat", "5", "--pause-on-fail", "--slow-mo", "1"];
    let mut child = lab(project.path(), &args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts");
    let said = BufReader::new(child.stderr.take().expect("is piped")).lines().map(|line| line.expect("is text"));
    let mut said = said.skip_while(|line| !line.contains("pointer/b is evasive"));
    assert!(said.next().is_some(), "it says what failed");
    assert!(child.try_wait().expect("is asked").is_none(), "it waits");
    assert!(said.next().is_some_and(|line| line.contains("Enter goes on")));
    drop(child.stdin.take());
    let output = child.wait_with_output().expect("ends");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{stdout}");
    assert_eq!(stdout.lines().next_back(), Some("1 passed, 1 failed"), "{stdout}");
    assert!(stdout.contains("10 cases") && stdout.contains("8 not run"), "{stdout}");
}

#[test]
fn chrome_can_come_from_another_webdriver_and_nothing_of_it_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let driver = std::env::var_os("LAB_CHROMEDRIVER").unwrap_or_else(|| "chromedriver".into());
    let mut command = Command::new(driver);
    let mark = format!("webdriver-{}", std::process::id());
    command.args(["--port=0"]).env("LAB_TEST_MARK", &mark).stdout(Stdio::piped()).stderr(Stdio::null()).current_dir(folder.path());
    let mut driver = command.spawn().expect("a second ChromeDriver starts");
    let lines = BufReader::new(driver.stdout.take().expect("is piped")).lines().map(|line| line.expect("is text"));
    let port =
        lines.filter_map(|line| line.split_once("successfully on port ").map(|(_, port)| port.trim_end_matches('.').to_owned())).next();
    let url = format!("http://127.0.0.1:{}/", port.expect("it tells its port"));
    let project = project(&[("pointer/it.yaml", RIGHT), ("pointer/wild.yaml", &RIGHT.replace("steps:", "profiles: [wild, calm]\nsteps:"))]);
    let (exit, stdout, stderr) = told(&mut lab(project.path(), &["scenario", "run", "--subject", "mute", "--webdriver", &url]));
    assert_eq!(exit, 1, "{stdout}{stderr}");
    assert!(stdout.contains("2 cases") && stdout.contains("2 false alarms"), "the mute acts through it: {stdout}");
    let left = || marked(&mark).into_iter().filter(|name| name.starts_with("chrom") && !name.starts_with("chromedriver")).count();
    let asked = Instant::now();
    while left() > 0 && asked.elapsed() < Duration::from_secs(10) {
        std::thread::yield_now();
    }
    assert_eq!(left(), 0, "its Chrome is gone with the run");
    driver.kill().expect("is ours");
    driver.wait().expect("ends");
    let (exit, stdout, _) = told(&mut lab(project.path(), &["scenario", "run", "--subject", "mute", "--webdriver", &url]));
    assert!(exit == 5 && stdout.contains("environment"), "no driver there any more: {stdout}");
}
