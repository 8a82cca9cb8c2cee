//! The npm packages of a server under test: exact versions from a lock file, installed when they are first needed.

use std::path::Path;
use std::process::Stdio;

use tokio::process::Command;

use super::SubjectError;

/// Written once an installation is complete; holds what it was made of.
const STAMP: &str = "node_modules/.lab-stamp";
/// The servers drive the lab's own Chrome.
const NO_BROWSERS: [(&str, &str); 2] = [("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1"), ("PUPPETEER_SKIP_DOWNLOAD", "1")];

/// Installs what the folder's lock file says, unless it is there already.
///
/// # Errors
/// When npm is missing, cannot reach its registry, or the folder has no lock file.
pub(super) async fn install(folder: &Path) -> Result<(), SubjectError> {
    let lock = folder.join("package-lock.json");
    let wanted =
        std::fs::read_to_string(&lock).map_err(|error| SubjectError::Packages(format!("{} cannot be read: {error}", lock.display())))?;
    let wanted = format!("{} {}\n{wanted}", std::env::consts::OS, std::env::consts::ARCH);
    let stamp = folder.join(STAMP);
    if std::fs::read_to_string(&stamp).is_ok_and(|made_of| made_of == wanted) {
        return Ok(());
    }
    // No script runs: none of the packages needs its own, and browsers come from some of them.
    let mut command = Command::new("npm");
    command.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]).envs(NO_BROWSERS).current_dir(folder);
    command.stdin(Stdio::null()).kill_on_drop(true);
    let output = command.output().await.map_err(|error| SubjectError::Packages(format!("npm did not start: {error}")))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.lines().map(str::trim).filter(|line| !line.is_empty()).take(6).collect::<Vec<_>>().join("\n");
        return Err(SubjectError::Packages(format!("`npm ci` in {} failed ({}): {said}", folder.display(), output.status)));
    }
    std::fs::write(&stamp, wanted).map_err(|error| SubjectError::Packages(format!("{} cannot be written: {error}", stamp.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_installed_is_not_installed_again_and_what_cannot_be_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        assert!(install(path).await.unwrap_err().to_string().contains("package-lock.json"));
        // npm refuses this one before it asks anybody.
        std::fs::write(path.join("package.json"), "{\"name\": \"x\", \"dependencies\": {\"y\": \"1.0.0\"}}").unwrap();
        let lock = "{\"name\": \"x\", \"lockfileVersion\": 3, \"requires\": true, \"packages\": {\"\": {\"name\": \"x\"}}}";
        std::fs::write(path.join("package-lock.json"), lock).unwrap();
        let told = install(path).await.unwrap_err().to_string();
        assert!(told.contains("npm ci") || told.contains("npm did not start"), "{told}");
        std::fs::create_dir(path.join("node_modules")).unwrap();
        std::fs::write(path.join(STAMP), format!("{} {}\n{lock}", std::env::consts::OS, std::env::consts::ARCH)).unwrap();
        install(path).await.unwrap();
    }
}
