//! Opening one page and reading both trees of each of its documents, at a moment when neither moves.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::future::{join_all, try_join_all};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::AxError;
use super::link::Link;
use super::node::{ChromeTree, OwnNode, Shown};

/// How long a page may take to load, and then to come to rest.
const LOAD_BOUND: Duration = Duration::from_secs(15);
const REST_BOUND: Duration = Duration::from_secs(3);
const POLL: Duration = Duration::from_millis(40);

/// Our tree of a document, its elements after the text; what is marked as a case as well.
const LOOK: &str = r#"(() => {
  if (globalThis.tegataInstance === undefined) return null;
  const walked = globalThis.tegataInstance.look();
  const cases = [];
  const gather = (root) => {
    for (const element of root.querySelectorAll("*")) {
      if (element.hasAttribute("data-case")) cases.push(element);
      const inner = element instanceof HTMLElement ? chrome.dom.openOrClosedShadowRoot(element) : null;
      if (inner !== null) gather(inner);
    }
  };
  gather(document);
  const marked = cases.map((element) => ({ id: element.getAttribute("data-case"), ...globalThis.tegataInstance.identify(element) }));
  const text = JSON.stringify({ ready: document.readyState === "complete", nodes: walked.nodes, cases: marked });
  return [text, ...walked.elements, ...cases];
})()"#;

/// Both trees of one document.
pub(super) struct Document {
    pub(super) url: String,
    pub(super) ours: Vec<Shown>,
    /// Text of ours: names, values and text nodes, without white space.
    pub(super) said: String,
    pub(super) chrome: ChromeTree,
    /// Elements marked as cases, by their mark: what we say they are, shown or not.
    pub(super) cases: Vec<(String, Shown)>,
}

#[derive(Deserialize)]
struct Look {
    ready: bool,
    nodes: Vec<Value>,
    cases: Vec<Mark>,
}

#[derive(Deserialize)]
struct Mark {
    id: String,
    role: String,
    name: String,
}

/// A world of the extension in one frame.
#[derive(Clone, Debug, PartialEq, Eq)]
struct World {
    session: String,
    context: i64,
    frame: String,
}

/// A tab that visits one page after the other.
pub(super) struct Visitor<'a> {
    link: &'a Link,
    target: String,
    session: String,
}

impl<'a> Visitor<'a> {
    /// Opens the tab.
    pub(super) async fn open(link: &'a Link) -> Result<Self, AxError> {
        let created = link.call("", "Target.createTarget", json!({ "url": "about:blank" })).await?;
        let target = text(&created["targetId"]);
        let attached = link.call("", "Target.attachToTarget", json!({ "targetId": target, "flatten": true })).await?;
        Ok(Self { link, target, session: text(&attached["sessionId"]) })
    }

    /// Closes the tab.
    pub(super) async fn close(self) -> Result<(), AxError> {
        self.link.call("", "Target.closeTarget", json!({ "targetId": self.target })).await.map(drop)
    }

    /// Loads a page and reads all its documents.
    pub(super) async fn visit(&self, url: &str) -> Result<Vec<Document>, AxError> {
        self.load(url).await.map_err(|error| match error {
            AxError::Link(reason) => AxError::Page { url: url.to_owned(), reason },
            other => other,
        })
    }

    async fn load(&self, url: &str) -> Result<Vec<Document>, AxError> {
        self.link.forget();
        prepare(self.link, &self.session).await?;
        self.link.call(&self.session, "Page.navigate", json!({ "url": url })).await?;
        let deadline = Instant::now() + LOAD_BOUND;
        while !self.link.events(|events| events.iter().any(|event| event.session == self.session && event.method == "Page.loadEventFired"))
        {
            if Instant::now() > deadline {
                return Err(AxError::Page { url: url.to_owned(), reason: "it did not finish loading".into() });
            }
            tokio::time::sleep(POLL).await;
        }
        self.at_rest(url).await
    }

    /// Reads until two readings around Chrome's are equal and every document is complete; at the bound the last one counts.
    async fn at_rest(&self, url: &str) -> Result<Vec<Document>, AxError> {
        let deadline = Instant::now() + REST_BOUND;
        let mut prepared: Vec<String> = vec![self.session.clone()];
        let mut before: Option<Vec<String>> = None;
        loop {
            for session in self.children() {
                if !prepared.contains(&session) {
                    // A frame may be gone by now; then it has no document either.
                    let _ = prepare(self.link, &session).await;
                    prepared.push(session);
                }
            }
            let late = Instant::now() > deadline;
            let worlds = self.worlds();
            let read = join_all(worlds.iter().map(|world| self.read(world))).await.into_iter().filter_map(Result::transpose);
            let read = read.collect::<Result<Vec<_>, _>>().or_else(
                // A document that went away while it was read is read again, or is no part of the page.
                |error| if late { Err(error) } else { Ok(Vec::new()) },
            )?;
            let complete = !read.is_empty() && read.iter().all(|(ready, ..)| *ready);
            let now: Vec<String> = read.iter().map(|(_, own, _)| own.clone()).collect();
            if late || (complete && before.as_ref() == Some(&now)) {
                return if read.is_empty() {
                    Err(AxError::Page { url: url.to_owned(), reason: "the extension is in none of its documents".into() })
                } else {
                    Ok(read.into_iter().map(|(_, _, document)| document).collect())
                };
            }
            before = Some(now);
            tokio::time::sleep(POLL).await;
        }
    }

