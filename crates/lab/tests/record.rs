//! Recording: what is done by hand in a Chrome of the lab is a scenario that passes, no secret of it is anywhere, and what cannot be
//! recorded is told with its own code.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use lab::subject::Plan;

const SECRET: &str = "Canary7 hunter2 0x5f";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// A project of our own, with the real fixtures, subjects and extension.
fn project() -> tempfile::TempDir {
    let project = tempfile::tempdir().unwrap();
    for folder in ["fixtures", "subjects", "extension"] {
        symlink(root().join(folder), project.path().join(folder)).unwrap();
    }
    std::fs::create_dir_all(project.path().join("scenarios/pointer")).unwrap();
    project
}

fn lab(project: &Path, arguments: &[&str]) -> Command {
    let lab = Path::new(env!("CARGO_BIN_EXE_lab"));
    let mut command = Command::new(lab);
    // The project has no sources to build it from.
    command.arg("--root").arg(project).args(arguments).env("LAB_TEGATA", lab.with_file_name("tegata"));
    command.env("NO_COLOR", "1").stdin(Stdio::null());
    command
}

/// Runs to the end: exit code, standard output, standard error on one line.
fn told(command: &mut Command) -> (i32, String, String) {
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let error = text(&output.stderr).replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ");
    (output.status.code().unwrap_or(-1), text(&output.stdout), error)
}

/// Every file below a folder that holds a text; links are not followed.
fn holding(folder: &Path, text: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            found.extend(holding(&entry.path(), text));
        } else if kind.is_file() && String::from_utf8_lossy(&std::fs::read(entry.path()).unwrap()).contains(text) {
            found.push(entry.path());
        }
    }
    found
}

#[tokio::test]
async fn what_is_done_by_hand_is_a_scenario_that_passes_and_tells_no_secret() {
    Plan::prepare(&root(), "tegata").await.unwrap();
    let project = project();
    let mut recording = lab(project.path(), &["scenario", "record", "by-hand", "--fixture", "keyboard/password"]);
    let mut recording = recording.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut printed = BufReader::new(recording.stdout.take().unwrap());
    let mut line = |start: &str| loop {
        let mut line = String::new();
        assert!(printed.read_line(&mut line).unwrap() > 0, "it ended before it printed {start}");
        if let Some(rest) = line.strip_prefix(start) {
            return rest.trim().to_owned();
        }
    };
    let person = line("person: ");
    let (program, open) = person.split_once(" call ").unwrap();
    let report = project.path().join("report.txt");
    let field = |name: &str, text: &str| {
        format!("call type '{{\"target\":{{\"role\":\"textbox\",\"name\":\"{name}\"}},\"text\":\"{text}\"}}' --session me")
    };
    for (at, call) in [
        format!("call {open}"),
        "call get_text '{}' --session me".to_owned(),
        "call snapshot '{}' --session me".to_owned(),
        field("Password", SECRET),
        format!("report --out {}", report.display()),
    ]
    .iter()
    .enumerate()
    {
        let (code, out, error) = told(Command::new("sh").arg("-c").arg(format!("{program} {call}")));
        assert_eq!(code, 0, "call {at}: {out}{error}");
    }
    drop(recording.stdin.take());
    let mut rest = String::new();
    printed.read_to_string(&mut rest).unwrap();
    assert!(recording.wait().unwrap().success(), "{rest}");
    assert!(rest.contains("1 passed") && rest.contains("was masked, and is made up"), "{rest}");
    let file = project.path().join("scenarios/keyboard/by-hand.yaml");
    let written = std::fs::read_to_string(&file).unwrap();
    assert!(written.contains("- type: {target: {role: textbox, name: Password, inline: true}, text: fillerfillerfillerf1}"), "{written}");
    assert!(written.contains("expect: {outcome: changed, effect: true}\n    journal: {goal: {length: 20}}"), "{written}");
    assert!(!written.contains("get_text") && !written.contains("snapshot") && !written.contains("127.0.0.1"), "{written}");

    // The same after the fact: by the bundle, by one that was cut off, and by its transcript alone.
    let text = std::fs::read_to_string(&report).unwrap();
    let (_, frames) = text.split_once("{\"kind\":\"header\"").unwrap();
    let (session, cut) = (project.path().join("session.jsonl"), project.path().join("cut.txt"));
    std::fs::write(&session, format!("{{\"kind\":\"header\"{frames}")).unwrap();
    std::fs::write(&cut, text.trim_end().rsplit_once('\n').unwrap().0).unwrap();
    let [report, session, cut] = [&report, &session, &cut].map(|path| path.to_str().unwrap());
    for (arguments, printed) in [
        (vec!["scenario", "import", report, "keyboard/reported", "--no-run"], "made 20"),
        (vec!["scenario", "import", cut, "keyboard/cut", "--no-run"], "truncated: it was cut off after"),
        (
            vec!["scenario", "record", "keyboard/after", "--from-session", session, "--no-run", "--typed", "1=Just a word"],
            "no journal was there",
        ),
    ] {
        let (code, out, error) = told(&mut lab(project.path(), &arguments));
        assert!(code == 0 && out.contains(printed), "{arguments:?}: {out}{error}");
    }
    let read = |name: &str| std::fs::read_to_string(project.path().join(format!("scenarios/keyboard/{name}.yaml"))).unwrap();
    assert!(read("reported").contains("text: fillerfillerfillerf1") && read("cut").contains("is not whole"));
    assert!(read("after").contains("text: Just a word"));
    let (code, out, error) = told(&mut lab(project.path(), &["scenario", "lint"]));
    assert!(code == 0 && out.contains("4 scenarios, no faults"), "{out}{error}");
    assert_eq!(holding(project.path(), SECRET), Vec::<PathBuf>::new());
    assert_eq!(holding(project.path(), "hunter2"), Vec::<PathBuf>::new());
}

