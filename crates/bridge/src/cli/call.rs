//! `tegata call`: one tool call from a shell, as an agent would make it.
#![expect(clippy::print_stdout, reason = "this is what a command line is for")]

use std::io::Write;
use std::process::ExitCode;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bridge::daemon::{Build, StateDir, sign, to_hex};
use bridge::relay::{Caller, DoorError, Socket, enter, next_text, program, send_text};
use bridge::tools::Offer;
use serde_json::{Value, json};

use super::{CANNOT_BEGIN, failure};

/// Revision of MCP spoken here.
const REVISION: &str = "2025-06-18";

pub(super) async fn call(state: &StateDir, tool: &str, arguments: &str, session: Option<&str>) -> ExitCode {
    let arguments: Value = match serde_json::from_str(arguments) {
        Ok(arguments @ Value::Object(_)) => arguments,
        Ok(_) => return failure("the arguments are JSON but no object. Write them as '{\"action\":\"list\"}'.", 2),
        Err(error) => return failure(&format!("the arguments are not JSON ({error}). Write them as '{{\"action\":\"list\"}}'."), 2),
    };
    // A name may hold anything; the id travels in a header.
    let id = session.map_or_else(|| format!("call:{}", uuid::Uuid::new_v4()), |name| format!("call:{}", to_hex(&sign(b"session", name))));
    let caller = Caller { id, host: "tegata call".to_owned(), offer: Offer::All };
    let entered = async {
        let program = program()?;
        enter(state, &program, Build::of(&program), &caller).await
    };
    let mut socket = match entered.await {
        Ok(socket) => socket,
        Err(error) => return failure(&error.to_string(), CANNOT_BEGIN),
    };
    match converse(&mut socket, session.unwrap_or("tegata call"), tool, arguments).await {
        Ok(answer) => print(&answer),
        Err(error) => failure(&format!("{error}. Run `tegata status`."), 1),
    }
}

async fn converse(socket: &mut Socket, label: &str, tool: &str, arguments: Value) -> Result<Value, DoorError> {
    let client = json!({"name": label, "version": env!("CARGO_PKG_VERSION")});
    let hello = json!({"protocolVersion": REVISION, "capabilities": {}, "clientInfo": client});
    send_text(socket, json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello}).to_string()).await?;
    answer_to(socket, 0).await?;
    send_text(socket, json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string()).await?;
    let params = json!({"name": tool, "arguments": arguments});
    send_text(socket, json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string()).await?;
    answer_to(socket, 1).await
}

async fn answer_to(socket: &mut Socket, id: u32) -> Result<Value, DoorError> {
    while let Some(text) = next_text(socket).await? {
        let message: Value = serde_json::from_str(&text).map_err(|error| DoorError::Strange(error.to_string()))?;
        if message.get("id") == Some(&json!(id)) {
            return Ok(message);
        }
    }
    Err(DoorError::Refused("the connection closed before the answer; it may have happened".to_owned()))
}

fn print(answer: &Value) -> ExitCode {
    if let Some(error) = answer.get("error") {
        return failure(error.get("message").and_then(Value::as_str).unwrap_or("the daemon refused the request"), 1);
    }
    let result = answer.get("result");
    let blocks = result.and_then(|result| result.get("content")).and_then(Value::as_array);
    for block in blocks.into_iter().flatten() {
        let part = |name: &str| block.get(name).and_then(Value::as_str);
        match (part("type"), part("text"), part("data")) {
            (Some("text"), Some(text), _) => println!("{text}"),
            (Some("image"), _, Some(data)) => match keep(data, part("mimeType").unwrap_or_default()) {
                Ok(path) => println!("{path}"),
                Err(error) => return failure(&format!("the picture cannot be kept ({error})."), 1),
            },
            _ => println!("{block}"),
        }
    }
    let is_error = result.and_then(|result| result.get("isError")).and_then(Value::as_bool).unwrap_or(false);
    if is_error { ExitCode::from(1) } else { ExitCode::SUCCESS }
}

/// Writes a picture where only its owner reads it.
fn keep(data: &str, mime: &str) -> std::io::Result<String> {
    use std::os::unix::fs::OpenOptionsExt;
    let bytes = STANDARD.decode(data).map_err(std::io::Error::other)?;
    let ending = if mime == "image/png" { "png" } else { "jpg" };
    let path = std::env::temp_dir().join(format!("tegata-{}.{ending}", uuid::Uuid::new_v4()));
    let mut file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
    file.write_all(&bytes)?;
    Ok(path.display().to_string())
}
