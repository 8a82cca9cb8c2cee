//! Why Chrome could not be used: one sentence, and what to do.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use thirtyfour::error::WebDriverError;

use crate::fixture::JournalError;

/// Why Chrome could not be found, started or driven.
#[derive(Debug, thiserror::Error)]
pub enum ChromeError {
    /// The subject's own page could not be pressed.
    #[error("the user could not answer on the subject's card: {0}")]
    Card(String),
    /// No browser.
    #[error("no Chrome or Chromium was found. Install one (ci/setup does it on Debian and Ubuntu) or set LAB_CHROME to its path")]
    NoChrome,
    /// No driver.
    #[error(
        "no ChromeDriver was found. Install the one of your Chrome's version (ci/setup does it on Debian and Ubuntu) or set LAB_CHROMEDRIVER to its path"
    )]
    NoDriver,
    /// No display for a Chrome with a window.
    #[error(
        "Xvfb was not found, which shows Chrome's window in the headed profile. Install it (ci/setup does it on Debian and Ubuntu), or run with --headed to use your own display"
    )]
    NoDisplay,
    /// No display of the user's own.
    #[error(
        "no window can be shown: neither DISPLAY nor WAYLAND_DISPLAY names a display. Leave --headed out, put `xvfb-run -a` before the command, or set DISPLAY"
    )]
    NoOwnDisplay,
    /// An environment variable names no file.
    #[error("{variable} names {path}, which is no file. Correct it or unset it", path = path.display())]
    NoSuchBinary {
        /// The variable.
        variable: &'static str,
        /// Its value.
        path: PathBuf,
    },
    /// Chrome and its driver do not fit.
    #[error(
        "Chrome is version {chrome} and ChromeDriver version {driver}: the first numbers must be equal. Install the ChromeDriver for Chrome {chrome}, or set LAB_CHROME or LAB_CHROMEDRIVER to a pair that fits"
    )]
    Majors {
        /// Chrome's version.
        chrome: String,
        /// ChromeDriver's version.
        driver: String,
    },
    /// `--version` gave nothing that is a version.
    #[error("{path} --version did not answer with a version: {answer}. Check that it is a working Chrome or ChromeDriver", path = path.display())]
    NoVersion {
        /// The binary.
        path: PathBuf,
        /// What it answered.
        answer: String,
    },
    /// The extension's folder is not one.
    #[error("{path} holds no manifest.json, so it is no extension. Build it with ci/setup", path = path.display())]
    NoExtension {
        /// The folder.
        path: PathBuf,
    },
    /// A process did not start.
    #[error("{path} did not start: {source}", path = path.display())]
    Spawn {
        /// The binary.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A process started and did not say that it is ready.
    #[error("{what} was not ready within {bound:?}. Its last words: {stderr}")]
    NotReady {
        /// Chrome or ChromeDriver.
        what: &'static str,
        /// The bound.
        bound: Duration,
        /// The end of its standard error.
        stderr: String,
    },
    /// A process started and ended before it said that it is ready.
    #[error("{what} ended before it was ready. Its last words: {stderr}. Start it by hand to see what it lacks")]
    Ended {
        /// Chrome or ChromeDriver.
        what: &'static str,
        /// The end of its standard error.
        stderr: String,
    },
    /// ChromeDriver could not start Chrome.
    #[error("ChromeDriver could not start Chrome: {reason}. Chrome's last words: {stderr}")]
    Session {
        /// What the driver said.
        reason: String,
        /// The end of Chrome's standard error.
        stderr: String,
    },
    /// The profile folder could not be made or removed.
    #[error("the temporary profile cannot be used: {0}. Check the free space and rights of the temporary folder")]
    Profile(#[from] io::Error),
    /// Browser-level DevTools did not answer as expected.
    #[error("Chrome's DevTools did not answer as expected: {0}. Has Chrome ended?")]
    DevTools(String),
    /// Only possible in the calm profile.
    #[error("only the calm profile has a WebDriver. Use the calm profile for steps that the page's user performs")]
    NoWebDriver,
    /// No tab with this address.
    #[error("no tab shows {url}. Open are: {open}")]
    NoTab {
        /// The address.
        url: String,
        /// What is open.
        open: String,
    },
    /// No worker at this address.
    #[error("no worker runs at {0}")]
    NoWorker(String),
    /// A reference step failed.
    #[error("the step \"{step}\" failed: {reason}")]
    Step {
        /// The step in words.
        step: String,
        /// Why.
        reason: String,
    },
    /// A command of the driver failed.
    #[error("WebDriver: {0}")]
    WebDriver(#[from] WebDriverError),
    /// The journal failed while a reference solution waited for it.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

impl ChromeError {
    /// Whether trying again cannot help: something on this machine has to be changed first.
    pub fn is_lasting(&self) -> bool {
        matches!(
            self,
            Self::NoChrome
                | Self::NoDriver
                | Self::NoDisplay
                | Self::NoOwnDisplay
                | Self::NoSuchBinary { .. }
                | Self::Majors { .. }
                | Self::NoVersion { .. }
                | Self::NoExtension { .. }
                | Self::Spawn { .. }
        )
    }
}
