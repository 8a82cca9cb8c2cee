//! The journal's wire: numbered records, barriers and waits, attacked without a browser.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use lab::fixture::{FixtureServer, JournalError, RecordKind};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")
}

/// A document played by the test.
struct Page {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    doc: &'static str,
    seq: u64,
}

impl Page {
    async fn open(server: &FixtureServer, run: &str, doc: &'static str) -> Self {
        let address = format!("{}/journal?run={run}&doc={doc}", server.origin_a().replacen("http", "ws", 1));
        let (socket, _) = tokio_tungstenite::connect_async(address).await.unwrap();
        let mut page = Self { socket, doc, seq: 0 };
        page.record(json!({ "kind": "hello", "top": true, "visible": true })).await;
        page
    }

    async fn record(&mut self, fields: Value) {
        let mut record = json!({ "doc": self.doc, "url": "http://127.0.0.1/f/x.html", "seq": self.seq, "t_ms": 1.5 });
        record.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        self.seq += 1;
        self.socket.send(Message::text(record.to_string())).await.unwrap();
    }

    async fn goal(&mut self, state: Value) {
        self.record(json!({ "kind": "goal", "state": state })).await;
    }

    /// Answers the next barrier.
    async fn echo(&mut self) {
        let asked = self.socket.next().await.unwrap().unwrap();
        let asked: Value = serde_json::from_str(asked.to_text().unwrap()).unwrap();
        let echo = json!({ "barrier": asked["barrier"], "sent": self.seq });
        self.socket.send(Message::text(echo.to_string())).await.unwrap();
    }
}

const SOON: Duration = Duration::from_secs(5);

#[tokio::test]
async fn a_barrier_waits_for_every_echo_and_what_was_sent_before() {
    let server = FixtureServer::start(&root()).await.unwrap();
    let mut one = Page::open(&server, "r", "one").await;
    let mut two = Page::open(&server, "r", "two").await;
    server.wait_until("r", SOON, |journal| journal.documents.len() == 2).await.unwrap();
    let (journal, ()) = tokio::join!(server.barrier("r"), async {
        one.goal(json!({ "count": 1 })).await;
        one.echo().await;
        two.goal(json!({ "other": true })).await;
        two.echo().await;
    });
    let journal = journal.unwrap();
    assert_eq!(Value::Object(journal.goal.clone()), json!({ "count": 1, "other": true }));
    assert_eq!(journal.records.len(), 4);
    assert!(journal.silent.is_empty());
    assert_eq!(Value::Object(journal.goal_of(&["count".into()])), json!({ "count": 1 }));
}

#[tokio::test]
async fn a_missing_record_is_a_gap() {
    let server = FixtureServer::start(&root()).await.unwrap();
    let mut page = Page::open(&server, "r", "one").await;
    page.seq += 1;
    page.goal(json!({})).await;
    let (journal, ()) = tokio::join!(server.barrier("r"), page.echo());
    let Err(JournalError::Gap { expected: 1, got: 2, .. }) = journal else { panic!("{journal:?}") };
}

#[tokio::test]
async fn a_lost_last_record_is_a_gap() {
    let server = FixtureServer::start(&root()).await.unwrap();
    let mut page = Page::open(&server, "r", "one").await;
    server.wait_until("r", SOON, |journal| journal.documents.len() == 1).await.unwrap();
    page.seq += 1;
    let (journal, ()) = tokio::join!(server.barrier("r"), page.echo());
    let Err(JournalError::Gap { expected: 1, got: 2, .. }) = journal else { panic!("{journal:?}") };
}

#[tokio::test]
async fn what_is_no_record_is_a_fault_of_the_lab() {
    let server = FixtureServer::start(&root()).await.unwrap();
    let mut page = Page::open(&server, "r", "one").await;
    page.socket.send(Message::text("{\"kind\":\"nonsense\"}")).await.unwrap();
    let (journal, ()) = tokio::join!(server.barrier("r"), page.echo());
    assert!(matches!(journal, Err(JournalError::Unreadable { .. })), "{journal:?}");
}

