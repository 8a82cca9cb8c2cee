//! One MCP session over stdio with a server under test.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use async_trait::async_trait;
use rmcp::RoleClient;
use rmcp::model::{CallToolRequestParams, ClientConfig};
use rmcp::service::{RunningService, ServiceError};
use serde_json::{Map, Value};

use super::process::{Prepared, Process, Words};
use super::{CALL_BOUND, Call, Image, Node, Reply, SubjectError, SubjectSession};

/// How many tabs were opened by servers that do not name them.
static OPENED: AtomicU64 = AtomicU64::new(1);

/// One MCP session over stdio.
pub(super) struct Session<'a> {
    process: &'a Process,
    client: RunningService<RoleClient, ClientConfig>,
    words: Words,
    /// The server's process.
    server: Option<u32>,
    /// The latest snapshot of each tab; the key of the current tab is none.
    snapshots: BTreeMap<Option<String>, String>,
    /// The latest of all, whether it still holds or not.
    latest: String,
    /// The tab it opened or chose last, in the server's own terms.
    current: Option<String>,
}

impl<'a> Session<'a> {
    pub(super) fn new(process: &'a Process, client: RunningService<RoleClient, ClientConfig>, words: Words, server: Option<u32>) -> Self {
        Self { process, client, words, server, snapshots: BTreeMap::new(), latest: String::new(), current: None }
    }

    fn prepared(&self) -> &'a Prepared {
        &self.process.prepared
    }

    async fn ask(&self, tool: &str, arguments: Map<String, Value>) -> Result<Reply, SubjectError> {
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let started = Instant::now();
        let answer = tokio::time::timeout(CALL_BOUND, self.client.call_tool(params))
            .await
            .map_err(|_| SubjectError::NoReply { tool: tool.to_owned(), bound: CALL_BOUND })?;
        let took = started.elapsed();
        let mut beside = String::new();
        let (text, images, is_error, bytes) = match answer {
            Ok(result) => {
                beside = result.structured_content.as_ref().map(Value::to_string).unwrap_or_default();
                let bytes = serde_json::to_vec(&result).map_or(0, |json| json.len());
                let texts = result.content.iter().filter_map(|block| block.as_text()).map(|text| text.text.clone());
                let images = result.content.iter().filter_map(|block| block.as_image());
                let images = images.map(|image| Image::of_block(&image.mime_type, &image.data)).collect();
                (texts.collect::<Vec<_>>().join("\n"), images, result.is_error == Some(true), bytes)
            }
            // A protocol error is an answer too.
            Err(ServiceError::McpError(error)) => (error.message.to_string(), Vec::new(), true, error.message.len()),
            Err(error) => return Err(SubjectError::Broken(error.to_string())),
        };
        let reader = &self.prepared().reader;
        let is_error = is_error || reader.is_error(&text);
        Ok(Reply {
            claim: reader.claim(&text, is_error),
            // Some name it only in what stands beside the text.
            tab: reader.tab(&text).or_else(|| reader.tab(&beside)),
            images,
            waited: reader.waited(&text),
            is_error,
            took,
            bytes,
            text,
        })
    }

    /// Makes a tab the current one, for servers whose tools act on that; false when there is no way.
    async fn select(&mut self, tab: &str) -> Result<bool, SubjectError> {
        let arguments = Map::from_iter([("action".into(), "select".into())]);
        let call = Call { tool: "tabs".into(), raw: false, is_write: false, target: None, arguments, tab: Some(tab.to_owned()) };
        let Some(mapped) = self.prepared().adapter.map(&call, None) else { return Ok(false) };
        let reply = self.ask(&mapped.tool, mapped.arguments).await?;
        if reply.is_error {
            return Err(SubjectError::Reply(format!("the tab could not be chosen: {}", reply.text)));
        }
        self.current = Some(tab.to_owned());
        Ok(true)
    }

    async fn snapshot(&mut self, tab: Option<&str>) -> Result<(), SubjectError> {
        let call =
            Call { tool: "snapshot".into(), raw: false, is_write: false, target: None, arguments: Map::new(), tab: tab.map(str::to_owned) };
        match self.call(&call).await? {
            Some(reply) if reply.is_error => Err(SubjectError::Reply(format!("the snapshot failed: {}", reply.text))),
            Some(_) => Ok(()),
            None => Err(SubjectError::Reply("the subject has no snapshot tool, so no ref can be found".into())),
        }
    }
}

