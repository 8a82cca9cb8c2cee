//! The extension's side of the link, played: its handshake, and its frames as texts.

use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

use protocol::{EXTENSION_ID, PROTOCOL_VERSION};

use crate::subject::SubjectError;
use crate::subject::control::{Socket, door, hear, say};

/// Name of the played installation.
const INSTANCE: &str = "replay";

/// What it is known by after pairing.
#[derive(Clone, Debug)]
pub(super) struct Known {
    port: u16,
    secret: Vec<u8>,
    /// How often its worker was started.
    lives: u32,
}

impl Known {
    /// The word of its worker's life.
    pub(super) fn generation(&self) -> String {
        format!("life-{}", self.lives)
    }
}

/// An open link, and how many frames the daemon has said on it so far.
pub(super) struct Opened {
    pub(super) socket: Socket,
    pub(super) known: Known,
    pub(super) heard: u64,
}

/// Pairs by the address that introduces a Chrome (`…#PORT-CODE`), and opens the link.
pub(super) async fn pair(connect_url: &str) -> Result<Opened, SubjectError> {
    let failed = || SubjectError::Start("the address of the connect page has no port and code".into());
    let (_, place) = connect_url.rsplit_once('#').ok_or_else(failed)?;
    let (port, code) = place.split_once('-').ok_or_else(failed)?;
    let known = Known { port: port.parse().map_err(|_| failed())?, secret: bytes(code).ok_or_else(failed)?, lives: 1 };
    greet(known, "code").await
}

/// Opens the link again.
pub(super) async fn back(known: Known) -> Result<Opened, SubjectError> {
    greet(Known { lives: known.lives + 1, ..known }, "secret").await
}

async fn greet(known: Known, key: &str) -> Result<Opened, SubjectError> {
    let origin = format!("chrome-extension://{EXTENSION_ID}");
    let mut socket = door(known.port, "/extension", &[("origin", origin.as_str())]).await?;
    let nonce = hex(&random()?);
    let hello = json!({"protocol": PROTOCOL_VERSION, "version": env!("CARGO_PKG_VERSION"), "build": "replay", "instance": INSTANCE,
        "browser": "Replay", "headless": true, "nonce": nonce, "key": key});
    say(&mut socket, json!({"kind": "hello", "hello": hello}).to_string()).await?;
    let challenge = frame(&mut socket, "challenge").await?;
    let theirs = challenge.pointer("/challenge/nonce").and_then(Value::as_str).unwrap_or_default();
    let proof = hex(&sign(&known.secret, &format!("tegata/1/extension/{nonce}/{theirs}")));
    let switches = json!({"paused": false, "trustedInput": true, "eval": true});
    say(&mut socket, json!({"kind": "proof", "proof": proof, "switches": switches, "generation": known.generation()}).to_string()).await?;
    frame(&mut socket, "welcome").await?;
    let secret = match key {
        "code" => sign(&known.secret, &format!("tegata/1/secret/{nonce}/{theirs}")),
        _ => known.secret.clone(),
    };
    Ok(Opened { socket, known: Known { secret, ..known }, heard: 2 })
}

async fn frame(socket: &mut Socket, kind: &str) -> Result<Value, SubjectError> {
    let text = hear(socket).await.unwrap_or_default();
    let frame: Value = serde_json::from_str(&text).unwrap_or_default();
    match frame["kind"] == kind {
        true => Ok(frame),
        false => Err(SubjectError::Broken(format!("the daemon did not say {kind}: {text}"))),
    }
}

fn random() -> Result<[u8; 32], SubjectError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| SubjectError::Start(format!("the system gives no random bytes: {error}")))?;
    Ok(bytes)
}

fn sign(key: &[u8], text: &str) -> Vec<u8> {
    // HMAC takes keys of any length; there is no failing case.
    <Hmac<Sha256> as KeyInit>::new_from_slice(key)
        .map(|mut mac| {
            mac.update(text.as_bytes());
            mac.finalize().into_bytes().to_vec()
        })
        .unwrap_or_default()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let pairs = hex.as_bytes().chunks(2);
    pairs.map(|pair| std::str::from_utf8(pair).ok().and_then(|pair| u8::from_str_radix(pair, 16).ok())).collect()
}
