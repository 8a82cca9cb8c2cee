//! Chrome's browser-level DevTools over HTTP: tabs are opened, listed, brought to front and closed without attaching
//! to any page.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use reqwest::{Client, Method};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use super::error::ChromeError;

/// The longest an answer may take.
const ANSWER_BOUND: Duration = Duration::from_secs(15);

/// The DevTools endpoint of one Chrome.
#[derive(Clone, Debug)]
pub(super) struct DevTools {
    client: Client,
    origin: String,
    socket: String,
}

/// A tab as DevTools lists it.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct TabEntry {
    pub(super) id: String,
    pub(super) url: String,
    #[serde(rename = "type")]
    pub(super) kind: String,
}

impl DevTools {
    /// Connects to the endpoint at `host:port`.
    pub(super) async fn connect(address: &str) -> Result<Self, ChromeError> {
        // Names are resolved by nobody here: Chrome listens on IPv4 loopback.
        let origin = format!("http://{}", address.replace("localhost", "127.0.0.1"));
        let client = Client::builder().timeout(ANSWER_BOUND).no_proxy().build().map_err(failed)?;
        let mut devtools = Self { client, origin, socket: String::new() };
        let version: Value = serde_json::from_str(&devtools.ask(Method::GET, "/json/version").await?).map_err(failed)?;
        devtools.socket = version["webSocketDebuggerUrl"].as_str().unwrap_or_default().to_owned();
        Ok(devtools)
    }

    /// The browser-level WebSocket address.
    pub(super) fn socket(&self) -> &str {
        &self.socket
    }

    /// Opens a tab in front and returns its id.
    pub(super) async fn open(&self, url: &str) -> Result<String, ChromeError> {
        // Chrome decodes the address, and takes what follows an `&` for an option of its own.
        let escaped = url.replace('%', "%25").replace('#', "%23").replace('&', "%26");
        let answer = self.ask(Method::PUT, &format!("/json/new?{escaped}")).await?;
        let tab: TabEntry = serde_json::from_str(&answer).map_err(failed)?;
        Ok(tab.id)
    }

    /// All tabs.
    pub(super) async fn tabs(&self) -> Result<Vec<TabEntry>, ChromeError> {
        let mut tabs: Vec<TabEntry> = serde_json::from_str(&self.ask(Method::GET, "/json/list").await?).map_err(failed)?;
        tabs.retain(|tab| tab.kind == "page");
        Ok(tabs)
    }

    /// Brings a tab to the front.
    pub(super) async fn activate(&self, id: &str) -> Result<(), ChromeError> {
        self.ask(Method::GET, &format!("/json/activate/{id}")).await.map(drop)
    }

    /// Closes a tab.
    pub(super) async fn close(&self, id: &str) -> Result<(), ChromeError> {
        self.ask(Method::GET, &format!("/json/close/{id}")).await.map(drop)
    }

    /// Calls one command on the browser itself.
    pub(super) async fn command(&self, method: &str, params: Value) -> Result<Value, ChromeError> {
        call(&self.socket, method, params).await
    }

    /// Calls one command on one tab, attached only for as long as that takes.
    pub(super) async fn tab_command(&self, id: &str, method: &str, params: Value) -> Result<Value, ChromeError> {
        call(&self.tab_socket(id), method, params).await
    }

    /// The WebSocket address of one tab.
    pub(super) fn tab_socket(&self, id: &str) -> String {
        format!("{}/devtools/page/{id}", self.origin.replacen("http", "ws", 1))
    }

