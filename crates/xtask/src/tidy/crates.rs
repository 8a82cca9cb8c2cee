//! Which crate may depend on which: `protocol` ← `bridge`, `lab`, `xtask`, `benches`; `benches` also on `bridge`.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use super::Finding;

const ALLOWED: [(&str, &[&str]); 5] = [
    ("protocol", &["protocol"]),
    ("bridge", &["protocol"]),
    ("lab", &["protocol"]),
    ("xtask", &["protocol"]),
    ("benches", &["bridge", "protocol"]),
];

/// Dependencies between members that the design does not allow.
pub(super) fn dependencies(root: &Path) -> Result<Vec<Finding>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .current_dir(root)
        .output()
        .context("cannot start cargo metadata")?;
    ensure!(output.status.success(), "cargo metadata failed: {}", String::from_utf8_lossy(&output.stderr));
    Ok(forbidden(&serde_json::from_slice(&output.stdout).context("cargo metadata printed no JSON")?, root))
}

fn forbidden(metadata: &Value, root: &Path) -> Vec<Finding> {
    let word = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut findings = Vec::new();
    for package in packages {
        let name = word(package, "name");
        let manifest = word(package, "manifest_path");
        let path = Path::new(&manifest).strip_prefix(root).unwrap_or(Path::new(&manifest)).to_string_lossy().into_owned();
        let Some((_, allowed)) = ALLOWED.iter().find(|(member, _)| *member == name) else {
            findings.push(Finding::new(
                path,
                1,
                format!("crate `{name}` is not in tidy's table: say in tidy/crates.rs on what it may depend"),
            ));
            continue;
        };
        let members = package["dependencies"]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default()
            .iter()
            .filter(|dependency| dependency["path"].is_string());
        for dependency in members.map(|dependency| word(dependency, "name")).filter(|dependency| !allowed.contains(&dependency.as_str())) {
            let what = format!("`{name}` must not depend on `{dependency}` (design §2): move what both need to `protocol`");
            findings.push(Finding::new(path.clone(), 1, what));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lab_is_a_black_box_client() {
        let metadata = serde_json::json!({"packages": [
            {"name": "lab", "manifest_path": "/r/crates/lab/Cargo.toml", "dependencies": [{"name": "bridge", "path": "/r/crates/bridge"}, {"name": "serde", "path": null}]},
            {"name": "new", "manifest_path": "/r/crates/new/Cargo.toml", "dependencies": []},
        ]});
        let findings: Vec<String> = forbidden(&metadata, Path::new("/r")).iter().map(ToString::to_string).collect();
        assert_eq!(findings.len(), 2, "{findings:?}");
        assert!(findings[0].starts_with("crates/lab/Cargo.toml:1: `lab` must not depend on `bridge`"), "{findings:?}");
    }
}
