//! `lab serve`: the fixtures for a person. A gallery lists them; beside the list it shows live what the journal of the
//! chosen fixture holds, in a page of its own, so that the tested page stays what it is.

use std::collections::HashMap;
use std::convert::Infallible;
use std::future::Future;
use std::io::Write;
use std::path::{Path, PathBuf};

use axum::Router;
use axum::extract::{Query, State};
use axum::http::{StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use futures_util::stream::{self, Stream, StreamExt};
use serde::Serialize;
use serde_json::{Map, Value};
use tokio::sync::broadcast::error::RecvError;

use crate::fixture::{Fixture, FixtureServer, Hub, Record, ServerError, ServerOptions, load_all};

const PAGE: &str = include_str!("serve/gallery.html");
const STYLE: &str = include_str!("serve/gallery.css");
const SCRIPT: &str = include_str!("serve/gallery.js");
const ICON: &str = include_str!("serve/icon.svg");

/// Why `lab serve` ended.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The server did not start.
    #[error(transparent)]
    Server(#[from] ServerError),
    /// The address could not be printed.
    #[error("the address could not be printed: {0}")]
    Print(#[from] std::io::Error),
}

/// Serves fixtures and gallery until `stop` is done; prints the address first.
pub async fn run(fixtures: &Path, port: u16, out: &mut (dyn Write + Send), stop: impl Future<Output = ()>) -> Result<(), ServeError> {
    let server = start(fixtures, port).await?;
    writeln!(out, "fixtures: {}/   (second site: {}/)", server.origin_a(), server.origin_b())?;
    writeln!(out, "Ctrl-C ends it.")?;
    out.flush()?;
    stop.await;
    Ok(())
}

/// Starts a fixture server that also shows the gallery at `/`.
pub async fn start(fixtures: &Path, port: u16) -> Result<FixtureServer, ServerError> {
    let hub = Hub::default();
    let gallery = Gallery { root: fixtures.to_owned(), hub: hub.clone() };
    FixtureServer::start_with(fixtures, ServerOptions { port, routes: routes(gallery), hub }).await
}

#[derive(Clone)]
struct Gallery {
    root: PathBuf,
    hub: Hub,
}

fn routes(gallery: Gallery) -> Router {
    Router::new()
        .route("/", get(|| async { Html(PAGE) }))
        .route("/gallery/gallery.css", get(|| async { asset("text/css; charset=utf-8", STYLE) }))
        .route("/gallery/gallery.js", get(|| async { asset("text/javascript; charset=utf-8", SCRIPT) }))
        .route("/gallery/icon.svg", get(|| async { asset("image/svg+xml", ICON) }))
        .route("/gallery/fixtures", get(fixtures))
        .route("/gallery/journal", get(journal))
        .with_state(gallery)
}

fn asset(kind: &'static str, text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}

/// What the gallery shows of a fixture.
#[derive(Serialize)]
struct Card {
    id: String,
    group: String,
    title: String,
    story: String,
    tags: Vec<String>,
    issues: Vec<String>,
    goal: Map<String, Value>,
    steps: Vec<String>,
    variants: Vec<(String, Vec<String>)>,
    path: String,
}

impl From<Fixture> for Card {
    fn from(fixture: Fixture) -> Self {
        Self {
            group: fixture.group().to_owned(),
            path: fixture.path(),
            steps: fixture.reference.iter().map(ToString::to_string).collect(),
            id: fixture.id,
            title: fixture.title,
            story: fixture.story,
            tags: fixture.tags,
            issues: fixture.issues,
            goal: fixture.goal,
            variants: fixture.variants.into_iter().collect(),
        }
    }
}

/// Read anew for each visit: whoever writes a fixture sees it after a reload.
async fn fixtures(State(gallery): State<Gallery>) -> Response {
    match tokio::task::spawn_blocking(move || load_all(&gallery.root)).await {
        Ok(Ok(all)) => axum::Json(all.into_iter().map(Card::from).collect::<Vec<_>>()).into_response(),
        Ok(Err(error)) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}

/// The records of one run: those there are, then each as it arrives.
async fn journal(
    State(gallery): State<Gallery>,
    Query(query): Query<HashMap<String, String>>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let run = query.get("run").cloned().unwrap_or_default();
    // Followed before it is read, so that nothing can fall between the two.
    let follower = gallery.hub.follow();
    let past = gallery.hub.journal(&run).records;
    let known = past.len();
    let coming = stream::unfold((follower, run), |(mut follower, run)| async move {
        loop {
            match follower.recv().await {
                Ok(seen) if seen.run == run => return Some((seen.record, (follower, run))),
                Ok(_) => {}
                // A page that is too slow for its journal is told to read it again.
                Err(RecvError::Lagged(_) | RecvError::Closed) => return None,
            }
        }
    })
    .filter(move |record| std::future::ready(record.index >= known));
    Sse::new(stream::iter(past).chain(coming).map(|record| Ok(event_of(&record)))).keep_alive(KeepAlive::default())
}

fn event_of(record: &Record) -> Event {
    Event::default().json_data(record).unwrap_or_else(|_| Event::default().comment("a record that cannot be shown"))
}
