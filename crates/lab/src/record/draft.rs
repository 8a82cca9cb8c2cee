//! A step on its way into a file, and the file itself.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::convert::{Maker, Recorded};
use super::yaml::{flow, scalar};

/// A step on its way: its key and arguments, and what stands beside them.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) action: Option<(String, Value)>,
    /// The ref its target was, for those who use it later.
    pub(super) of: Option<(u32, String)>,
    pub(super) beside: BTreeMap<&'static str, String>,
    pub(super) expect: Map<String, Value>,
    pub(super) journal: Map<String, Value>,
}

impl Draft {
    fn text(&self) -> String {
        let Some((key, arguments)) = &self.action else { return String::new() };
        let mut out = format!("  - {key}: {}\n", flow(arguments));
        for key in ["as", "session", "tab", "as_tab"] {
            if let Some(word) = self.beside.get(key) {
                out.push_str(&format!("    {key}: {}\n", scalar(word)));
            }
        }
        for (key, map) in [("expect", &self.expect), ("journal", &self.journal)] {
            if !map.is_empty() {
                out.push_str(&format!("    {key}: {}\n", flow(&Value::Object(map.clone()))));
            }
        }
        out
    }
}

impl Maker<'_> {
    pub(super) fn finish(mut self) -> Result<Recorded, String> {
        if self.steps.is_empty() {
            return Err("it holds no call that makes a step".into());
        }
        let made = self.fillers.words();
        self.notes.extend(made);
        if self.steps.values().any(|step| step.action.as_ref().is_some_and(|(_, value)| value.to_string().contains("[secret]"))) {
            self.note("`[secret]` stands where a secret was masked: put something harmless there");
        }
        let mut yaml = format!("# yaml-language-server: $schema=../scenario.schema.json\n# Made by {}.\n", self.request.made_by);
        for note in &self.notes {
            yaml.push_str(&format!("# - {}\n", note.replace('\n', " ")));
        }
        if let Some(needed) = &self.needs {
            let needed = needed.as_deref().unwrap_or("a page that the recording does not name");
            yaml.push_str(&format!("# It needs this page as a fixture: {needed}\n"));
        }
        let guards = self.request.guards.clone().unwrap_or_else(|| self.guards());
        yaml.push_str(&format!("guards: {}\n", scalar(&guards)));
        let page = self.page.clone().unwrap_or_default();
        yaml.push_str(&format!("fixture: {}\n", if page.fixture.is_empty() { "GROUP/NAME" } else { &page.fixture }));
        if !page.query.is_empty() {
            yaml.push_str(&format!("query: {}\n", flow(&json!(page.query))));
        }
        if !self.opened {
            yaml.push_str("open: false\n");
        }
        yaml.push_str("steps:\n");
        for step in self.steps.values() {
            yaml.push_str(&step.text());
        }
        let steps = self.steps.len();
        let page = self.needs.map_or(Ok(page), Err);
        Ok(Recorded { yaml, page, notes: self.notes, steps, dropped: self.dropped })
    }

    /// What it guards, as far as a program can say.
    fn guards(&self) -> String {
        let mut told: Vec<String> = Vec::new();
        for step in self.steps.values() {
            let Some((key, arguments)) = &step.action else { continue };
            let Some(end) = step.expect.get("outcome").or_else(|| step.expect.get("refusal")).and_then(Value::as_str) else { continue };
            let name = arguments.pointer("/target/name").and_then(Value::as_str).map(|name| format!(" of {name}")).unwrap_or_default();
            told.push(format!("{key}{name} ends in {end}"));
        }
        match told.len() {
            0 => "What was recorded is so again.".into(),
            1..=3 => format!("Recorded, {}.", told.join(", ")),
            more => format!("Recorded, {} and {} more.", told[..2].join(", "), more - 2),
        }
    }
}
