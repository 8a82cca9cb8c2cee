//! A fake extension: a real socket, a real handshake, and answers by closure.

use std::sync::{Arc, Mutex};

use bridge::daemon::{DaemonFile, from_hex, proof, proves, random_hex, sign, to_hex};
use futures_util::{SinkExt, StreamExt};
use protocol::{
    Command, CommandError, Done, Echo, ErrorCode, Event, Frame, Hello, Key, Navigation, NavigationEnd, PROTOCOL_VERSION, Probe, Refused,
    Switches, Tab, Tabs,
};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use super::instance::{Instance, soon};

pub(crate) type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Knocks at a door as given.
pub(crate) async fn knock(port: u16, path: &str, headers: &[(&'static str, &str)]) -> Result<Socket, u16> {
    let mut request = format!("ws://127.0.0.1:{port}{path}").into_client_request().unwrap();
    for (name, value) in headers {
        request.headers_mut().insert(*name, value.parse().unwrap());
    }
    match soon("the door answers", connect_async(request)).await {
        Ok((socket, _)) => Ok(socket),
        Err(Error::Http(response)) => Err(response.status().as_u16()),
        Err(error) => panic!("{error}"),
    }
}

pub(crate) fn origin() -> String {
    format!("chrome-extension://{}", protocol::EXTENSION_ID)
}

pub(crate) async fn extension_socket(daemon: &DaemonFile) -> Socket {
    knock(daemon.port, "/extension", &[("origin", &origin())]).await.unwrap()
}

pub(crate) async fn say(socket: &mut Socket, frame: &Frame) {
    let text = serde_json::to_string(frame).unwrap();
    socket.send(Message::Text(text.into())).await.unwrap();
}

/// The next frame; `None` when the socket closed.
pub(crate) async fn hear(socket: &mut Socket) -> Option<Value> {
    loop {
        match soon("a frame", socket.next()).await {
            Some(Ok(Message::Text(text))) => return Some(serde_json::from_str(&text).unwrap()),
            Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
            Some(Ok(_)) => {}
        }
    }
}

pub(crate) fn hello(instance: &str, key: Key) -> Hello {
    Hello {
        protocol: PROTOCOL_VERSION,
        version: "0.1.0".into(),
        build: "abc".into(),
        instance: instance.into(),
        browser: "Fake 1".into(),
        headless: true,
        nonce: random_hex().unwrap(),
        key,
    }
}

/// Goes through the handshake. The secret kept, or the refusal.
pub(crate) async fn greet(socket: &mut Socket, hello: Hello, key: &[u8]) -> Result<Vec<u8>, Refused> {
    let (nonce, kind) = (hello.nonce.clone(), hello.key);
    say(socket, &Frame::Hello { hello }).await;
    let challenge = match serde_json::from_value(hear(socket).await.expect("an answer to hello")).unwrap() {
        Frame::Challenge { challenge } => challenge,
        Frame::Refused { refused } => return Err(refused),
        other => panic!("{other:?}"),
    };
    assert!(proves(key, "daemon", &nonce, &challenge.nonce, &challenge.proof) || key == b"forged", "the daemon proves itself first");
    let given = proof(key, "extension", &nonce, &challenge.nonce);
    let switches = Switches { paused: false, trusted_input: true, eval: true };
    say(socket, &Frame::Proof { proof: given, switches, generation: "life-1".into() }).await;
    match serde_json::from_value(hear(socket).await.expect("an answer to the proof")).unwrap() {
        Frame::Welcome => {}
        Frame::Refused { refused } => return Err(refused),
        other => panic!("{other:?}"),
    }
    let secret = format!("tegata/1/secret/{nonce}/{}", challenge.nonce);
    Ok(if kind == Key::Code { sign(key, &secret) } else { key.to_vec() })
}

/// What the fake does with a command.
pub(crate) enum Act {
    Answer(Value),
    Fail(CommandError),
    /// Says nothing, ever.
    Silence,
    /// Answers once it is cancelled.
    WhenCancelled(CommandError),
    /// As the fake browser does.
    Usual,
}

type Acts = Arc<dyn Fn(&Command) -> Act + Send + Sync>;

/// A connected fake.
pub(crate) struct FakeExtension {
    pub(crate) secret: Vec<u8>,
    pub(crate) heard: Arc<Mutex<Vec<Value>>>,
    orders: mpsc::UnboundedSender<Order>,
    task: tokio::task::JoinHandle<()>,
}

enum Order {
    Text(String),
    Bytes(Vec<u8>),
}

impl FakeExtension {
    /// Pairs anew and connects.
    pub(crate) async fn pair(instance: &Instance, daemon: &DaemonFile) -> Self {
        Self::pair_with(instance, daemon, |_| Act::Usual).await
    }

    pub(crate) async fn pair_with(
        instance: &Instance,
        daemon: &DaemonFile,
        acts: impl Fn(&Command) -> Act + Send + Sync + 'static,
    ) -> Self {
        let code = from_hex(&instance.code(daemon).await).unwrap();
        let mut socket = extension_socket(daemon).await;
        let secret = greet(&mut socket, hello("one", Key::Code), &code).await.unwrap();
        Self::serve(socket, secret, Arc::new(acts))
    }

    /// Comes back with what it kept.
    pub(crate) async fn back(daemon: &DaemonFile, secret: &[u8]) -> Self {
        Self::back_with(daemon, secret, |_| Act::Usual).await
    }

    pub(crate) async fn back_with(daemon: &DaemonFile, secret: &[u8], acts: impl Fn(&Command) -> Act + Send + Sync + 'static) -> Self {
        let mut socket = extension_socket(daemon).await;
        let secret = greet(&mut socket, hello("one", Key::Secret), secret).await.unwrap();
        Self::serve(socket, secret, Arc::new(acts))
    }

    fn serve(socket: Socket, secret: Vec<u8>, acts: Acts) -> Self {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let (orders, orders_in) = mpsc::unbounded_channel();
        let task = tokio::spawn(live(socket, orders_in, Arc::clone(&heard), acts));
        Self { secret, heard, orders, task }
    }

    pub(crate) fn text(&self, text: impl Into<String>) {
        self.orders.send(Order::Text(text.into())).unwrap();
    }

    pub(crate) fn bytes(&self, bytes: Vec<u8>) {
        self.orders.send(Order::Bytes(bytes)).unwrap();
    }

    pub(crate) fn event(&self, event: Event) {
        self.text(serde_json::to_string(&Frame::Event { event }).unwrap());
    }

    /// Frames of one kind that it has heard.
    pub(crate) fn of_kind(&self, kind: &str) -> Vec<Value> {
        self.heard.lock().unwrap().iter().filter(|frame| frame["kind"] == kind).cloned().collect()
    }

    /// Commands of one method that it has heard.
    pub(crate) fn commands(&self, method: &str) -> Vec<Value> {
        self.of_kind("request").into_iter().filter(|frame| frame["command"]["method"] == method).collect()
    }

    /// Its socket goes without a word.
    pub(crate) async fn vanish(self) -> Vec<u8> {
        self.task.abort();
        let _ = self.task.await;
        self.secret
    }

    pub(crate) fn is_over(&self) -> bool {
        self.task.is_finished()
    }
}

async fn live(mut socket: Socket, mut orders: mpsc::UnboundedReceiver<Order>, heard: Arc<Mutex<Vec<Value>>>, acts: Acts) {
    let mut browser = Browser::default();
    let mut cancellable: Vec<(u32, CommandError)> = Vec::new();
    loop {
        let message = tokio::select! {
            order = orders.recv() => {
                let message = match order {
                    Some(Order::Text(text)) => Message::Text(text.into()),
                    Some(Order::Bytes(bytes)) => Message::Binary(bytes.into()),
                    None => return,
                };
                if socket.send(message).await.is_err() { return }
                continue;
            }
            message = socket.next() => message,
        };
        let text = match message {
            Some(Ok(Message::Text(text))) => text,
            Some(Ok(Message::Close(_)) | Err(_)) | None => return,
            Some(Ok(_)) => continue,
        };
        heard.lock().unwrap().push(serde_json::from_str(&text).unwrap());
        let answer = match serde_json::from_str(&text).unwrap() {
            Frame::Ping => Some(Frame::Pong),
            Frame::Request { id, command } => match acts(&command) {
                Act::Answer(value) => Some(result(id, &value)),
                Act::Fail(error) => Some(Frame::Reply { id, result: None, error: Some(error) }),
                Act::Silence => None,
                Act::WhenCancelled(error) => {
                    cancellable.push((id, error));
                    None
                }
                Act::Usual => Some(match browser.answer(command) {
                    Ok(value) => result(id, &value),
                    Err(error) => Frame::Reply { id, result: None, error: Some(error) },
                }),
            },
            Frame::Cancel { id } => {
                let at = cancellable.iter().position(|(open, _)| *open == id);
                at.map(|at| Frame::Reply { id, result: None, error: Some(cancellable.remove(at).1) })
            }
            _ => None,
        };
        if let Some(frame) = answer
            && socket.send(Message::Text(serde_json::to_string(&frame).unwrap().into())).await.is_err()
        {
            return;
        }
    }
}

fn result(id: u32, value: &Value) -> Frame {
    Frame::Reply { id, result: Some(serde_json::value::to_raw_value(value).unwrap()), error: None }
}

/// Tabs that only exist as data.
#[derive(Default)]
struct Browser {
    tabs: Vec<Tab>,
}

impl Browser {
    fn answer(&mut self, command: Command) -> Result<Value, CommandError> {
        let answer = match command {
            Command::TabsList(_) => json!(Tabs { tabs: self.tabs.clone() }),
            Command::TabsCreate(create) => {
                let tab = tab(10 + u32::try_from(self.tabs.len()).unwrap(), create.url.as_deref().unwrap_or("about:blank"));
                self.tabs.push(tab.clone());
                json!(Navigation { tab, end: NavigationEnd::Complete, status: Some(200), error: None })
            }
            Command::TabsActivate(target) => json!(self.find(target.tab)?),
            Command::TabsClose(target) => {
                self.tabs.retain(|tab| tab.id != target.tab);
                json!(Done {})
            }
            Command::TabsHold(_) => json!(Done {}),
            Command::WaitProbe(probe) => {
                json!(Probe { met: None, frame: None, tab: self.find(probe.tab)?, there: "nothing yet".into(), unread: 0 })
            }
            Command::LinkEcho(echo) => {
                let page_ms = echo.tab.map(|_| 0.5);
                json!(Echo { generation: "life-1".into(), socket: "offscreen".into(), page_ms, page_error: None })
            }
            other => return Err(CommandError::new(ErrorCode::Unsupported, format!("the fake has no {}", other.method()))),
        };
        Ok(answer)
    }

    fn find(&self, id: u32) -> Result<Tab, CommandError> {
        let found = self.tabs.iter().find(|tab| tab.id == id).cloned();
        found.ok_or_else(|| CommandError::new(ErrorCode::NoTab, format!("there is no tab {id}")))
    }
}

pub(crate) fn tab(id: u32, url: &str) -> Tab {
    Tab {
        id,
        window: 1,
        url: url.into(),
        title: format!("Tab {id}"),
        active: false,
        loading: false,
        discarded: false,
        opener: None,
        restricted: None,
        dialog: None,
    }
}

/// A key in hex, for files.
pub(crate) fn hex(key: &[u8]) -> String {
    to_hex(key)
}
