//! What of a frame or of arguments may touch the disk: what is known to be harmless, everything else as its length.
//!
//! Both ways round: a page can say what was typed back in any text, and an agent can put it under any key.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use protocol::{Command, ErrorCode};
use serde_json::{Map, Value};

/// Deepest level that is looked at; below it nothing is kept.
const DEPTH: usize = 64;

/// Longest text of our own making that is kept.
const LONGEST_WORD: usize = 64;

/// How much of an accessible name or a selector is kept.
const NAME: usize = 24;
const SELECTOR: usize = 80;
const ADDRESS: usize = 200;

/// Keys of frames whose texts are words of the protocol or of the programs.
const WORDS: &[&str] = &[
    "kind",
    "method",
    "event",
    "jsonrpc",
    "ref",
    "role",
    "cause",
    "place",
    "quality",
    "input",
    "generation",
    "instance",
    "version",
    "build",
    "browser",
    "protocolversion",
    "socket",
    "end",
    "why",
    "type",
    "mime",
    "mimetype",
    "format",
];

/// Keys of frames whose numbers could be typed.
const NUMBERLESS: &[&str] = &[
    "text", "value", "password", "token", "secret", "code", "data", "proof", "what", "name", "title", "message", "html", "values", "body",
    "headers",
];

/// Keys of arguments whose numbers and switches are kept.
const NUMBERS: &[&str] = &["tab", "nth", "timeout_ms", "quality", "real", "submit", "idle", "viewport", "limit", "offset"];

/// Words that arguments are made of.
const CHOICES: &[&str] = &[
    "accept",
    "dismiss",
    "list",
    "new",
    "select",
    "close",
    "back",
    "forward",
    "reload",
    "replace",
    "append",
    "jpeg",
    "png",
    "visible",
    "hidden",
    "enabled",
    "disabled",
    "checked",
    "unchecked",
    "expanded",
    "collapsed",
    "gone",
    "editable",
    "focused",
    "selected",
    "pressed",
];

/// Keys of arguments that such words stand under.
const CHOOSING: &[&str] = &["action", "mode", "format", "state"];

/// Keys of arguments that may be written as they are: those that tools have.
static KNOWN: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let mut keys = BTreeSet::new();
    for tool in crate::tools::registry() {
        properties(&tool.schema(), &mut keys);
    }
    keys
});

fn properties(schema: &Value, keys: &mut BTreeSet<String>) {
    match schema {
        Value::Object(fields) => {
            if let Some(Value::Object(named)) = fields.get("properties") {
                keys.extend(named.keys().cloned());
            }
            fields.values().for_each(|inner| properties(inner, keys));
        }
        Value::Array(items) => items.iter().for_each(|inner| properties(inner, keys)),
        _ => {}
    }
}

/// The arguments of a call as they may be written.
#[must_use]
pub(super) fn hidden(mut arguments: Value) -> Value {
    argument(&mut arguments, "", 0);
    arguments
}

/// A frame as it may be written; what is no JSON is only counted.
#[must_use]
pub(super) fn hidden_frame(text: &str) -> Value {
    let Ok(mut frame) = serde_json::from_str(text) else { return Value::String(mark(text)) };
    field(&mut frame, "", 0);
    frame
}

/// A tool's name, when it is one of ours.
#[must_use]
pub(super) fn tool_name(name: &str) -> String {
    if is_tool(name) { name.to_owned() } else { mark(name) }
}

fn is_tool(name: &str) -> bool {
    crate::tools::registry().iter().any(|tool| tool.name() == name)
}

