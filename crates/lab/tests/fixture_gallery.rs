//! The gallery in real Chrome: a person finds a fixture, opens it, and watches its journal beside it.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::path::{Path, PathBuf};
use std::time::Duration;

use lab::driver::{Chrome, ChromeOptions};
use lab::fixture::{FixtureServer, ReferenceStep};
use lab::serve;
use thirtyfour::prelude::{By, ElementQueryable};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")
}

fn step(css: &str) -> ReferenceStep {
    ReferenceStep { action: lab::fixture::Action::Click(css.into()), within: Vec::new() }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_finds_a_fixture_and_watches_its_journal() {
    let server = serve::start(&root(), 0).await.unwrap();
    let chrome = Chrome::launch(ChromeOptions::default()).await.unwrap();
    let driver = chrome.webdriver().unwrap();
    let gallery = driver.window().await.unwrap();

    driver.goto(server.origin_a()).await.unwrap();
    driver.query(By::Css("#search")).first().await.unwrap().send_keys("counts control").await.unwrap();
    let alone = ".group:only-child > h2 + .card:last-child[href='#pointer/control']";
    assert!(driver.query(By::Css(alone)).first().await.is_ok(), "the search finds this fixture alone");
    driver.goto(format!("{}/#pointer/control", server.origin_a())).await.unwrap();
    driver.refresh().await.unwrap();
    let open = driver.query(By::Css("#open[href]")).first().await.unwrap();
    let page = open.attr("href").await.unwrap().unwrap();
    let page = format!("{}{page}", server.origin_a());
    let run = page.split("run=").nth(1).unwrap().to_owned();

    let tab = chrome.open(&page).await.unwrap();
    server.wait_until(&run, Duration::from_secs(5), |journal| !journal.documents.is_empty()).await.unwrap();
    chrome.perform_in(&tab, &page, &[step("#go")], &server).await.unwrap();
    driver.switch_to_window(gallery).await.unwrap();
    driver.query(By::Css("#goal .met")).first().await.unwrap();
    let seen = driver.query(By::Css("#records")).first().await.unwrap().text().await.unwrap();
    assert!(seen.contains("button#go “Go”") && seen.contains("trusted") && seen.contains("hello"), "{seen}");

    // A look at it for whoever works on it.
    let picture = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gallery.png");
    std::fs::write(&picture, driver.screenshot_as_png().await.unwrap()).unwrap();
    println!("gallery: {}", picture.display());

    driver.query(By::Css("#reset")).first().await.unwrap().click().await.unwrap();
    let open = driver.query(By::Css("#open[href]")).first().await.unwrap();
    assert!(!open.attr("href").await.unwrap().unwrap().contains(&run), "reset begins a new run");
    let left = driver.execute("return document.querySelectorAll('#records li').length", vec![]).await.unwrap();
    assert_eq!(left.convert::<usize>().unwrap(), 0);
    chrome.close().await.unwrap();
}

#[tokio::test]
async fn serve_prints_its_address_and_names_a_taken_port() {
    let mut said = Vec::new();
    serve::run(&root(), 0, &mut said, std::future::ready(())).await.unwrap();
    let said = String::from_utf8(said).unwrap();
    assert!(said.contains("http://127.0.0.1:") && said.contains("http://localhost:"), "{said}");

    let server = FixtureServer::start(&root()).await.unwrap();
    let port = server.origin_a().rsplit(':').next().unwrap().parse().unwrap();
    let error = serve::run(&root(), port, &mut Vec::new(), std::future::ready(())).await.unwrap_err().to_string();
    assert!(error.contains(&port.to_string()) && error.contains("--port"), "{error}");

    let nowhere = serve::run(Path::new("/nowhere"), 0, &mut Vec::new(), std::future::ready(())).await;
    assert!(nowhere.unwrap_err().to_string().contains("journal.js"));
}
