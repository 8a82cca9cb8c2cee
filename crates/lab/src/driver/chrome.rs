//! One running Chrome.

use std::path::PathBuf;

use thirtyfour::WebDriver;

use crate::fixture::{Fixture, FixtureServer, JournalError, ReferenceStep};

/// How much a Chrome under test resembles a user's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// A driver is attached and background tabs are not throttled.
    #[default]
    Calm,
    /// Chrome's defaults, spawned by us, nothing attached to a page.
    Wild,
}

/// How to start Chrome.
#[derive(Clone, Debug, Default)]
pub struct ChromeOptions {
    /// Calm or wild.
    pub profile: Profile,
    /// With a window.
    pub headed: bool,
    /// Folder of an unpacked extension to load.
    pub extension: Option<PathBuf>,
    /// Pages to open at the start.
    pub urls: Vec<String>,
}

/// What is running.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Versions {
    /// Chrome, as `156.0.8078.108`.
    pub chrome: String,
    /// ChromeDriver; none in the wild profile.
    pub driver: Option<String>,
}

/// A tab, by the browser's own target id (also its WebDriver window handle).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TabHandle(pub String);

/// Why Chrome could not be used.
#[derive(Debug, thiserror::Error)]
pub enum ChromeError {
    /// No browser.
    #[error("no Chrome or Chromium was found. Install one (ci/setup does on Debian) or set LAB_CHROME to its path")]
    NoChrome,
    /// Only possible in the calm profile.
    #[error("the wild profile has no WebDriver; use the calm profile for this")]
    NoWebDriver,
    /// The journal failed while a reference solution waited for it.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// A running Chrome. Dropping it kills it and everything it started.
pub struct Chrome {}

impl Chrome {
    /// Finds and starts Chrome.
    pub async fn launch(options: ChromeOptions) -> Result<Self, ChromeError> {
        let _ = options;
        Err(ChromeError::NoChrome)
    }

    /// Opens a tab in front, by the browser, not by a page.
    pub async fn open(&self, url: &str) -> Result<TabHandle, ChromeError> {
        Ok(TabHandle(url.into()))
    }

    /// The tab whose address is this one (the fragment does not count).
    pub async fn find_tab(&self, url: &str) -> Result<TabHandle, ChromeError> {
        Ok(TabHandle(url.into()))
    }

    /// Brings a tab to the front.
    pub async fn activate(&self, tab: &TabHandle) -> Result<(), ChromeError> {
        let _ = tab;
        Ok(())
    }

    /// Closes a tab through the browser.
    pub async fn close_tab(&self, tab: &TabHandle) -> Result<(), ChromeError> {
        let _ = tab;
        Ok(())
    }

    /// The driver session; none in the wild profile.
    pub fn webdriver(&self) -> Option<&WebDriver> {
        None
    }

    /// WebDriver address and session id.
    pub fn webdriver_session(&self) -> Option<(String, String)> {
        None
    }

    /// Browser-level DevTools address (`ws://…`).
    pub fn devtools_url(&self) -> &str {
        ""
    }

    /// What is running.
    pub fn versions(&self) -> &Versions {
        unimplemented!()
    }

    /// Opens the fixture in a tab of its own, performs its reference solution, waits for its goal, closes the tab.
    pub async fn solve(&self, fixture: &Fixture, url: &str, server: &FixtureServer) -> Result<(), ChromeError> {
        let _ = (fixture, url, server);
        Ok(())
    }

    /// Performs the steps on the open tab with this address, with real input.
    pub async fn perform(&self, url: &str, steps: &[ReferenceStep], server: &FixtureServer) -> Result<(), ChromeError> {
        let _ = (url, steps, server);
        Ok(())
    }

    /// PNG of a tab.
    pub async fn screenshot(&self, tab: &TabHandle) -> Result<Vec<u8>, ChromeError> {
        let _ = tab;
        Ok(Vec::new())
    }

    /// The last lines Chrome wrote to its standard error.
    pub fn stderr_tail(&self, lines: usize) -> String {
        let _ = lines;
        String::new()
    }

    /// Ends Chrome and everything it started, and removes its profile.
    pub async fn close(self) -> Result<(), ChromeError> {
        Ok(())
    }
}
