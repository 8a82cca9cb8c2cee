//! The corpus: small cases of names and roles with what the specifications say, one file a topic, made into pages.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Deserialize;

use super::AxError;

/// The file of explanations stands in the same folder.
pub(super) const EXPLAINED: &str = "explained.yaml";

/// Cases about one thing.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Topic {
    /// The file's name.
    #[serde(skip)]
    pub name: String,
    /// What the cases are about.
    pub about: String,
    /// A style sheet for the whole page.
    #[serde(default)]
    pub style: String,
    /// The cases, by a short name.
    pub cases: BTreeMap<String, Case>,
}

/// One case: some markup, and what the element marked `data-case` is.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The section that says so.
    pub spec: String,
    /// Markup; `~` stands for the case's own prefix of ids, `!` after a tag's name marks the element meant.
    pub html: String,
    /// The role by the specification.
    pub role: String,
    /// The name by the specification.
    #[serde(default)]
    pub name: String,
    /// States by the specification, of those compared.
    #[serde(default)]
    pub states: BTreeSet<String>,
    /// Where Chrome says otherwise: what it says, and why that is known.
    pub chrome: Option<Deviation>,
}

/// What Chrome says instead.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deviation {
    /// The role.
    pub role: Option<String>,
    /// The name.
    pub name: Option<String>,
    /// The states.
    pub states: Option<BTreeSet<String>>,
    /// Why.
    pub why: String,
}

impl Topic {
    /// Reads all topics of a folder.
    pub(super) fn load_all(folder: &Path) -> Result<Vec<Self>, AxError> {
        let failed = |path: &Path, reason: &dyn std::fmt::Display| AxError::File { path: path.to_owned(), reason: reason.to_string() };
        let mut topics = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(|error| failed(folder, &error))? {
            let path = entry.map_err(|error| failed(folder, &error))?.path();
            let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
            if path.extension().is_none_or(|extension| extension != "yaml") || path.ends_with(EXPLAINED) {
                continue;
            }
            let text = std::fs::read_to_string(&path).map_err(|error| failed(&path, &error))?;
            let topic: Self = serde_saphyr::from_str(&text).map_err(|error| failed(&path, &error))?;
            for (id, case) in &topic.cases {
                if marked(id, &case.html).matches("data-case=").count() != 1 {
                    return Err(failed(&path, &format!("case `{id}` must mark exactly one element (`<button! …>`)")));
                }
            }
            topics.push(Self { name, ..topic });
        }
        topics.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(topics)
    }

    /// The page that holds every case.
    pub(super) fn page(&self) -> String {
        let mut page = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{}</title>\n<style>\n{}\n</style>\n</head>\n<body>\n",
            self.name, self.style
        );
        for (id, case) in &self.cases {
            page.push_str(&format!("<div>{}</div>\n", marked(id, &case.html)));
        }
        page.push_str("</body>\n</html>\n");
        page
    }
}

impl Case {
    /// What Chrome is to say.
    pub(super) fn in_chrome(&self) -> (&str, &str, &BTreeSet<String>) {
        let deviation = self.chrome.as_ref();
        (
            deviation.and_then(|chrome| chrome.role.as_deref()).unwrap_or(&self.role),
            deviation.and_then(|chrome| chrome.name.as_deref()).unwrap_or(&self.name),
            deviation.and_then(|chrome| chrome.states.as_ref()).unwrap_or(&self.states),
        )
    }
}

/// The markup with ids of its own and the mark as an attribute.
fn marked(id: &str, html: &str) -> String {
    let mut out = String::with_capacity(html.len() + 32);
    let mut in_tag_name = false;
    for char in html.chars() {
        match char {
            '<' => in_tag_name = true,
            '!' if in_tag_name && !out.ends_with('<') => {
                out.push_str(&format!(" data-case=\"{id}\""));
                in_tag_name = false;
                continue;
            }
            '~' => {
                out.push_str(id);
                continue;
            }
            char if !(char.is_alphanumeric() || char == '-') => in_tag_name = false,
            _ => {}
        }
        out.push(char);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::marked;

    #[test]
    fn marks_and_ids_are_written_out() {
        assert_eq!(marked("a", "<b id=\"~1\">Hi!</b><my-tag! role=x>"), "<b id=\"a1\">Hi!</b><my-tag data-case=\"a\" role=x>");
        assert_eq!(marked("a", "<!-- no --><h1!>"), "<!-- no --><h1 data-case=\"a\">");
    }
}
