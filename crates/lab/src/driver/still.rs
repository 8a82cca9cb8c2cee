//! A page as it stands at one moment: all its frames, open and closed shadow roots, style sheets as they apply, values as typed.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};

use super::chrome::{Chrome, TabHandle};
use super::devtools::{DevTools, TabEntry, Talk};
use super::error::ChromeError;

const WALK: &str = include_str!("still.js");
/// The longest wait for a page to come to rest; one that never does is taken as it is.
const REST_BOUND: Duration = Duration::from_secs(10);
/// Between two looks at whether it rests.
const LOOK_AGAIN: Duration = Duration::from_millis(250);
/// The most frames in processes of their own that are looked into.
const MOST_TARGETS: usize = 64;

/// A page with all its documents.
#[derive(Debug, Default)]
pub struct Still {
    /// The id of the top frame.
    pub top: String,
    /// Frame id → its document.
    pub documents: BTreeMap<String, StillDocument>,
    /// Address → what the browser holds of it, where it was asked for.
    pub resources: BTreeMap<String, Resource>,
    /// Frames that could not be read, with the reason.
    pub unread: Vec<String>,
}

/// What is taken besides the documents.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    /// The data of pictures.
    pub images: bool,
    /// The text of scripts.
    pub scripts: bool,
}

/// A file of the page.
#[derive(Clone, Debug)]
pub struct Resource {
    /// Its type, as the browser took it.
    pub mime: String,
    /// Its bytes.
    pub data: Vec<u8>,
}

/// One document. Nodes name their children by their place in `nodes`.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StillDocument {
    /// Its address.
    pub address: String,
    /// Its title.
    pub title: String,
    /// It has no doctype, or one that says nothing.
    pub quirks: bool,
    /// The texts of its adopted style sheets.
    pub adopted: Vec<String>,
    /// The `html` element.
    pub root: Option<usize>,
    /// All nodes.
    pub nodes: Vec<StillNode>,
}

/// A node.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum StillNode {
    /// Text of the page.
    Text(String),
    /// Text somebody can have typed: it stands in something editable.
    Typed(String),
    /// An element.
    Element(Box<StillElement>),
}

/// An element.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct StillElement {
    /// Its local name.
    pub tag: String,
    /// `html`, `svg` or `math`.
    pub space: String,
    /// Its attributes.
    pub attributes: Vec<(String, String)>,
    /// Its children (a template's: its content's).
    pub children: Vec<usize>,
    /// Its shadow root.
    pub shadow: Option<StillShadow>,
    /// What a field holds.
    pub value: Option<String>,
    /// Whether an option, checkbox or radio button is chosen.
    pub chosen: Option<bool>,
    /// The style sheet it stands for.
    pub sheet: Option<StillSheet>,
    /// The id of the frame in it.
    pub frame: Option<String>,
    /// The picture it shows.
    pub picture: Option<StillPicture>,
    /// The address of a script; empty for one that stands in the page.
    pub script: Option<String>,
}

/// A shadow root.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StillShadow {
    /// Scripts of the page cannot reach it.
    pub closed: bool,
    /// It passes the focus on.
    pub delegates_focus: bool,
    /// What is in it.
    pub children: Vec<usize>,
    /// The texts of its adopted style sheets.
    pub adopted: Vec<String>,
}

/// A style sheet: its text, or where it came from.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StillSheet {
    /// Its rules, as they apply.
    #[serde(default)]
    pub text: Option<String>,
    /// Its address, where no script may read it.
    #[serde(default)]
    pub address: Option<String>,
}

/// A picture.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StillPicture {
    /// In CSS pixels.
    pub width: u32,
    /// In CSS pixels.
    pub height: u32,
    /// Its address.
    pub address: String,
}

impl Chrome {
    /// Takes down a tab.
    ///
    /// # Errors
    /// When the tab is gone or its document cannot be read.
    pub async fn still(&self, tab: &TabHandle, wanted: Wanted) -> Result<Still, ChromeError> {
        take(self.devtools(), &tab.0, wanted).await
    }
}

