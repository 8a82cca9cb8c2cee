//! A wrong scenario file: what is wrong, where exactly, and what to write in its place.

use std::path::PathBuf;

use miette::{Diagnostic, NamedSource, SourceSpan};

/// One fault of a scenario file.
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
    pub(super) fn new(file: &str, source: &str, message: impl Into<String>) -> Self {
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

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

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
