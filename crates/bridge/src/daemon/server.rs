//! The listening end: one port on loopback, its doors, its beginning and its end.

use std::net::Ipv4Addr;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, any_service, get};
use axum::serve::ListenerExt;
use futures_util::{SinkExt, StreamExt};
use protocol::MAX_FRAME_BYTES;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

use super::audit::{Direction, Entry, Hop};
use super::build::Build;
use super::clock::Clock;
use super::control::{Question, answer};
use super::doors::{Door, Doors};
use super::host::Daemon;
use super::state::{DOOR_VERSION, DaemonFile, Lock, StateDir, StateError, now_ms, random_hex};
use crate::mcp::{http_door, serve_lines};
use crate::rpc;
use crate::session::SessionId;
use crate::tools::Offer;

/// Header with the relay's random id.
pub const RELAY_HEADER: &str = "tegata-relay";

/// Header with the program that started the relay.
pub const HOST_HEADER: &str = "tegata-host";

/// Header with the word of the tools that the agent is told of.
pub const OFFER_HEADER: &str = "tegata-tools";

/// Keeps the port over restarts.
const PORT_FILE: &str = "port.json";

/// Where the extension looks for a daemon that nobody pointed it at.
const DEFAULT_PORTS: std::ops::RangeInclusive<u16> = 8787..=8791;

/// How long open answers may take when the daemon ends.
const DRAIN: Duration = Duration::from_secs(2);

/// How often the daemon looks whether its directory is there.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// Why a daemon did not start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The state directory.
    #[error(transparent)]
    State(#[from] StateError),
    /// Another daemon lives here.
    #[error("a daemon already runs for {0}. Use it, or end it with `tegata stop`.")]
    Lives(String),
    /// No port.
    #[error(
        "port {ports} of 127.0.0.1 is taken ({source}). End the program that has it, or set TEGATA_STATE_DIR to run on a port of its own."
    )]
    Port {
        /// Which.
        ports: String,
        /// Why.
        source: std::io::Error,
    },
    /// The system refused something.
    #[error("the daemon cannot serve: {0}.")]
    System(#[from] std::io::Error),
}

/// Serves until it is told to end. With a held clock its time goes by only when a control question says so.
///
/// # Errors
/// Why it could not begin.
pub async fn serve(state: &StateDir, port: Option<u16>, build: Build, clock: Option<Clock>) -> Result<(), ServeError> {
    state.open()?;
    let Some(lock) = state.lock()? else {
        return Err(ServeError::Lives(state.path().display().to_string()));
    };
    let listener = listen(state, port).await?;
    let port = listener.local_addr()?.port();
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let file = DaemonFile { port, token: random_hex()?, pid: std::process::id(), version, build, door: DOOR_VERSION, started: now_ms() };
    let daemon = Daemon::new(state, file.clone(), clock)?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    // Last, so that whoever reads it finds everything in place.
    state.write("daemon.json", &file)?;
    tracing::info!(port, pid = file.pid, build = %file.build, "the daemon listens");

    // Small messages both ways: waiting to fill a packet would cost more than the message.
    let listener = listener.tap_io(|stream| {
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a socket stays slow");
        }
    });
    let ending = daemon.shutdown.clone();
    let server = axum::serve(listener, routes(&daemon)).with_graceful_shutdown(async move { ending.cancelled().await });
    let mut server = tokio::spawn(server.into_future());
    let keeping = tokio::spawn({
        let daemon = Arc::clone(&daemon);
        async move { daemon.keep().await }
    });
    tokio::select! {
        biased;
        () = daemon.shutdown.cancelled() => {}
        () = removed(&lock) => {
            tracing::error!("the state directory is gone; the daemon ends");
            daemon.end("stopped");
        }
        _ = terminate.recv() => daemon.end("stopped"),
        _ = interrupt.recv() => daemon.end("stopped"),
        ended = &mut server => {
            daemon.end("stopped");
            tracing::error!(?ended, "the server ended by itself");
        }
    }
    if let Some(clock) = &daemon.audit().clock {
        clock.release();
    }
    // In a directory that was made anew it would be another daemon's.
    if lock.stands()
        && let Err(error) = state.forget()
    {
        tracing::warn!(%error, "daemon.json stays behind");
    }
    // Answers under way are sent; what does not end is cut.
    if !server.is_finished() && tokio::time::timeout(DRAIN, &mut server).await.is_err() {
        server.abort();
    }
    daemon.sockets.close();
    if tokio::time::timeout(DRAIN, daemon.sockets.wait()).await.is_err() {
        tracing::warn!(open = daemon.sockets.len(), "sockets are cut");
    }
    keeping.abort();
    tracing::info!("the daemon ends");
    drop(lock);
    Ok(())
}

