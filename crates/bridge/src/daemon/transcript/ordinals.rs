//! Ids as ordinals: the first tab of a transcript is 1 in it, whatever Chrome called it. The same id is the same ordinal everywhere,
//! so what was mixed up stays mixed up.

use std::collections::HashMap;

use protocol::TranscriptHop;
use serde_json::{Map, Value};

/// What an id names: ids of different kinds are counted apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Tab,
    Window,
    Document,
    Frame,
    Watch,
    Request,
    Session,
    Word,
}

/// The ordinals of one transcript.
#[derive(Debug, Default)]
pub(super) struct Ordinals {
    known: HashMap<(Kind, String), u32>,
    counts: HashMap<Kind, u32>,
}

impl Ordinals {
    /// Ordinal of an agent's session.
    pub(super) fn session(&mut self, id: &str) -> u32 {
        self.of(Kind::Session, id)
    }

    /// Replaces the ids of a frame. What agents are told is text: its ids stay, and mean nothing to a reader.
    pub(super) fn apply(&mut self, hop: TranscriptHop, frame: &mut Value) {
        let Value::Object(fields) = frame else { return };
        if hop == TranscriptHop::Link {
            let is_talk =
                fields.get("kind").and_then(Value::as_str).is_some_and(|kind| ["request", "reply", "cancel", "progress"].contains(&kind));
            if is_talk && let Some(id) = fields.get_mut("id") {
                self.number(Kind::Request, id);
            }
            self.fields(fields);
        }
    }

    fn fields(&mut self, fields: &mut Map<String, Value>) {
        // Only tabs name their window, and they call their own id `id`.
        let is_tab = fields.get("window").is_some_and(Value::is_number);
        for (key, value) in fields.iter_mut() {
            match key.as_str() {
                "id" if is_tab => self.number(Kind::Tab, value),
                "tab" | "opener" | "old" => self.number(Kind::Tab, value),
                "window" => self.number(Kind::Window, value),
                "doc" => self.number(Kind::Document, value),
                "frame" | "parent" => self.number(Kind::Frame, value),
                "watch" => self.number(Kind::Watch, value),
                // A panel of ours is told apart by a number like a watch's.
                "panel" => {
                    if let Some(id) = value.get_mut("id") {
                        self.number(Kind::Watch, id);
                    }
                }
                "generation" | "instance" | "nonce" | "proof" => self.word(value),
                _ => {}
            }
            self.inside(value);
        }
    }

    fn inside(&mut self, value: &mut Value) {
        match value {
            Value::Object(fields) => self.fields(fields),
            Value::Array(items) => items.iter_mut().for_each(|item| self.inside(item)),
            _ => {}
        }
    }

    fn number(&mut self, kind: Kind, value: &mut Value) {
        // Frame 0 is the page itself, in every tab.
        if let Some(id) = value.as_u64().filter(|id| kind != Kind::Frame || *id != 0) {
            *value = self.of(kind, &id.to_string()).into();
        }
    }

    /// A random word: by its name, its place in the order it came in.
    fn word(&mut self, value: &mut Value) {
        if let Value::String(text) = value {
            *text = format!("word-{}", self.of(Kind::Word, text));
        }
    }

    fn of(&mut self, kind: Kind, id: &str) -> u32 {
        let count = self.counts.entry(kind).or_default();
        *self.known.entry((kind, id.to_owned())).or_insert_with(|| {
            *count += 1;
            *count
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_same_id_is_the_same_ordinal_and_kinds_are_counted_apart() {
        let mut ordinals = Ordinals::default();
        let mut told = |frame: Value| {
            let mut frame = frame;
            ordinals.apply(TranscriptHop::Link, &mut frame);
            frame
        };
        let asked = json!({"kind": "request", "id": 71, "command": {"method": "watch/look", "params": {"tab": 880, "watch": 880}}});
        let expected = json!({"kind": "request", "id": 1, "command": {"method": "watch/look", "params": {"tab": 1, "watch": 1}}});
        assert_eq!(told(asked), expected);
        let tree = json!({"tab": {"id": 881, "window": 5, "opener": 880}, "frames": [
            {"frame": 0, "doc": 9, "nodes": [{"node": 9, "frame": 44}]}, {"frame": 44, "parent": 0, "doc": 11, "nodes": []}]});
        let expected = json!({"tab": {"id": 2, "window": 1, "opener": 1}, "frames": [
            {"frame": 0, "doc": 1, "nodes": [{"node": 9, "frame": 1}]}, {"frame": 1, "parent": 0, "doc": 2, "nodes": []}]});
        assert_eq!(told(json!({"kind": "reply", "id": 71, "result": tree})), json!({"kind": "reply", "id": 1, "result": expected}));
        let started = |word: &str| json!({"kind": "event", "event": {"event": "worker/started", "params": {"generation": word}}});
        assert_eq!(told(started("x7")), started("word-1"));
        assert_eq!((ordinals.session("a"), ordinals.session("b"), ordinals.session("a")), (1, 2, 1));
    }

    #[test]
    fn what_an_agent_says_keeps_its_ids() {
        let call = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"arguments": {"tab": 880}}});
        let mut frame = call.clone();
        Ordinals::default().apply(TranscriptHop::Relay, &mut frame);
        assert_eq!(frame, call);
    }
}
