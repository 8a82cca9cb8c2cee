//! Just enough of a JSON-RPC message to know whose answer it waits for.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::rpc::{self, INVALID_REQUEST, error};

/// What the relay reads of a message.
#[derive(Debug, Deserialize)]
pub(super) struct Message<'a> {
    /// Id, as written.
    #[serde(default, borrow, deserialize_with = "rpc::present")]
    pub(super) id: Option<&'a RawValue>,
    /// Method of a request or notification.
    #[serde(default, borrow)]
    pub(super) method: Option<Cow<'a, str>>,
    #[serde(default, borrow)]
    params: Option<&'a RawValue>,
}

/// What a line is.
#[derive(Debug)]
pub(super) enum Line<'a> {
    /// One message.
    Message(Message<'a>),
    /// No JSON, or no JSON-RPC: the answer to give.
    Bad(String),
}

/// JSON-RPC codes of the relay's own answers.
const PARSE_ERROR: i32 = -32700;
const LOST: i32 = -32000;

/// Reads a line.
pub(super) fn read(line: &str) -> Line<'_> {
    match serde_json::from_str::<Message<'_>>(line) {
        Ok(message) if line.trim_start().starts_with('{') => Line::Message(message),
        _ if serde_json::from_str::<serde::de::IgnoredAny>(line).is_ok() => {
            Line::Bad(error(None, INVALID_REQUEST, "a line must be one JSON-RPC message"))
        }
        _ => Line::Bad(error(None, PARSE_ERROR, "the line is not JSON")),
    }
}

impl Message<'_> {
    /// Id of the request that a `notifications/cancelled` ends.
    pub(super) fn cancels(&self) -> Option<String> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Cancelled<'a> {
            #[serde(borrow)]
            request_id: &'a RawValue,
        }
        let params = self.params.filter(|_| self.method.as_deref() == Some("notifications/cancelled"))?;
        serde_json::from_str::<Cancelled<'_>>(params.get()).ok().and_then(|cancelled| rpc::key(cancelled.request_id.get()))
    }

    /// Its id as answers write it.
    pub(super) fn key(&self) -> Option<String> {
        self.id.and_then(|id| rpc::key(id.get()))
    }
}

/// The answer to a request whose id is in use. Not under that id: it would be taken for the answer to the open one.
pub(super) fn twice(id: &str) -> String {
    error(None, INVALID_REQUEST, &format!("a request with the id {id} is still open; the second one was not done"))
}

/// The answer to a line that is too long.
pub(super) fn too_long(limit: usize) -> String {
    error(None, INVALID_REQUEST, &format!("the line is larger than {} MB", limit / 1024 / 1024))
}

/// The answer to a request whose daemon was lost while it ran.
pub(super) fn interrupted(id: &str, is_call: bool) -> String {
    if is_call {
        called(id, crate::daemon::INTERRUPTED, false)
    } else {
        error(Some(id), LOST, "the daemon was lost while this ran; ask again")
    }
}

/// The answer to a request that never reached a daemon.
pub(super) fn unreachable(id: &str, is_call: bool, why: &str) -> String {
    let why = why.trim_end_matches('.');
    if is_call {
        called(id, &format!("internal: {why}; nothing was done. Run `tegata status`, then try again."), true)
    } else {
        error(Some(id), LOST, why)
    }
}

fn called(id: &str, text: &str, is_error: bool) -> String {
    json!({"jsonrpc": "2.0", "id": value(Some(id)), "result": {"content": [{"type": "text", "text": text}], "isError": is_error}})
        .to_string()
}

fn value(id: Option<&str>) -> Value {
    id.and_then(|id| serde_json::from_str(id).ok()).unwrap_or(Value::Null)
}