/// Takes down a tab of a Chrome that somebody else has started, with its DevTools at `host:port`: the one with this address, or the one
/// that was in front last.
///
/// # Errors
/// When there is no such Chrome or tab, or it cannot be read.
pub async fn still_at(address: &str, url: Option<&str>, wanted: Wanted) -> Result<Still, ChromeError> {
    let devtools = DevTools::connect(address).await?;
    let tabs = devtools.tabs().await?;
    let plain = |url: &str| url.split('#').next().unwrap_or_default().trim_end_matches('/').to_owned();
    let found = match url {
        Some(url) => tabs.iter().find(|tab| plain(&tab.url) == plain(url)),
        None => tabs.iter().find(|tab| tab.url.starts_with("http:") || tab.url.starts_with("https:")),
    };
    let Some(TabEntry { id, .. }) = found else {
        let open = tabs.iter().map(|tab| tab.url.as_str()).collect::<Vec<_>>().join(", ");
        return Err(ChromeError::NoTab { url: url.unwrap_or("http").to_owned(), open });
    };
    take(&devtools, id, wanted).await
}

async fn take(devtools: &DevTools, tab: &str, wanted: Wanted) -> Result<Still, ChromeError> {
    let mut still = Still { top: tab.to_owned(), ..Still::default() };
    let mut targets = vec![tab.to_owned()];
    let mut seen: BTreeSet<String> = targets.iter().cloned().collect();
    while let Some(target) = targets.pop() {
        // Chrome has a frame among its targets only once somebody has asked for the list (docs/traps.md).
        devtools.tabs().await?;
        let mut talk = match devtools.talk(&target).await {
            Ok(talk) => talk,
            Err(error) if target != tab => {
                still.unread.push(error.to_string());
                continue;
            }
            Err(error) => return Err(error),
        };
        if target == tab {
            rest(&mut talk).await?;
        }
        let named = Target { talk: &mut talk, wanted }.take(&mut still).await?;
        for frame in named {
            // A frame of another site has a process, and DevTools, of its own.
            if !still.documents.contains_key(&frame) && seen.len() < MOST_TARGETS && seen.insert(frame.clone()) {
                targets.push(frame);
            }
        }
    }
    if still.documents.contains_key(&still.top) { Ok(still) } else { Err(unreadable("its top document has no content")) }
}

/// Waits until the page is loaded and stays the same for two looks.
async fn rest(talk: &mut Talk) -> Result<(), ChromeError> {
    let look = "[document.readyState, document.getElementsByTagName('*').length, performance.getEntriesByType('resource').length].join()";
    let began = Instant::now();
    let mut before = String::new();
    while began.elapsed() < REST_BOUND {
        let answer = talk.call("Runtime.evaluate", json!({ "expression": look, "returnByValue": true })).await?;
        let now = answer["result"]["value"].as_str().unwrap_or_default().to_owned();
        if now.starts_with("complete") && now == before {
            return Ok(());
        }
        before = now;
        tokio::time::sleep(LOOK_AGAIN).await;
    }
    Ok(())
}

fn unreadable(why: impl std::fmt::Display) -> ChromeError {
    ChromeError::DevTools(format!("the page could not be taken down: {why}"))
}

/// A tab, or a frame with a process of its own.
struct Target<'a> {
    talk: &'a mut Talk,
    wanted: Wanted,
}

/// What DevTools tells of a document and scripts cannot see.
struct Layout {
    frame: String,
    /// Nodes in closed shadow roots.
    inside: Vec<i64>,
    /// Frame elements.
    owners: Vec<i64>,
}

