//! Who may name what: the layers inside the bridge, and the one owner of each outside library.

use regex::Regex;

use super::Finding;
use super::tree::{File, Tree, line_of};

/// An outside name and the places below `crates/bridge/src/` that may say it.
const OWNERS: [(&str, &[&str]); 8] = [
    ("rmcp", &["mcp/"]),
    ("axum", &["daemon/"]),
    ("tokio_tungstenite", &["daemon/", "relay/"]),
    ("tungstenite", &["daemon/", "relay/"]),
    ("clap", &["cli.rs", "cli/"]),
    ("println!", &["cli.rs", "cli/"]),
    ("print!", &["cli.rs", "cli/"]),
    ("eprintln!", &["cli.rs", "cli/"]),
];

/// A layer of the bridge and what it must not name. Direction: `mcp, daemon → tools → session → browser → protocol`.
const LAYERS: [(&str, &[&str]); 6] = [
    ("browser.rs", &["crate::session", "crate::tools", "crate::daemon", "crate::mcp", "crate::relay", "crate::cli"]),
    ("session/", &["crate::tools", "crate::daemon", "crate::mcp", "crate::relay", "crate::cli"]),
    ("tools/", &["crate::daemon", "crate::mcp", "crate::relay", "crate::cli"]),
    ("judge/", PURE),
    ("render/", PURE),
    ("redact.rs", PURE),
];
const PURE: &[&str] = &[
    "tokio",
    "std::fs",
    "std::net",
    "std::process",
    "std::thread",
    "crate::browser",
    "crate::session",
    "crate::tools",
    "crate::daemon",
    "crate::mcp",
    "crate::relay",
    "crate::cli",
];

/// What data alone does not need.
const NOT_DATA: [&str; 6] = ["tokio", "std::fs", "std::net", "std::process", "std::thread", "tracing"];

/// Files of the extension that may touch `chrome.*`: one for the worker, one for the content script, and the
/// entry points of the small pages, each of which only passes messages on.
const CHROME: [&str; 7] = [
    "extension/src/background/chrome.ts",
    "extension/src/content/chrome.ts",
    "extension/src/offscreen/main.ts",
    "extension/src/popup/main.ts",
    "extension/src/popup/shim.ts",
    "extension/src/connect/main.ts",
    "extension/src/background/main.ts",
];

/// Layers and owners in the bridge.
pub(super) fn bridge(tree: &Tree) -> Vec<Finding> {
    let root = "crates/bridge/src/";
    let mut findings = Vec::new();
    for file in tree.below(root, &[".rs"]) {
        let place = &file.path[root.len()..];
        let names = Names::of(file, place);
        for (name, owners) in OWNERS {
            if !owners.iter().any(|owner| place.starts_with(owner)) {
                let what = format!("only {} of the bridge names `{name}`: pass plain data across instead", owners.join(" and "));
                findings.extend(names.lines(name).map(|line| Finding::new(&file.path, line, what.clone())));
            }
        }
        // Tests of a pure layer may read files and block.
        let layer = LAYERS.iter().find(|(layer, _)| place.starts_with(layer)).filter(|_| !file.is_test());
        for (layer, name) in layer.iter().flat_map(|(layer, names)| names.iter().map(move |name| (layer, name))) {
            let what = format!(
                "`{layer}` must not name `{name}` (design §2, dependency direction): turn the dependency round or pass the value in"
            );
            findings.extend(names.lines(name).map(|line| Finding::new(&file.path, line, what.clone())));
        }
    }
    findings
}

/// The lab never links the bridge.
pub(super) fn lab(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.below("crates/lab/", &[".rs"]) {
        let lines: Vec<usize> = Names::of(file, "").lines("bridge").collect();
        findings.extend(lines.into_iter().map(|line| {
            Finding::new(&file.path, line, "the lab never names `bridge`: speak to the binary over MCP, or move the type to `protocol`")
        }));
    }
    findings
}

/// The wire crate is data only.
pub(super) fn protocol(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.below("crates/protocol/src/", &[".rs"]) {
        let names = Names::of(file, "");
        for name in NOT_DATA {
            let what = format!("`protocol` is data only and must not name `{name}`: do this in the crate that needs it");
            findings.extend(names.lines(name).map(|line| Finding::new(&file.path, line, what.clone())));
        }
    }
    findings
}

/// One owner of `chrome.*` in each world of the extension.
pub(super) fn extension(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.below("extension/src/", &[".ts"]).filter(|file| !CHROME.contains(&file.path.as_str())) {
        let code = file.code();
        for found in pattern(r"(?:^|[^.\w/])chrome\.[a-z]\w*\.[a-z]\w*\s*[(.?]").find_iter(&code) {
            let line = line_of(&code, found.end());
            findings.push(Finding::new(
                &file.path,
                line,
                "only background/chrome.ts, content/chrome.ts and the pages' entries touch `chrome.*`: add a plain function there",
            ));
        }
    }
    findings
}

/// Every path a file names, absolute, with its line.
struct Names {
    named: Vec<(String, usize)>,
}

impl Names {
    fn of(file: &File, place: &str) -> Self {
        let code = file.code();
        let module = module_path(place);
        let mut named = Vec::new();
        for found in pattern(r"(?s)\buse\s+([^;]+);").captures_iter(&code) {
            if let Some(tree) = found.get(1) {
                let line = line_of(&code, tree.start());
                named.extend(flatten(tree.as_str()).into_iter().map(|path| (absolute(&path, &module), line)));
            }
        }
        for found in pattern(r"\b[A-Za-z_]\w*(?:::\w+)+|\b[a-z_]+!").find_iter(&code) {
            named.push((absolute(found.as_str(), &module), line_of(&code, found.start())));
        }
        named.sort();
        named.dedup();
        Self { named }
    }

