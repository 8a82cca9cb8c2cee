//! A wrong scenario or adapter file: what is wrong, where exactly, and what to write in its place.

use std::path::PathBuf;

use miette::{Diagnostic, NamedSource, SourceSpan};

/// One fault of a scenario file, or of an adapter file.
#[derive(Debug, thiserror::Error, Diagnostic)]
#[error("{message}")]
pub struct ScenarioError {
    /// What is wrong.
    pub message: String,
    /// What to write in its place.
    #[help]
    pub help: Option<String>,
    /// The file.
    #[source_code]
    pub source_code: NamedSource<String>,
    /// The place.
    #[label("here")]
    pub span: SourceSpan,
}

impl ScenarioError {
    pub(crate) fn new(file: &str, source: &str, message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            help: None,
            source_code: NamedSource::new(file, source.to_owned()).with_language("yaml"),
            span: (0, 0).into(),
        }
    }

    /// Its line, from 1.
    pub fn line(&self) -> u64 {
        let before = self.source_code.inner().get(..self.span.offset()).unwrap_or_default();
        u64::try_from(before.matches('\n').count() + 1).unwrap_or(u64::MAX)
    }

    /// Its column, from 1.
    pub fn column(&self) -> usize {
        let before = self.source_code.inner().get(..self.span.offset()).unwrap_or_default();
        before.chars().rev().take_while(|sign| *sign != '\n').count() + 1
    }

    /// Puts it at the first line that begins with this key.
    pub(crate) fn at_key(mut self, key: &str) -> Self {
        let mut offset = 0;
        for line in self.source_code.inner().split_inclusive('\n') {
            let indent = line.len() - line.trim_start().len();
            if line[indent..].strip_prefix(key).is_some_and(|rest| rest.starts_with(':')) {
                self.span = (offset + indent, key.len()).into();
                break;
            }
            offset += line.len();
        }
        self
    }

    /// Puts it at a place in the file.
    pub(super) fn at(mut self, location: &serde_saphyr::Location) -> Self {
        let source = self.source_code.inner();
        let span = location.span();
        let offset = span.byte_offset().and_then(|offset| usize::try_from(offset).ok()).unwrap_or_else(|| {
            let line = usize::try_from(location.line()).unwrap_or(1).saturating_sub(1);
            let column = usize::try_from(location.column()).unwrap_or(1).saturating_sub(1);
            source.split_inclusive('\n').take(line).map(str::len).sum::<usize>() + column
        });
        let offset = offset.min(source.len());
        // One line is enough to point at; a whole block would hide the place.
        let rest = source.get(offset..).unwrap_or_default();
        let line = rest.find('\n').unwrap_or(rest.len());
        let wanted = span.byte_len().and_then(|len| usize::try_from(len).ok()).filter(|len| *len > 0).unwrap_or(1);
        let token = rest.find([':', ',', '}', ']']).filter(|_| wanted == 1).unwrap_or(wanted);
        self.span = (offset, token.max(1).min(line.max(1)).min(rest.len())).into();
        self
    }

    /// Puts it at a word near a place in the file: the first after it, or else the last before it on its line.
    pub(super) fn at_word(self, location: &serde_saphyr::Location, word: &str) -> Self {
        let placed = self.at(location);
        let source = placed.source_code.inner();
        let offset = placed.span.offset();
        let line = source[..offset].rfind('\n').map_or(0, |at| at + 1);
        let part = |sign: Option<char>| sign.is_some_and(|sign| sign.is_alphanumeric() || matches!(sign, '_' | '-'));
        let whole = source[line..]
            .match_indices(word)
            .map(|(at, _)| line + at)
            .filter(|at| !part(source[..*at].chars().next_back()) && !part(source[at + word.len()..].chars().next()));
        let found = whole.clone().find(|at| (offset..offset + NEAR).contains(at)).or_else(|| whole.take_while(|at| *at < offset).last());
        let span = found.map(|at| (at, word.len()).into());
        Self { span: span.unwrap_or(placed.span), ..placed }
    }

    /// Puts it at the key whose mapping a place in the file belongs to.
    pub(super) fn at_mapping(self, location: &serde_saphyr::Location) -> Self {
        let placed = self.at(location);
        let source = placed.source_code.inner();
        let offset = placed.span.offset();
        let start = source[..offset].rfind('\n').map_or(0, |at| at + 1);
        // In braces: the one that is still open.
        let mut depth = 0_i32;
        let brace = source[start..offset].char_indices().rev().find(|(_, sign)| {
            depth += match sign {
                '}' => 1,
                '{' => -1,
                _ => 0,
            };
            depth < 0
        });
        if let Some((at, _)) = brace {
            return Self { span: (start + at, 1).into(), ..placed };
        }
        // In lines: the nearest one above that is less far in, which holds the key (after the dash of a list).
        let indent = offset - start;
        let mut at = start;
        while at > 0 {
            let before = source[..at - 1].rfind('\n').map_or(0, |at| at + 1);
            let text = &source[before..at - 1];
            let own = text.len() - text.trim_start().len();
            if own < indent && !text.trim().is_empty() {
                let dash = if text.trim_start().starts_with("- ") { 2 } else { 0 };
                // The dash of this very mapping: its first key stands beside it.
                let key = text[own + dash..].find(':').unwrap_or(text.len() - own - dash).max(1);
                return Self { span: (before + own + dash, key).into(), ..placed };
            }
            at = before;
        }
        Self { span: (0, source.find([':', '\n']).unwrap_or(1).max(1)).into(), ..placed }
    }

    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// So far after a place a word is looked for: about a step.
const NEAR: usize = 400;

/// Why the scenarios could not be loaded.
#[derive(Debug, thiserror::Error, Diagnostic)]
pub enum LoadError {
    /// A file or folder could not be read.
    #[error("cannot read {path}: {source}", path = path.display())]
    #[diagnostic(help("give the project folder with --root"))]
    Unreadable {
        /// The path.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Scenario files are wrong.
    #[error("{files} scenario file(s) have faults")]
    Faulty {
        /// How many files.
        files: usize,
        /// All of them.
        #[related]
        faults: Vec<ScenarioError>,
    },
}

impl LoadError {
    /// The error of files with faults.
    pub fn of(unreadable: Vec<super::load::Unreadable>) -> Self {
        let files = unreadable.len();
        Self::Faulty { files, faults: unreadable.into_iter().flat_map(|one| one.faults).collect() }
    }
}

/// The word meant, if one is near enough.
pub(crate) fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(word, candidate), candidate))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|one, other| one.0.total_cmp(&other.0))
        .map(|(_, candidate)| candidate)
}
