//! How a step of a scenario becomes a call of one tool of the server under test. Pure.

use std::collections::BTreeMap;
use std::fmt;

use regex::Regex;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value, json};

use super::{Call, CallTarget, Node};

/// The ways one step can become a tool call (a map, or a list of them); the first that fits is taken.
#[derive(Debug, Default)]
pub struct Ways(Vec<ToolMap>);

impl<'de> Deserialize<'de> for Ways {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneOrMany;
        impl<'de> Visitor<'de> for OneOrMany {
            type Value = Ways;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map with `tool`, `when`, `arguments`, `ignores`, or a list of such maps")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Ways, A::Error> {
                ToolMap::deserialize(MapAccessDeserializer::new(map)).map(|one| Ways(vec![one]))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Ways, A::Error> {
                let mut all = Vec::new();
                while let Some(one) = seq.next_element()? {
                    all.push(one);
                }
                Ok(Ways(all))
            }
        }
        deserializer.deserialize_any(OneOrMany)
    }
}

/// One way a step becomes a tool call.
///
/// With a template it fits only a step all of whose arguments it uses: what a server cannot be told is not left out
/// in silence, the step cannot be expressed.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ToolMap {
    /// The tool (default: the step's own word).
    pub tool: Option<String>,
    /// Only for steps whose arguments have these values.
    pub when: Map<String, Value>,
    /// Only for steps whose arguments are texts that these regexes fit.
    #[schemars(with = "BTreeMap<String, String>")]
    pub matches: BTreeMap<String, Pattern>,
    /// Its arguments (default: the step's own). A string `$a.b` is the step's argument `a.b`, `$a.b?` is left out when
    /// the step has none, `${a.b}` stands inside a text. Beside the arguments there are `tab` (the session's current one
    /// if the step names none), `target.ref`, `target.css`, and `node.role` and `node.name` of what a ref was found by.
    pub arguments: Option<Map<String, Value>>,
    /// Arguments of the step that mean nothing to this server, or that it does anyway.
    pub ignores: Vec<String>,
}

impl JsonSchema for Ways {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Ways".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let one = generator.subschema_for::<ToolMap>();
        json_schema!({"anyOf": [one, {"type": "array", "items": one}]})
    }
}

/// A regex of an adapter file.
#[derive(Debug)]
pub(super) struct Pattern(Regex);

impl<'de> Deserialize<'de> for Pattern {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let source = String::deserialize(deserializer)?;
        Regex::new(&source).map(Self).map_err(serde::de::Error::custom)
    }
}

/// A tool call in the server's own terms.
#[derive(Debug, PartialEq)]
pub(super) struct Mapped {
    pub(super) tool: String,
    pub(super) arguments: Map<String, Value>,
    /// The call itself names its tab; else the right one must be the current one.
    pub(super) names_tab: bool,
}

impl Ways {
    /// The call by the first way that fits.
    pub(super) fn call(&self, call: &Call, current: Option<&str>) -> Option<Mapped> {
        self.0.iter().find_map(|way| way.call(call, current))
    }
}

impl ToolMap {
    fn call(&self, call: &Call, current: Option<&str>) -> Option<Mapped> {
        let own = Value::Object(canonical(call));
        if self.when.iter().any(|(path, value)| lookup(&own, path) != Some(value)) {
            return None;
        }
        let fits =
            |(path, pattern): (&String, &Pattern)| lookup(&own, path).and_then(Value::as_str).is_some_and(|text| pattern.0.is_match(text));
        if !self.matches.iter().all(fits) {
            return None;
        }
        let tool = self.tool.clone().unwrap_or_else(|| call.tool.clone());
        let Some(template) = &self.arguments else {
            let Value::Object(arguments) = own else { return None };
            return Some(Mapped { tool, arguments, names_tab: true });
        };
        let template = Value::Object(template.clone());
        let mut used = Vec::new();
        paths(&template, &mut used);
        let names_tab = used.iter().any(|path| path == "tab");
        // The tab is seen to by the session when the call does not name it.
        used.extend(self.when.keys().chain(&self.ignores).cloned().chain([String::from("tab")]));
        let mut left = Vec::new();
        leaves(&own, "", &mut left);
        let is_used =
            |leaf: &String| used.iter().any(|path| leaf == path || leaf.strip_prefix(path).is_some_and(|rest| rest.starts_with('.')));
        if !left.iter().all(is_used) {
            return None;
        }
        let Some(Value::Object(arguments)) = fill(&template, &with_context(own, call, current))? else { return None };
        Some(Mapped { tool, arguments, names_tab })
    }
}

