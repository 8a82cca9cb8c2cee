//! Adapter files: how a server is started, how a step maps to its tools, how its replies are read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::scenario::{ScenarioError, did_you_mean, in_place, tool_words};

use super::mapping::{Mapped, Ways};
use super::reply::{Reader, Replies};
use super::{Call, SubjectError};

/// An adapter file of `subjects/`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "How the lab speaks with a server under test")]
pub struct Adapter {
    /// What it is.
    pub title: String,
    /// A subject that is part of the lab; nothing else counts then.
    #[serde(default)]
    pub builtin: Option<Builtin>,
    /// Built by the lab itself before a run.
    #[serde(default)]
    pub build: Option<Build>,
    /// A folder with a package.json and its lock file: installed with npm, scripts off, when the subject is asked for.
    #[serde(default)]
    pub packages: Option<PathBuf>,
    /// Environment of all its commands; `{state}`, `{bin}` and `{root}` are filled in.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Files that its user would have written into its state folder, by name.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// What is set besides, or otherwise, where only time is measured.
    #[serde(default)]
    pub measured_env: BTreeMap<String, String>,
    /// The MCP server over stdio; here and in its environment `{devtools}` is Chrome's browser-level DevTools address
    /// and `{session}` a word that no other session has.
    #[serde(default)]
    pub server: Option<CommandLine>,
    /// Ends what a session leaves running; filled in like `server`.
    #[serde(default)]
    pub end: Option<CommandLine>,
    /// Prints a JSON line with `folder` (the extension) and `connect_url`.
    #[serde(default)]
    pub connect: Option<CommandLine>,
    /// Runs its daemon in the foreground, with a clock that stands until it is told to go on (replay).
    #[serde(default)]
    pub held: Option<CommandLine>,
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
    /// `snapshot_whole` and `snapshot_since` are asked for by `lab bench`: nothing left out where `snapshot` would leave
    /// something out, and only what changed since the last one.
    #[serde(default)]
    #[schemars(schema_with = "steps")]
    pub tools: BTreeMap<String, Ways>,
    /// How its replies are read.
    #[serde(default)]
    pub replies: Replies,
}

/// A subject that is part of the lab.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
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
#[derive(Debug, Deserialize, JsonSchema)]
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
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CommandLine {
    /// The program.
    pub command: String,
    /// Its arguments.
    #[serde(default)]
    pub args: Vec<String>,
}

/// A command that tells whether the subject has hold of Chrome.
#[derive(Debug, Deserialize, JsonSchema)]
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
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Daemon {
    /// A JSON file with its `pid`.
    pub file: PathBuf,
    /// Its frame log, JSON Lines.
    #[serde(default)]
    pub frames: Option<PathBuf>,
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
        Self::parse(&format!("subjects/{name}.yaml"), &source).map_err(SubjectError::Adapter)
    }

    /// Reads the text of an adapter file; `file` is its name in errors.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn parse(file: &str, source: &str) -> Result<Self, Box<ScenarioError>> {
        let options = serde_saphyr::options! { with_snippet: false };
        let adapter: Self = serde_saphyr::from_str_with_options(source, options)
            .map_err(|error| Box::new(in_place(file, source, error.without_snippet(), "subjects/adapter.schema.json")))?;
        let fault = |message: String, word: &str| ScenarioError::new(file, source, message).at_key(word);
        if adapter.builtin.is_none() && adapter.server.is_none() {
            let fault = fault("it says neither how its MCP server is started (`server`) nor that it is `builtin`".into(), "title");
            return Err(Box::new(fault.with_help("for example `server: {command: node, args: [/where/it/is/server.js]}`")));
        }
        let words = tool_words();
        let known = || words.iter().map(String::as_str).chain(EXTRA);
        if let Some(wrong) = adapter.tools.keys().find(|step| known().all(|word| word != step.as_str())) {
            let help = match did_you_mean(wrong, known()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the words on the left are the scenarios' steps: {}", known().collect::<Vec<_>>().join(", ")),
            };
            return Err(Box::new(fault(format!("there is no step `{wrong}`"), wrong).with_help(help)));
        }
        if let Err((key, message)) = adapter.reader() {
            return Err(Box::new(
                fault(format!("replies.{key}: {message}"), key).with_help("it is a regular expression of the Rust crate `regex`"),
            ));
        }
        Ok(adapter)
    }

    pub(super) fn reader(&self) -> Result<Reader, (&'static str, String)> {
        Reader::new(&self.replies)
    }

    /// The call in the server's own terms; none when it has no tool for it. `current` is the session's current tab.
    pub(super) fn map(&self, call: &Call, current: Option<&str>) -> Option<Mapped> {
        if call.raw {
            let raw = || Mapped { tool: call.tool.clone(), arguments: call.arguments.clone(), names_tab: true };
            return self.tools.contains_key("call").then(raw);
        }
        self.tools.get(&call.tool)?.call(call, current)
    }
}

