//! The project's text files, and a view of each without comments and strings.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

/// Folders that hold nothing of ours.
const SKIPPED: [&str; 6] = [".git", "target", "node_modules", "dist", "runs", "icons"];

/// One text file.
#[derive(Debug)]
pub(super) struct File {
    /// Relative to the root, with `/`.
    pub(super) path: String,
    /// As it is on disk.
    pub(super) text: String,
}

/// All of them, sorted by path.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) files: Vec<File>,
}

impl Tree {
    /// Reads every text file below the root.
    pub(super) fn read(root: &Path) -> Result<Self> {
        let mut files = Vec::new();
        visit(root, "", &mut files)?;
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(Self { files })
    }

    /// Files below a folder (or of exactly that path), with one of the endings.
    pub(super) fn below<'a>(&'a self, folder: &'a str, endings: &'a [&'a str]) -> impl Iterator<Item = &'a File> {
        self.files.iter().filter(move |file| file.path.starts_with(folder) && endings.iter().any(|ending| file.path.ends_with(ending)))
    }

    /// One file.
    pub(super) fn file(&self, path: &str) -> Option<&File> {
        self.files.iter().find(|file| file.path == path)
    }

    /// Whether a file or a folder of this path is there.
    pub(super) fn has(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        self.files.iter().any(|file| file.path == path || file.path.strip_prefix(path).is_some_and(|rest| rest.starts_with('/')))
    }

    /// A made-up tree.
    #[cfg(test)]
    pub(super) fn of(files: &[(&str, &str)]) -> Self {
        let files = files.iter().map(|(path, text)| File { path: (*path).to_owned(), text: (*text).to_owned() });
        Self { files: files.collect() }
    }
}

impl File {
    /// The text with comments and the insides of strings blanked out; lines stay where they are.
    pub(super) fn code(&self) -> String {
        blank(&self.text, self.path.ends_with(".rs"))
    }

    /// Only tests are in it.
    pub(super) fn is_test(&self) -> bool {
        self.path.contains("/tests/") || self.path.contains("/test/") || self.path.ends_with("/tests.rs")
    }
}

/// The line of a byte offset, from 1.
pub(super) fn line_of(text: &str, offset: usize) -> usize {
    text.as_bytes().iter().take(offset).filter(|byte| **byte == b'\n').count() + 1
}

fn visit(folder: &Path, relative: &str, files: &mut Vec<File>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if relative.is_empty() { name.clone() } else { format!("{relative}/{name}") };
        if entry.file_type()?.is_dir() {
            if !SKIPPED.contains(&name.as_str()) {
                visit(&entry.path(), &path, files)?;
            }
        // In a second working tree `.git` is a file.
        } else if let Ok(text) = fs::read_to_string(entry.path())
            && path != ".git"
        {
            files.push(File { path, text });
        }
    }
    Ok(())
}

/// Blanks comments and string contents of Rust or TypeScript. A lexer of the few forms that matter here:
/// line and (in Rust nested) block comments, quoted strings, raw strings, character literals.
fn blank(text: &str, rust: bool) -> String {
    let bytes = text.as_bytes();
    let mut out = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let end = if rest.starts_with(b"//") {
            at + rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())
        } else if rest.starts_with(b"/*") {
            at + block_comment(rest, rust)
        } else if rust && raw_string(bytes, at) {
            at + raw_string_length(rest)
        } else if rest[0] == b'"' || (!rust && matches!(rest[0], b'\'' | b'`')) {
            at + quoted(rest)
        } else if rust && rest[0] == b'\'' && character(rest) > 1 {
            at + character(rest)
        } else {
            at += 1;
            continue;
        };
        for byte in &mut out[at..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        at = end.max(at + 1);
    }
    // Only whole characters were replaced, each byte by a space.
    String::from_utf8_lossy(&out).into_owned()
}

fn block_comment(rest: &[u8], nested: bool) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < rest.len() {
        if rest[at..].starts_with(b"/*") && (nested || depth == 0) {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with(b"*/") {
            depth = depth.saturating_sub(1);
            at += 2;
            if depth == 0 {
                break;
            }
        } else {
            at += 1;
        }
    }
    at.min(rest.len())
}

fn raw_string(bytes: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).map(|index| bytes[index]);
    let fresh = !before.is_some_and(|byte| (byte.is_ascii_alphanumeric() && byte != b'b') || byte == b'_');
    let hashes = bytes[at + 1..].iter().take_while(|byte| **byte == b'#').count();
    fresh && bytes[at] == b'r' && bytes.get(at + 1 + hashes) == Some(&b'"')
}

fn raw_string_length(rest: &[u8]) -> usize {
    let hashes = rest[1..].iter().take_while(|byte| **byte == b'#').count();
    let mut close = vec![b'"'];
    close.resize(hashes + 1, b'#');
    let body = hashes + 2;
    let found = rest[body..].windows(close.len()).position(|window| window == close);
    found.map_or(rest.len(), |position| body + position + close.len())
}

fn quoted(rest: &[u8]) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != rest[0] {
        at += if rest[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(rest.len())
}

/// `'a'` and `'\n'` are literals, `'a` is a lifetime.
fn character(rest: &[u8]) -> usize {
    if rest.get(1) == Some(&b'\\') {
        return quoted(rest);
    }
    let close = rest.iter().skip(2).take(4).position(|byte| *byte == b'\'');
    let one = close.filter(|position| std::str::from_utf8(&rest[1..position + 2]).is_ok_and(|inner| inner.chars().count() == 1));
    one.map_or(1, |position| position + 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_comments_and_strings_only() {
        let rust = "let a = \"rmcp::x\"; // axum::y\nuse rmcp::z; /* a /* b */ gone */ let c = '\"'; fn f<'a>() {} r#\"clap\"#; 'é'";
        let code = blank(rust, true);
        assert_eq!(code.len(), rust.len());
        assert_eq!(code.matches("rmcp").count(), 1, "{code}");
        assert!(!code.contains("axum") && !code.contains("clap") && !code.contains("gone"), "{code}");
        assert!(code.contains("fn f<'a>()"), "{code}");
        let script = "call('chrome.tabs'); `chrome.x`; chrome.runtime.id; // chrome.y";
        assert_eq!(blank(script, false).matches("chrome.").count(), 1);
    }

    #[test]
    fn counts_lines_from_one() {
        assert_eq!((line_of("a\nb\nc", 0), line_of("a\nb\nc", 2), line_of("a\nb\nc", 4)), (1, 2, 3));
    }
}