/// Returns when the instance's directory is no longer the one that is held: nobody can find this daemon any more.
async fn removed(lock: &Lock) {
    let mut every = tokio::time::interval(LOOK_EVERY);
    while lock.stands() {
        every.tick().await;
    }
}

/// Binds the asked port; else the one of the last time, since the paired extension looks for the daemon there; else a free one.
async fn listen(state: &StateDir, port: Option<u16>) -> Result<TcpListener, ServeError> {
    let last: Option<u16> = std::fs::read_to_string(state.file(PORT_FILE)).ok().and_then(|text| text.trim().parse().ok());
    let (candidates, ports): (Vec<u16>, String) = match port {
        Some(port) => (vec![port], port.to_string()),
        None if state.is_default() => {
            let range = format!("{} to {}", DEFAULT_PORTS.start(), DEFAULT_PORTS.end());
            (last.into_iter().filter(|port| DEFAULT_PORTS.contains(port)).chain(DEFAULT_PORTS).collect(), range)
        }
        None => (last.into_iter().chain([0]).collect(), "0".to_owned()),
    };
    let mut failure = None;
    for port in candidates {
        match TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await {
            Ok(listener) => {
                let bound = listener.local_addr()?.port();
                if last.is_some_and(|last| last != bound) {
                    tracing::warn!(
                        bound,
                        "the port of the last time was not to be had: pair the extension again if it does not find the daemon"
                    );
                }
                state.write(PORT_FILE, &bound)?;
                return Ok(listener);
            }
            Err(error) => failure = Some(error),
        }
    }
    Err(ServeError::Port { ports, source: failure.unwrap_or_else(|| std::io::ErrorKind::AddrInUse.into()) })
}

#[derive(Clone)]
struct Guard {
    doors: Arc<Doors>,
    daemon: Arc<Daemon>,
}

fn routes(daemon: &Arc<Daemon>) -> Router {
    let doors = Arc::new(Doors { port: daemon.file.port, token: daemon.file.token.clone() });
    let guard = Guard { doors, daemon: Arc::clone(daemon) };
    let host = Arc::new(Arc::clone(daemon));
    let mcp = http_door(host, daemon.file.port, MAX_FRAME_BYTES, daemon.shutdown.clone());
    Router::new()
        .route("/extension", any(extension))
        .route("/relay", any(relay))
        .route("/control", any(control))
        .route("/health", get(|| async { "ok" }))
        .route("/mcp", any_service(mcp))
        .fallback(|| async { StatusCode::NOT_FOUND })
        .layer(from_fn_with_state(guard, knock))
        .with_state(Arc::clone(daemon))
}

/// Every request passes here before any route is looked at.
async fn knock(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    match guard.doors.check(request.uri(), request.headers()) {
        Ok(Door::Mcp) => match readable(request).await {
            Ok(request) => next.run(request).await,
            Err(answer) => answer,
        },
        Ok(_) => next.run(request).await,
        Err(closed) => {
            let door = Door::at(request.uri().path()).map_or("none", Door::word);
            tracing::warn!(door, why = %closed, "a request was turned away");
            guard.daemon.audit().write(Entry::Refused { door, why: &closed.to_string() });
            (closed.status(), format!("{closed}\n")).into_response()
        }
    }
}

/// A message over HTTP as the MCP server can read it, or the answer that it would not give.
async fn readable(request: Request) -> Result<Request, Response> {
    let (head, body) = request.into_parts();
    let Ok(bytes) = to_bytes(body, MAX_FRAME_BYTES).await else {
        return Err(StatusCode::PAYLOAD_TOO_LARGE.into_response());
    };
    let Ok(text) = std::str::from_utf8(&bytes) else {
        return Ok(Request::from_parts(head, Body::from(bytes)));
    };
    let text = rpc::mended(text);
    match rpc::refusal(&text) {
        Some(refusal) => Err((StatusCode::BAD_REQUEST, [(CONTENT_TYPE, "application/json")], refusal).into_response()),
        None => Ok(Request::from_parts(head, Body::from(text.into_owned()))),
    }
}

