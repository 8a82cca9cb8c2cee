//! `learnings`: what agents wrote down about a site, in a file of the state directory. Needs no browser.

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use protocol::ErrorCode;
use schemars::JsonSchema;
use serde::Deserialize;

use super::tool::{Access, Context, Group, Reply, Tool, ToolError};
use crate::render;

/// Longest note, and all of a site's, in bytes.
const NOTE: usize = 1_000;
const SITE: usize = 16_000;
/// Most sites that are listed, and that are kept.
const LISTED: usize = 200;
const SITES: usize = 2_000;

/// Where the notes are.
#[derive(Debug, Clone)]
pub struct Learnings {
    root: PathBuf,
}

impl Learnings {
    /// The folder in a state directory; it is made when something is first written down.
    #[must_use]
    pub fn at(state: &Path) -> Self {
        Self { root: state.join("learnings") }
    }

    fn file(&self, site: &str) -> PathBuf {
        // A host has no character that a path could be led astray by; the rest was refused.
        self.root.join(format!("{}.md", site.replace(':', "_")))
    }

    fn read(&self, site: &str) -> Result<String, ToolError> {
        match fs::read_to_string(self.file(site)) {
            Ok(text) => Ok(text),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
            Err(error) => Err(failed(&error)),
        }
    }

    fn sites(&self) -> Result<Vec<String>, ToolError> {
        let entries = match fs::read_dir(&self.root) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(failed(&error)),
        };
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut sites: Vec<String> = names.filter_map(|name| Some(name.strip_suffix(".md")?.replace('_', ":"))).collect();
        sites.sort();
        Ok(sites)
    }

    /// Adds a note; answers how many bytes the site's notes have now.
    fn save(&self, site: &str, note: &str) -> Result<usize, ToolError> {
        let known = self.read(site)?;
        if known.lines().any(|line| line == format!("- {note}")) {
            return Ok(known.len());
        }
        let line = format!("- {note}\n");
        if known.len() + line.len() > SITE {
            let what = format!("the notes about {site} have {} bytes of {SITE}; this one does not fit", known.len());
            return Err(
                ToolError::new(ErrorCode::InvalidArgument, what).with_next(format!("Ask the user to tidy {}", self.file(site).display()))
            );
        }
        if known.is_empty() && self.sites()?.len() >= SITES {
            return Err(ToolError::new(ErrorCode::InvalidArgument, format!("there are notes about {SITES} sites already")));
        }
        let write = || -> std::io::Result<()> {
            fs::DirBuilder::new().recursive(true).mode(0o700).create(&self.root)?;
            let mut file = fs::OpenOptions::new().create(true).append(true).mode(0o600).open(self.file(site))?;
            file.write_all(line.as_bytes())
        };
        write().map_err(|error| failed(&error))?;
        Ok(known.len() + line.len())
    }
}

fn failed(error: &std::io::Error) -> ToolError {
    ToolError::new(ErrorCode::Internal, format!("the notes cannot be used ({error})"))
        .with_next("Look at the folder learnings in the state directory")
}

/// Arguments of `learnings`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct LearningsParams {
    /// Host, like shop.example; default: a list of sites with notes.
    site: Option<String>,
    /// A note to keep about it: what works here, in a sentence. No secrets.
    save: Option<String>,
}

/// See its description.
pub(super) struct LearningsTool;

#[async_trait]
impl Tool for LearningsTool {
    const NAME: &'static str = "learnings";
    const DESCRIPTION: &'static str = "Notes about sites, kept on this computer: read them before you work on a site, save what you found out the hard way. Works without a browser.";
    const GROUP: Group = Group::Human;
    const ACCESS: Access = Access::Reads;
    type Params = LearningsParams;

