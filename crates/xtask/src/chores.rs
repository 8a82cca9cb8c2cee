//! What each task does, but for tidy's rules.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail, ensure};

use crate::tidy;

const PROTOCOL: &str = "extension/src/generated/protocol.ts";
const TRANSCRIPT: &str = "docs/transcript.schema.json";

/// Runs every check.
pub(crate) fn ci(root: &Path) -> Result<()> {
    run(Command::new("ci/test").current_dir(root))
}

/// Writes what is generated from the protocol, or says that it is stale.
pub(crate) fn codegen(root: &Path, check: bool) -> Result<()> {
    for (name, wanted) in [(PROTOCOL, protocol::export::typescript()), (TRANSCRIPT, protocol::export::transcript_schema())] {
        let path = root.join(name);
        let current = std::fs::read_to_string(&path).is_ok_and(|text| text == wanted);
        if check {
            ensure!(current, "{name} is stale: run `cargo xtask codegen`");
            println!("{name} is current");
        } else if current {
            println!("{name} was current");
        } else {
            std::fs::write(&path, wanted).with_context(|| format!("cannot write {}", path.display()))?;
            println!("{name} written");
        }
    }
    Ok(())
}

/// Builds the extension once.
pub(crate) fn extension_build(root: &Path) -> Result<()> {
    build_script(root, [])
}

/// Builds it again on every change, until interrupted.
pub(crate) fn extension_watch(root: &Path) -> Result<()> {
    build_script(root, ["--watch"])
}

/// Says whether the built extension is the one its source would give.
pub(crate) fn extension_check(root: &Path) -> Result<()> {
    let folder = root.join("extension");
    let mut node = Command::new("node");
    let output = node.args(["build.mjs", "--hash"]).current_dir(&folder).stderr(Stdio::inherit()).output();
    let output = output.context("cannot start node: run `ci/setup`")?;
    ensure!(output.status.success(), "extension/build.mjs does not run: run `ci/setup`");
    let hash = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let Ok(built) = std::fs::read_to_string(folder.join("dist/build.json")) else {
        bail!("the extension is not built: run `cargo xtask extension`");
    };
    let built: serde_json::Value = serde_json::from_str(&built).context("extension/dist/build.json is not JSON")?;
    ensure!(
        built.get("source_hash").and_then(serde_json::Value::as_str) == Some(hash.as_str()),
        "the built extension is older than its source: run `cargo xtask extension`"
    );
    println!("the built extension is current");
    Ok(())
}

/// Checks the project's own rules.
pub(crate) fn tidy(root: &Path) -> Result<()> {
    let findings = tidy::check(root)?;
    for finding in &findings {
        println!("{finding}");
    }
    ensure!(findings.is_empty(), "{} places are not tidy", findings.len());
    println!("tidy");
    Ok(())
}

fn build_script<const N: usize>(root: &Path, arguments: [&str; N]) -> Result<()> {
    let folder = root.join("extension");
    ensure!(folder.join("node_modules").is_dir(), "extension/node_modules is missing: run `ci/setup`");
    run(Command::new("node").arg("build.mjs").args(arguments).current_dir(folder))
}

fn run(command: &mut Command) -> Result<()> {
    let name = OsStr::to_string_lossy(command.get_program()).into_owned();
    let status = command.status().with_context(|| format!("cannot start {name}"))?;
    ensure!(status.success(), "{name} failed ({status})");
    Ok(())
}
