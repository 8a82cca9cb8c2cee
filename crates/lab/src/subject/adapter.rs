//! Adapter files: how a server is started, how a step maps to its tools, how its replies are read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value};

use super::reply::{Reader, Replies};
use super::{Call, CallTarget, Node, SubjectError};

/// An adapter file of `subjects/`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adapter {
    /// What it is.
    pub title: String,
    /// A subject that is part of the lab; nothing else counts then.
    #[serde(default)]
    pub builtin: Option<Builtin>,
    /// Built by the lab itself before a run.
    #[serde(default)]
    pub build: Option<Build>,
    /// Environment of all its commands; `{state}`, `{bin}` and `{root}` are filled in.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// The MCP server over stdio; in its arguments `{devtools}` is Chrome's browser-level DevTools address.
    #[serde(default)]
    pub server: Option<CommandLine>,
    /// Prints a JSON line with `folder` (the extension) and `connect_url`.
    #[serde(default)]
    pub connect: Option<CommandLine>,
    /// Tells whether it has hold of Chrome.
    #[serde(default)]
    pub ready: Option<Ready>,
    /// What it leaves in its state folder.
    #[serde(default)]
    pub daemon: Option<Daemon>,
    /// Prints a word that is another one for each life of its extension's worker; group 1 of the pattern.
    #[serde(default)]
    pub worker: Option<Ready>,
    /// Step → tool. A step that is not here cannot be expressed; `call` stands for raw calls with this server's own words.
    #[serde(default)]
    pub tools: BTreeMap<String, ToolMap>,
    /// How its replies are read.
    #[serde(default)]
    pub replies: Replies,
}

/// A subject that is part of the lab.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Builtin {
    /// Claims every effect, does nothing.
    Liar,
    /// Does everything, claims nothing.
    Mute,
    /// Cannot tell, ever.
    Evasive,
}

/// A program of this project, built with cargo.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Build {
    /// Its package.
    pub package: String,
    /// Its binary.
    pub bin: String,
    /// An environment variable that names a binary to use in its place.
    pub instead: String,
    /// Folder of the extension's source; its `dist/` must be built from it.
    #[serde(default)]
    pub extension: Option<PathBuf>,
}

/// A command with its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommandLine {
    /// The program.
    pub command: String,
    /// Its arguments.
    #[serde(default)]
    pub args: Vec<String>,
}

/// A command that tells whether the subject has hold of Chrome.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ready {
    /// The program.
    pub command: String,
    /// Its arguments.
    #[serde(default)]
    pub args: Vec<String>,
    /// What its output must match.
    pub pattern: String,
}

/// What a subject's daemon leaves in its state folder.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Daemon {
    /// A JSON file with its `pid`.
    pub file: PathBuf,
    /// Its frame log, JSON Lines.
    #[serde(default)]
    pub frames: Option<PathBuf>,
}

/// How a step becomes a tool call.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ToolMap {
    /// The tool (default: the step's own word).
    pub tool: Option<String>,
    /// Its arguments; a string `$a.b` is the step's argument `a.b`, left out when the step has none (default: the
    /// step's own arguments).
    pub arguments: Option<Map<String, Value>>,
}

impl Adapter {
    /// Reads `<name>.yaml`.
    ///
    /// # Errors
    /// When it is not there or wrong.
    pub fn load(folder: &Path, name: &str) -> Result<Self, SubjectError> {
        let path = folder.join(format!("{name}.yaml"));
        let Ok(source) = std::fs::read_to_string(&path) else {
            let known = names(folder).join(", ");
            return Err(SubjectError::Unknown { name: name.to_owned(), folder: folder.to_owned(), known });
        };
        Self::parse(&source).map_err(|message| SubjectError::Adapter { path, message })
    }

    /// Reads the text of an adapter file.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn parse(source: &str) -> Result<Self, String> {
        let adapter: Self = serde_saphyr::from_str(source).map_err(|error| error.to_string())?;
        if adapter.builtin.is_none() && adapter.server.is_none() {
            return Err("it needs `server` (how its MCP server is started) or `builtin`".into());
        }
        adapter.reader()?;
        Ok(adapter)
    }

    pub(super) fn reader(&self) -> Result<Reader, String> {
        Reader::new(&self.replies)
    }

    /// The tool and arguments for a call; none when the subject has no such tool.
    pub(super) fn map(&self, call: &Call) -> Option<(String, Map<String, Value>)> {
        if call.raw {
            return self.tools.contains_key("call").then(|| (call.tool.clone(), call.arguments.clone()));
        }
        let map = self.tools.get(&call.tool)?;
        let own = canonical(call);
        let tool = map.tool.clone().unwrap_or_else(|| call.tool.clone());
        let Some(template) = &map.arguments else { return Some((tool, own)) };
        let filled = fill(&Value::Object(template.clone()), &Value::Object(own));
        match filled {
            Some(Value::Object(arguments)) => Some((tool, arguments)),
            _ => Some((tool, Map::new())),
        }
    }
}