/// A call in the lab's own form: the tool's arguments with `target` and `tab` in them.
fn canonical(call: &Call) -> Map<String, Value> {
    let mut own = call.arguments.clone();
    if let Some(target) = &call.target {
        own.insert("target".into(), target_value(target));
    }
    if let Some(tab) = &call.tab {
        own.insert("tab".into(), tab_value(tab));
    }
    own
}

/// The same with what a template may need beside the step's own arguments.
fn with_context(mut own: Value, call: &Call, current: Option<&str>) -> Value {
    if let (None, Some(tab)) = (&call.tab, current) {
        own["tab"] = tab_value(tab);
    }
    if let Some(CallTarget::Ref(_, Some(node))) = &call.target {
        own["node"] = json!({"role": node.role, "name": node.name});
    }
    own
}

/// A tab is an integer for most servers; one that uses words gets the word.
fn tab_value(tab: &str) -> Value {
    tab.parse::<u64>().map_or_else(|_| tab.into(), Value::from)
}

/// A target as the tools of this project take it.
pub fn target_value(target: &CallTarget) -> Value {
    let node = |node: &Node| {
        let mut map = Map::from_iter([("role".into(), node.role.clone().into()), ("name".into(), node.name.clone().into())]);
        if let Some(nth) = node.nth {
            map.insert("nth".into(), nth.into());
        }
        Value::Object(map)
    };
    match target {
        CallTarget::Ref(word, _) => json!({"ref": word}),
        CallTarget::Css(css) => json!({"css": css}),
        CallTarget::Node(by) => node(by),
    }
}

/// The value at `a.b.0`.
fn lookup<'a>(own: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(own, |value, key| match value {
        Value::Array(items) => items.get(key.parse::<usize>().ok()?),
        other => other.get(key),
    })
}

/// The path of each value that is neither map nor list.
fn leaves(value: &Value, path: &str, into: &mut Vec<String>) {
    let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match value {
        Value::Object(map) => map.iter().for_each(|(key, item)| leaves(item, &below(key), into)),
        Value::Array(items) => items.iter().enumerate().for_each(|(index, item)| leaves(item, &below(&index.to_string()), into)),
        _ => into.push(path.to_owned()),
    }
}

/// A part of a template's text.
enum Part<'a> {
    Text(&'a str),
    Path(&'a str),
}

/// A template's text taken apart: `$a.b` as a whole, or texts with `${a.b}` in them.
fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let Some((path, end)) = after.split_once('}') else { break };
        parts.extend([Part::Text(before), Part::Path(path)]);
        rest = end;
    }
    parts.push(Part::Text(rest));
    parts
}

/// The path of a string that is one as a whole, and whether the step must have it.
fn whole(text: &str) -> Option<(&str, bool)> {
    let path = text.strip_prefix('$').filter(|path| !path.starts_with('{'))?;
    Some(path.strip_suffix('?').map_or((path, true), |path| (path, false)))
}

/// Every path a template uses.
fn paths(template: &Value, into: &mut Vec<String>) {
    match template {
        Value::String(text) => match whole(text) {
            Some((path, _)) => into.push(path.to_owned()),
            None => into.extend(parts(text).into_iter().filter_map(|part| match part {
                Part::Path(path) => Some(path.to_owned()),
                Part::Text(_) => None,
            })),
        },
        Value::Array(items) => items.iter().for_each(|item| paths(item, into)),
        Value::Object(map) => map.values().for_each(|item| paths(item, into)),
        _ => {}
    }
}

