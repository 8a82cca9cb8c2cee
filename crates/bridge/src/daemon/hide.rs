//! What of a frame or of arguments may touch the disk: never what was typed, never a secret.

use protocol::ErrorCode;
use serde_json::Value;

/// Keys whose texts are never written.
const HIDDEN: &[&str] = &["text", "value", "password", "token", "secret", "code", "data", "proof", "html", "values", "body", "headers"];

/// Deepest level that is looked at; below it nothing is kept.
const DEPTH: usize = 64;

/// Replaces every text under a hidden key by its length.
#[must_use]
pub(super) fn hidden(mut value: Value) -> Value {
    hide(&mut value, false, 0);
    value
}

/// The same for a frame as it travels; what is no JSON is only counted.
#[must_use]
pub(super) fn hidden_frame(text: &str) -> Value {
    serde_json::from_str(text).map_or_else(|_| Value::String(mark(text)), hidden)
}

fn hide(value: &mut Value, under: bool, depth: usize) {
    match value {
        _ if depth > DEPTH => *value = Value::Null,
        // Our own error codes stand under `code` too; they tell nothing.
        Value::String(text) if under && !ErrorCode::ALL.iter().any(|code| code.word() == text) => *text = mark(text),
        Value::Array(items) => items.iter_mut().for_each(|item| hide(item, under, depth + 1)),
        Value::Object(fields) => {
            for (key, field) in fields {
                let key = key.to_lowercase();
                hide(field, under || HIDDEN.contains(&key.as_str()), depth + 1);
            }
        }
        _ => {}
    }
}

fn mark(text: &str) -> String {
    format!("<{} chars>", text.chars().count())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn typed_texts_and_secrets_become_lengths_wherever_they_stand() {
        let before = json!({"tab": 3, "text": "hunter2", "target": {"role": "textbox", "name": "Name"}, "value": {"kind": "plain", "text": "x"},
            "error": {"code": "stale_ref"}, "list": [{"password": ["a", "bc"]}]});
        let after = json!({"tab": 3, "text": "<7 chars>", "target": {"role": "textbox", "name": "Name"},
            "value": {"kind": "<5 chars>", "text": "<1 chars>"}, "error": {"code": "stale_ref"}, "list": [{"password": ["<1 chars>", "<2 chars>"]}]});
        assert_eq!(hidden(before), after);
        assert_eq!(hidden_frame("{hunter2"), json!("<8 chars>"));
    }
}
