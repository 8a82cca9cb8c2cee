//! A daemon of its own with a fake extension behind it: a real socket, a real handshake, answers from memory.

use std::path::Path;
use std::process::Stdio;

use anyhow::{Context as _, Result, bail, ensure};
use bridge::daemon::{DaemonFile, StateDir, from_hex, proof, random_hex};
use futures_util::{SinkExt, StreamExt};
use protocol::{Command, CommandError, Done, ErrorCode, Frame, Hello, Key, Navigation, NavigationEnd, PROTOCOL_VERSION, Switches, Tabs};
use serde_json::value::{RawValue, to_raw_value};
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::corpus::{Size, snapshot, tab};
use crate::{Agent, Programs};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// A fake extension that is connected; it goes when this is dropped.
#[derive(Debug)]
pub struct Fake {
    task: tokio::task::JoinHandle<()>,
}

impl Drop for Fake {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Fake {
    /// Pairs with the daemon and answers from then on; its one page has this size.
    async fn pair(daemon: &DaemonFile, code: &[u8], size: Size) -> Result<Self> {
        let mut request = format!("ws://127.0.0.1:{}/extension", daemon.port).into_client_request()?;
        request.headers_mut().insert("origin", format!("chrome-extension://{}", protocol::EXTENSION_ID).parse()?);
        let (mut socket, _) = connect_async(request).await.context("the daemon refuses the extension")?;
        let nonce = random_hex()?;
        let hello = Hello {
            protocol: PROTOCOL_VERSION,
            version: env!("CARGO_PKG_VERSION").into(),
            build: "fake".into(),
            instance: "fake".into(),
            browser: "Fake 1".into(),
            headless: true,
            nonce: nonce.clone(),
            key: Key::Code,
        };
        say(&mut socket, &Frame::Hello { hello }).await?;
        let Frame::Challenge { challenge } = hear(&mut socket).await? else { bail!("no challenge") };
        let given = proof(code, "extension", &nonce, &challenge.nonce);
        let switches = Switches { paused: false, trusted_input: true, eval: true };
        say(&mut socket, &Frame::Proof { proof: given, switches, generation: "fake".into() }).await?;
        ensure!(matches!(hear(&mut socket).await?, Frame::Welcome), "no welcome");
        let page = to_raw_value(&snapshot(size))?;
        let task = tokio::spawn(async move {
            // The socket's end is the daemon's end.
            let _ = serve(socket, page).await;
        });
        Ok(Self { task })
    }
}

async fn serve(mut socket: Socket, page: Box<RawValue>) -> Result<()> {
    loop {
        let answer = match hear(&mut socket).await? {
            Frame::Ping => Frame::Pong,
            Frame::Request { id, command } => match answer(&command, &page) {
                Ok(result) => Frame::Reply { id, result: Some(result), error: None },
                Err(error) => Frame::Reply { id, result: None, error: Some(error) },
            },
            _ => continue,
        };
        say(&mut socket, &answer).await?;
    }
}

fn answer(command: &Command, page: &RawValue) -> Result<Box<RawValue>, CommandError> {
    let raw = match command {
        Command::SnapshotTake(_) => return Ok(page.to_owned()),
        Command::TabsList(_) => to_raw_value(&Tabs { tabs: vec![tab()] }),
        Command::TabsCreate(_) => to_raw_value(&Navigation { tab: tab(), end: NavigationEnd::Complete, status: Some(200), error: None }),
        Command::TabsHold(_) => to_raw_value(&Done {}),
        other => return Err(CommandError::new(ErrorCode::Unsupported, format!("the fake has no {}", other.method()))),
    };
    raw.map_err(|error| CommandError::new(ErrorCode::Internal, error.to_string()))
}

async fn say(socket: &mut Socket, frame: &Frame) -> Result<()> {
    Ok(socket.send(Message::Text(serde_json::to_string(frame)?.into())).await?)
}

async fn hear(socket: &mut Socket) -> Result<Frame> {
    loop {
        match socket.next().await.context("the daemon closed the link")?? {
            Message::Text(text) => return Ok(serde_json::from_str(&text)?),
            Message::Close(_) => bail!("the daemon closed the link"),
            _ => {}
        }
    }
}

/// An instance of the bridge in a folder of its own, with a fake extension; ends when dropped.
#[derive(Debug)]
pub struct Local {
    programs: Programs,
    place: TempDir,
    _fake: Fake,
}

impl Local {
    /// Starts it.
    ///
    /// # Errors
    /// When the daemon does not start or refuses the fake.
    pub async fn start(programs: &Programs, size: Size) -> Result<Self> {
        let place = tempfile::tempdir()?;
        let folder = place.path().join("extension");
        std::fs::create_dir(&folder)?;
        std::fs::write(folder.join("manifest.json"), "{}")?;
        std::fs::write(folder.join("build.json"), r#"{"version":"0.1.0","source_hash":"fake"}"#)?;
        let mut command = tokio::process::Command::new(&programs.tegata);
        command.args(["extension", "--json", "--pair"]).envs(environment(place.path())).stdin(Stdio::null());
        let output = command.output().await?;
        ensure!(output.status.success(), "the daemon does not start: {}", String::from_utf8_lossy(&output.stderr));
        let printed: serde_json::Value = serde_json::from_slice(&output.stdout)?;
        let code = printed["connect_url"].as_str().and_then(|url| url.rsplit('-').next()).and_then(from_hex).context("no pairing code")?;
        let daemon = StateDir::at(&place.path().join("state")).living()?.context("no daemon lives")?;
        let fake = Fake::pair(&daemon, &code, size).await?;
        Ok(Self { programs: programs.clone(), place, _fake: fake })
    }

    /// A new agent.
    ///
    /// # Errors
    /// When it does not start.
    pub async fn agent(&self) -> Result<Agent> {
        Agent::start(&self.programs.tegata, &["mcp".to_owned()], environment(self.place.path())).await
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        let stopped = std::process::Command::new(&self.programs.tegata)
            .arg("stop")
            .envs(environment(self.place.path()))
            .stdout(Stdio::null())
            .status();
        if !stopped.is_ok_and(|status| status.success()) {
            eprintln!("the daemon in {} could not be stopped", self.place.path().display());
        }
    }
}

fn environment(place: &Path) -> [(String, String); 2] {
    let of = |name: &str| place.join(name).display().to_string();
    [("TEGATA_STATE_DIR".to_owned(), of("state")), ("TEGATA_EXTENSION_DIR".to_owned(), of("extension"))]
}
