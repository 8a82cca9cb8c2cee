//! DevTools commands on one target, for what only the browser can measure.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use lab::driver::Chrome;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// The longest an answer may take.
const ANSWER_BOUND: Duration = Duration::from_secs(30);

/// A connection to one target.
pub(crate) struct Target {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    next: u64,
}

impl Target {
    /// Connects to the target whose kind and address fit.
    pub(crate) async fn connect(chrome: &Chrome, kind: &str, part: &str) -> Self {
        let host = chrome.devtools_url().strip_prefix("ws://").unwrap().split('/').next().unwrap();
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let listed = client.get(format!("http://{host}/json/list")).send().await.unwrap().text().await.unwrap();
        let targets: Vec<Value> = serde_json::from_str(&listed).unwrap();
        let fits = |target: &&Value| target["type"] == kind && target["url"].as_str().is_some_and(|url| url.contains(part));
        let target = targets.iter().find(fits).unwrap_or_else(|| panic!("no {kind} with {part} in its address: {listed}"));
        let (socket, _) = tokio_tungstenite::connect_async(target["webSocketDebuggerUrl"].as_str().unwrap()).await.unwrap();
        Self { socket, next: 0 }
    }

    /// One command.
    pub(crate) async fn call(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.socket.send(Message::text(json!({"id": id, "method": method, "params": params}).to_string())).await.unwrap();
        let answer = async {
            loop {
                let message = self.socket.next().await.unwrap().unwrap();
                let Ok(text) = message.to_text() else { continue };
                let Ok(mut value) = serde_json::from_str::<Value>(text) else { continue };
                if value["id"] == id {
                    assert!(value.get("error").is_none(), "{method}: {value}");
                    return value["result"].take();
                }
            }
        };
        tokio::time::timeout(ANSWER_BOUND, answer).await.unwrap()
    }

    /// Bytes that live after a collection: the script heap of all worlds of the process, and what the browser holds for it.
    pub(crate) async fn heap(&mut self) -> f64 {
        self.call("HeapProfiler.enable", json!({})).await;
        // What the first collection finalises, the second frees.
        for _ in 0..2 {
            self.call("HeapProfiler.collectGarbage", json!({})).await;
        }
        let usage = self.call("Runtime.getHeapUsage", json!({})).await;
        let part = |name: &str| usage[name].as_f64().unwrap_or(0.0);
        part("usedSize") + part("embedderHeapUsedSize") + part("backingStorageSize")
    }
}