    /// Sessions of frames in other processes.
    fn children(&self) -> Vec<String> {
        self.link.events(|events| {
            let mut open: Vec<String> = Vec::new();
            for event in events {
                let session = text(&event.params["sessionId"]);
                match event.method.as_str() {
                    "Target.attachedToTarget" if event.params["targetInfo"]["type"] == "iframe" => open.push(session),
                    "Target.detachedFromTarget" => open.retain(|one| *one != session),
                    _ => {}
                }
            }
            open
        })
    }

    /// The extension's worlds that are alive, in the order they came.
    fn worlds(&self) -> Vec<World> {
        let children = self.children();
        self.link.events(|events| {
            let mut worlds: Vec<World> = Vec::new();
            for event in events.iter().filter(|event| event.session == self.session || children.contains(&event.session)) {
                match event.method.as_str() {
                    "Runtime.executionContextsCleared" => worlds.retain(|world| world.session != event.session),
                    "Runtime.executionContextDestroyed" => {
                        let context = event.params["executionContextId"].as_i64();
                        worlds.retain(|world| world.session != event.session || Some(world.context) != context);
                    }
                    "Runtime.executionContextCreated" => {
                        let context = &event.params["context"];
                        if text(&context["origin"]).starts_with("chrome-extension://") {
                            worlds.push(World {
                                session: event.session.clone(),
                                context: context["id"].as_i64().unwrap_or_default(),
                                frame: text(&context["auxData"]["frameId"]),
                            });
                        }
                    }
                    _ => {}
                }
            }
            worlds
        })
    }

    /// One reading: whether the document is complete, our tree as text, and both trees; nothing where the extension does
    /// not run.
    async fn read(&self, world: &World) -> Result<Option<(bool, String, Document)>, AxError> {
        let ask = |method: &'static str, params: Value| self.link.call(&world.session, method, params);
        let looked = ask("Runtime.evaluate", json!({ "expression": LOOK, "contextId": world.context, "objectGroup": "axdiff" })).await?;
        let list = text(&looked["result"]["objectId"]);
        if looked["result"]["subtype"] == "null" {
            return Ok(None);
        }
        let answer = ask("Accessibility.getFullAXTree", json!({ "frameId": world.frame })).await?;
        let address = ask("Runtime.evaluate", json!({ "expression": "location.href", "contextId": world.context })).await?;
        if list.is_empty() || looked.get("exceptionDetails").is_some() {
            return Err(AxError::Page { url: text(&address["result"]["value"]), reason: format!("looking failed: {looked}") });
        }
        let items = ask("Runtime.getProperties", json!({ "objectId": list, "ownProperties": true })).await?;
        let mut by_index: BTreeMap<usize, &Value> = BTreeMap::new();
        for item in items["result"].as_array().into_iter().flatten() {
            if let Ok(index) = text(&item["name"]).parse() {
                by_index.insert(index, &item["value"]);
            }
        }
        let told = by_index.remove(&0).map(|value| text(&value["value"])).unwrap_or_default();
        let look: Look = serde_json::from_str(&told).map_err(|error| AxError::Link(format!("our tree cannot be read: {error}")))?;
        let backends = try_join_all(by_index.into_values().map(|item| async {
            match item["objectId"].as_str() {
                None => Ok(0),
                Some(object) => ask("DOM.describeNode", json!({ "objectId": object }))
                    .await
                    .map(|node| node["node"]["backendNodeId"].as_i64().unwrap_or_default()),
            }
        }))
        .await?;
        ask("Runtime.releaseObjectGroup", json!({ "objectGroup": "axdiff" })).await?;

        let said = look.nodes.iter().map(words_of).collect::<String>();
        let ours = look.nodes.iter().zip(&backends).filter(|(_, backend)| **backend != 0).map(|(node, backend)| {
            serde_json::from_value::<OwnNode>(node.clone())
                .map(|node| node.shown(*backend))
                .map_err(|error| AxError::Link(format!("our node cannot be read: {error}")))
        });
        let ours: Vec<Shown> = ours.collect::<Result<_, _>>()?;
        let cases = look.cases.into_iter().zip(backends.iter().skip(look.nodes.len()));
        let cases = cases
            .map(|(mark, backend)| {
                (mark.id, Shown { backend: *backend, role: mark.role, name: super::node::fold(&mark.name), ..Shown::default() })
            })
            .collect();
        Ok(Some((
            look.ready,
            told,
            Document { url: text(&address["result"]["value"]), ours, said, chrome: ChromeTree::read(&answer), cases },
        )))
    }
}

/// Switches on what is listened to.
async fn prepare(link: &Link, session: &str) -> Result<(), AxError> {
    link.call(session, "Page.enable", json!({})).await?;
    link.call(session, "Runtime.disable", json!({})).await?;
    link.call(session, "Runtime.enable", json!({})).await?;
    link.call(session, "DOM.enable", json!({})).await?;
    link.call(session, "Accessibility.enable", json!({})).await?;
    let attach = json!({ "autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true });
    link.call(session, "Target.setAutoAttach", attach).await.map(drop)
}

/// All that a node of ours says, without white space.
fn words_of(node: &Value) -> String {
    let mut words = String::new();
    for part in [&node["name"], &node["value"]["text"], &node["opaque"]] {
        words.extend(part.as_str().unwrap_or_default().chars().filter(|char| !char.is_whitespace()));
    }
    words
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