    /// Lines where this name, or something inside it, is named.
    fn lines(&self, name: &str) -> impl Iterator<Item = usize> {
        let inside = format!("{name}::");
        let found = self.named.iter().filter(move |(path, _)| path == name || path.starts_with(&inside));
        found.map(|(_, line)| *line).collect::<Vec<_>>().into_iter()
    }
}

/// `tools/act.rs` → `tools, act`.
fn module_path(place: &str) -> Vec<String> {
    let stem = place.trim_end_matches(".rs").trim_end_matches("/mod");
    if matches!(stem, "" | "lib" | "main" | "mod") { Vec::new() } else { stem.split('/').map(str::to_owned).collect() }
}

/// `a::{b, c::{self, d}}` → `a::b`, `a::c`, `a::c::d`.
fn flatten(tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some(open) = tree.find('{') else {
        let path = tree.split(" as ").next().unwrap_or(tree);
        let path: String = path.split_whitespace().collect();
        return vec![path.trim_end_matches("::self").trim_end_matches("::*").to_owned()];
    };
    let prefix: String = tree[..open].split_whitespace().collect();
    let inner = tree[open + 1..].trim_end().trim_end_matches('}');
    let inner = if tree.ends_with('}') { &tree[open + 1..tree.len() - 1] } else { inner };
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_i32, 0);
    for (index, character) in inner.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&inner[start..index]);
                start = index + 1;
            }
            _ => {}
        }
    }
    parts.push(&inner[start..]);
    let parts = parts.into_iter().filter(|part| !part.trim().is_empty());
    parts
        .flat_map(flatten)
        .map(|part| if part == "self" { prefix.trim_end_matches("::").to_owned() } else { format!("{prefix}{part}") })
        .collect()
}

/// Resolves `self::` and `super::` against the file's module.
fn absolute(path: &str, module: &[String]) -> String {
    let mut at = module.len();
    let mut rest = path;
    let mut relative = false;
    loop {
        if let Some(after) = rest.strip_prefix("self::") {
            rest = after;
        } else if let Some(after) = rest.strip_prefix("super::") {
            at = at.saturating_sub(1);
            rest = after;
        } else {
            break;
        }
        relative = true;
    }
    if !relative {
        return path.to_owned();
    }
    let mut full = vec!["crate"];
    full.extend(module.iter().take(at).map(String::as_str));
    full.push(rest);
    full.join("::")
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
    fn a_layer_names_nothing_above_it() {
        let tree = Tree::of(&[
            ("crates/bridge/src/judge/weigh.rs", "//! x\nuse std::time::Duration;\nuse crate::{redact, daemon::link};\n// use tokio::x;\n"),
            ("crates/bridge/src/judge/tests.rs", "//! x\nuse std::fs;\n"),
            ("crates/bridge/src/tools/act.rs", "//! x\nuse super::super::mcp::Handler;\nuse tokio::time;\n"),
            ("crates/bridge/src/tools/click.rs", "//! x\nfn f() { rmcp::serve(); }\nuse crate::session::{self, Session};\n"),
            ("crates/bridge/src/mcp/mod.rs", "//! x\nuse rmcp::model;\nfn f() { println!(\"x\") }\n"),
            ("crates/bridge/src/relay/mod.rs", "//! x\nuse tokio_tungstenite::tungstenite::Message;\n"),
        ]);
        assert_eq!(
            lines(&bridge(&tree)),
            [
                "crates/bridge/src/judge/weigh.rs:3",
                "crates/bridge/src/tools/act.rs:2",
                "crates/bridge/src/tools/click.rs:2",
                "crates/bridge/src/mcp/mod.rs:3"
            ]
        );
    }

    #[test]
    fn the_lab_and_the_wire_stay_apart() {
        let tree = Tree::of(&[
            ("crates/lab/src/a.rs", "//! bridge::x\nuse bridge::judge;\nlet s = \"bridge::x\";\n"),
            ("crates/protocol/src/a.rs", "//! x\nuse serde::Serialize;\nfn f() { std::fs::read(p) }\n"),
        ]);
        assert_eq!(lines(&lab(&tree)), ["crates/lab/src/a.rs:2"]);
        assert_eq!(lines(&protocol(&tree)), ["crates/protocol/src/a.rs:3"]);
    }

    #[test]
    fn chrome_has_one_owner() {
        let tree = Tree::of(&[
            ("extension/src/background/chrome.ts", "chrome.tabs.query({});\n"),
            (
                "extension/src/background/tabs.ts",
                "import { chrome } from './chrome';\ntype T = chrome.tabs.Tab;\nvoid chrome.tabs.query({});\n",
            ),
        ]);
        assert_eq!(lines(&extension(&tree)), ["extension/src/background/tabs.ts:3"]);
    }

    #[test]
    fn use_trees_are_flattened() {
        assert_eq!(flatten("a::{b, c::{self, d as e}, f::*}"), ["a::b", "a::c", "a::c::d", "a::f"]);
        assert_eq!(absolute("super::x::Y", &["tools".into(), "act".into()]), "crate::tools::x::Y");
        assert_eq!(module_path("tools/mod.rs"), ["tools"]);
    }
}
