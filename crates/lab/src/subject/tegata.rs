//! Tegata itself: built by the lab, its extension checked against its source, started as an isolated instance.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;

use serde::Deserialize;
use sha2::{Digest, Sha256};
use tokio::process::Command;

use super::adapter::{Adapter, Build};
use super::process::{Prepared, Process};
use super::{Subject, SubjectError};

pub use super::process::McpCommand;

/// One isolated bridge, for those who want to drive it themselves (`lab chrome`, benches).
pub struct Instance {
    process: Process,
    connect_url: String,
    extension: PathBuf,
    command: McpCommand,
}

impl Instance {
    /// Builds what is needed and starts an instance in `state`; `env` is added to what its adapter file sets.
    ///
    /// # Errors
    /// When it cannot be built, its extension is not built or old, or it does not start.
    pub async fn start(root: &Path, state: &Path, env: Vec<(String, String)>) -> Result<Self, SubjectError> {
        let mut adapter = Adapter::load(&root.join("subjects"), "tegata")?;
        adapter.env.extend(env);
        let prepared = Arc::new(Prepared::new(root, adapter).await?);
        let process = Process::start(prepared, state).await?;
        let missing = |what: &str| SubjectError::Start(format!("`tegata extension --json --pair` did not tell {what}"));
        let connect_url = process.connection.connect_url.clone().ok_or_else(|| missing("connect_url"))?;
        let extension = process.connection.folder.clone().ok_or_else(|| missing("folder"))?;
        let command = process.mcp_command().ok_or_else(|| missing("its MCP command"))?;
        Ok(Self { process, connect_url, extension, command })
    }

    /// The page that pairs a Chrome with this instance when opened in it.
    pub fn connect_url(&self) -> &str {
        &self.connect_url
    }

    /// The unpacked extension to load.
    pub fn extension_folder(&self) -> &Path {
        &self.extension
    }

    /// How any MCP client starts a session with this instance.
    pub fn mcp_command(&self) -> &McpCommand {
        &self.command
    }

    /// Waits until the extension said hello.
    ///
    /// # Errors
    /// When it did not within the bound.
    pub async fn ready(&self) -> Result<(), SubjectError> {
        self.process.ready().await
    }

    /// Ends it; nothing of it is left running.
    ///
    /// # Errors
    /// When its process cannot be ended.
    pub async fn stop(self) -> Result<(), SubjectError> {
        self.process.stop().await
    }
}

/// Builds the bridge in the lab's own profile and returns the binary.
pub(super) async fn build(root: &Path, build: &Build) -> Result<PathBuf, SubjectError> {
    if let Some(path) = std::env::var_os(&build.instead) {
        let path = PathBuf::from(path);
        return if path.is_file() {
            Ok(path)
        } else {
            Err(SubjectError::Build(format!("{} names {}, which is no file", build.instead, path.display())))
        };
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["build", "--message-format=json-render-diagnostics", "-p", &build.package, "--bin", &build.bin]);
    // Together with the lab it gets the features that the lab's own build has: nothing is built twice.
    command.args(["-p", env!("CARGO_PKG_NAME")]);
    if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    // Cargo's progress is shown as it comes: from nothing this takes minutes.
    command.current_dir(root).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit()).kill_on_drop(true);
    let output = command.output().await.map_err(|error| SubjectError::Build(format!("cargo did not start: {error}")))?;
    if !output.status.success() {
        return Err(SubjectError::Build(format!("cargo ended with {}", output.status)));
    }
    let printed = String::from_utf8_lossy(&output.stdout);
    printed
        .lines()
        .filter_map(|line| serde_json::from_str::<Artifact>(line).ok())
        .filter(|artifact| artifact.target.as_ref().is_some_and(|target| target.name == build.bin))
        .filter_map(|artifact| artifact.executable)
        .next_back()
        .ok_or_else(|| SubjectError::Build(format!("cargo built no binary `{}`", build.bin)))
}

/// The part of cargo's messages that names a built binary.
#[derive(Deserialize)]
struct Artifact {
    #[serde(default)]
    target: Option<ArtifactTarget>,
    #[serde(default)]
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct ArtifactTarget {
    name: String,
}

/// What the extension is built from (the same list as in its `build.mjs`).
const SOURCES: [&str; 4] = ["src", "manifest.json", "build.mjs", "package.json"];

/// Checks that the extension is built, and from the source as it is now.
pub(super) fn check_extension(folder: &Path) -> Result<(), SubjectError> {
    #[derive(Deserialize)]
    struct BuildFile {
        source_hash: String,
    }
    let built = folder.join("dist/build.json");
    let Ok(text) = std::fs::read_to_string(&built) else {
        return Err(SubjectError::Extension("the extension is not built: extension/dist has no build.json".into()));
    };
    let build: BuildFile = serde_json::from_str(&text)
        .map_err(|error| SubjectError::Extension(format!("extension/dist/build.json cannot be read: {error}")))?;
    let hash = source_hash(folder).map_err(|error| SubjectError::Extension(format!("the extension's source cannot be read: {error}")))?;
    if hash != build.source_hash {
        return Err(SubjectError::Extension("the extension is older than its source: extension/dist was built from other files".into()));
    }
    Ok(())
}

/// sha256 over each source file in order: its path, a zero byte, its contents, a zero byte.
fn source_hash(folder: &Path) -> std::io::Result<String> {
    let mut files = Vec::new();
    for source in SOURCES {
        collect(folder, source, &mut files)?;
    }
    files.sort();
    let mut hash = Sha256::new();
    for file in files {
        hash.update(file.as_bytes());
        hash.update([0]);
        hash.update(std::fs::read(folder.join(&file))?);
        hash.update([0]);
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

fn collect(folder: &Path, relative: &str, files: &mut Vec<String>) -> std::io::Result<()> {
    let path = folder.join(relative);
    if !path.is_dir() {
        files.push(relative.to_owned());
        return Ok(());
    }
    for entry in std::fs::read_dir(path)? {
        collect(folder, &format!("{relative}/{}", entry?.file_name().to_string_lossy()), files)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_extension_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        for name in ["src/background/main.ts", "src/a.ts", "manifest.json", "build.mjs", "package.json"] {
            write(name, name);
        }
        let told = |result: Result<(), SubjectError>| result.unwrap_err().to_string();
        assert!(told(check_extension(folder.path())).contains("not built"));
        let hash = source_hash(folder.path()).unwrap();
        write("dist/build.json", &format!("{{\"version\":\"1\",\"source_hash\":\"{hash}\"}}"));
        check_extension(folder.path()).unwrap();
        write("src/a.ts", "changed");
        assert!(told(check_extension(folder.path())).contains("older than its source"));
        write("dist/build.json", "{");
        assert!(told(check_extension(folder.path())).contains("cannot be read"));
    }
}
