//! What the fixture's journal saw of each call.

use serde_json::{Map, Value};

use crate::fixture::{Fixture, Journal, Record, RecordKind};
use crate::runner::truth;

/// How long after a reply what belongs to it may arrive: the journal's way is another than the reply's.
const GRACE_MS: f64 = 30.0;

/// Events worth an expectation of their own: a press or a submission that must come once.
const TOLD: [&str; 5] = ["click", "dblclick", "contextmenu", "submit", "drop"];

/// The journal of a recording, on the transcript's clock.
#[derive(Clone, Debug)]
pub struct Witness {
    /// Everything the documents said.
    pub journal: Journal,
    /// When the transcript began, in milliseconds since 1970.
    pub began_ms: f64,
    /// Goal keys that count as an effect; none: all.
    pub effect_keys: Vec<String>,
    /// Goal keys that are told; none: all.
    pub goal_keys: Vec<String>,
    /// What is committed of the fixture: a text that stands in it is no secret.
    pub source: String,
}

/// What it saw of a stretch of time.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Sight {
    pub(super) effect: bool,
    /// Goal values that are another than before.
    pub(super) goal: Map<String, Value>,
    /// Type, element, and how often in all so far.
    pub(super) events: Vec<(String, String, usize)>,
    /// Somebody used mouse or keyboard in the page.
    pub(super) by_hand: bool,
}

impl Witness {
    /// The witness of a recording on this fixture.
    #[must_use]
    pub fn of(journal: Journal, began_ms: f64, fixture: &Fixture) -> Self {
        let told = fixture.goal.keys().chain(&fixture.effect_keys).cloned();
        let goal_keys = if fixture.goal.is_empty() && fixture.effect_keys.is_empty() { Vec::new() } else { told.collect() };
        let page = std::fs::read_to_string(&fixture.page).unwrap_or_default();
        let metadata = std::fs::read_to_string(fixture.page.with_extension("yaml")).unwrap_or_default();
        Self { journal, began_ms, effect_keys: fixture.effect_keys.clone(), goal_keys, source: page + metadata.as_str() }
    }

    /// What it saw of a call that was answered before the next was made.
    pub(super) fn call(&self, asked_us: u64, replied_us: u64, next_us: Option<u64>) -> Sight {
        let end = (self.ms(replied_us) + GRACE_MS).min(next_us.map_or(f64::MAX, |next| self.ms(next)));
        Sight { by_hand: false, ..self.between(self.ms(asked_us), end) }
    }

    /// What it saw after a call's end, until the next one.
    pub(super) fn after(&self, replied_us: u64, next_us: Option<u64>) -> Sight {
        let end = next_us.map_or(f64::MAX, |next| self.ms(next));
        self.between((self.ms(replied_us) + GRACE_MS).min(end), end)
    }

    fn ms(&self, us: u64) -> f64 {
        self.began_ms + us as f64 / 1000.0
    }

    fn between(&self, from: f64, to: f64) -> Sight {
        let (before, after) = (self.until(from), self.until(to));
        let told = |key: &String| self.goal_keys.is_empty() || self.goal_keys.contains(key);
        let goal = after.goal.iter().filter(|(key, value)| told(key) && before.goal.get(*key) != Some(value));
        let mut events = Vec::new();
        let mut by_hand = false;
        for record in after.since(before.records.len()) {
            let RecordKind::Event(event) = &record.kind else { continue };
            by_hand |= event.trusted && ["pointerdown", "keydown", "mousedown"].contains(&event.r#type.as_str());
            let Some(target) = event.target.as_ref().filter(|_| TOLD.contains(&event.r#type.as_str())) else { continue };
            let selector = if target.id.is_empty() { target.tag.clone() } else { format!("#{}", target.id) };
            let row = (event.r#type.clone(), selector.clone(), after.times(&event.r#type, &selector));
            if !selector.is_empty() && !events.contains(&row) {
                events.push(row);
            }
        }
        Sight {
            effect: truth(&before, &after, &self.effect_keys).effect(),
            goal: goal.map(|(key, value)| (key.clone(), value.clone())).collect(),
            events,
            by_hand,
        }
    }

    /// The journal as it was. When a thing happened is told by its document's own clock: the way here may take its time. How that clock
    /// stands to ours is told by the record that was here soonest.
    fn until(&self, ms: f64) -> Journal {
        let mut journal = Journal { run: self.journal.run.clone(), ..Journal::default() };
        let origin = |doc: &str| {
            let of = self.journal.records.iter().filter(|record| record.doc == doc);
            of.map(|record| record.at_ms - record.t_ms).fold(f64::MAX, f64::min)
        };
        let happened = |record: &Record| origin(&record.doc) + record.t_ms;
        for record in self.journal.records.iter().filter(|record| happened(record) <= ms) {
            match &record.kind {
                RecordKind::Goal { state } => journal.goal.extend(state.clone()),
                RecordKind::Hello { .. } => {
                    let document = self.journal.documents.iter().find(|document| document.id == record.doc);
                    journal.documents.extend(document.filter(|one| !journal.documents.iter().any(|known| known.id == one.id)).cloned());
                }
                _ => {}
            }
            journal.records.push(record.clone());
        }
        journal
    }
}
