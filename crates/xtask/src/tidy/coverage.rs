//! Rules about what belongs together: key and id, tools and scenarios, commands and tests, documents and the tree.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use regex::Regex;
use sha2::{Digest as _, Sha256};

use super::Finding;
use super::tree::{Tree, line_of};

/// Documents a person or a licence scan looks for.
const DOCUMENTS: [&str; 7] = ["README.md", "CONTRIBUTING.md", "AGENTS.md", "CHANGELOG.md", "LICENSE", "deny.toml", "docs/architecture.md"];

/// The manifest's pinned key gives the id that the daemon accepts.
pub(super) fn extension_id(tree: &Tree) -> Vec<Finding> {
    let path = "extension/manifest.json";
    let Some(manifest) = tree.file(path) else {
        return vec![Finding::new(path, 1, "the manifest is missing")];
    };
    let manifest = serde_json::from_str::<serde_json::Value>(&manifest.text).unwrap_or_default();
    let key = manifest["key"].as_str().and_then(|key| STANDARD.decode(key).ok());
    match key.map(|key| id(&key)) {
        Some(id) if id == protocol::EXTENSION_ID => Vec::new(),
        Some(id) => vec![Finding::new(
            path,
            1,
            format!("`key` gives the id {id}, but protocol::EXTENSION_ID is {}: make them agree", protocol::EXTENSION_ID),
        )],
        None => vec![Finding::new(path, 1, "`key` is missing or not Base64: without it every Chrome gives the extension another id")],
    }
}

/// The first 32 hex digits of the key's SHA-256, as letters from a to p.
fn id(key: &[u8]) -> String {
    let hash = Sha256::digest(key);
    let mut digits = String::new();
    for byte in hash.iter().take(16) {
        let _ = write!(digits, "{byte:02x}");
    }
    digits.chars().map(|digit| char::from(b'a' + u8::try_from(digit.to_digit(16).unwrap_or(0)).unwrap_or(0))).collect()
}