/// A template filled in: none when the step lacks what it needs, an inner none for a value that is left out.
fn fill(template: &Value, own: &Value) -> Option<Option<Value>> {
    match template {
        Value::String(text) => match whole(text) {
            Some((path, needed)) => match lookup(own, path) {
                Some(value) => Some(Some(value.clone())),
                None if needed => None,
                None => Some(None),
            },
            None => {
                let texts = parts(text).into_iter().map(|part| match part {
                    Part::Text(text) => Some(text.to_owned()),
                    Part::Path(path) => lookup(own, path).map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned)),
                });
                Some(Some(Value::String(texts.collect::<Option<String>>()?)))
            }
        },
        Value::Array(items) => {
            let items = items.iter().map(|item| fill(item, own)).collect::<Option<Vec<_>>>()?;
            Some(Some(items.into_iter().flatten().collect()))
        }
        Value::Object(map) => {
            let pairs = map.iter().map(|(key, item)| Some((key.clone(), fill(item, own)?))).collect::<Option<Vec<_>>>()?;
            Some(Some(Value::Object(pairs.into_iter().filter_map(|(key, item)| Some((key, item?))).collect())))
        }
        other => Some(Some(other.clone())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call() -> Call {
        let node = Node { role: "textbox".into(), name: "City".into(), nth: None };
        let target = Some(CallTarget::Ref("a1".into(), Some(node)));
        let arguments = Map::from_iter([("text".into(), "hi".into())]);
        Call { tool: "type".into(), raw: false, is_write: true, target, arguments, tab: Some("3".into()) }
    }

    fn ways(source: &str) -> Ways {
        serde_saphyr::from_str(source).unwrap()
    }

    fn mapped(source: &str, call: &Call) -> Option<(String, Value)> {
        ways(source).call(call, Some("t1")).map(|mapped| (mapped.tool, Value::Object(mapped.arguments)))
    }

    #[test]
    fn a_step_maps_to_another_servers_tool() {
        let source = "{tool: fill, arguments: {uid: $target.ref, selector: '@${target.ref}', value: $text, gone: '$mode?', fixed: 1, \
                      element: '${node.role} \"${node.name}\"'}}";
        let wanted = json!({"uid": "a1", "selector": "@a1", "value": "hi", "fixed": 1, "element": "textbox \"City\""});
        assert_eq!(mapped(source, &call()), Some(("fill".into(), wanted)));
    }

    #[test]
    fn what_a_server_cannot_be_told_is_not_left_out() {
        let mut call = call();
        call.arguments.insert("submit".into(), true.into());
        assert_eq!(mapped("{arguments: {uid: $target.ref, value: $text}}", &call), None);
        assert!(mapped("{arguments: {uid: $target.ref, value: $text}, ignores: [submit]}", &call).is_some());
        assert_eq!(mapped("{arguments: {uid: $target.css, value: $text}, ignores: [submit, target]}", &call), None, "it is needed");
    }

    #[test]
    fn the_first_way_that_fits_is_taken() {
        let source = "[{when: {action: back}, tool: back, arguments: {}}, {tool: go, arguments: {url: $url}}]";
        let step = |key: &str, value: &str| Call {
            tool: "navigate".into(),
            target: None,
            arguments: Map::from_iter([(key.into(), value.into())]),
            tab: None,
            ..call()
        };
        assert_eq!(mapped(source, &step("action", "back")), Some(("back".into(), json!({}))));
        assert_eq!(mapped(source, &step("url", "http://x")), Some(("go".into(), json!({"url": "http://x"}))));
        assert_eq!(mapped(source, &step("action", "forward")), None);
    }

    #[test]
    fn a_text_that_does_not_fit_is_another_step() {
        let source = "{matches: {text: '^\\S+$'}, arguments: {key: $text}, ignores: [target]}";
        assert_eq!(mapped(source, &call()), Some(("type".into(), json!({"key": "hi"}))));
        let mut two = call();
        two.arguments.insert("text".into(), "Tab Enter".into());
        assert_eq!(mapped(source, &two), None);
        two.arguments.insert("text".into(), json!(["Tab"]));
        assert_eq!(mapped(source, &two), None, "a list is no text");
    }

    #[test]
    fn items_of_a_list_are_named_by_their_number() {
        let step = |any: Value| Call {
            tool: "wait_for".into(),
            target: None,
            tab: None,
            arguments: Map::from_iter([("any".into(), any)]),
            ..call()
        };
        let source = "{tool: wait, arguments: {text: [$any.0.text]}}";
        assert_eq!(mapped(source, &step(json!([{"text": "a"}]))), Some(("wait".into(), json!({"text": ["a"]}))));
        assert_eq!(mapped(source, &step(json!([{"text": "a"}, {"text": "b"}]))), None, "one of two is another step");
    }

    #[test]
    fn a_call_names_its_tab_or_the_session_sees_to_it() {
        let names = |source: &str, call: &Call| {
            let mapped = ways(source).call(call, Some("t1")).unwrap();
            (mapped.names_tab, mapped.arguments.get("page").cloned())
        };
        let source = "{arguments: {page: $tab, value: $text}, ignores: [target]}";
        assert_eq!(names(source, &call()), (true, Some(3.into())));
        assert_eq!(names(source, &Call { tab: None, ..call() }), (true, Some("t1".into())), "the current one");
        assert_eq!(names("{arguments: {value: $text}, ignores: [target]}", &call()), (false, None));
    }

    #[test]
    fn without_a_template_the_arguments_are_the_steps_own() {
        let wanted = json!({"text": "hi", "target": {"ref": "a1"}, "tab": 3});
        assert_eq!(mapped("{}", &call()), Some(("type".into(), wanted)));
    }

    #[test]
    fn a_wrong_way_is_refused() {
        assert!(serde_saphyr::from_str::<Ways>("{toll: x}").is_err());
        assert!(serde_saphyr::from_str::<Ways>("click").is_err());
        assert!(serde_saphyr::from_str::<Ways>("{matches: {keys: '('}}").is_err());
    }
}
