//! Pairing and proof, and everyone who may not come in.

use bridge::daemon::from_hex;
use futures_util::SinkExt;
use protocol::{Key, MAX_FRAME_BYTES, PROTOCOL_VERSION, RefusedWhy};
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

use super::extension::{FakeExtension, extension_socket, greet, hear, hello};
use super::instance::{Instance, until};

#[tokio::test]
async fn an_extension_pairs_once_and_comes_back_by_its_secret() {
    let instance = Instance::new();
    let daemon = instance.daemon().await;
    let code = from_hex(&instance.code(&daemon).await).unwrap();
    let mut socket = extension_socket(&daemon).await;
    let secret = greet(&mut socket, hello("one", Key::Code), &code).await.unwrap();
    drop(socket);
    let mut again = extension_socket(&daemon).await;
    let refused = greet(&mut again, hello("two", Key::Code), &code).await.unwrap_err();
    assert_eq!(refused.why, RefusedWhy::Code, "a code works once");
    assert!(refused.message.contains("tegata extension --pair"));
    // The daemon and what it knows survive the process.
    assert_eq!(instance.run(&["stop"]).await.0, 0);
    let daemon = instance.find().await;
    let back = FakeExtension::back(&daemon, &secret).await;
    until("tabs are told at every link", || (!back.commands("tabs/hold").is_empty()).then_some(())).await;
}

#[tokio::test]
async fn whoever_cannot_prove_it_gets_nothing() {
    let instance = Instance::new();
    let daemon = instance.daemon().await;
    // Unpaired.
    let mut socket = extension_socket(&daemon).await;
    let refused = greet(&mut socket, hello("stranger", Key::Secret), b"x").await.unwrap_err();
    assert_eq!(refused.why, RefusedWhy::Unpaired);
    assert_eq!(hear(&mut socket).await, None, "the socket is closed");
    // A pairing that is known, a proof that is forged.
    let real = FakeExtension::pair(&instance, &daemon).await;
    let secret = real.vanish().await;
    let mut socket = extension_socket(&daemon).await;
    let refused = greet(&mut socket, hello("one", Key::Secret), b"forged").await.unwrap_err();
    assert_eq!(refused.why, RefusedWhy::Proof);
    // A guess at the code does not spend it.
    let code = from_hex(&instance.code(&daemon).await).unwrap();
    let mut socket = extension_socket(&daemon).await;
    assert_eq!(greet(&mut socket, hello("two", Key::Code), b"forged").await.unwrap_err().why, RefusedWhy::Code);
    let mut socket = extension_socket(&daemon).await;
    greet(&mut socket, hello("two", Key::Code), &code).await.unwrap();
    drop(socket);
    // The one that was paired first still is.
    FakeExtension::back(&daemon, &secret).await;
    assert!(instance.read("audit.jsonl").contains(r#""event":"refused","door":"extension""#));
    assert!(!instance.read("audit.jsonl").contains(&super::extension::hex(&secret)));
}

#[tokio::test]
async fn another_protocol_is_told_to_reload() {
    let instance = Instance::new();
    let daemon = instance.daemon().await;
    let mut socket = extension_socket(&daemon).await;
    // Another version may look otherwise in every other field.
    let frame = json!({"kind": "hello", "hello": {"protocol": PROTOCOL_VERSION - 1, "whatever": [1]}});
    socket.send(Message::Text(frame.to_string().into())).await.unwrap();
    let refused = hear(&mut socket).await.unwrap();
    assert_eq!(refused["refused"]["why"], "protocol");
    assert!(refused["refused"]["message"].as_str().unwrap().contains("chrome://extensions"));
    let (code, out, _) = instance.run(&["status"]).await;
    assert!(code == 1 && out.contains("broken hop: link.") && out.contains("older than Tegata"), "{out}");
    let (_, text, _) = instance.run(&["call", "tabs", r#"{"action":"list"}"#]).await;
    assert!(text.starts_with("protocol_mismatch: "), "{text}");
}

#[tokio::test]
async fn what_is_no_hello_is_refused_and_a_silent_socket_is_closed() {
    let instance = Instance::new();
    let daemon = instance.daemon().await;
    let frames = [
        Message::Text("not json".into()),
        Message::Text(r#"{"kind":"ping"}"#.into()),
        Message::Text(r#"{"kind":"hello"}"#.into()),
        Message::Binary(vec![0; 8].into()),
    ];
    for frame in frames {
        let mut socket = extension_socket(&daemon).await;
        socket.send(frame).await.unwrap();
        let refused = hear(&mut socket).await.unwrap();
        assert_eq!(refused["refused"]["why"], "malformed", "{refused}");
    }
    let mut socket = extension_socket(&daemon).await;
    // The daemon may close while it is still being sent to.
    let _ = socket.send(Message::Text("x".repeat(MAX_FRAME_BYTES + 1).into())).await;
    if let Some(refused) = hear(&mut socket).await {
        assert_eq!(refused["refused"]["why"], "malformed");
    }
    let mut silent = extension_socket(&daemon).await;
    assert_eq!(hear(&mut silent).await, None, "closed after its time");
}

#[tokio::test]
async fn a_newcomer_never_displaces_a_live_link_but_a_dead_one_is_replaced() {
    let instance = Instance::new();
    let daemon = instance.daemon().await;
    let first = FakeExtension::pair(&instance, &daemon).await;
    let code = from_hex(&instance.code(&daemon).await).unwrap();
    let mut second = extension_socket(&daemon).await;
    let refused = greet(&mut second, hello("two", Key::Code), &code).await.unwrap_err();
    assert_eq!(refused.why, RefusedWhy::Taken);
    assert!(!first.is_over());
    // The refused one has not spent its code; once the first is gone it may come.
    let secret = first.vanish().await;
    let mut second = extension_socket(&daemon).await;
    let other = greet(&mut second, hello("two", Key::Code), &code).await.unwrap();
    // It stays connected and says nothing any more: dead, so the first may return.
    let began = std::time::Instant::now();
    let back = FakeExtension::back(&daemon, &secret).await;
    assert!(began.elapsed().as_secs() < 10);
    until("the link works", || (!back.commands("tabs/hold").is_empty()).then_some(())).await;
    assert_ne!(other, secret);
    drop(second);
}
