//! Unloading a tab as Chrome does to save memory: DevTools has no command for it, Chrome's own page about it has.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::devtools::DevTools;
use super::error::ChromeError;

/// How long one step may take.
const BOUND: Duration = Duration::from_secs(10);
/// Pause between two looks.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// Turns the pages for debugging on; they are off in a fresh profile. Answers whether they are on, or are about to be.
const ENABLE: &str = "(() => { const button = document.querySelector('chrome-urls-app')?.shadowRoot.querySelector('cr-button');
  if (!button) return false; if (/enable/i.test(button.textContent)) button.click(); return true; })()";

/// Asks for the tab with this address (`URL` stands for it) to be unloaded, once. Answers its state: 0 is loaded; more, once it is not.
const DISCARD: &str = "(async () => {
  const provider = document.querySelector('discards-main')?.shadowRoot.querySelector('discards-tab')?.discardsDetailsProvider_;
  if (!provider) return null;
  const tab = (await provider.getTabDiscardsInfo()).infos.find((info) => info.tabUrl === URL);
  if (!tab) return 'the browser knows no such tab';
  if (tab.loadingState === 0) return 'unloaded';
  if (!globalThis.asked) { globalThis.asked = true; provider.discardById(tab.id, 2); }
  return null;
})()";

/// Unloads the tab and waits until the browser says that it did. The tab must be in the background.
pub(super) async fn discard(devtools: &DevTools, tab: &str) -> Result<(), ChromeError> {
    let tabs = devtools.tabs().await?;
    let url = tabs.iter().find(|entry| entry.id == tab).map(|entry| entry.url.clone());
    let url = url.ok_or_else(|| failed("the tab is not there any more"))?;
    // In the background: what is in front must not change by it.
    let page = devtools.command("Target.createTarget", json!({ "url": "chrome://chrome-urls/", "background": true })).await?;
    let page = page["targetId"].as_str().unwrap_or_default().to_owned();
    let done = ask(devtools, &page, &url).await;
    devtools.close(&page).await?;
    done
}

async fn ask(devtools: &DevTools, page: &str, url: &str) -> Result<(), ChromeError> {
    until(devtools, page, ENABLE, |answer| *answer == true).await?;
    devtools.tab_command(page, "Page.navigate", json!({ "url": "chrome://discards/" })).await?;
    let script = DISCARD.replace("URL", &Value::from(url).to_string());
    until(devtools, page, &script, |answer| answer == "unloaded").await
}

/// Evaluates until the answer is as wished.
async fn until(devtools: &DevTools, page: &str, script: &str, wished: impl Fn(&Value) -> bool) -> Result<(), ChromeError> {
    let started = Instant::now();
    loop {
        let params = json!({ "expression": script, "awaitPromise": true, "returnByValue": true });
        let answer = devtools.tab_command(page, "Runtime.evaluate", params).await?;
        let value = &answer["result"]["value"];
        if wished(value) {
            return Ok(());
        }
        if started.elapsed() > BOUND {
            return Err(failed(&format!("Chrome did not unload it within {} s: {answer}", BOUND.as_secs())));
        }
        tokio::time::sleep(LOOK_AGAIN).await;
    }
}

fn failed(reason: &str) -> ChromeError {
    ChromeError::DevTools(reason.to_owned())
}
