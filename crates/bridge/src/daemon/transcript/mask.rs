//! What may not touch the disk: typed texts, credentials, secrets of a page. Only values of texts are changed, never the structure.

use std::borrow::Cow;

use protocol::typed_mark;
use serde_json::Value;

use super::address::bare_addresses;
use crate::redact::{is_secret_word, prose, secret_lines};

/// Shortest typed text that is looked for in other texts: a shorter one stands everywhere by chance.
const SHORTEST: usize = 4;

/// How many texts of one frame that look like secrets make a group of recovery codes or keys.
const GROUP: usize = 3;

/// Keys of arguments and parameters under which a text is typed or sent.
const TYPED: &[&str] = &["text", "value", "values", "body", "headers", "password", "secret", "token"];

/// Commands and tools that type or send what stands there.
const TYPING: &[&str] =
    &["keyboard/type", "form/fill", "dialog/answer", "data/fetch", "type", "fill", "dialog", "fetch", "act", "ask_human"];

/// Keys whose text is a credential wherever it stands.
const CREDENTIALS: &[&str] = &["authorization", "cookie", "set-cookie", "proxy-authorization", "x-api-key"];

/// Keys whose texts are words of the protocol: a typed text that happens to be one changes nothing there.
const WORDS: &[&str] = &["kind", "method", "event", "jsonrpc", "ref", "role", "cause", "place", "quality", "input", "type", "end", "mode"];

/// What was typed so far in this transcript; its place is its ordinal.
#[derive(Debug, Default)]
pub(super) struct Mask {
    typed: Vec<String>,
    /// How many are known at once, where not all are.
    latest: Option<usize>,
}

impl Mask {
    /// One that knows only so many of the latest texts, for a daemon's whole life.
    pub(super) fn of_latest(many: usize) -> Self {
        Self { typed: Vec::new(), latest: Some(many) }
    }

    /// Masks a frame in place.
    pub(super) fn apply(&mut self, frame: &mut Value) {
        if let Some(arguments) = typing(frame) {
            self.gather(arguments, false);
        }
        let mut secrets = 0;
        count(frame, &mut secrets);
        mask(frame, "", &self.longest(), secrets >= GROUP);
    }

    /// Masks once more, in a frame that was masked before: what was typed after it.
    pub(super) fn known(&self, frame: &mut Value) {
        known(frame, "", &self.longest());
    }

    /// The texts that are looked for, with their places.
    fn longest(&self) -> Vec<(usize, &str)> {
        let everywhere = |(_, text): &(usize, &str)| text.chars().count() >= SHORTEST;
        let mut longest: Vec<(usize, &str)> = self.typed.iter().map(String::as_str).enumerate().filter(everywhere).collect();
        // One text may be part of another.
        longest.sort_by_key(|(_, text)| std::cmp::Reverse(text.len()));
        longest
    }

    /// Takes down the texts of a call. What is not looked for elsewhere, a code of three digits or a number, is masked here.
    fn gather(&mut self, value: &mut Value, is_typed: bool) {
        match value {
            Value::String(text) if is_typed && text.chars().count() >= SHORTEST => {
                self.place(text);
            }
            Value::String(text) if is_typed && is_code(text) => *text = self.mark(text),
            Value::Number(number) if is_typed && (is_code(&number.to_string()) || number.to_string().len() >= SHORTEST) => {
                *value = Value::String(self.mark(&number.to_string()));
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.gather(item, is_typed)),
            Value::Object(fields) => {
                // The kind of a value is a word of the protocol.
                for (key, inner) in fields.iter_mut().filter(|(key, _)| *key != "kind") {
                    self.gather(inner, is_typed || TYPED.contains(&key.to_lowercase().as_str()));
                }
            }
            _ => {}
        }
    }

    fn mark(&mut self, text: &str) -> String {
        let ordinal = u32::try_from(self.place(text) + 1).unwrap_or(u32::MAX);
        typed_mark(ordinal, text.chars().count())
    }