#[tokio::test]
async fn a_silent_document_is_an_error_within_the_bound() {
    let server = FixtureServer::start(&root()).await.unwrap();
    let _page = Page::open(&server, "r", "one").await;
    server.wait_until("r", SOON, |journal| journal.documents.len() == 1).await.unwrap();
    let started = Instant::now();
    let journal = server.barrier("r").await;
    assert!(matches!(journal, Err(JournalError::Silent { .. })), "{journal:?}");
    assert!(started.elapsed() < Duration::from_millis(1500));
}

#[tokio::test]
async fn a_dialog_excuses_silence() {
    let server = FixtureServer::start(&root()).await.unwrap();
    let mut page = Page::open(&server, "r", "one").await;
    page.record(json!({ "kind": "note", "word": "dialog", "data": { "type": "alert" } })).await;
    server.wait_until("r", SOON, |journal| journal.records.len() == 2).await.unwrap();
    let started = Instant::now();
    let journal = server.barrier("r").await.unwrap();
    assert_eq!(journal.silent, ["one"]);
    assert_eq!(journal.notes("dialog").count(), 1);
    assert!(started.elapsed() < Duration::from_millis(500));
}

#[tokio::test]
async fn a_closed_document_is_not_waited_for() {
    let server = FixtureServer::start(&root()).await.unwrap();
    let page = Page::open(&server, "r", "one").await;
    server.wait_until("r", SOON, |journal| journal.documents.len() == 1).await.unwrap();
    drop(page);
    let journal = server.barrier("r").await.unwrap();
    assert!(!journal.documents[0].live);
}

#[tokio::test]
async fn runs_do_not_mix_and_followers_see_all() {
    let server = FixtureServer::start(&root()).await.unwrap();
    let mut follower = server.follow();
    let mut one = Page::open(&server, "r1", "one").await;
    let _two = Page::open(&server, "r2", "two").await;
    one.goal(json!({ "count": 1 })).await;
    let reached = |journal: &lab::fixture::Journal| !journal.goal.is_empty();
    server.wait_until("r1", SOON, reached).await.unwrap();
    let missed = server.wait_until("r2", Duration::from_millis(50), reached).await;
    assert!(matches!(missed, Err(JournalError::NotReached { .. })));
    let mut goals = 0;
    while goals == 0 {
        let seen = tokio::time::timeout(SOON, follower.recv()).await.unwrap().unwrap();
        goals += usize::from(matches!(seen.record.kind, RecordKind::Goal { .. }) && seen.run == "r1");
    }
    server.hub().forget("r1");
    assert!(server.hub().journal("r1").records.is_empty());
}

#[tokio::test]
async fn pages_are_filled_in_and_folders_are_closed() {
    let server = FixtureServer::start(&root()).await.unwrap();
    let fixtures = lab::fixture::load_all(&root()).unwrap();
    let control = fixtures.iter().find(|fixture| fixture.id == "pointer/control").unwrap();
    let url = server.url(control, "r", &[("delay".to_owned(), "900".to_owned())].into());
    assert_eq!(url, format!("{}/f/pointer/control.html?run=r&delay=900", server.origin_a()));
    let client = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let get = async |path: &str| {
        let response = client.get(format!("{}{path}", server.origin_a())).send().await.unwrap();
        assert!(!response.headers().contains_key("cache-control"));
        (response.status().as_u16(), response.text().await.unwrap())
    };
    assert!(get("/f/pointer/control.html?run=r").await.1.contains("journal.js"));
    assert_eq!(get("/f/..%2f..%2fCargo.toml").await.0, 404);
    assert_eq!(get("/f/pointer/control.yaml").await.0, 404);
    assert_eq!(get("/204").await.0, 204);
    assert_eq!(get("/200").await, (200, "{}".into()));
    assert_eq!(get("/500").await.0, 500);
    assert_eq!(get("/slow?ms=5").await.0, 200);
    assert_eq!(get("/redirect?to=/200").await.0, 307);
    assert!(get("/echo?a=1").await.1.contains("\"query\":\"a=1\""));
    assert!(get("/download").await.1.contains("a file"));
}