/// The names of all subjects.
fn names(folder: &Path) -> Vec<String> {
    let mut names = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| Some(entry.file_name().to_str()?.strip_suffix(".yaml")?.to_owned()))
        .collect::<Vec<_>>();
    names.sort();
    names
}

/// A call in the lab's own form: the tool's arguments with `target` and `tab` in them.
fn canonical(call: &Call) -> Map<String, Value> {
    let mut own = call.arguments.clone();
    if let Some(target) = &call.target {
        own.insert("target".into(), target_value(target));
    }
    if let Some(tab) = &call.tab {
        // A tab is an integer for most servers; one that uses words gets the word.
        own.insert("tab".into(), tab.parse::<u64>().map_or_else(|_| tab.as_str().into(), Value::from));
    }
    own
}

fn target_value(target: &CallTarget) -> Value {
    let node = |node: &Node| {
        let mut map = Map::from_iter([("role".into(), node.role.clone().into()), ("name".into(), node.name.clone().into())]);
        if let Some(nth) = node.nth {
            map.insert("nth".into(), nth.into());
        }
        Value::Object(map)
    };
    match target {
        CallTarget::Ref(word, _) => serde_json::json!({"ref": word}),
        CallTarget::Css(css) => serde_json::json!({"css": css}),
        CallTarget::Node(by) => node(by),
    }
}

/// A template with its `$a.b` strings filled in; none for a string whose value is not there.
fn fill(template: &Value, own: &Value) -> Option<Value> {
    match template {
        Value::String(text) => match text.strip_prefix('$') {
            Some(path) => path.split('.').try_fold(own, |value, key| value.get(key)).cloned(),
            None => Some(template.clone()),
        },
        Value::Array(items) => Some(items.iter().filter_map(|item| fill(item, own)).collect()),
        Value::Object(map) => Some(Value::Object(map.iter().filter_map(|(key, item)| Some((key.clone(), fill(item, own)?))).collect())),
        other => Some(other.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn call() -> Call {
        let target = Some(CallTarget::Ref("a1".into(), None));
        let arguments = Map::from_iter([("text".into(), "hi".into())]);
        Call { tool: "type".into(), raw: false, is_write: true, target, arguments, tab: Some("3".into()) }
    }

    #[test]
    fn a_step_maps_to_another_servers_tool() {
        let source = "title: t\nserver: {command: x}\ntools: {type: {tool: fill, arguments: {uid: $target.ref, value: $text, gone: $mode, fixed: 1}}}\n";
        let adapter = Adapter::parse(source).unwrap();
        let (tool, arguments) = adapter.map(&call()).unwrap();
        assert_eq!((tool.as_str(), Value::Object(arguments)), ("fill", json!({"uid": "a1", "value": "hi", "fixed": 1})));
        assert!(adapter.map(&Call { tool: "click".into(), ..call() }).is_none());
        let raw = Call { tool: "fill".into(), raw: true, ..call() };
        assert!(adapter.map(&raw).is_none(), "raw calls are for servers whose own words the scenario speaks");
    }

    #[test]
    fn a_raw_call_is_passed_as_it_is() {
        let adapter = Adapter::parse("title: t\nserver: {command: x}\ntools: {call: {}}\n").unwrap();
        let (tool, arguments) = adapter.map(&Call { raw: true, tool: "any".into(), ..call() }).unwrap();
        assert_eq!((tool.as_str(), Value::Object(arguments)), ("any", json!({"text": "hi"})));
    }

    #[test]
    fn without_a_template_the_arguments_are_the_steps_own() {
        let adapter = Adapter::parse("title: t\nserver: {command: x}\ntools: {type: {}}\n").unwrap();
        let (tool, arguments) = adapter.map(&call()).unwrap();
        assert_eq!(tool, "type");
        assert_eq!(Value::Object(arguments), json!({"text": "hi", "target": {"ref": "a1"}, "tab": 3}));
    }

    #[test]
    fn a_wrong_adapter_is_refused() {
        assert!(Adapter::parse("title: t\n").unwrap_err().contains("server"));
        assert!(Adapter::parse("title: t\nserver: {command: x}\nreplies: {outcome: \"(\"}\n").unwrap_err().contains("outcome"));
        assert!(Adapter::parse("title: t\nserver: {command: x}\nfoo: 1\n").unwrap_err().contains("foo"));
    }
}
