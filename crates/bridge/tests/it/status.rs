//! The command line for people and programs.

use serde_json::{Value, json};

use super::extension::{Act, FakeExtension, tab};
use super::instance::Instance;
use protocol::Command;

fn way(line: &str) -> Value {
    assert_eq!(line.trim().lines().count(), 1, "{line}");
    serde_json::from_str(line).unwrap()
}

#[tokio::test]
async fn status_measures_every_hop_and_names_the_broken_one() {
    let instance = Instance::new();
    let (code, out, _) = instance.run(&["status", "--json"]).await;
    assert_eq!((code, &way(&out)["broken"], &way(&out)["ready"]), (1, &json!("daemon"), &json!(false)));
    let daemon = instance.daemon().await;
    let (_, out, _) = instance.run(&["status", "--json"]).await;
    assert_eq!(way(&out)["broken"], "pairing");
    let extension = FakeExtension::pair(&instance, &daemon).await;
    let (_, out, _) = instance.run(&["status", "--json"]).await;
    assert!(
        way(&out)["ready"] == true && out.contains("no http or https page is open"),
        "nothing to measure is not broken, but said: {out}"
    );
    let (code, text, _) = instance.run(&["call", "tabs", r#"{"action":"new","url":"http://127.0.0.1/"}"#, "--session", "手 shell"]).await;
    assert!(code == 0 && text.contains("tab 10"), "{text}");
    let (code, text, _) = instance.run(&["call", "tabs", r#"{"action":"list"}"#, "--session", "手 shell"]).await;
    assert!(code == 0 && text.contains("yours, current"), "a named session keeps its tabs: {text}");
    let (code, out, _) = instance.run(&["status", "--json"]).await;
    let measured = way(&out);
    assert_eq!((code, &measured["ready"]), (0, &json!(true)), "{out}");
    for hop in ["daemon", "extension", "page"] {
        let found = measured["hops"].as_array().unwrap().iter().find(|row| row["name"] == hop).unwrap();
        assert!(found["ok"] == true && found["ms"].is_number(), "{found}");
    }
    assert!(measured["warnings"].as_array().unwrap().is_empty(), "{out}");
    assert!(instance.run(&["status"]).await.1.contains("ok"));
    extension.vanish().await;
    let (_, out, _) = instance.run(&["status"]).await;
    assert!(out.contains("broken hop: link. Open the Chrome"), "{out}");
}

#[tokio::test]
async fn a_worker_that_does_not_answer_and_a_page_that_does_not_are_told_apart() {
    let instance = Instance::new();
    let daemon = instance.daemon().await;
    let acts = |command: &Command| match command {
        Command::TabsList(_) => Act::Answer(json!({"tabs": [tab(3, "http://127.0.0.1/")]})),
        Command::LinkEcho(echo) if echo.tab.is_some() => {
            Act::Answer(json!({"generation": "g", "socket": "worker", "pageError": "the content script is gone"}))
        }
        _ => Act::Usual,
    };
    let _extension = FakeExtension::pair_with(&instance, &daemon, acts).await;
    let (code, out, _) = instance.run(&["status", "--json"]).await;
    let measured = way(&out);
    assert_eq!((code, &measured["broken"], &measured["fix"]), (1, &json!("page"), &json!("Reload that page.")), "{out}");
    assert!(out.contains("the content script is gone"));
}

#[tokio::test]
async fn extension_says_where_it_is_and_what_to_do_when_it_is_not() {
    let instance = Instance::new();
    let (code, out, _) = instance.run(&["extension", "--json"]).await;
    let line = way(&out);
    assert_eq!((code, &line["id"]), (0, &json!(protocol::EXTENSION_ID)));
    assert!(line["folder"].as_str().unwrap().ends_with("/extension") && line["connect_url"].is_null());
    assert!(!instance.state.file("daemon.json").exists(), "asking where it is starts nothing");
    let (_, out, _) = instance.run(&["extension", "--json", "--pair"]).await;
    let url = way(&out)["connect_url"].as_str().unwrap().to_owned();
    let port = instance.state.living().unwrap().unwrap().port;
    let code = url.strip_prefix(&format!("chrome-extension://{}/connect.html#{port}-", protocol::EXTENSION_ID)).unwrap();
    assert_eq!(code.len(), 64);
    let missing = Instance::new().with("TEGATA_EXTENSION_DIR", "/nowhere");
    let (code, out, error) = missing.run(&["extension"]).await;
    assert!(code == 1 && out.is_empty() && error.contains("not built") && error.contains("cargo xtask extension"), "{error}");
}

#[tokio::test]
async fn call_tells_bad_arguments_and_keeps_pictures_in_files() {
    let instance = Instance::new();
    let daemon = instance.daemon().await;
    for arguments in ["nope", "[]"] {
        let (code, out, error) = instance.run(&["call", "tabs", arguments]).await;
        assert!(code == 2 && out.is_empty() && error.contains("arguments"), "{error}");
    }
    let acts = |command: &Command| match command {
        Command::CaptureScreenshot(_) => Act::Answer(
            json!({"data": "aGk=", "mime": "image/png", "width": 1, "height": 1, "scale": 1.0, "hidden": false, "masked": 0, "marked": 0}),
        ),
        _ => Act::Usual,
    };
    let _extension = FakeExtension::pair_with(&instance, &daemon, acts).await;
    instance.run(&["call", "tabs", r#"{"action":"new"}"#, "--session", "s"]).await;
    let (code, out, error) = instance.run(&["call", "screenshot", r#"{"format":"png"}"#, "--session", "s"]).await;
    assert_eq!(code, 0, "{out}{error}");
    let path = out.lines().find(|line| line.ends_with(".png")).unwrap();
    assert_eq!(std::fs::read(path).unwrap(), b"hi");
    std::fs::remove_file(path).unwrap();
    let (code, out, _) = instance.run(&["call", "click", r##"{"target":{"ref":"a1","css":"#x"}}"##]).await;
    assert!(code == 1 && out.starts_with("invalid_argument: "), "{out}");
}
