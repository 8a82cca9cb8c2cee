//! What a scenario lets happen to Chrome, each with the proof that it did.

use std::time::{Duration, Instant};

use serde_json::json;

use super::chrome::{Chrome, TabHandle};
use super::error::ChromeError;

/// How long anything of this may take to be seen.
const BOUND: Duration = Duration::from_secs(5);
/// Pause between two looks at something that cannot tell us by itself.
const LOOK_AGAIN: Duration = Duration::from_millis(10);

/// Lets go of every tab that the extension's debugger holds, and tells the extension what Chrome tells it when the user
/// presses Cancel: without a window there is no bar to press it in. Answers how many tabs those were.
const CANCEL: &str = "(async () => {
  let count = 0;
  for (const { id: tabId } of await chrome.tabs.query({})) {
    if (!await chrome.debugger.detach({ tabId }).then(() => true, () => false)) continue;
    chrome.debugger.onDetach.dispatch({ tabId }, 'canceled_by_user');
    count += 1;
  }
  return count;
})()";

impl Chrome {
    /// Ends the worker whose address begins like this, as the browser does with one that is idle.
    pub async fn end_worker(&self, address: &str) -> Result<(), ChromeError> {
        let id = self.worker(address).await?;
        self.browser_command("Target.closeTarget", json!({ "targetId": id })).await.map(drop)
    }

    /// Asks the extension of this worker to load itself anew. That it did is seen by whoever knows its lives apart.
    pub async fn reload_extension(&self, address: &str) -> Result<(), ChromeError> {
        let worker = TabHandle(self.worker(address).await?);
        let reload = json!({ "expression": "setTimeout(() => chrome.runtime.reload(), 0), true", "returnByValue": true });
        self.tab_command(&worker, "Runtime.evaluate", reload).await.map(drop)
    }

    /// The user cancels the debugger of the extension of this worker on every tab that it holds.
    pub async fn cancel_debugger(&self, address: &str) -> Result<(), ChromeError> {
        let worker = TabHandle(self.worker(address).await?);
        match self.evaluate(&worker, CANCEL).await?.as_u64() {
            Some(count) if count > 0 => Ok(()),
            _ => Err(ChromeError::DevTools("the extension's debugger holds no tab that could be taken from it".into())),
        }
    }

    async fn worker(&self, address: &str) -> Result<String, ChromeError> {
        let answer = self.browser_command("Target.getTargets", json!({})).await?;
        let targets = answer["targetInfos"].as_array().into_iter().flatten();
        let worker = targets
            .into_iter()
            .find(|target| target["type"] == "service_worker" && target["url"].as_str().is_some_and(|url| url.starts_with(address)));
        let id = worker.and_then(|worker| worker["targetId"].as_str()).ok_or_else(|| ChromeError::NoWorker(address.to_owned()))?;
        Ok(id.to_owned())
    }

    /// Stops every process of this Chrome, so that its connections stay open and nobody answers; returns when all stand still.
    pub async fn halt(&self) -> Result<(), ChromeError> {
        self.processes().stop();
        let started = Instant::now();
        while !self.processes().stands_still() {
            if started.elapsed() > BOUND {
                return Err(ChromeError::DevTools("not every process of Chrome could be stopped".into()));
            }
            tokio::time::sleep(LOOK_AGAIN).await;
        }
        Ok(())
    }

    /// Lets them go on, and waits until the browser answers again.
    pub async fn resume(&self) -> Result<(), ChromeError> {
        self.processes().go_on();
        self.tabs().await.map(drop)
    }

    /// Brings another tab to the front, and waits until this one is hidden.
    pub async fn hide_tab(&self, tab: &TabHandle) -> Result<(), ChromeError> {
        match self.tabs().await?.into_iter().find(|(other, _)| other != tab) {
            Some((other, _)) => self.activate(&other).await?,
            None => drop(self.open("about:blank").await?),
        }
        let started = Instant::now();
        while self.evaluate(tab, "document.visibilityState").await? != "hidden" {
            if started.elapsed() > BOUND {
                return Err(ChromeError::DevTools("the tab is still visible behind another one".into()));
            }
            tokio::time::sleep(LOOK_AGAIN).await;
        }
        Ok(())
    }

    /// Lets the browser freeze a tab, which must be hidden for that. The page itself tells that it was.
    pub async fn freeze_tab(&self, tab: &TabHandle) -> Result<(), ChromeError> {
        if self.evaluate(tab, "document.visibilityState").await? != "hidden" {
            self.hide_tab(tab).await?;
        }
        self.tab_command(tab, "Page.setWebLifecycleState", json!({ "state": "frozen" })).await.map(drop)
    }

    /// Lets the process behind a tab crash.
    pub async fn crash_tab(&self, tab: &TabHandle) -> Result<(), ChromeError> {
        self.devtools().crash(&tab.0).await
    }

    /// Lets the browser unload a tab in the background, as it does to save memory.
    pub async fn discard_tab(&self, tab: &TabHandle) -> Result<(), ChromeError> {
        super::discard::discard(self.devtools(), &tab.0).await
    }

    /// Closes a tab and waits until the browser lists it no more.
    pub async fn close_tab_for_good(&self, tab: &TabHandle) -> Result<(), ChromeError> {
        self.close_tab(tab).await?;
        let started = Instant::now();
        while self.tabs().await?.iter().any(|(other, _)| other == tab) {
            if started.elapsed() > BOUND {
                return Err(ChromeError::DevTools(format!("the tab is still listed {} s after it was closed", BOUND.as_secs())));
            }
            tokio::time::sleep(LOOK_AGAIN).await;
        }
        Ok(())
    }
}
