//! Finding Chrome and ChromeDriver, and whether they fit each other.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use tokio::process::Command;

use super::error::ChromeError;

/// A browser or driver on this machine.
#[derive(Clone, Debug)]
pub(super) struct Binary {
    pub(super) path: PathBuf,
    pub(super) version: String,
    /// Google's own build: it refuses extensions from the command line.
    pub(super) branded: bool,
}

impl Binary {
    fn major(&self) -> &str {
        self.version.split('.').next().unwrap_or_default()
    }
}

// The plain binary comes before Debian's wrapper: the wrapper puts switches of its own before ours.
const CHROME_PATHS: [&str; 7] = [
    "/usr/lib/chromium/chromium",
    "/usr/lib/chromium-browser/chromium-browser",
    "/opt/google/chrome/chrome",
    "/Applications/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/snap/bin/chromium",
];
const CHROME_NAMES: [&str; 5] = ["chromium", "chromium-browser", "chrome", "google-chrome", "google-chrome-stable"];
const DRIVER_PATHS: [&str; 4] =
    ["/usr/bin/chromedriver", "/usr/lib/chromium/chromedriver", "/usr/lib/chromium-browser/chromedriver", "/opt/homebrew/bin/chromedriver"];

/// The Chrome to use.
pub(super) async fn chrome() -> Result<Binary, ChromeError> {
    let path = find("LAB_CHROME", env::var_os("LAB_CHROME").as_deref(), &CHROME_PATHS, &CHROME_NAMES)?;
    describe(path.ok_or(ChromeError::NoChrome)?).await
}

/// The ChromeDriver to use.
pub(super) async fn driver() -> Result<Binary, ChromeError> {
    let set = env::var_os("LAB_CHROMEDRIVER");
    let path = find("LAB_CHROMEDRIVER", set.as_deref(), &DRIVER_PATHS, &["chromedriver"])?;
    describe(path.ok_or(ChromeError::NoDriver)?).await
}

/// Refuses a pair whose majors differ.
pub(super) fn check_pair(chrome: &Binary, driver: &Binary) -> Result<(), ChromeError> {
    if chrome.major() == driver.major() {
        return Ok(());
    }
    Err(ChromeError::Majors { chrome: chrome.version.clone(), driver: driver.version.clone() })
}

fn find(variable: &'static str, set: Option<&OsStr>, paths: &[&str], names: &[&str]) -> Result<Option<PathBuf>, ChromeError> {
    if let Some(set) = set {
        let path = PathBuf::from(set);
        return if path.is_file() { Ok(Some(path)) } else { Err(ChromeError::NoSuchBinary { variable, path }) };
    }
    let known = paths.iter().map(PathBuf::from);
    let search = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&search).collect();
    let named = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    Ok(known.chain(named).find(|path| path.is_file()))
}

async fn describe(path: PathBuf) -> Result<Binary, ChromeError> {
    let output = Command::new(&path).arg("--version").output().await.map_err(|source| ChromeError::Spawn { path: path.clone(), source })?;
    let answer = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    match version_in(&answer) {
        Some(version) => Ok(Binary { version, branded: is_branded(&path, &answer), path }),
        None => Err(ChromeError::NoVersion { path, answer }),
    }
}

/// The first word of the form `156.0.8078.108`.
fn version_in(answer: &str) -> Option<String> {
    answer.split_whitespace().find(|word| word.contains('.') && word.split('.').all(|part| part.parse::<u32>().is_ok())).map(str::to_owned)
}

fn is_branded(path: &Path, answer: &str) -> bool {
    answer.starts_with("Google Chrome ") && !answer.contains("for Testing") && !path.to_string_lossy().contains("for Testing")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn binary(version: &str) -> Binary {
        Binary { path: "x".into(), version: version.into(), branded: false }
    }

    #[test]
    fn reads_versions() {
        let chromium = "Chromium 156.0.8078.108 built on Debian GNU/Linux 12 (bookworm)";
        assert_eq!(version_in(chromium).as_deref(), Some("156.0.8078.108"));
        assert_eq!(version_in("ChromeDriver 155.0.1.2 (abc-refs/heads@{#1})").as_deref(), Some("155.0.1.2"));
        assert_eq!(version_in("no such option"), None);
        assert!(is_branded(Path::new("/opt/google/chrome/chrome"), "Google Chrome 156.0.1.2"));
        assert!(!is_branded(Path::new("/x"), "Google Chrome for Testing 156.0.1.2"));
    }

    #[test]
    fn refuses_different_majors_in_one_sentence() {
        assert!(check_pair(&binary("156.0.1.2"), &binary("156.0.9.9")).is_ok());
        let error = check_pair(&binary("156.0.1.2"), &binary("149.0.1.2")).unwrap_err().to_string();
        assert!(error.contains("156.0.1.2") && error.contains("149.0.1.2") && error.contains("Install"), "{error}");
    }

    #[test]
    fn a_variable_that_names_nothing_is_an_error() {
        let found = find("LAB_CHROME", Some(OsStr::new("/nowhere/chrome")), &[], &[]);
        assert!(matches!(found, Err(ChromeError::NoSuchBinary { .. })));
        assert!(find("LAB_CHROME", None, &[], &[]).unwrap().is_none());
        let told = [ChromeError::NoChrome, ChromeError::NoDriver].map(|error| error.to_string());
        assert!(told.iter().all(|text| text.contains("ci/setup") && text.contains("to its path")), "{told:?}");
    }
}
