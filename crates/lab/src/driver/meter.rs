//! What one tab's main thread did meanwhile, as DevTools counts it: an attached session that dispatches nothing.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use super::error::ChromeError;

/// The longest an answer may take.
const ANSWER_BOUND: Duration = Duration::from_secs(15);

/// Work of a tab's main thread (`Performance.getMetrics`): times in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Work {
    /// All tasks.
    pub tasks_ms: f64,
    /// Scripts, those of extensions too.
    pub script_ms: f64,
    /// How often the page was laid out, wholly or in part.
    pub layouts: f64,
    /// The time that took.
    pub layout_ms: f64,
    /// Recalculating styles.
    pub style_ms: f64,
}

impl Work {
    /// What was done since an earlier reading.
    #[must_use]
    pub fn since(self, before: Self) -> Self {
        Self {
            tasks_ms: self.tasks_ms - before.tasks_ms,
            script_ms: self.script_ms - before.script_ms,
            layouts: self.layouts - before.layouts,
            layout_ms: self.layout_ms - before.layout_ms,
            style_ms: self.style_ms - before.style_ms,
        }
    }

    fn of(answer: &Value) -> Self {
        let metric = |name: &str| {
            let all = answer["metrics"].as_array().into_iter().flatten();
            all.filter(|metric| metric["name"] == name).find_map(|metric| metric["value"].as_f64()).unwrap_or_default()
        };
        Self {
            tasks_ms: metric("TaskDuration") * 1000.0,
            script_ms: metric("ScriptDuration") * 1000.0,
            layouts: metric("LayoutCount"),
            layout_ms: metric("LayoutDuration") * 1000.0,
            style_ms: metric("RecalcStyleDuration") * 1000.0,
        }
    }
}

/// The session. Dropping it ends it.
pub struct Meter {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    next: u64,
}

impl Meter {
    /// Attaches to the page at this DevTools address; counting begins now.
    pub(super) async fn attach(address: &str) -> Result<Self, ChromeError> {
        let (socket, _) = tokio_tungstenite::connect_async(address).await.map_err(failed)?;
        let mut meter = Self { socket, next: 1 };
        meter.call("Performance.enable", json!({})).await?;
        Ok(meter)
    }

    /// What the main thread has done since it was attached.
    ///
    /// # Errors
    /// When the tab is gone or does not answer.
    pub async fn read(&mut self) -> Result<Work, ChromeError> {
        Ok(Work::of(&self.call("Performance.getMetrics", json!({})).await?))
    }

    async fn call(&mut self, method: &str, params: Value) -> Result<Value, ChromeError> {
        let id = self.next;
        self.next += 1;
        let request = json!({ "id": id, "method": method, "params": params }).to_string();
        let exchange = async {
            self.socket.send(Message::text(request)).await.map_err(failed)?;
            while let Some(message) = self.socket.next().await {
                let message = message.map_err(failed)?;
                let Some(mut answer) = message.to_text().ok().and_then(|text| serde_json::from_str::<Value>(text).ok()) else { continue };
                if answer["id"] == id {
                    return Ok(answer["result"].take());
                }
            }
            Err(failed("the connection ended"))
        };
        tokio::time::timeout(ANSWER_BOUND, exchange).await.unwrap_or_else(|_| Err(failed("no answer")))
    }
}

fn failed(reason: impl std::fmt::Display) -> ChromeError {
    ChromeError::DevTools(format!("the meter of a tab: {reason}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_are_read_by_name() {
        let answer = |scale: f64| {
            let metrics =
                [("TaskDuration", 0.02), ("ScriptDuration", 0.01), ("LayoutCount", 3.0), ("LayoutDuration", 0.004), ("Nodes", 9.0)];
            json!({"metrics": metrics.map(|(name, value)| json!({"name": name, "value": value * scale}))})
        };
        let work = Work::of(&answer(2.0)).since(Work::of(&answer(1.0)));
        assert!((work.tasks_ms - 20.0).abs() < 1e-9 && (work.script_ms - 10.0).abs() < 1e-9, "{work:?}");
        assert_eq!((work.layouts, work.style_ms), (3.0, 0.0));
    }
}