#[test]
fn what_cannot_be_recorded_has_its_code_and_a_sentence() {
    let project = project();
    let write = |name: &str, text: &str| {
        let path = project.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    write("scenarios/pointer/it.yaml", "guards: x\n");
    let header = "{\"kind\":\"header\",\"version\":{\"major\":1,\"minor\":0},\"writer\":\"t\",\"protocol\":1}\n";
    let head = "{\"kind\":\"report\",\"version\":{\"major\":1,\"minor\":0},\"made\":\"2026\",\"programs\":{\"tegata\":\"1\",\"protocol\":1,\"os\":\"x\"},\"hops\":[],\"notes\":[\"no daemon runs\"]}\n";
    let empty = write("empty.jsonl", header);
    let newer = write("newer.jsonl", &header.replace("\"major\":1", "\"major\":2"));
    let newer_bundle = write("newer.txt", &head.replace("\"major\":1", "\"major\":2"));
    let without = write("without.txt", head);
    let strange = write("strange.txt", "hello\n");
    let committed = root().join("scenarios/pointer/control.transcript.jsonl").display().to_string();
    let record = |rest: &[&str]| ["scenario", "record"].iter().chain(rest).map(ToString::to_string).collect::<Vec<_>>();
    let import = |rest: &[&str]| ["scenario", "import"].iter().chain(rest).map(ToString::to_string).collect::<Vec<_>>();
    for (arguments, code, sentence) in [
        (record(&["it"]), 2, "--fixture"),
        (record(&["it", "--fixture", "pointer/contrl"]), 2, "there is no fixture `pointer/contrl`; did you mean `pointer/control`?"),
        (record(&["it", "--fixture", "pointer/control"]), 2, "there is a scenario `pointer/it` already; --force"),
        (record(&["nowhere/it", "--fixture", "pointer/control"]), 2, "the groups are navigate, tabs"),
        (record(&["../it", "--fixture", "pointer/control"]), 2, "is no name for a scenario"),
        (record(&["new", "--url", "https://example.com/"]), 2, "is no page of this machine"),
        (record(&["new", "--url", "http://127.0.0.1:1/", "--fixture", "pointer/control"]), 2, "cannot be used with"),
        (record(&["new", "--from-session", "/nowhere.jsonl"]), 3, "/nowhere.jsonl cannot be read"),
        (record(&["new", "--from-session", &newer]), 3, "is of version 2.x, and only 1.x can be read"),
        (record(&["new", "--from-session", &strange]), 3, "is no transcript"),
        (record(&["new", "--from-session", &empty]), 3, "nothing was recorded: no tool was called in it"),
        (record(&["new", "--from-session", &committed]), 3, "it is the transcript of pointer/control"),
        (record(&["new", "--from-session", &empty, "--typed", "x"]), 2, "write it as N=TEXT"),
        (import(&["/nowhere.txt"]), 3, "/nowhere.txt cannot be read"),
        (import(&[&strange]), 3, "is no bundle of `tegata report`"),
        (import(&[&empty]), 3, "it is a transcript"),
        (import(&[&newer_bundle]), 3, "is a bundle of version 2.x, and only 1.x can be read"),
        (import(&[&without]), 3, "holds no transcript: no daemon runs"),
        (import(&[&without, "--fixture", "pointer/gone"]), 2, "there is no fixture `pointer/gone`"),
    ] {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let (exit, out, error) = told(&mut lab(project.path(), &arguments));
        assert!(exit == code && error.contains(sentence), "{arguments:?}: {exit}, {out}{error}");
    }
}

#[test]
fn a_window_without_a_display_is_told_in_a_sentence() {
    let project = project();
    let mut command = lab(project.path(), &["scenario", "record", "new", "--url", "http://127.0.0.1:1/", "--headed"]);
    let (exit, out, error) = told(command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY"));
    let sentence = "no window can be shown: neither DISPLAY nor WAYLAND_DISPLAY names a display";
    assert!(exit == 5 && error.contains(sentence) || cfg!(target_os = "macos"), "{exit}: {out}{error}");
}

#[test]
fn a_page_that_is_no_fixture_becomes_a_draft_that_says_what_it_needs() {
    let project = project();
    let call = |id: u32, tool: &str, arguments: &str, reply: &str, seq: u32| {
        format!(
            "{{\"kind\":\"frame\",\"seq\":{seq},\"tUs\":{seq},\"hop\":\"relay\",\"dir\":\"in\",\"session\":1,\"frame\":{{\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"{tool}\",\"arguments\":{arguments}}}}}}}\n\
             {{\"kind\":\"frame\",\"seq\":{},\"tUs\":{seq},\"hop\":\"relay\",\"dir\":\"out\",\"session\":1,\"frame\":{{\"id\":{id},\"result\":{{\"content\":[{{\"type\":\"text\",\"text\":\"{reply}\"}}]}}}}}}\n",
            seq + 1
        )
    };
    let text = format!(
        "{{\"kind\":\"header\",\"version\":{{\"major\":1,\"minor\":0}},\"writer\":\"t\",\"protocol\":1}}\n{}{}",
        call(1, "tabs", "{\"action\":\"new\",\"url\":\"https://shop.example:8443/cart?id=7\"}", "opened tab 3", 1),
        call(2, "click", "{\"target\":{\"css\":\"#pay\"}}", "outcome: no_effect", 3),
    );
    let file = project.path().join("one.jsonl");
    std::fs::write(&file, text).unwrap();
    let session = ["--from-session", file.to_str().unwrap()];
    let (code, out, error) = told(&mut lab(project.path(), &[&["scenario", "record", "pointer/shop"], &session[..]].concat()));
    assert!(code == 0 && out.contains("It needs this page: https://shop.example/cart. Make a fixture of it"), "{out}{error}");
    let draft = std::fs::read_to_string(project.path().join("scenarios/pointer/shop.yaml.draft")).unwrap();
    assert!(draft.contains("# It needs this page as a fixture: https://shop.example/cart\n") && !draft.contains("id=7"), "{draft}");
    assert!(draft.contains("fixture: GROUP/NAME\nsteps:\n  - click: "), "what opens the page is no step: {draft}");
    let rebuilt = [&["scenario", "record", "pointer/shop", "--fixture", "pointer/control", "--no-run"], &session[..]].concat();
    let (code, out, error) = told(&mut lab(project.path(), &rebuilt));
    assert!(code == 0 && out.contains("truncated: it was cut off after 4 lines"), "{out}{error}");
    let made = std::fs::read_to_string(project.path().join("scenarios/pointer/shop.yaml")).unwrap();
    assert!(made.contains("fixture: pointer/control\nsteps:\n  - click: {target: {css: \"#pay\"}}\n"), "{made}");
}
