//! The person at a page of the subject's own (its confirmation card), with a real mouse.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::chrome::Chrome;
use super::error::ChromeError;

/// The longest that a card may take to come up and to take a press.
const CARD_BOUND: Duration = Duration::from_secs(15);
/// Between two looks for it.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

impl Chrome {
    /// Waits for a page with this in its address, checks that it shows the texts, and presses the button with this id (none: closes it).
    ///
    /// # Errors
    /// When it does not come up, lacks a text, or cannot be pressed.
    pub async fn press_on_card(&self, address: &str, texts: &[String], button: Option<&str>) -> Result<(), ChromeError> {
        let began = Instant::now();
        loop {
            let card = self.tabs().await?.into_iter().find(|(_, url)| url.contains(address));
            if let Some((tab, _)) = card {
                // The place of the button, once it can be pressed, and what the card says.
                let id = json!(button.unwrap_or("none"));
                let look = format!(
                    "(() => {{ const b = document.getElementById({id}); const r = b?.getBoundingClientRect(); \
                     return {{ text: document.body.innerText, ready: document.readyState === 'complete', x: r ? r.x + r.width / 2 : 0, y: r ? r.y + r.height / 2 : 0, live: b !== null && !b.disabled }}; }})()"
                );
                let answer = self.tab_command(&tab, "Runtime.evaluate", json!({ "expression": look, "returnByValue": true })).await?;
                let seen = &answer["result"]["value"];
                let text = seen["text"].as_str().unwrap_or_default();
                let missing = texts.iter().find(|wanted| !text.contains(wanted.as_str()));
                if missing.is_none() && seen["ready"] == true {
                    match button {
                        None => return self.close_tab(&tab).await,
                        Some(_) if seen["live"] == true => return self.press_at(&tab, &seen["x"], &seen["y"]).await,
                        Some(_) => {}
                    }
                }
                if began.elapsed() > CARD_BOUND {
                    return Err(ChromeError::Card(format!("it never could be pressed; it shows {text:?}, missing: {missing:?}")));
                }
            } else if began.elapsed() > CARD_BOUND {
                return Err(ChromeError::Card(format!("no page with {address} came up")));
            }
            tokio::time::sleep(LOOK_AGAIN).await;
        }
    }

    /// Presses in the page what has this selector, or a button with these words wherever it stands, closed shadow roots too; `note` is
    /// written into the field beside it first.
    ///
    /// # Errors
    /// When nothing of that kind comes up within the bound.
    pub async fn press_in_page(&self, tab: &super::TabHandle, what: &str, note: Option<&str>) -> Result<(), ChromeError> {
        let began = Instant::now();
        let mut talk = self.talk(tab).await?;
        loop {
            let answer = talk.call("DOM.getDocument", json!({ "depth": -1, "pierce": true })).await?;
            let root = &answer["root"];
            let found = match note {
                None => {
                    let found = talk.call("DOM.querySelector", json!({ "nodeId": root["nodeId"], "selector": what })).await?;
                    found["nodeId"].as_i64().filter(|id| *id != 0)
                }
                Some(_) => find(root, &|node| node["localName"] == "button" && text_of(node) == what),
            };
            if let Some(node) = found {
                if let Some(note) = note.filter(|note| !note.is_empty()) {
                    let field = find(root, &|node| node["localName"] == "input" && attribute(node, "aria-label").contains("note"));
                    let field = field.ok_or_else(|| ChromeError::Card("there is no field for a note".to_owned()))?;
                    talk.call("DOM.focus", json!({ "nodeId": field })).await?;
                    talk.call("Input.insertText", json!({ "text": note })).await?;
                }
                let quads = talk.call("DOM.getContentQuads", json!({ "nodeId": node })).await?;
                let quad = &quads["quads"][0];
                let middle = |at: usize| (quad[at].as_f64().unwrap_or_default() + quad[at + 4].as_f64().unwrap_or_default()) / 2.0;
                for kind in ["mousePressed", "mouseReleased"] {
                    let mouse = json!({ "type": kind, "x": middle(0), "y": middle(1), "button": "left", "clickCount": 1 });
                    talk.call("Input.dispatchMouseEvent", mouse).await?;
                }
                return Ok(());
            }
            if began.elapsed() > CARD_BOUND {
                return Err(ChromeError::Card(format!("nothing in the page is {what:?}")));
            }
            tokio::time::sleep(LOOK_AGAIN).await;
        }
    }

    /// Opens the extension's popup as a tab, turns the switch with this id, and closes it again.
    ///
    /// # Errors
    /// When there is no extension, or its popup has no such switch.
    pub async fn turn_in_popup(&self, id: &str) -> Result<(), ChromeError> {
        let origin = self.extension_origin().await?;
        let tab = self.open(&format!("{origin}popup.html")).await?;
        // The popup says how things stand before it can be turned.
        let turn = format!(
            "(() => {{ const b = document.getElementById({}); \
             if (!b || document.getElementById('version').textContent === '') return false; b.click(); return true; }})()",
            json!(id)
        );
        let began = Instant::now();
        loop {
            let params = json!({ "expression": turn, "returnByValue": true });
            // Until the popup is there its tab shows an empty page, whose end is an error.
            let turned = self.tab_command(&tab, "Runtime.evaluate", params).await.is_ok_and(|answer| answer["result"]["value"] == true);
            if turned || began.elapsed() > CARD_BOUND {
                self.close_tab(&tab).await?;
                return if turned { Ok(()) } else { Err(ChromeError::Card(format!("the popup has no switch {id}"))) };
            }
            tokio::time::sleep(LOOK_AGAIN).await;
        }
    }

    async fn press_at(&self, tab: &super::TabHandle, x: &Value, y: &Value) -> Result<(), ChromeError> {
        for kind in ["mousePressed", "mouseReleased"] {
            let mouse = json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1 });
            let sent = self.tab_command(tab, "Input.dispatchMouseEvent", mouse).await;
            // The release closes the card, and with it the connection that asked.
            if kind == "mousePressed" {
                sent?;
            }
        }
        Ok(())
    }
}

/// The first node of a DevTools tree that is so, in shadow roots too.
fn find(node: &Value, is: &dyn Fn(&Value) -> bool) -> Option<i64> {
    if is(node) {
        return node["nodeId"].as_i64();
    }
    ["children", "shadowRoots"].iter().filter_map(|key| node[*key].as_array()).flatten().find_map(|inner| find(inner, is))
}

fn text_of(node: &Value) -> String {
    node["children"].as_array().into_iter().flatten().filter_map(|child| child["nodeValue"].as_str()).collect()
}

fn attribute(node: &Value, name: &str) -> String {
    let pairs = node["attributes"].as_array().map(Vec::as_slice).unwrap_or_default();
    let found = pairs.chunks(2).find(|pair| pair[0] == name).and_then(|pair| pair.get(1));
    found.and_then(Value::as_str).unwrap_or_default().to_owned()
}