#[async_trait]
impl SubjectSession for Session<'_> {
    async fn open(&mut self, url: &str) -> Result<String, SubjectError> {
        let arguments = Map::from_iter([("action".into(), "new".into()), ("url".into(), url.into())]);
        let call = Call { tool: "tabs".into(), raw: false, is_write: false, target: None, arguments, tab: None };
        match self.call(&call).await? {
            Some(Reply { is_error: false, tab: Some(tab), .. }) => Ok(tab),
            Some(Reply { is_error: false, text, .. }) => Err(SubjectError::Reply(format!(
                "`replies.tab` finds no tab in what opened it (leave it out for a server without tabs): {text}"
            ))),
            Some(reply) => Err(SubjectError::Reply(format!("the tab could not be opened: {}", reply.text))),
            None => Err(SubjectError::Reply("the subject has no tool to open a tab".into())),
        }
    }

    async fn call(&mut self, call: &Call) -> Result<Option<Reply>, SubjectError> {
        let Some(mapped) = self.prepared().adapter.map(call, self.current.as_deref()) else { return Ok(None) };
        if let Some(tab) = call.tab.as_deref().filter(|tab| !mapped.names_tab && self.current.as_deref() != Some(tab))
            && !self.select(tab).await?
        {
            return Ok(None);
        }
        let mut reply = self.ask(&mapped.tool, mapped.arguments).await?;
        let is_new = call.tool == "tabs" && call.arguments.get("action").and_then(Value::as_str) == Some("new");
        if is_new && !reply.is_error && !self.prepared().reader.names_tabs() {
            // A server that tells no tabs apart acts on the one it opened last.
            reply.tab = Some(format!("opened-{}", OPENED.fetch_add(1, Ordering::Relaxed)));
        }
        match call.tool.as_str() {
            "snapshot" | "snapshot_whole" if !reply.is_error && !call.raw => {
                self.latest.clone_from(&reply.text);
                self.snapshots.insert(call.tab.clone(), reply.text.clone());
            }
            // Another document or another current tab: the old snapshots are about something else.
            "navigate" => self.snapshots.clear(),
            "tabs" => {
                self.snapshots.clear();
                match call.arguments.get("action").and_then(Value::as_str) {
                    Some("new") if !reply.is_error => self.current.clone_from(&reply.tab),
                    Some("select") if !reply.is_error => self.current.clone_from(&call.tab),
                    _ => {}
                }
            }
            _ => {}
        }
        Ok(Some(reply))
    }

    async fn resolve(&mut self, node: &Node, tab: Option<&str>) -> Result<Option<String>, SubjectError> {
        let key = tab.map(str::to_owned);
        let known = self.snapshots.get(&key).and_then(|text| self.prepared().reader.find(text, node));
        if known.is_some() {
            return Ok(known);
        }
        self.snapshot(tab).await?;
        Ok(self.snapshots.get(&key).and_then(|text| self.prepared().reader.find(text, node)))
    }

    fn version(&self) -> Option<String> {
        let info = self.client.peer_info()?;
        let server = info.server_info.as_ref()?;
        Some(format!("{} {}", server.name, server.version))
    }

    fn process(&self) -> Option<u32> {
        self.server
    }

    fn latest_snapshot(&self) -> Option<&str> {
        Some(self.latest.as_str()).filter(|text| !text.is_empty())
    }

    fn speaks_our_words(&self) -> bool {
        self.prepared().reader.knows_outcomes()
    }

    async fn close(self: Box<Self>) {
        let Self { process, client, words, .. } = *self;
        if let Err(error) = client.cancel().await {
            tracing::warn!(%error, "the MCP session did not close cleanly");
        }
        if let Some(end) = &process.prepared.adapter.end
            && let Err(error) = process.run_in(end, &words).await
        {
            tracing::warn!(%error, "the server under test did not end what its session had started");
        }
    }
}