fn field(value: &mut Value, key: &str, depth: usize) {
    match value {
        _ if depth > DEPTH => *value = Value::Null,
        Value::String(text) => *text = said(text, key),
        Value::Number(number) if NUMBERLESS.contains(&key) && !is_rpc_code(key, number) => {
            *value = Value::String(mark(&number.to_string()))
        }
        // What stands in a list stands under the list's key.
        Value::Array(items) => items.iter_mut().for_each(|item| field(item, key, depth + 1)),
        Value::Object(fields) => {
            let old = std::mem::take(fields);
            fields.extend(old.into_iter().map(|(key, mut inner)| {
                let lower = key.to_lowercase();
                if lower == "arguments" {
                    argument(&mut inner, "", depth + 1)
                } else {
                    field(&mut inner, &lower, depth + 1)
                }
                (named(key), inner)
            }));
        }
        Value::Number(_) | Value::Bool(_) | Value::Null => {}
    }
}

fn said(text: &str, key: &str) -> String {
    let is_kept = match key {
        "url" => return address(text),
        "code" => ErrorCode::ALL.iter().any(|code| code.word() == text),
        "name" => is_tool(text),
        // Methods of MCP have the same form, and no page says any.
        "method" => Command::METHODS.contains(&text) || is_word(text),
        _ => WORDS.contains(&key) && is_word(text),
    };
    if is_kept { text.to_owned() } else { mark(text) }
}

/// Codes of JSON-RPC are numbers under a hidden key.
fn is_rpc_code(key: &str, number: &serde_json::Number) -> bool {
    key == "code" && number.as_i64().is_some_and(|code| (-32999..=-32000).contains(&code))
}

fn is_word(text: &str) -> bool {
    text.len() <= LONGEST_WORD && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_/.:+".contains(&byte))
}

/// A key as it may be written: names of ours have letters only.
fn named(key: String) -> String {
    let plain = key.len() <= 32 && key.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    if plain { key } else { mark(&key) }
}

fn argument(value: &mut Value, key: &str, depth: usize) {
    match value {
        _ if depth > DEPTH => *value = Value::Null,
        Value::String(text) => *text = argued(text, key),
        Value::Number(number) if !NUMBERS.contains(&key) => *value = Value::String(mark(&number.to_string())),
        Value::Array(items) => items.iter_mut().for_each(|item| argument(item, key, depth + 1)),
        Value::Object(fields) => *fields = argued_fields(std::mem::take(fields), depth),
        Value::Number(_) | Value::Bool(_) | Value::Null => {}
    }
}

fn argued_fields(fields: Map<String, Value>, depth: usize) -> Map<String, Value> {
    let written = fields.into_iter().map(|(key, mut inner)| {
        argument(&mut inner, &key, depth + 1);
        (if KNOWN.contains(&key) { key } else { mark(&key) }, inner)
    });
    written.collect()
}

fn argued(text: &str, key: &str) -> String {
    match key {
        "ref" if is_ref(text) => text.to_owned(),
        "role" if text.len() <= NAME && text.bytes().all(|byte| byte.is_ascii_lowercase()) => text.to_owned(),
        "name" => shortened(text, NAME),
        // What stands between quotes in a selector may be a value.
        "css" if !text.contains(['"', '\'']) => shortened(text, SELECTOR),
        "url" => address(text),
        _ if CHOOSING.contains(&key) && CHOICES.contains(&text) => text.to_owned(),
        _ => mark(text),
    }
}