    /// Lets a tab's process crash, and waits until the browser says that it did.
    pub(super) async fn crash(&self, id: &str) -> Result<(), ChromeError> {
        let socket = format!("{}/devtools/page/{id}", self.origin.replacen("http", "ws", 1));
        let crashed = async {
            let (mut link, _) = tokio_tungstenite::connect_async(&socket).await.map_err(failed)?;
            for (id, method) in [(1, "Inspector.enable"), (2, "Page.crash")] {
                link.send(Message::text(json!({ "id": id, "method": method }).to_string())).await.map_err(failed)?;
            }
            while let Some(message) = link.next().await {
                let message = message.map_err(failed)?;
                if message.to_text().is_ok_and(|text| text.contains("\"Inspector.targetCrashed\"")) {
                    return Ok(());
                }
            }
            Err(failed("Page.crash: the connection ended before the browser told a crash"))
        };
        tokio::time::timeout(ANSWER_BOUND, crashed).await.unwrap_or_else(|_| Err(failed("Page.crash: nothing crashed")))
    }

    /// Several commands on one tab, whose node numbers hold from one to the next.
    pub(super) async fn talk(&self, id: &str) -> Result<Talk, ChromeError> {
        let socket = format!("{}/devtools/page/{id}", self.origin.replacen("http", "ws", 1));
        let (link, _) = tokio_tungstenite::connect_async(&socket).await.map_err(failed)?;
        Ok(Talk { link, next: 1 })
    }

    async fn ask(&self, method: Method, path: &str) -> Result<String, ChromeError> {
        let response = self.client.request(method, format!("{}{path}", self.origin)).send().await.map_err(failed)?;
        let status = response.status();
        let text = response.text().await.map_err(failed)?;
        if status.is_success() { Ok(text) } else { Err(failed(format!("{path}: {status} {text}"))) }
    }
}

/// A conversation with one tab.
pub(super) struct Talk {
    link: tokio_tungstenite::WebSocketStream<tokio_tungstenite::MaybeTlsStream<tokio::net::TcpStream>>,
    next: u32,
}

impl Talk {
    /// One command and its answer.
    pub(super) async fn call(&mut self, method: &str, params: Value) -> Result<Value, ChromeError> {
        let id = self.next;
        self.next += 1;
        let exchange = async {
            let request = json!({ "id": id, "method": method, "params": params }).to_string();
            self.link.send(Message::text(request)).await.map_err(failed)?;
            while let Some(message) = self.link.next().await {
                let message = message.map_err(failed)?;
                let Ok(text) = message.to_text() else { continue };
                let Ok(mut answer) = serde_json::from_str::<Value>(text) else { continue };
                if answer["id"] == id {
                    return match answer.get("error") {
                        Some(error) => Err(failed(format!("{method}: {error}"))),
                        None => Ok(answer["result"].take()),
                    };
                }
            }
            Err(failed(format!("{method}: the connection ended")))
        };
        tokio::time::timeout(ANSWER_BOUND, exchange)
            .await
            .unwrap_or_else(|_| Err(failed(format!("{method}: no answer within {ANSWER_BOUND:?}"))))
    }
}

/// One command over a WebSocket of its own: DevTools and WebDriver BiDi speak alike here.
pub(super) async fn call(socket: &str, method: &str, params: Value) -> Result<Value, ChromeError> {
    let request = json!({ "id": 1, "method": method, "params": params }).to_string();
    let exchange = async {
        let (mut link, _) = tokio_tungstenite::connect_async(socket).await.map_err(failed)?;
        link.send(Message::text(request)).await.map_err(failed)?;
        while let Some(message) = link.next().await {
            let message = message.map_err(failed)?;
            let Ok(text) = message.to_text() else { continue };
            let Ok(mut answer) = serde_json::from_str::<Value>(text) else { continue };
            if answer["id"] == 1 {
                return match answer.get("error") {
                    Some(error) => Err(failed(format!("{method}: {error}"))),
                    None => Ok(answer["result"].take()),
                };
            }
        }
        Err(failed(format!("{method}: the connection ended")))
    };
    tokio::time::timeout(ANSWER_BOUND, exchange)
        .await
        .unwrap_or_else(|_| Err(failed(format!("{method}: no answer within {ANSWER_BOUND:?}"))))
}

fn failed(reason: impl std::fmt::Display) -> ChromeError {
    ChromeError::DevTools(reason.to_string())
}
