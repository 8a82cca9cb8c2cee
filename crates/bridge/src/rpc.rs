//! JSON-RPC as text: what is mended before it is parsed, and what is refused because no parser here could answer it.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// JSON-RPC code: a message that is none.
pub(crate) const INVALID_REQUEST: i32 = -32600;

/// Deepest nesting that is read; the parser's own bound, from which it would only say that it failed.
const DEEPEST: usize = 127;

/// Characters of `\u0000`.
const ESCAPE: usize = 6;

/// The head of a message.
#[derive(Deserialize)]
struct Head<'a> {
    #[serde(default, borrow, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(default, borrow)]
    method: Option<&'a RawValue>,
}

/// A field that stands there, `null` included: an id of `null` is not a missing one.
pub(crate) fn present<'de, D: Deserializer<'de>>(from: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(from).map(Some)
}

/// Halves of surrogate pairs, which clients send when they cut a text, become U+FFFD: no other part of the message is lost to them.
/// The length stays.
pub(crate) fn mended(text: &str) -> Cow<'_, str> {
    if !text.contains("\\ud") && !text.contains("\\uD") {
        return Cow::Borrowed(text);
    }
    let bytes = text.as_bytes();
    let mut out = String::new();
    let mut copied = 0;
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'\\' {
            at += 1;
            continue;
        }
        match unit(text, at) {
            Some(0xD800..=0xDBFF) if matches!(unit(text, at + ESCAPE), Some(0xDC00..=0xDFFF)) => at += 2 * ESCAPE,
            Some(0xD800..=0xDFFF) => {
                out.push_str(&text[copied..at]);
                out.push_str("\\ufffd");
                at += ESCAPE;
                copied = at;
            }
            // Another escape: what follows the backslash is no beginning of one.
            _ => at += 2,
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// The UTF-16 unit that is escaped here.
fn unit(text: &str, at: usize) -> Option<u16> {
    let digits = text.get(at..at + ESCAPE)?.strip_prefix("\\u")?;
    digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then(|| u16::from_str_radix(digits, 16).ok()).flatten()
}

/// An id as our own answers write it; `None` when it is neither a text nor a whole number that fits.
pub(crate) fn key(id: &str) -> Option<String> {
    match serde_json::from_str(id).ok()? {
        Value::String(text) => Some(Value::String(text).to_string()),
        Value::Number(number) if number.is_i64() => Some(number.to_string()),
        _ => None,
    }
}

/// Id of a message that can be answered under it.
pub(crate) fn id(text: &str) -> Option<String> {
    serde_json::from_str::<Head<'_>>(text).ok()?.id.and_then(|id| key(id.get()))
}

/// The answer to a message that could not be answered once it went on: its id is of no kind that has an answer, or it is nested too
/// deeply for the parser.
pub(crate) fn refusal(text: &str) -> Option<String> {
    if depth(text) > DEEPEST {
        return Some(error(id(text).as_deref(), INVALID_REQUEST, &format!("the message is nested more than {DEEPEST} levels deep")));
    }
    let head: Head<'_> = serde_json::from_str(text).ok()?;
    let odd = head.id.is_some_and(|id| key(id.get()).is_none());
    // An answer of the client to an error that could not name its id has null there.
    let is_answer = head.method.is_none() && head.id.is_some_and(|id| id.get() == "null");
    (odd && !is_answer).then(|| error(None, INVALID_REQUEST, "the id must be a text, or a whole number below 2^63"))
}

/// An error answer.
pub(crate) fn error(id: Option<&str>, code: i32, message: &str) -> String {
    let id: Value = id.and_then(|id| serde_json::from_str(id).ok()).unwrap_or(Value::Null);
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}).to_string()
}

fn depth(text: &str) -> usize {
    let (mut now, mut deepest, mut quoted) = (0_usize, 0, false);
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' if quoted => drop(bytes.next()),
            b'"' => quoted = !quoted,
            b'[' | b'{' if !quoted => {
                now += 1;
                deepest = deepest.max(now);
            }
            b']' | b'}' if !quoted => now = now.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_characters_are_mended_and_everything_else_stays() {
        let cases = [
            (r#"{"a":"x\ud800"}"#, r#"{"a":"x\ufffd"}"#),
            (r#"{"a":"\uDFFFx\uD83D\uDE00"}"#, r#"{"a":"\ufffdx\uD83D\uDE00"}"#),
            (r#"{"a":"\ud83d\ud83d\ude00"}"#, r#"{"a":"\ufffd\ud83d\ude00"}"#),
            (r#"{"a":"\\ud800"}"#, r#"{"a":"\\ud800"}"#),
            (r#"{"a":"\ud8"}"#, r#"{"a":"\ud8"}"#),
            ("\"\\ud83é\"", "\"\\ud83é\""),
        ];
        for (given, expected) in cases {
            assert_eq!(mended(given), expected);
            assert_eq!(mended(given).len(), given.len());
        }
    }

    #[test]
    fn ids_without_an_answer_and_deep_messages_are_refused() {
        for odd in ["1.5", "9223372036854775808", "1e400", "true", "{}", "[]", "null", "-0"] {
            let answer = refusal(&format!(r#"{{"jsonrpc":"2.0","id":{odd},"method":"ping"}}"#)).unwrap();
            assert!(answer.contains("-32600") && answer.contains("\"id\":null"), "{answer}");
        }
        for fine in ["1", "-7", "9223372036854775807", "\"x\"", r#""\u0041""#] {
            assert_eq!(refusal(&format!(r#"{{"id":{fine},"method":"ping"}}"#)), None, "{fine}");
        }
        assert_eq!(refusal(r#"{"method":"note"}"#), None);
        assert_eq!(refusal(r#"{"id":null,"error":{}}"#), None);
        let deep = format!(r#"{{"id":7,"method":"ping","params":{}1{}}}"#, "[".repeat(200), "]".repeat(200));
        let answer = refusal(&deep).unwrap();
        assert!(answer.contains("-32600") && answer.contains("\"id\":7"), "{answer}");
        assert_eq!(refusal(&format!(r#"{{"id":7,"method":"ping","params":"{}"}}"#, "[".repeat(200))), None);
        assert_eq!((key(r#""\u0041""#), key("[]")), (Some("\"A\"".to_owned()), None));
    }
}
