//! Rules about single files: headers, sizes, words, sleeps.

use regex::Regex;

use super::Finding;
use super::tree::{Tree, line_of};

/// More lines than this in one file of code is a failure; the aim is about 250.
const MAX_LINES: usize = 800;

/// Generated files and declared tables may be long.
const LONG: [&str; 1] = ["extension/src/generated/"];

/// Sleeps that poll something which cannot call back, each with its bound. A sleep as an arm of `select!` is
/// a bound itself and needs no entry. Tests wait for conditions too.
const SLEEPS: [(&str, &str); 16] = [
    ("crates/lab/src/runner/attempt/mod.rs", "is the pause of --slow-mo, which somebody asked for"),
    ("crates/lab/src/driver/fault.rs", "polls the browser until what was broken is seen to be"),
    ("crates/lab/src/driver/discard.rs", "polls Chrome's own page about unloaded tabs"),
    ("crates/lab/src/driver/process.rs", "polls a process that is ending"),
    ("crates/lab/src/subject/process.rs", "polls the bridge's files and its end"),
    ("crates/lab/src/subject/replayed.rs", "polls the state file of a daemon that is starting"),
    ("crates/lab/src/axdiff/visit.rs", "polls events of DevTools until a page rests"),
    ("crates/lab/src/driver/card.rs", "polls DevTools for a card or panel of the subject's"),
    ("crates/lab/src/driver/still.rs", "polls a page until it stays the same for two looks"),
    ("crates/lab/src/runner/strike.rs", "polls the subject's own log for a call under way, and a process that is ending"),
    ("crates/lab/src/subject/loss.rs", "polls the bridge until another part has taken the place of a lost one"),
    ("crates/lab/src/fixture/routes.rs", "is the answer of the /slow route"),
    ("crates/bridge/src/relay/start.rs", "polls the state file of a daemon that is starting"),
    ("crates/bridge/src/cli.rs", "polls a daemon that is ending"),
    ("crates/bridge/tests/it/instance.rs", "polls the state file of a daemon that is starting"),
    ("crates/bridge/src/daemon/host.rs", "keeps a session for its grace time"),
];

/// Every Rust file says what it owns.
pub(super) fn headers(tree: &Tree) -> Vec<Finding> {
    let files = tree.below("", &[".rs"]).filter(|file| !file.text.starts_with("//!"));
    files
        .map(|file| {
            Finding::new(&file.path, 1, "the file does not start with `//!`: say in a line what it owns, and what it must not know")
        })
        .collect()
}

/// No file grows out of sight.
pub(super) fn sizes(tree: &Tree) -> Vec<Finding> {
    let files = tree.below("", &[".rs", ".ts", ".mjs", ".js"]).filter(|file| !LONG.iter().any(|long| file.path.starts_with(long)));
    let sizes = files.map(|file| (file, file.text.lines().count())).filter(|(_, lines)| *lines > MAX_LINES);
    sizes
        .map(|(file, lines)| {
            Finding::new(&file.path, MAX_LINES + 1, format!("{lines} lines, at most {MAX_LINES}: split it by what its parts own"))
        })
        .collect()
}

/// Nothing is left for later, and no test is switched off.
pub(super) fn unfinished(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    // Written in two halves, so that this file does not hold them.
    let marks = pattern(&["\\b(?:FIX", "ME|X", "XX|TO", "DO)\\b"].concat());
    let macros = pattern(r"\b(?:todo|unimplemented)!");
    let ignored = pattern(r"#\s*\[\s*ignore\b");
    let skipped = pattern(r"\b(?:test|it|describe)\.(?:skip|only|todo)\b|\bskip:\s*true\b");
    for file in tree.below("", &[".rs", ".ts", ".mjs", ".js", ".yaml", ".html", ".toml", ".md"]) {
        let mut all = |text: &str, pattern: &Regex, what: &str| {
            findings.extend(pattern.find_iter(text).map(|found| Finding::new(&file.path, line_of(text, found.start()), what)));
        };
        all(&file.text, &marks, "a mark for later: do it now, or open an issue and link it");
        if file.path.ends_with(".rs") {
            let code = file.code();
            all(&code, &macros, "an unfinished branch: finish it, or return an error that says what is not supported");
            all(&code, &ignored, "a test that is switched off: make it pass, or remove it");
        } else if file.path.starts_with("extension/test/") {
            all(&file.code(), &skipped, "a test that is switched off or hides the others: make it pass, or remove the mark");
        }
    }
    findings
}