/// Every tool is used by a scenario.
pub(super) fn tools(tree: &Tree) -> Vec<Finding> {
    let name = pattern(r#"const NAME: &'static str = "([a-z_]+)""#);
    // A tool whose arguments are steps themselves is called as it is.
    let step = pattern(r"(?m)^\s*- (?:call:\s*\{?\s*tool: )?([a-z_]+)\b");
    let scenarios = tree.below("scenarios/", &[".yaml"]);
    let used: BTreeSet<&str> =
        scenarios.flat_map(|file| step.captures_iter(&file.text)).filter_map(|found| found.get(1)).map(|word| word.as_str()).collect();
    let mut findings = Vec::new();
    for file in tree.below("crates/bridge/src/tools/", &[".rs"]).filter(|file| !file.is_test()) {
        for tool in name.captures_iter(&file.text).filter_map(|found| found.get(1)).filter(|tool| !used.contains(tool.as_str())) {
            let what = format!("no scenario has a step `- {}:`: write one below scenarios/", tool.as_str());
            findings.push(Finding::new(&file.path, line_of(&file.text, tool.start()), what));
        }
    }
    findings
}

/// Every command of the wire is named by a test, a golden message or as its variant in a test.
pub(super) fn commands(tree: &Tree) -> Vec<Finding> {
    let tests = tree.files.iter().filter(|file| file.is_test() || file.path.starts_with("fixtures/wire/"));
    let tests: String = tests.map(|file| file.text.as_str()).collect();
    let table = "crates/protocol/src/command.rs";
    let text = tree.file(table).map(|file| file.text.as_str()).unwrap_or_default();
    let missing =
        protocol::Command::METHODS.iter().filter(|method| !tests.contains(&format!("\"{method}\"")) && !tests.contains(&variant(method)));
    missing
        .map(|method| {
            let line = text.find(&format!("\"{method}\"")).map_or(1, |offset| line_of(text, offset));
            Finding::new(
                table,
                line,
                format!("no test names `{method}`: add a golden message below fixtures/wire/ or a test of its handler"),
            )
        })
        .collect()
}

/// `tabs/list` → `TabsList`.
fn variant(method: &str) -> String {
    let mut name = String::new();
    for word in method.split('/') {
        let mut letters = word.chars();
        name.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    name
}

/// The documents that have to be there.
pub(super) fn documents(tree: &Tree) -> Vec<Finding> {
    DOCUMENTS.iter().filter(|path| !tree.has(path)).map(|path| Finding::new(*path, 1, "the document is missing: write it")).collect()
}

/// Files and folders that a document names are there: links, and paths of the project in code marks or code blocks.
pub(super) fn maps(tree: &Tree) -> Vec<Finding> {
    let link = pattern(r"\]\(([^)#\s]+)(?:#[^)]*)?\)");
    let named = pattern(r"(?m)(?:^|[`\s])((?:\.ci|ci|crates|extension|fixtures|scenarios|subjects|benches|docs)/[\w./-]*)(?:[`\s]|$)");
    let mut findings = Vec::new();
    for file in tree.files.iter().filter(|file| is_document(&file.path)) {
        let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let links = link.captures_iter(&file.text).filter_map(|found| found.get(1)).filter(|target| !target.as_str().contains(':'));
        let links = links.map(|target| (target, join(folder, target.as_str())));
        let paths = named
            .captures_iter(&file.text)
            .filter_map(|found| found.get(1))
            .map(|path| (path, path.as_str().trim_end_matches(['.', '/']).to_owned()));
        for (place, path) in links.chain(paths).filter(|(_, path)| !is_built(path) && !tree.has(path)) {
            let what = format!("names {path}, which is not there: correct the document or the path");
            findings.push(Finding::new(&file.path, line_of(&file.text, place.start()), what));
        }
    }
    findings
}

fn is_document(path: &str) -> bool {
    path.ends_with(".md") && (!path.contains('/') || path.starts_with("docs/"))
}

/// Made by a build, so not in the tree.
fn is_built(path: &str) -> bool {
    path.starts_with("extension/dist") || path.starts_with("extension/node_modules") || path.starts_with("extension/icons")
}

/// A relative link, from the folder of its document.
fn join(folder: &str, link: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in link.split('/').filter(|part| !matches!(*part, "" | ".")) {
        if part == ".." {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    parts.join("/")
}

#[expect(clippy::expect_used, reason = "the patterns are constants, and every test builds them")]
fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a valid pattern")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_follows_from_the_key() {
        assert_eq!(id(b""), "odlameecjipmbmbejkplpemijjgpljce");
        let tree = Tree::of(&[("extension/manifest.json", r#"{"key": "AAAA"}"#)]);
        assert_eq!(extension_id(&tree).len(), 1);
        assert!(extension_id(&tree)[0].what.contains(protocol::EXTENSION_ID));
    }

    #[test]
    fn a_tool_needs_a_scenario() {
        let tree = Tree::of(&[
            ("crates/bridge/src/tools/a.rs", "const NAME: &'static str = \"click\";\nconst NAME: &'static str = \"drag\";\n"),
            ("scenarios/a.yaml", "steps:\n  - click: {}\n  - call:\n      tool: act\n"),
            ("crates/bridge/src/tools/b.rs", "const NAME: &'static str = \"act\";\n"),
        ]);
        let findings = tools(&tree);
        assert_eq!(findings.len(), 1);
        assert!(findings[0].to_string().starts_with("crates/bridge/src/tools/a.rs:2: no scenario has a step `- drag:`"), "{findings:?}");
    }

    #[test]
    fn a_command_needs_a_test() {
        let all: String =
            protocol::Command::METHODS.iter().filter(|method| **method != "tabs/list").map(|method| format!("\"{method}\"\n")).collect();
        let tree = Tree::of(&[("crates/bridge/tests/it/main.rs", &all), ("crates/protocol/src/command.rs", "x\n\"tabs/list\"")]);
        let findings = commands(&tree);
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].line, 2);
        assert_eq!(variant("tabs/list"), "TabsList");
    }

    #[test]
    fn documents_name_what_is_there() {
        let text = "[a](docs/a.md) [b](https://x.y/z) `crates/gone` and\n```text\ncrates/lab/  the lab\n```\n[c](../x.md#y)\n";
        let tree = Tree::of(&[("README.md", text), ("docs/a.md", "[up](../README.md) [no](b.md)"), ("crates/lab/src/lib.rs", "")]);
        let found: Vec<String> = maps(&tree)
            .iter()
            .map(|finding| format!("{}:{} {}", finding.path, finding.line, finding.what.split(',').next().unwrap_or_default()))
            .collect();
        assert_eq!(found, ["README.md:5 names x.md", "README.md:1 names crates/gone", "docs/a.md:1 names docs/b.md"]);
        assert_eq!(documents(&tree).len(), DOCUMENTS.len() - 1);
    }
}