fn is_ref(text: &str) -> bool {
    let digits = text.trim_start_matches(|sign: char| sign.is_ascii_lowercase());
    digits.len() < text.len() && text.len() <= 12 && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// An address without user, query and fragment; what is no such address is only counted.
fn address(text: &str) -> String {
    if text.chars().any(|sign| sign.is_control() || sign == '\\') {
        return mark(text);
    }
    let bare = text.trim().split(['?', '#']).next().unwrap_or_default();
    if bare == "about:blank" {
        return bare.to_owned();
    }
    let known = ["http", "https", "ws", "wss", "chrome-extension", "chrome", "file"];
    let Some((scheme, rest)) = bare.split_once("://").filter(|(scheme, _)| known.contains(&scheme.to_lowercase().as_str())) else {
        return mark(text);
    };
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    // `http:///user:secret@host` is read by browsers as if the third slash were not there.
    if path.contains('@') || (authority.is_empty() && !scheme.eq_ignore_ascii_case("file")) {
        return mark(text);
    }
    let host = authority.rsplit('@').next().unwrap_or_default();
    shortened(&format!("{scheme}://{host}{path}"), ADDRESS)
}

fn shortened(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
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
    fn arguments_keep_what_is_known_to_be_harmless_and_nothing_else() {
        let before = json!({"tab": 3, "text": 7_788_990_011_u64, "txt": "hunter2", "hunter2": 1, "mode": "hunter2", "submit": true, "action": "new",
            "target": {"role": "textbox", "name": "Name", "nth": 1, "ref": "a12", "css": "#a"}, "list": [{"password": ["a", 12]}],
            "url": "https://me:hunter2@a.example/b/c?token=x#y"});
        let after = json!({"tab": 3, "text": "<10 chars>", "<3 chars>": "<7 chars>", "<7 chars>": "<1 chars>", "mode": "<7 chars>", "submit": true,
            "action": "new", "target": {"role": "textbox", "name": "Name", "nth": 1, "ref": "a12", "css": "#a"},
            "<4 chars>": [{"<8 chars>": ["<1 chars>", "<2 chars>"]}], "url": "https://a.example/b/c"});
        assert_eq!(hidden(before), after);
        assert_eq!(hidden(json!({"target": "hunter2", "nth": "hunter2"})), json!({"target": "<7 chars>", "nth": "<7 chars>"}));
        assert_eq!(hidden(json!({"css": "[value=\"x\"]", "ref": "hunter"})), json!({"css": "<11 chars>", "ref": "<6 chars>"}));
        assert_eq!(hidden(json!({"name": "n".repeat(30)})), json!({"name": format!("{}…", "n".repeat(24))}));
    }

    #[test]
    fn addresses_lose_whatever_may_be_secret() {
        let cases = [
            ("http://a.example?x", "http://a.example"),
            ("http://a:b@c@d.example/", "http://d.example/"),
            ("about:blank", "about:blank"),
            ("data:text/html,hunter2", "<22 chars>"),
            ("http:\\\\a:b@c", "<12 chars>"),
            ("http:///a:b@c", "<13 chars>"),
            ("http:a:b@c", "<10 chars>"),
        ];
        for (given, expected) in cases {
            assert_eq!(address(given), expected);
        }
    }

    #[test]
    fn frames_keep_their_structure_and_no_text_of_a_page() {
        let reply = json!({"kind": "reply", "id": 4, "result": {"kind": "done", "look": {"evidence": [{"cause": "sync", "place": "target",
            "kind": "value", "what": "value \"\" → \"hunter2\"", "firstMs": 1.5, "before": 0}], "missing": ["hunter2"],
            "dialog": {"kind": "alert", "text": "hunter2"}}, "tab": {"title": "hunter2", "url": "http://a.example/?pw=hunter2"}}});
        let text = hidden_frame(&reply.to_string()).to_string();
        assert!(!text.contains("hunter2"), "{text}");
        for kept in [r#""cause":"sync""#, r#""firstMs":1.5"#, r#""what":"<20 chars>""#, r#""url":"http://a.example/""#, r#""kind":"alert""#]
        {
            assert!(text.contains(kept), "{kept} in {text}");
        }
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "type", "arguments": {"text": "hunter2"}}});
        assert_eq!(hidden_frame(&call.to_string())["params"], json!({"name": "type", "arguments": {"text": "<7 chars>"}}));
        let error = json!({"error": {"code": "stale_ref", "message": "hunter2"}, "x": {"error": {"code": -32600}, "code": 778_899}});
        let expected =
            json!({"error": {"code": "stale_ref", "message": "<7 chars>"}, "x": {"error": {"code": -32600}, "code": "<6 chars>"}});
        assert_eq!(hidden_frame(&error.to_string()), expected);
        assert_eq!(hidden_frame("{hunter2"), json!("<8 chars>"));
        assert_eq!((tool_name("click"), tool_name("hunter2")), ("click".to_owned(), "<7 chars>".to_owned()));
    }
}
