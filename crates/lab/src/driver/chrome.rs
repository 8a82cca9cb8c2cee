//! One running Chrome.

use std::path::Path;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use thirtyfour::WebDriver;
use tokio::sync::Mutex;

use super::devtools::{DevTools, TabEntry};
use super::display::Display;
use super::error::ChromeError;
use super::launch::{self, ChromeOptions, Driver, Launched, Versions};
use super::meter::Meter;
use super::process::Group;
use super::steps::Hand;
use crate::fixture::{Fixture, FixtureServer, ReferenceStep};

/// How long a fixture may take to reach its goal after the last reference step.
const GOAL_BOUND: Duration = Duration::from_secs(10);

/// A tab, by the browser's own target id (also its WebDriver window handle).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TabHandle(pub String);

/// A running Chrome. Dropping it kills it and everything it started.
pub struct Chrome {
    driver: Option<Driver>,
    devtools: DevTools,
    versions: Versions,
    /// A driver session has one current window, so one thing is driven at a time.
    driving: Mutex<()>,
    // Fields are dropped in this order: the processes first, then their folder.
    group: Group,
    /// Ends after the group.
    _display: Option<Display>,
    profile: tempfile::TempDir,
}

impl Chrome {
    /// Finds and starts Chrome.
    pub async fn launch(options: ChromeOptions) -> Result<Self, ChromeError> {
        let Launched { group, display, profile, devtools, driver, versions } = launch::launch(&options).await?;
        Ok(Self { driver, devtools, versions, driving: Mutex::new(()), group, _display: display, profile })
    }

    /// Opens a tab in front, by the browser, not by a page.
    pub async fn open(&self, url: &str) -> Result<TabHandle, ChromeError> {
        self.devtools.open(url).await.map(TabHandle)
    }

    /// The tab whose address is this one (the fragment does not count).
    pub async fn find_tab(&self, url: &str) -> Result<TabHandle, ChromeError> {
        let tabs = self.devtools.tabs().await?;
        let plain = |url: &str| url.split('#').next().unwrap_or_default().to_owned();
        match tabs.iter().find(|tab| plain(&tab.url) == plain(url)) {
            Some(TabEntry { id, .. }) => Ok(TabHandle(id.clone())),
            None => Err(ChromeError::NoTab {
                url: url.to_owned(),
                open: tabs.iter().map(|tab| tab.url.as_str()).collect::<Vec<_>>().join(", "),
            }),
        }
    }

    /// The addresses of all open tabs.
    pub async fn tab_urls(&self) -> Result<Vec<String>, ChromeError> {
        Ok(self.devtools.tabs().await?.into_iter().map(|tab| tab.url).collect())
    }

    /// All open tabs with their addresses, by the browser's own word.
    pub async fn tabs(&self) -> Result<Vec<(TabHandle, String)>, ChromeError> {
        Ok(self.devtools.tabs().await?.into_iter().map(|tab| (TabHandle(tab.id), tab.url)).collect())
    }

    /// Brings a tab to the front.
    pub async fn activate(&self, tab: &TabHandle) -> Result<(), ChromeError> {
        self.devtools.activate(&tab.0).await
    }

    /// Closes a tab through the browser, without asking the page.
    pub async fn close_tab(&self, tab: &TabHandle) -> Result<(), ChromeError> {
        self.devtools.close(&tab.0).await
    }

    /// The driver session; none in the wild profile.
    pub fn webdriver(&self) -> Option<&WebDriver> {
        self.driver.as_ref().map(|driver| &driver.session)
    }

    /// WebDriver address and session id.
    pub fn webdriver_session(&self) -> Option<(String, String)> {
        self.driver.as_ref().map(|driver| (driver.url.clone(), driver.session.session_id().to_string()))
    }

    /// Browser-level DevTools address (`ws://…`).
    pub fn devtools_url(&self) -> &str {
        self.devtools.socket()
    }

    /// What is running.
    pub fn versions(&self) -> &Versions {
        &self.versions
    }

    /// The process group of Chrome and everything it started.
    pub fn process_group(&self) -> i32 {
        self.group.id()
    }

    /// The temporary folder that holds the profile and Chrome's standard error.
    pub fn profile_folder(&self) -> &Path {
        self.profile.path()
    }