/// What may stand among the tools besides the scenarios' steps: raw calls, and what `lab bench` asks for.
const EXTRA: [&str; 3] = ["call", "snapshot_whole", "snapshot_since"];

/// Each step with the ways to make a call of it.
fn steps(generator: &mut SchemaGenerator) -> Schema {
    let ways = generator.subschema_for::<Ways>().to_value();
    let words = tool_words();
    let properties: Map<String, Value> =
        words.iter().map(String::as_str).chain(EXTRA).map(|word| (word.to_owned(), ways.clone())).collect();
    schemars::json_schema!({"type": "object", "properties": properties, "additionalProperties": false})
}

/// The JSON Schema of adapter files, for editors.
pub fn schema() -> Value {
    schemars::schema_for!(Adapter).to_value()
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_raw_call_is_passed_as_it_is_where_the_server_speaks_our_words() {
        let arguments = Map::from_iter([("text".into(), "hi".into())]);
        let call = Call { tool: "hover".into(), raw: true, is_write: true, target: None, arguments, tab: Some("3".into()) };
        let adapter = |tools: &str| Adapter::parse("x", &format!("title: t\nserver: {{command: x}}\ntools: {tools}\n")).unwrap();
        let mapped = adapter("{call: {}}").map(&call, None).unwrap();
        assert_eq!((mapped.tool.as_str(), json!(mapped.arguments)), ("hover", json!({"text": "hi"})));
        assert!(adapter("{hover: {}}").map(&call, None).is_none());
        assert!(adapter("{hover: {}}").map(&Call { raw: false, ..call.clone() }, None).is_some());
        assert!(adapter("{}").map(&Call { raw: false, ..call }, None).is_none());
    }

    #[test]
    fn a_wrong_adapter_is_refused_at_its_place() {
        let server = "title: t\nserver: {command: x}\n";
        for (rest, line, column, message, help) in [
            ("foo: 1\n", 3, 1, "unknown key `foo`", "the keys here are"),
            ("tols: {}\n", 3, 1, "unknown key `tols`", "did you mean `tools`?"),
            ("tools:\n  clik: {tool: x}\n", 4, 3, "there is no step `clik`", "did you mean `click`?"),
            ("tools:\n  click: {toll: x}\n", 4, 11, "unknown key `toll`", "did you mean `tool`?"),
            (
                "tools:\n  click:\n    - {tool: x, when: {count: 2}}\n    - {tool: x, argument: {}}\n",
                6,
                17,
                "unknown key `argument`",
                "did you mean `arguments`?",
            ),
            ("replies:\n  outcome: \"(\"\n", 4, 3, "replies.outcome: ", "regular expression"),
            ("replies:\n  refusals:\n    - {pattern: x, code: coverd}\n", 5, 26, "coverd", "did you mean `covered`?"),
        ] {
            let fault = Adapter::parse("subjects/x.yaml", &format!("{server}{rest}")).unwrap_err();
            let told = fault.to_string();
            let helped = fault.help.clone().unwrap_or_default();
            assert!(told.contains(message) && helped.contains(help), "{rest}: {told} ({helped})");
            assert_eq!((fault.line(), fault.column()), (line, column), "{rest}: {told}");
        }
        assert!(Adapter::parse("x", "title: t\n").unwrap_err().to_string().contains("`server`"));
    }
}