    fn place(&mut self, text: &str) -> usize {
        if let Some(place) = self.typed.iter().position(|known| known == text) {
            return place;
        }
        if let Some(oldest) = self.latest.and_then(|latest| self.typed.len().checked_sub(latest)) {
            self.typed[oldest] = String::new();
        }
        self.typed.push(text.to_owned());
        self.typed.len() - 1
    }
}

/// Three digits, as on the back of a card.
fn is_code(text: &str) -> bool {
    text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The arguments of a command or tool that types or sends.
fn typing(frame: &mut Value) -> Option<&mut Value> {
    let is_typing = |name: Option<&Value>| name.and_then(Value::as_str).is_some_and(|name| TYPING.contains(&name));
    let (place, name, arguments) = match frame.get("command") {
        Some(_) => ("command", "method", "params"),
        None if frame.get("method").is_some_and(|method| method == "tools/call") => ("params", "name", "arguments"),
        None => return None,
    };
    let called = frame.get_mut(place)?;
    if is_typing(called.get(name)) { called.get_mut(arguments) } else { None }
}

fn known(value: &mut Value, key: &str, typed: &[(usize, &str)]) {
    match value {
        Value::String(text) if !WORDS.contains(&key) => marked(text, typed),
        Value::Array(items) => items.iter_mut().for_each(|item| known(item, key, typed)),
        Value::Object(fields) => fields.iter_mut().for_each(|(key, inner)| known(inner, key, typed)),
        _ => {}
    }
}

/// Texts that look like secrets, by themselves.
fn count(value: &Value, secrets: &mut usize) {
    match value {
        Value::String(text) if is_secret_word(text) => *secrets += 1,
        Value::Array(items) => items.iter().for_each(|item| count(item, secrets)),
        Value::Object(fields) => fields.iter().filter(|(key, _)| is_said(key)).for_each(|(_, inner)| count(inner, secrets)),
        _ => {}
    }
}

/// Whether a page or a person can say what stands under a key.
fn is_said(key: &str) -> bool {
    !matches!(key, "generation" | "instance" | "nonce" | "proof" | "build" | "url" | "data")
}

fn mask(value: &mut Value, key: &str, typed: &[(usize, &str)], is_group: bool) {
    match value {
        Value::String(text) if CREDENTIALS.contains(&key.to_lowercase().as_str()) => {
            *text = format!("[{} characters]", text.chars().count())
        }
        Value::String(text) if !WORDS.contains(&key) => said(text, key, typed, is_group),
        Value::Array(items) => items.iter_mut().for_each(|item| mask(item, key, typed, is_group)),
        Value::Object(fields) => fields.iter_mut().for_each(|(key, inner)| mask(inner, key, typed, is_group)),
        _ => {}
    }
}

/// Puts marks for the texts that were typed.
fn marked(text: &mut String, typed: &[(usize, &str)]) {
    // A text that is part of a mark would break the marks that stand already.
    for (place, secret) in typed.iter().filter(|(_, secret)| !"{{typed:".contains(secret)) {
        if text.contains(secret) {
            let ordinal = u32::try_from(place + 1).unwrap_or(u32::MAX);
            *text = text.replace(secret, &typed_mark(ordinal, secret.chars().count()));
        }
    }
}

fn said(text: &mut String, key: &str, typed: &[(usize, &str)], is_group: bool) {
    marked(text, typed);
    if (key == "url" || is_said(key))
        && let Cow::Owned(masked) = bare_addresses(text)
    {
        *text = masked;
    }
    if !is_said(key) {
        return;
    }
    if is_group && is_secret_word(text) {
        return *text = "[looks like a secret]".into();
    }
    if text.contains('\n') {
        *text = secret_lines(text);
    }
    if let Cow::Owned(masked) = prose(text) {
        *text = masked;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_was_typed_is_known_again_wherever_it_comes_up() {
        let mut mask = Mask::default();
        let mut told = |frame: Value| {
            let mut frame = frame;
            mask.apply(&mut frame);
            frame
        };
        let call = |text: &str| json!({"method": "tools/call", "params": {"name": "type", "arguments": {"text": text, "mode": text}}});
        assert_eq!(told(call("hunter2 "))["params"]["arguments"], json!({"text": "{{typed:1:8}}", "mode": "hunter2 "}));
        let command = |text: &str| json!({"kind": "request", "command": {"method": "keyboard/type", "params": {"text": text}}});
        assert_eq!(told(command("hunter2 "))["command"]["params"]["text"], "{{typed:1:8}}");
        let look = told(json!({"result": {"what": "value \"\" → \"hunter2 \"", "role": "hunter2 "}}));
        assert_eq!(look, json!({"result": {"what": "value \"\" → \"{{typed:1:8}}\"", "role": "hunter2 "}}));
        assert_eq!(told(command("hunter2 and more"))["command"]["params"]["text"], "{{typed:2:16}}");
        assert_eq!(told(command("no")), command("no"), "a short text is everywhere");
        let wait = json!({"kind": "request", "command": {"method": "wait/probe", "params": {"conditions": [{"text": "Thank you"}]}}});
        assert_eq!(told(wait.clone()), wait, "what is waited for was not typed");
    }

    #[test]
    fn codes_and_numbers_are_masked_where_they_are_typed_and_words_of_the_protocol_are_none() {
        let mut mask = Mask::default();
        let fields = json!([{"value": "123"}, {"value": {"kind": "text", "text": "4111 1111"}}, {"value": 4111222}, {"value": 3}]);
        let mut frame = json!({"kind": "request", "command": {"method": "form/fill", "params": {"fields": fields}}});
        mask.apply(&mut frame);
        let expected = json!([{"value": "{{typed:1:3}}"}, {"value": {"kind": "text", "text": "{{typed:2:9}}"}},
            {"value": "{{typed:3:7}}"}, {"value": 3}]);
        assert_eq!(frame["command"]["params"]["fields"], expected);
        let mut said = json!({"what": "textbox \"Card\": value \"\" → \"4111222\", 123"});
        mask.apply(&mut said);
        assert_eq!(said["what"], "textbox \"Card\": value \"\" → \"{{typed:3:7}}\", 123", "three digits stand everywhere");
    }

    #[test]
    fn of_many_texts_the_latest_are_known() {
        let mut mask = Mask::of_latest(2);
        for text in ["first one", "second one", "third one"] {
            mask.apply(&mut json!({"command": {"method": "keyboard/type", "params": {"text": text}}}));
        }
        let mut frame = json!({"text": "first one, second one, third one, typed"});
        mask.known(&mut frame);
        assert_eq!(frame["text"], "first one, {{typed:2:10}}, {{typed:3:9}}, typed");
    }

    #[test]
    fn credentials_and_secrets_of_a_page_go() {
        let mut frame = json!({"headers": {"Authorization": "Bearer abc", "Accept": "x"}, "url": "http://me:pw@a.example/b?token=abc123def",
            "text": "Your password is hunter2x, keep it", "name": "Go",
            "content": [{"text": "tab 7 · \"Shop\" · http://a.example/s?token=s3cr3ttoken1 · snapshot 2\n- link \"In\" → /in?sig=s1g9"}],
            "codes": ["a1b2c3d4e5f6g7h8", "q1w2e3r4t5y6u7i8", "z1x2c3v4b5n6m7k8"], "generation": "a1b2c3d4e5f6g7h8"});
        Mask::default().apply(&mut frame);
        let text = frame.to_string();
        for secret in ["Bearer", "me:pw", "abc123def", "hunter2x", "q1w2e3", "s3cr3ttoken1", "s1g9"] {
            assert!(!text.contains(secret), "{secret} in {text}");
        }
        assert_eq!((&frame["name"], &frame["generation"]), (&json!("Go"), &json!("a1b2c3d4e5f6g7h8")));
    }
}
