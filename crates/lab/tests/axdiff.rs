//! Our tree against Chrome's own: on every fixture and every naming case nothing differs without a reason.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::path::Path;

use lab::axdiff;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_difference_has_a_reason() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let outcome = axdiff::run(&root, &[]).await.unwrap();
    let mut said = Vec::new();
    outcome.print(&mut said).unwrap();
    assert!(outcome.is_clean(), "\n{}", String::from_utf8_lossy(&said));
    assert!(outcome.cases >= 220 && outcome.nodes > 1_000, "\n{}", String::from_utf8_lossy(&said));
}