    /// Opens the fixture in a tab of its own, performs its reference solution, waits for its goal, and closes the tab
    /// and all others the run has opened.
    pub async fn solve(&self, fixture: &Fixture, url: &str, server: &FixtureServer) -> Result<(), ChromeError> {
        let tab = self.open("about:blank").await?;
        let solved = self.solve_in(&tab, fixture, url, server).await;
        let run = format!("run={}", run_of(url));
        let opened = self.devtools.tabs().await?.into_iter().filter(|entry| entry.id == tab.0 || entry.url.contains(&run));
        for entry in opened {
            // A page may close its tab itself meanwhile; the solution's result is what counts.
            if let Err(error) = self.devtools.close(&entry.id).await {
                tracing::debug!(%error, "a tab of a solved fixture was already closed");
            }
        }
        solved
    }

    async fn solve_in(&self, tab: &TabHandle, fixture: &Fixture, url: &str, server: &FixtureServer) -> Result<(), ChromeError> {
        self.drive(tab, url, Some(url), &fixture.reference, server).await?;
        let run = run_of(url);
        server.wait_until(&run, GOAL_BOUND, |journal| journal.reached(&fixture.goal)).await?;
        Ok(())
    }

    /// Performs the steps on the open tab with this address, with real input.
    pub async fn perform(&self, url: &str, steps: &[ReferenceStep], server: &FixtureServer) -> Result<(), ChromeError> {
        let tab = self.find_tab(url).await?;
        self.perform_in(&tab, url, steps, server).await
    }

    /// Performs the steps on this tab, with real input; `url` names the run.
    pub async fn perform_in(&self, tab: &TabHandle, url: &str, steps: &[ReferenceStep], server: &FixtureServer) -> Result<(), ChromeError> {
        self.drive(tab, url, None, steps, server).await
    }

    async fn drive(
        &self,
        tab: &TabHandle,
        url: &str,
        load: Option<&str>,
        steps: &[ReferenceStep],
        server: &FixtureServer,
    ) -> Result<(), ChromeError> {
        let driver = self.driver.as_ref().ok_or(ChromeError::NoWebDriver)?;
        let _one_at_a_time = self.driving.lock().await;
        driver.session.switch_to_window(tab.0.as_str().into()).await?;
        let run = run_of(url);
        let done = async {
            if let Some(load) = load {
                driver.session.goto(load).await?;
            }
            Hand::new(&driver.session, server, &run).perform(steps).await
        }
        .await;
        // Rest on the base window: the driven one may be closed by anybody.
        driver.session.switch_to_window(driver.base.as_str().into()).await?;
        done
    }

    /// PNG of a tab. Attaches to it for that moment.
    pub async fn screenshot(&self, tab: &TabHandle) -> Result<Vec<u8>, ChromeError> {
        let answer = self.devtools.tab_command(&tab.0, "Page.captureScreenshot", json!({ "format": "png" })).await?;
        STANDARD
            .decode(answer["data"].as_str().unwrap_or_default())
            .map_err(|error| ChromeError::DevTools(format!("the screenshot is no base64: {error}")))
    }

    /// A small picture (JPEG) of a tab. Attaches to it for that moment.
    pub async fn picture(&self, tab: &TabHandle) -> Result<Vec<u8>, ChromeError> {
        let answer = self.devtools.tab_command(&tab.0, "Page.captureScreenshot", json!({ "format": "jpeg", "quality": 60 })).await?;
        STANDARD
            .decode(answer["data"].as_str().unwrap_or_default())
            .map_err(|error| ChromeError::DevTools(format!("the picture is no base64: {error}")))
    }

    /// The value of a script in a tab, a promise's once it is kept. Attaches to it for that moment.
    pub async fn evaluate(&self, tab: &TabHandle, script: &str) -> Result<Value, ChromeError> {
        let params = json!({ "expression": script, "awaitPromise": true, "returnByValue": true });
        let mut answer = self.devtools.tab_command(&tab.0, "Runtime.evaluate", params).await?;
        match answer.get("exceptionDetails") {
            Some(thrown) => Err(ChromeError::DevTools(format!("the script threw: {thrown}"))),
            None => Ok(answer["result"]["value"].take()),
        }
    }

