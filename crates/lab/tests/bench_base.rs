//! `lab bench --base`: a build against itself, in turns: both are measured, and nothing is told that is not so.

#![allow(clippy::expect_used, reason = "in a test a panic with its reason is the report")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use lab::subject::Adapter;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("is there")
}

fn bench(base: &Path) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lab"));
    command.arg("--root").arg(root()).args(["bench", "--pages", "A", "--documents", "1", "--repeats", "2", "--base"]).arg(base);
    let output = command.env("NO_COLOR", "1").stdin(Stdio::null()).output().expect("starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().expect("has a code"), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_build_is_measured_in_turns_with_another() {
    // The lab builds the bridge beside itself.
    let build = Adapter::load(&root().join("subjects"), "tegata").expect("is read").build.expect("is built here");
    let binary = Path::new(env!("CARGO_BIN_EXE_lab")).with_file_name(build.bin);
    let (code, said, told) = bench(&binary);
    assert_eq!(code, 0, "{said}{told}");
    let table = said.split_once("Against the base:").expect("has the table").1;
    let rows = table.lines().filter(|line| line.starts_with("| A |")).collect::<Vec<_>>();
    assert!(rows.len() >= 6, "{table}");
    // Of so few nothing is told; what many come to is tested without Chrome.
    assert!(rows.iter().all(|row| row.contains("| too few to tell |")), "{table}");
    let change = rows.iter().find(|row| row.contains("snapshot after one change")).expect("is measured");
    assert_eq!(
        change.split('|').filter(|cell| cell.trim().parse::<f64>().is_ok_and(|ms| ms > 0.0)).count(),
        3,
        "both, and their ratio: {change}"
    );
}

#[test]
fn a_base_that_is_not_there_is_told_at_once() {
    let (code, _, told) = bench(Path::new("/nowhere/tegata"));
    assert_eq!((code, told.contains("--base names /nowhere/tegata, which is no file")), (2, true), "{told}");
}
