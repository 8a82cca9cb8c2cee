//! The list of differences that are meant, each with its reason.

use std::path::Path;

use regex::Regex;
use serde::{Deserialize, Deserializer};

use super::AxError;
use super::compare::{Difference, Kind};

/// One explanation: a difference it fits is meant.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// In what the trees differ.
    pub kind: Kind,
    /// Only on this page, or this case.
    pub page: Option<String>,
    /// Only nodes that read so (ours, else Chrome's).
    #[serde(default, deserialize_with = "pattern")]
    pub node: Option<Regex>,
    /// Only nodes of these roles (Chrome's, else ours).
    #[serde(default)]
    pub roles: Vec<String>,
    /// Only inside a node of one of these roles, at any height.
    #[serde(default)]
    pub inside: Vec<String>,
    /// What we say, whole.
    #[serde(default, deserialize_with = "pattern")]
    pub ours: Option<Regex>,
    /// What Chrome says, whole.
    #[serde(default, deserialize_with = "pattern")]
    pub chrome: Option<Regex>,
    /// Why it is meant.
    pub reason: String,
}

impl Rule {
    /// Reads the list.
    pub(super) fn load(path: &Path) -> Result<Vec<Self>, AxError> {
        let text = std::fs::read_to_string(path).map_err(|error| AxError::File { path: path.to_owned(), reason: error.to_string() })?;
        serde_saphyr::from_str(&text).map_err(|error| AxError::File { path: path.to_owned(), reason: error.to_string() })
    }

    /// Whether this difference is meant.
    pub(super) fn explains(&self, difference: &Difference) -> bool {
        let fits = |pattern: &Option<Regex>, text: &str| pattern.as_ref().is_none_or(|pattern| pattern.is_match(text));
        self.kind == difference.kind
            && self.page.as_ref().is_none_or(|page| *page == difference.page)
            && (self.roles.is_empty() || self.roles.contains(&difference.role))
            && (self.inside.is_empty() || difference.around.iter().any(|role| self.inside.contains(role)))
            && fits(&self.node, &difference.node)
            && fits(&self.ours, &difference.ours)
            && fits(&self.chrome, &difference.chrome)
    }
}

/// A pattern over the whole text.
fn pattern<'de, D: Deserializer<'de>>(input: D) -> Result<Option<Regex>, D::Error> {
    let text = String::deserialize(input)?;
    Regex::new(&format!("^(?s:{text})$")).map(Some).map_err(serde::de::Error::custom)
}
