//! Writes values as people write them in a scenario: on one line, plain where YAML takes it as it is.

use serde_json::Value;

/// Words that YAML takes for something else than a text.
const TAKEN: [&str; 9] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"];

/// Keys that stand first, in this order.
const FIRST: [&str; 10] = ["do", "tool", "action", "type", "target", "role", "name", "nth", "outcome", "refusal"];

/// A value on one line.
pub(super) fn flow(value: &Value) -> String {
    match value {
        Value::String(text) => scalar(text),
        Value::Array(items) => format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_by_key(|(key, _)| FIRST.iter().position(|first| first == key).unwrap_or(FIRST.len()));
            let pairs = fields.into_iter().map(|(key, value)| format!("{}: {}", scalar(key), flow(value)));
            format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

/// A text, in quotes where it would be taken for something else.
pub(super) fn scalar(text: &str) -> String {
    let plain = text.chars().next().is_some_and(|first| first.is_ascii_alphabetic())
        && text.chars().all(|sign| sign.is_ascii_alphanumeric() || "_-/. ".contains(sign))
        && !text.ends_with([' ', '-'])
        && !text.contains("  ")
        && !TAKEN.contains(&text.to_lowercase().as_str());
    // A text in JSON is one in YAML too.
    if plain { text.to_owned() } else { Value::String(text.to_owned()).to_string() }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::flow;

    #[test]
    fn what_is_written_reads_back() {
        for value in [
            json!({"target": {"role": "button", "name": "Go on"}, "y": 1, "text": "a: b # c"}),
            json!(["", "no", "Null", "1", "~", "ok ", "a  b", "x-", "{{fixture}}", "\u{1F381} \"q\" \\ \n\t", "- a", true, null, 1.5, -3]),
            json!({"a b": {}, "#x": [], "é": "日本"}),
        ] {
            let text = flow(&value);
            let back: Value = serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(back, value, "{text}");
        }
        assert_eq!(flow(&json!({"role": "button", "name": "Go on"})), "{role: button, name: Go on}");
    }
}