    async fn call(context: &Context, params: LearningsParams) -> Result<Reply, ToolError> {
        let notes = &context.desk.learnings;
        let Some(site) = params.site.as_deref().map(host).transpose()? else {
            if params.save.is_some() {
                return Err(ToolError::new(ErrorCode::InvalidArgument, "save needs the site it is about"));
            }
            let sites = notes.sites()?;
            let shown = sites.iter().take(LISTED).map(String::as_str).collect::<Vec<_>>().join(", ");
            return Ok(Reply::text(if sites.is_empty() {
                "no notes yet".to_owned()
            } else {
                format!("notes about {} sites: {shown}", sites.len())
            }));
        };
        if let Some(note) = params.save.as_deref() {
            let note = checked(note)?;
            let bytes = notes.save(&site, &note)?;
            return Ok(Reply::text(format!("kept; the notes about {site} have {bytes} of {SITE} bytes")));
        }
        let text = notes.read(&site)?;
        if text.is_empty() {
            return Ok(Reply::text(format!("no notes about {site} yet")));
        }
        // Written by earlier agents, who had it from pages.
        Ok(Reply::text(format!("notes about {site}, by earlier agents:\n{}", render::fenced(text.trim_end(), &render::Fence::new()))))
    }
}

/// A host with its port, lower case; an address is taken for its host.
fn host(given: &str) -> Result<String, ToolError> {
    let wrong = || {
        ToolError::new(ErrorCode::InvalidArgument, format!("{} is no host", render::quote(given)))
            .with_next("Give a host like shop.example")
    };
    let rest = given.trim().to_lowercase();
    let rest = rest.split_once("://").map_or(rest.as_str(), |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':') || (!c.is_ascii() && c.is_alphanumeric());
    if host.is_empty() || host.len() > 200 || !host.chars().all(plain) || host.starts_with('.') || host.contains("..") {
        return Err(wrong());
    }
    Ok(host.to_owned())
}

/// One line, short, without what looks like a secret.
fn checked(note: &str) -> Result<String, ToolError> {
    let wrong = |what: String| Err(ToolError::new(ErrorCode::InvalidArgument, what));
    let line = note.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.is_empty() || line.chars().any(char::is_control) {
        return wrong("the note is empty or has control characters".into());
    }
    if line.len() > NOTE {
        return wrong(format!("the note has {} bytes, more than {NOTE}", line.len()));
    }
    if crate::redact::prose(&line) != line || line.split(' ').any(looks_secret) {
        return Err(ToolError::new(ErrorCode::InvalidArgument, "the note holds what looks like a secret; nothing was kept")
            .with_next("Write it without passwords, codes and tokens"));
    }
    Ok(line)
}

/// Long, of letters and digits mixed, and no address: a token or a key.
fn looks_secret(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    word.len() >= 20
        && !word.contains("://")
        && !word.contains('.')
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'='))
        && word.bytes().filter(u8::is_ascii_digit).count() >= 4
        && word.bytes().any(|byte| byte.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_kept_by_site_once_and_within_bounds() {
        let state = tempfile::tempdir().unwrap();
        let notes = Learnings::at(state.path());
        assert_eq!((notes.read("a.example").unwrap().as_str(), notes.sites().unwrap().len()), ("", 0));
        let once = notes.save("a.example", "Press Next twice").unwrap();
        assert_eq!(notes.save("a.example", "Press Next twice").unwrap(), once);
        notes.save("b.example:8080", "x").unwrap();
        assert_eq!(notes.read("a.example").unwrap(), "- Press Next twice\n");
        assert_eq!(notes.sites().unwrap(), ["a.example", "b.example:8080"]);
        for round in 0.. {
            if let Err(error) = notes.save("a.example", &format!("{round} {}", "y".repeat(900))) {
                assert!(error.to_string().contains("does not fit"), "{error}");
                break;
            }
        }
        assert!(notes.read("a.example").unwrap().len() <= SITE);
    }

    #[test]
    fn hosts_are_hosts() {
        assert_eq!(host("https://Shop.Example/a?b").unwrap(), "shop.example");
        assert_eq!(host("localhost:8080").unwrap(), "localhost:8080");
        for wrong in ["", "../etc", "a b", "..", "a_b", "/etc/passwd", "https:///x"] {
            assert!(host(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn secrets_are_refused() {
        for wrong in ["my password is hunter2", "token ghp_16C7e42F292c6912E7710c838347Ae178B4a", "", "a\u{7}b"] {
            assert!(checked(wrong).is_err(), "{wrong:?}");
        }
        assert_eq!(checked(" The list\n loads late ").unwrap(), "The list loads late");
        assert!(checked("See https://shop.example/orders/2026-11-30-ABCDEF1234567890").is_ok());
    }
}
