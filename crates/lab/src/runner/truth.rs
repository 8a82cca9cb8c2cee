//! The truth of a step: what the fixture's own witness saw between two barriers. Pure.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::fixture::{Journal, Record, RecordKind};

/// What the journal saw of a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Truth {
    /// Each effect in words.
    pub effects: Vec<String>,
}

impl Truth {
    /// Whether there was any effect.
    pub fn effect(&self) -> bool {
        !self.effects.is_empty()
    }

    /// In words.
    pub fn words(&self) -> String {
        match self.effects.is_empty() {
            true => String::from("no effect"),
            false => self.effects.join(", "),
        }
    }
}

/// Compares the journal before and after a call. `keys` are the goal keys that count (none: all).
pub fn truth(before: &Journal, after: &Journal, keys: &[String]) -> Truth {
    let mut effects = goal_changes(&before.goal_of(keys), &after.goal_of(keys));
    let known = before.documents.iter().map(|document| document.id.as_str()).collect::<BTreeSet<_>>();
    for document in after.documents.iter().filter(|document| !known.contains(document.id.as_str())) {
        let what = if document.top { "a new page" } else { "a new frame" };
        effects.push(format!("{what} said hello: {}", document.url));
    }
    let top = |id: &str| after.documents.iter().any(|document| document.id == id && document.top);
    for record in after.since(before.records.len()) {
        match &record.kind {
            RecordKind::Note { word, .. } if word == "dialog" => effects.push(String::from("a dialog opened")),
            RecordKind::Bye { .. } if top(&record.doc) => effects.push(format!("{} was left", record.url)),
            RecordKind::Event(event) if event.r#type == "pageshow" && went_before(after, record) => {
                effects.push(format!("{} came back", record.url));
            }
            _ => {}
        }
    }
    Truth { effects }
}

/// Whether the document had gone into the back/forward cache: its first `pageshow` only ends its loading.
fn went_before(journal: &Journal, shown: &Record) -> bool {
    let gone = |record: &&Record| record.doc == shown.doc && matches!(record.kind, RecordKind::Bye { persisted: true });
    journal.records.iter().filter(gone).any(|record| record.seq < shown.seq)
}

fn goal_changes(before: &Map<String, Value>, after: &Map<String, Value>) -> Vec<String> {
    let show = |value: Option<&Value>| value.map_or_else(|| String::from("nothing"), Value::to_string);
    let keys = before.keys().chain(after.keys()).collect::<BTreeSet<_>>();
    keys.into_iter()
        .filter(|key| before.get(*key) != after.get(*key))
        .map(|key| format!("{key} {} → {}", show(before.get(key)), show(after.get(key))))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{Document, EventRecord};

    fn document(id: &str, top: bool) -> Document {
        Document { id: id.into(), url: format!("http://x/{id}"), top, live: true, blocked: false, frozen: false, received: 0 }
    }

    fn record(doc: &str, kind: RecordKind) -> Record {
        Record { index: 0, doc: doc.into(), url: format!("http://x/{doc}"), seq: 0, t_ms: 0.0, at_ms: 0.0, kind }
    }

    fn journal(goal: Value, records: Vec<Record>, documents: Vec<Document>) -> Journal {
        let Value::Object(goal) = goal else { panic!("an object") };
        Journal { goal, records, documents, ..Journal::default() }
    }

    #[test]
    fn a_goal_key_that_counts_is_an_effect() {
        let before = journal(serde_json::json!({"tick": 1}), vec![], vec![]);
        let after = journal(serde_json::json!({"tick": 2, "count": 1}), vec![], vec![]);
        assert_eq!(truth(&before, &after, &["count".into()]).words(), "count nothing → 1");
        assert!(!truth(&before, &after, &["other".into()]).effect());
        assert_eq!(truth(&before, &after, &[]).effects.len(), 2);
        assert_eq!(truth(&after, &after, &[]).words(), "no effect");
    }

    #[test]
    fn new_documents_dialogs_and_departures_are_effects() {
        let before = journal(serde_json::json!({}), vec![], vec![document("a", true), document("f", false)]);
        let bye = |doc| record(doc, RecordKind::Bye { persisted: false });
        let dialog = record("a", RecordKind::Note { word: "dialog".into(), data: Value::Null });
        let shown: EventRecord =
            serde_json::from_value(serde_json::json!({"type": "pageshow", "trusted": true, "visible": true})).expect("is one");
        let all = |records| journal(serde_json::json!({}), records, vec![document("a", true), document("f", false)]);
        assert!(truth(&before, &all(vec![bye("a")]), &[]).effect());
        assert!(!truth(&before, &all(vec![bye("f")]), &[]).effect(), "a frame that went is not the page's departure");
        assert!(truth(&before, &all(vec![dialog]), &[]).effect());
        let shown = |seq| Record { seq, ..record("a", RecordKind::Event(shown.clone())) };
        assert!(!truth(&before, &all(vec![shown(1)]), &[]).effect(), "a page that is done loading has not come back");
        let returned = vec![record("a", RecordKind::Bye { persisted: true }), shown(1)];
        assert_eq!(truth(&before, &all(returned), &[]).words(), "http://x/a was left, http://x/a came back");
        let mut more = before.clone();
        more.documents.push(document("b", true));
        assert_eq!(truth(&before, &more, &["count".into()]).words(), "a new page said hello: http://x/b");
    }

    #[test]
    fn what_came_before_the_first_barrier_does_not_count() {
        let bye = record("a", RecordKind::Bye { persisted: false });
        let before = journal(serde_json::json!({}), vec![bye], vec![document("a", true)]);
        assert!(!truth(&before, &before, &[]).effect());
    }
}