impl Target<'_> {
    /// Takes down all documents of this process; the ids of all frames that are named in them.
    async fn take(&mut self, still: &mut Still) -> Result<Vec<String>, ChromeError> {
        for method in ["Page.enable", "DOM.enable"] {
            self.talk.call(method, json!({})).await?;
        }
        let mut named = Vec::new();
        for layout in self.layouts().await? {
            let mut owners = Vec::new();
            for owner in &layout.owners {
                let told = self.talk.call("DOM.describeNode", json!({ "backendNodeId": owner })).await?;
                if let Some(frame) = told["node"]["frameId"].as_str() {
                    owners.push((*owner, frame.to_owned()));
                    named.push(frame.to_owned());
                }
            }
            match self.document(&layout, &owners).await {
                Ok(document) => {
                    still.documents.insert(layout.frame.clone(), document);
                }
                Err(error) => still.unread.push(error.to_string()),
            }
        }
        self.resources(still).await?;
        Ok(named)
    }

    async fn layouts(&mut self) -> Result<Vec<Layout>, ChromeError> {
        let snapshot = self.talk.call("DOMSnapshot.captureSnapshot", json!({ "computedStyles": [] })).await?;
        let word = |index: &Value| {
            let index = index.as_u64().and_then(|index| usize::try_from(index).ok());
            index.and_then(|index| snapshot["strings"][index].as_str()).unwrap_or_default()
        };
        let layout = |document: &Value| {
            let nodes = &document["nodes"];
            let backend = |at: usize| nodes["backendNodeId"][at].as_i64();
            let kinds = nodes["shadowRootType"]["value"].as_array().into_iter().flatten();
            let places = nodes["shadowRootType"]["index"].as_array().into_iter().flatten();
            let closed = places.zip(kinds).filter(|(_, kind)| word(kind) == "closed");
            let place = |at: &Value| at.as_u64().and_then(|at| usize::try_from(at).ok());
            let names = nodes["nodeName"].as_array().into_iter().flatten().enumerate();
            let frames = names.filter(|(_, name)| matches!(word(name), "IFRAME" | "FRAME" | "OBJECT" | "EMBED"));
            Layout {
                frame: word(&document["frameId"]).to_owned(),
                inside: closed.filter_map(|(at, _)| backend(place(at)?)).collect(),
                owners: frames.filter_map(|(at, _)| backend(at)).collect(),
            }
        };
        Ok(snapshot["documents"].as_array().into_iter().flatten().map(layout).collect())
    }

    async fn document(&mut self, layout: &Layout, owners: &[(i64, String)]) -> Result<StillDocument, ChromeError> {
        let world = json!({ "frameId": layout.frame, "worldName": "lab" });
        let world = self.talk.call("Page.createIsolatedWorld", world).await?;
        let context = &world["executionContextId"];
        let mut arguments = vec![json!({ "value": self.wanted.images }), json!({ "value": layout.inside.len() })];
        for node in &layout.inside {
            arguments.push(self.object(*node, context).await?);
        }
        for (node, frame) in owners {
            arguments.push(self.object(*node, context).await?);
            arguments.push(json!({ "value": frame }));
        }
        let call = json!({ "functionDeclaration": WALK, "executionContextId": context, "arguments": arguments, "returnByValue": true });
        let answer = self.talk.call("Runtime.callFunctionOn", call).await?;
        if let Some(thrown) = answer.get("exceptionDetails") {
            return Err(unreadable(thrown));
        }
        serde_json::from_str(answer["result"]["value"].as_str().unwrap_or_default()).map_err(unreadable)
    }

    async fn object(&mut self, node: i64, context: &Value) -> Result<Value, ChromeError> {
        let found = self.talk.call("DOM.resolveNode", json!({ "backendNodeId": node, "executionContextId": context })).await?;
        Ok(json!({ "objectId": found["object"]["objectId"] }))
    }

    /// The files that are wanted, from the browser's own memory: nothing is asked of any server.
    async fn resources(&mut self, still: &mut Still) -> Result<(), ChromeError> {
        let answer = self.talk.call("Page.getResourceTree", json!({})).await?;
        let mut open = vec![&answer["frameTree"]];
        while let Some(tree) = open.pop() {
            open.extend(tree["childFrames"].as_array().into_iter().flatten());
            for resource in tree["resources"].as_array().into_iter().flatten() {
                let wanted = match resource["type"].as_str().unwrap_or_default() {
                    "Stylesheet" => true,
                    "Image" => self.wanted.images,
                    "Script" => self.wanted.scripts,
                    _ => false,
                };
                let url = resource["url"].as_str().unwrap_or_default();
                if !wanted || still.resources.contains_key(url) {
                    continue;
                }
                let asked = json!({ "frameId": tree["frame"]["id"], "url": url });
                // One that the browser has thrown away is left out.
                let Ok(content) = self.talk.call("Page.getResourceContent", asked).await else { continue };
                let text = content["content"].as_str().unwrap_or_default();
                let data = match content["base64Encoded"] == true {
                    true => STANDARD.decode(text).unwrap_or_default(),
                    false => text.as_bytes().to_vec(),
                };
                let mime = resource["mimeType"].as_str().unwrap_or_default().to_owned();
                still.resources.insert(url.to_owned(), Resource { mime, data });
            }
        }
        Ok(())
    }
}