fn sized(upgrade: WebSocketUpgrade) -> WebSocketUpgrade {
    upgrade.max_message_size(MAX_FRAME_BYTES).max_frame_size(MAX_FRAME_BYTES)
}

async fn extension(State(daemon): State<Arc<Daemon>>, upgrade: WebSocketUpgrade) -> Response {
    sized(upgrade).on_upgrade(move |socket| async move {
        let serving = daemon.reception.serve(socket, daemon.shutdown.clone());
        daemon.sockets.track_future(serving).await;
    })
}

async fn relay(State(daemon): State<Arc<Daemon>>, headers: HeaderMap, upgrade: WebSocketUpgrade) -> Response {
    let header =
        |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).filter(|text| text.len() <= 128).map(ToOwned::to_owned);
    let id = header(RELAY_HEADER).unwrap_or_else(|| uuid::Uuid::new_v4().to_string());
    let host = header(HOST_HEADER).unwrap_or_default();
    let offer = header(OFFER_HEADER).and_then(|word| Offer::of(&word)).unwrap_or_default();
    sized(upgrade).on_upgrade(move |socket| async move {
        let sockets = daemon.sockets.clone();
        sockets.track_future(serve_relay(daemon, id, host, offer, socket)).await;
    })
}

async fn serve_relay(daemon: Arc<Daemon>, id: String, host: String, offer: Offer, socket: WebSocket) {
    let _present = daemon.agent();
    // A session of the daemon before this one is not over because its agent says nothing for a while.
    let _stay = daemon.stay(SessionId(id.clone()));
    tracing::info!(relay = %id, %host, "a relay is connected");
    let (mut sink, mut stream) = socket.split();
    let (to_server, from_relay) = mpsc::channel(64);
    let (to_relay, mut from_server) = mpsc::channel::<String>(64);
    let audit = Arc::clone(daemon.audit());
    let server = serve_lines(Arc::new(Arc::clone(&daemon)), SessionId(id.clone()), offer, from_relay, to_relay);
    let reading = async {
        while let Some(Ok(message)) = stream.next().await {
            match message {
                Message::Text(text) => {
                    audit.frame(Hop::Relay(&id), Direction::In, &text);
                    if to_server.send(text.as_str().to_owned()).await.is_err() {
                        break;
                    }
                }
                Message::Close(_) => break,
                _ => {}
            }
        }
        drop(to_server);
    };
    let writing = async {
        let farewell = loop {
            let text = tokio::select! {
                biased;
                text = from_server.recv() => text,
                () = daemon.shutdown.cancelled() => break *daemon.farewell.lock().unwrap_or_else(PoisonError::into_inner),
            };
            let Some(text) = text else { break "over" };
            audit.frame(Hop::Relay(&id), Direction::Out, &text);
            if sink.send(Message::Text(text.into())).await.is_err() {
                break "over";
            }
        };
        // The relay reads from the reason whether to come back by itself.
        let _ = sink.send(Message::Close(Some(CloseFrame { code: close_code::AWAY, reason: farewell.into() }))).await;
    };
    tokio::select! {
        ((), ()) = async { tokio::join!(server, reading) } => {}
        () = writing => {}
    }
    tracing::info!(relay = %id, "a relay is disconnected");
}

async fn control(State(daemon): State<Arc<Daemon>>, upgrade: WebSocketUpgrade) -> Response {
    sized(upgrade).on_upgrade(move |mut socket| async move {
        while let Some(Ok(message)) = socket.recv().await {
            let Message::Text(text) = message else {
                continue;
            };
            let Ok(question) = serde_json::from_str::<Question>(&text) else {
                break;
            };
            let reply = serde_json::to_string(&answer(&daemon, &question).await).unwrap_or_default();
            if socket.send(Message::Text(reply.into())).await.is_err() {
                break;
            }
            match &question {
                Question::Stop => daemon.end("stopped"),
                Question::Replace => daemon.end("replaced"),
                _ => {}
            }
        }
    })
}