/// Nothing waits for a fixed time where it could wait for a condition.
pub(super) fn sleeps(tree: &Tree) -> Vec<Finding> {
    let sleep = pattern(r"\b(?:thread|time)::sleep\s*\(|\buse\s+[\w:]*::sleep\s*;");
    let mut findings = Vec::new();
    for file in tree.below("", &[".rs"]).filter(|file| !SLEEPS.iter().any(|(path, _)| *path == file.path)) {
        let code = file.code();
        for found in sleep.find_iter(&code) {
            let line = line_of(&code, found.start());
            let arm = code
                .lines()
                .nth(line - 1)
                .is_some_and(|text| text.trim_start().starts_with("() = ") || text.trim_start().starts_with("_ = "));
            if !arm {
                let what = "a fixed sleep: wait for the condition itself (Notify, watch, a process's end), or list the file with its reason in tidy/text.rs";
                findings.push(Finding::new(&file.path, line, what));
            }
        }
    }
    for (path, reason) in SLEEPS {
        if let Some(file) = tree.file(path).filter(|file| !sleep.is_match(&file.code())) {
            findings.push(Finding::new(
                &file.path,
                1,
                format!("tidy/text.rs allows a sleep here (\"{reason}\") but there is none: remove the entry"),
            ));
        }
    }
    findings
}

/// No path of somebody's machine.
pub(super) fn machines(tree: &Tree) -> Vec<Finding> {
    let machine = pattern(&["(?m)(?:^|[\\s\"'`(=:>])/(?:ro", "ot|ho", "me|wo", "rk)/"].concat());
    let mut findings = Vec::new();
    for file in tree.below("", &[""]) {
        for found in machine.find_iter(&file.text) {
            let line = line_of(&file.text, found.end());
            findings.push(Finding::new(&file.path, line, "a path of one machine: make it relative to the project, or a temporary folder"));
        }
    }
    findings
}

/// Names that say nothing.
pub(super) fn module_names(tree: &Tree) -> Vec<Finding> {
    const EMPTY: [&str; 9] = ["manager", "managers", "helper", "helpers", "util", "utils", "utilities", "common", "misc"];
    let inline = pattern(r"\bmod\s+(\w+)");
    let mut findings = Vec::new();
    for file in tree.below("", &[".rs", ".ts", ".mjs"]) {
        let what = |word: &str| format!("`{word}` says nothing: name the module after what it owns (design §7)");
        for part in file.path.split('/').map(|part| part.split('.').next().unwrap_or(part)).filter(|part| EMPTY.contains(part)) {
            findings.push(Finding::new(&file.path, 1, what(part)));
        }
        let code = file.code();
        for name in inline.captures_iter(&code).filter_map(|found| found.get(1)).filter(|name| EMPTY.contains(&name.as_str())) {
            findings.push(Finding::new(&file.path, line_of(&code, name.start()), what(name.as_str())));
        }
    }
    findings
}

#[expect(clippy::expect_used, reason = "the patterns are constants, and every test builds them")]
fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a valid pattern")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(findings: &[Finding]) -> Vec<String> {
        findings.iter().map(|finding| format!("{}:{}", finding.path, finding.line)).collect()
    }

    #[test]
    fn headers_and_sizes() {
        let long = "//! x\n".repeat(801);
        let tree = Tree::of(&[("a.rs", "use x;\n"), ("b.rs", &long), ("extension/src/generated/c.ts", &long)]);
        assert_eq!(lines(&headers(&tree)), ["a.rs:1"]);
        assert_eq!(lines(&sizes(&tree)), ["b.rs:801"]);
    }

    #[test]
    fn nothing_is_left_for_later() {
        let mark = ["// FIX", "ME later\n"].concat();
        let tree = Tree::of(&[
            ("a.rs", "//! x\nfn f() { todo!() }\n#[ignore = \"slow\"]\nlet s = \"todo!\";\n"),
            ("b.ts", &mark),
            ("extension/test/a.test.ts", "test.skip('x');\n"),
        ]);
        assert_eq!(lines(&unfinished(&tree)), ["a.rs:2", "a.rs:3", "b.ts:1", "extension/test/a.test.ts:1"]);
    }

    #[test]
    fn fixed_sleeps_are_found_and_bounds_are_not() {
        let tree = Tree::of(&[
            ("a.rs", "//! x\nasync fn f() { tokio::time::sleep(D).await; }\ntokio::select! {\n    () = tokio::time::sleep(D) => {}\n}\n"),
            ("crates/bridge/src/relay/start.rs", "//! x\n"),
        ]);
        assert_eq!(lines(&sleeps(&tree)), ["a.rs:2", "crates/bridge/src/relay/start.rs:1"]);
    }

    #[test]
    fn machines_and_empty_names() {
        let path = ["run \"/ho", "me/me/x\" or https://a.b/ho", "me/x\n"].concat();
        let tree = Tree::of(&[("a.md", &path), ("src/utils.rs", "//! x\nmod helper;\n")]);
        assert_eq!(lines(&machines(&tree)), ["a.md:1"]);
        assert_eq!(lines(&module_names(&tree)), ["src/utils.rs:1", "src/utils.rs:2"]);
    }
}
