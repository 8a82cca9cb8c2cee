//! Adapter files: how a server is started, how a step maps to its tools, how its replies are read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::mapping::{Mapped, Ways};
use super::reply::{Reader, Replies};
use super::{Call, SubjectError};

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
    /// A folder with a package.json and its lock file: installed with npm, scripts off, when the subject is asked for.
    #[serde(default)]
    pub packages: Option<PathBuf>,
    /// Environment of all its commands; `{state}`, `{bin}` and `{root}` are filled in.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
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
    pub tools: BTreeMap<String, Ways>,
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

    /// The call in the server's own terms; none when it has no tool for it. `current` is the session's current tab.
    pub(super) fn map(&self, call: &Call, current: Option<&str>) -> Option<Mapped> {
        if call.raw {
            let raw = || Mapped { tool: call.tool.clone(), arguments: call.arguments.clone(), names_tab: true };
            return self.tools.contains_key("call").then(raw);
        }
        self.tools.get(&call.tool)?.call(call, current)
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Map, json};

    #[test]
    fn a_raw_call_is_passed_as_it_is_where_the_server_speaks_our_words() {
        let arguments = Map::from_iter([("text".into(), "hi".into())]);
        let call = Call { tool: "any".into(), raw: true, is_write: true, target: None, arguments, tab: Some("3".into()) };
        let adapter = |tools: &str| Adapter::parse(&format!("title: t\nserver: {{command: x}}\ntools: {tools}\n")).unwrap();
        let mapped = adapter("{call: {}}").map(&call, None).unwrap();
        assert_eq!((mapped.tool.as_str(), json!(mapped.arguments)), ("any", json!({"text": "hi"})));
        assert!(adapter("{any: {}}").map(&call, None).is_none());
        assert!(adapter("{any: {}}").map(&Call { raw: false, ..call.clone() }, None).is_some());
        assert!(adapter("{}").map(&Call { raw: false, ..call }, None).is_none());
    }

    #[test]
    fn a_wrong_adapter_is_refused() {
        assert!(Adapter::parse("title: t\n").unwrap_err().contains("server"));
        assert!(Adapter::parse("title: t\nserver: {command: x}\nreplies: {outcome: \"(\"}\n").unwrap_err().contains("outcome"));
        assert!(Adapter::parse("title: t\nserver: {command: x}\nfoo: 1\n").unwrap_err().contains("foo"));
    }
}
