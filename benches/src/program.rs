//! The project's programs, built in the bench's own profile.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

/// Where the built programs are.
#[derive(Debug, Clone)]
pub struct Programs {
    /// The product.
    pub tegata: PathBuf,
    /// The lab.
    pub lab: PathBuf,
}

impl Programs {
    /// Builds both.
    ///
    /// # Errors
    /// When one does not build.
    pub fn build() -> Result<Self> {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        // The whole workspace, so that each part has the features that `cargo bench` gave it.
        cargo.args(["build", "--quiet", "--workspace", "--bin", "tegata", "--bin", "lab", "--message-format=json-render-diagnostics"]);
        if !cfg!(debug_assertions) {
            cargo.arg("--release");
        }
        let output = cargo.current_dir(root()).stdin(Stdio::null()).stderr(Stdio::inherit()).output().context("cargo does not start")?;
        ensure!(output.status.success(), "tegata and lab do not build (above)");
        let printed = String::from_utf8_lossy(&output.stdout);
        let built: Vec<PathBuf> = printed
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
            .filter_map(|message| message["executable"].as_str().map(PathBuf::from))
            .collect();
        let find = |name: &str| {
            let found = built.iter().find(|path| path.file_stem().is_some_and(|stem| stem == name));
            found.cloned().with_context(|| format!("cargo built no {name}"))
        };
        Ok(Self { tegata: find("tegata")?, lab: find("lab")? })
    }
}

/// The folder of the workspace.
pub(crate) fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}
