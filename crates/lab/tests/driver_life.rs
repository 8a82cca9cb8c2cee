//! Chrome's life: both profiles start, load an extension, and leave nothing behind, however they end.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::path::{Path, PathBuf};
use std::time::Duration;

use lab::driver::{Chrome, ChromeError, ChromeOptions, Profile, group_is_alive, users_of};
use lab::fixture::FixtureServer;
use tokio::sync::Mutex;

/// One Chrome at a time.
static TURN: Mutex<()> = Mutex::const_new(());

const SOON: Duration = Duration::from_secs(10);

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")
}

/// An extension whose worker writes a journal of its own.
fn extension(server: &FixtureServer) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let manifest = r#"{"manifest_version": 3, "name": "Probe", "version": "1", "host_permissions": ["<all_urls>"], "background": {"service_worker": "w.js"}}"#;
    let worker = format!(
        "const socket = new WebSocket('{}/journal?run=extension&doc=w');\n\
         socket.onopen = () => socket.send(JSON.stringify({{doc: 'w', url: location.href, seq: 0, t_ms: 0, kind: 'hello', top: true, visible: false}}));",
        server.origin_a().replacen("http", "ws", 1)
    );
    std::fs::write(folder.path().join("manifest.json"), manifest).unwrap();
    std::fs::write(folder.path().join("w.js"), worker).unwrap();
    folder
}

/// No process of the group, none that names the profile, and no profile.
fn is_gone(group: i32, folder: &Path) -> bool {
    !group_is_alive(group) && users_of(folder).is_empty() && !folder.exists()
}

fn profile_of(chrome: &Chrome) -> PathBuf {
    chrome.profile_folder().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn both_profiles_load_an_extension_by_both_ways_and_open_tabs() {
    let _turn = TURN.lock().await;
    for profile in [Profile::Calm, Profile::Wild] {
        for install_by_command in [false, true] {
            let server = FixtureServer::start(&root()).await.unwrap();
            let folder = extension(&server);
            let start = format!("{}/f/pointer/control.html?run=start", server.origin_a());
            let options = ChromeOptions {
                profile,
                extension: Some(folder.path().to_owned()),
                urls: vec![start],
                install_by_command,
                ..ChromeOptions::default()
            };
            let chrome = Chrome::launch(options).await.unwrap();
            let said_hello = |journal: &lab::fixture::Journal| !journal.documents.is_empty();
            let hello = server.wait_until("extension", SOON, said_hello).await;
            hello.unwrap_or_else(|error| panic!("{profile:?}, by command: {install_by_command}: {error}"));
            server.wait_until("start", SOON, said_hello).await.unwrap();

            let other = format!("{}/f/pointer/control.html?run=b", server.origin_b());
            let tab = chrome.open(&other).await.unwrap();
            let journal = server.wait_until("b", SOON, said_hello).await.unwrap();
            assert!(journal.documents[0].url.starts_with(server.origin_b()));
            assert_eq!(chrome.find_tab(&other).await.unwrap(), tab);
            assert!(chrome.screenshot(&tab).await.unwrap().starts_with(b"\x89PNG"));
            assert!(chrome.devtools_url().starts_with("ws://127.0.0.1:"));
            assert_eq!(chrome.webdriver().is_some(), profile == Profile::Calm);
            chrome.close_tab(&tab).await.unwrap();
            server.wait_until("b", SOON, |journal| !journal.documents[0].live).await.unwrap();

            let (group, folder) = (chrome.process_group(), profile_of(&chrome));
            assert!(group_is_alive(group));
            chrome.close().await.unwrap();
            assert!(is_gone(group, &folder), "{profile:?} left something behind");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn dropping_and_panicking_leave_nothing_behind() {
    let _turn = TURN.lock().await;
    for profile in [Profile::Calm, Profile::Wild] {
        let chrome = Chrome::launch(ChromeOptions { profile, ..ChromeOptions::default() }).await.unwrap();
        let (group, folder) = (chrome.process_group(), profile_of(&chrome));
        drop(chrome);
        assert!(is_gone(group, &folder), "{profile:?} dropped");

        let chrome = Chrome::launch(ChromeOptions { profile, ..ChromeOptions::default() }).await.unwrap();
        let (group, folder) = (chrome.process_group(), profile_of(&chrome));
        let owner = tokio::spawn(async move {
            let _chrome = chrome;
            panic!("the owner fails");
        });
        assert!(owner.await.unwrap_err().is_panic());
        assert!(is_gone(group, &folder), "{profile:?} after a panic");
    }
}

#[tokio::test]
async fn a_folder_without_a_manifest_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let options = ChromeOptions { extension: Some(folder.path().to_owned()), ..ChromeOptions::default() };
    let error = Chrome::launch(options).await.err().unwrap();
    assert!(matches!(error, ChromeError::NoExtension { .. }), "{error}");
}
