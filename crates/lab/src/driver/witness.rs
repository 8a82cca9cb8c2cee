//! What a tab says on its console and asks of the network, heard by DevTools beside everybody else.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;

use super::chrome::{Chrome, TabHandle};
use super::error::ChromeError;

/// Listens to one tab until it is dropped. It is no evidence for a verdict.
pub struct Witness {
    heard: Arc<Mutex<Vec<Value>>>,
    listening: JoinHandle<()>,
}

impl Chrome {
    /// Begins to listen to a tab; times are told from `since` on.
    ///
    /// # Errors
    /// When the tab is gone.
    pub async fn witness(&self, tab: &TabHandle, since: Instant) -> Result<Witness, ChromeError> {
        let failed = |error: tokio_tungstenite::tungstenite::Error| ChromeError::DevTools(error.to_string());
        let (mut link, _) = tokio_tungstenite::connect_async(&self.devtools().tab_socket(&tab.0)).await.map_err(failed)?;
        for (id, method) in ["Runtime.enable", "Log.enable", "Network.enable"].into_iter().enumerate() {
            link.send(Message::text(json!({ "id": id, "method": method }).to_string())).await.map_err(failed)?;
        }
        let heard = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&heard);
        let listening = tokio::spawn(async move {
            while let Some(Ok(message)) = link.next().await {
                let Ok(event) = serde_json::from_str::<Value>(message.to_text().unwrap_or_default()) else { continue };
                if let Some(mut line) = told(&event) {
                    line["t_ms"] = json!(since.elapsed().as_millis());
                    kept.lock().unwrap_or_else(PoisonError::into_inner).push(line);
                }
            }
        });
        Ok(Witness { heard, listening })
    }
}

impl Witness {
    /// What was heard so far.
    pub fn heard(&self) -> Vec<Value> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Witness {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

/// What of an event is worth a line.
fn told(event: &Value) -> Option<Value> {
    let params = &event["params"];
    match event["method"].as_str()? {
        "Runtime.consoleAPICalled" => {
            let text = |argument: &Value| match &argument["value"] {
                Value::String(text) => text.clone(),
                Value::Null => argument["description"].as_str().unwrap_or("null").to_owned(),
                other => other.to_string(),
            };
            let text = params["args"].as_array().into_iter().flatten().map(text).collect::<Vec<_>>().join(" ");
            Some(json!({ "kind": "console", "level": params["type"], "text": text }))
        }
        "Runtime.exceptionThrown" => {
            let details = &params["exceptionDetails"];
            let text = details["exception"]["description"].as_str().or(details["text"].as_str()).unwrap_or_default();
            Some(json!({ "kind": "console", "level": "exception", "text": text }))
        }
        "Log.entryAdded" => Some(json!({ "kind": "console", "level": params["entry"]["level"], "text": params["entry"]["text"] })),
        "Network.requestWillBeSent" => {
            Some(json!({ "kind": "network", "what": "request", "method": params["request"]["method"], "url": params["request"]["url"] }))
        }
        "Network.responseReceived" => {
            Some(json!({ "kind": "network", "what": "response", "status": params["response"]["status"], "url": params["response"]["url"] }))
        }
        "Network.loadingFailed" => Some(json!({ "kind": "network", "what": "failed", "text": params["errorText"] })),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_what_was_said() {
        let said = json!({ "method": "Runtime.consoleAPICalled", "params": { "type": "warning", "args": [
            { "type": "string", "value": "n is" }, { "type": "number", "value": 3 }, { "type": "object", "description": "Object" }] } });
        assert_eq!(told(&said).unwrap(), json!({ "kind": "console", "level": "warning", "text": "n is 3 Object" }));
        let thrown = json!({ "method": "Runtime.exceptionThrown", "params": { "exceptionDetails": { "text": "Uncaught" } } });
        assert_eq!(told(&thrown).unwrap()["text"], "Uncaught");
        assert!(told(&json!({ "id": 1, "result": {} })).is_none() && told(&json!({ "method": "Network.dataReceived" })).is_none());
    }
}