    /// Counts what a tab's main thread does from now on.
    ///
    /// # Errors
    /// When the tab is gone.
    pub async fn meter(&self, tab: &TabHandle) -> Result<Meter, ChromeError> {
        Meter::attach(&self.devtools.tab_socket(&tab.0)).await
    }

    /// Gives every tab that never loaded anything (the driver's own) an empty page: servers that attach to all tabs wait
    /// for the first one of each.
    pub async fn commit_tabs(&self) -> Result<(), ChromeError> {
        for tab in self.devtools.tabs().await?.into_iter().filter(|tab| tab.url.is_empty()) {
            self.devtools.tab_command(&tab.id, "Page.navigate", json!({ "url": "about:blank" })).await?;
        }
        Ok(())
    }

    /// Where the pages of the loaded extension are.
    pub(super) async fn extension_origin(&self) -> Result<String, ChromeError> {
        let answer = self.devtools.command("Target.getTargets", json!({})).await?;
        let targets = answer["targetInfos"].as_array().into_iter().flatten();
        let worker = targets.into_iter().find(|target| {
            target["type"] == "service_worker" && target["url"].as_str().is_some_and(|url| url.starts_with("chrome-extension://"))
        });
        let url =
            worker.and_then(|worker| worker["url"].as_str()).ok_or_else(|| ChromeError::NoWorker("chrome-extension://".to_owned()))?;
        Ok(url.splitn(4, '/').take(3).collect::<Vec<_>>().join("/") + "/")
    }

    /// One DevTools command on the browser itself.
    pub(super) async fn browser_command(&self, method: &str, params: Value) -> Result<Value, ChromeError> {
        self.devtools.command(method, params).await
    }

    /// Its DevTools.
    pub(super) fn devtools(&self) -> &DevTools {
        &self.devtools
    }

    /// Its processes.
    pub(super) fn processes(&self) -> &Group {
        &self.group
    }

    /// A DevTools conversation with a tab.
    pub(super) async fn talk(&self, tab: &TabHandle) -> Result<super::devtools::Talk, ChromeError> {
        self.devtools.talk(&tab.0).await
    }

    /// One DevTools command on a tab, attached only for as long as that takes.
    pub(super) async fn tab_command(
        &self,
        tab: &TabHandle,
        method: &str,
        params: serde_json::Value,
    ) -> Result<serde_json::Value, ChromeError> {
        self.devtools.tab_command(&tab.0, method, params).await
    }

    /// The last lines Chrome wrote to its standard error.
    pub fn stderr_tail(&self, lines: usize) -> String {
        launch::tail(self.profile.path(), lines)
    }

    /// Ends Chrome and everything it started, and removes its profile.
    pub async fn close(mut self) -> Result<(), ChromeError> {
        let profile = self.profile.path().to_owned();
        if !self.group.is_ours()
            && let Some(driver) = self.driver.take()
            && let Err(error) = driver.session.quit().await
        {
            tracing::warn!(%error, "the session at the other driver did not end cleanly");
        }
        // Collecting the processes blocks for some milliseconds.
        let ended = tokio::task::spawn_blocking(move || drop(self)).await;
        if let Err(error) = ended {
            tracing::warn!(%error, "ending Chrome was cut short");
        }
        // The destructor ignores what it cannot remove; here it is said.
        match std::fs::exists(&profile)? {
            false => Ok(()),
            true => std::fs::remove_dir_all(&profile).map_err(ChromeError::Profile),
        }
    }

    /// Kills at once: a profile that is thrown away needs no orderly end, and none can hang this way.
    fn end(&mut self) {
        if let Some(driver) = self.driver.take() {
            // The session's own destructor would block on a driver that is gone.
            let _ = driver.session.leak();
        }
        self.group.end();
    }
}

impl Drop for Chrome {
    fn drop(&mut self) {
        self.end();
    }
}

/// The run's token in a fixture's address.
fn run_of(url: &str) -> String {
    reqwest::Url::parse(url)
        .ok()
        .and_then(|url| url.query_pairs().find(|(key, _)| key == "run").map(|(_, value)| value.into_owned()))
        .unwrap_or_else(|| "by-hand".into())
}
