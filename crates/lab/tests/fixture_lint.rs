//! Every fixture's text: valid, witnessed from its first script on, and loading from no other host.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::path::{Path, PathBuf};

use lab::fixture::{lint, load_all};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")
}

#[test]
fn all_metadata_can_be_read() {
    let fixtures = load_all(&root()).unwrap();
    assert!(fixtures.len() >= 3);
}

#[test]
fn all_pages_are_sound() {
    let mut found = Vec::new();
    for fixture in load_all(&root()).unwrap() {
        let html = std::fs::read_to_string(&fixture.page).unwrap();
        for problem in lint::problems(&html, fixture.has_tag(lint::BROKEN_MARKUP)) {
            found.push(format!("{}:{}: {}", fixture.page.display(), problem.line, problem.message));
        }
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn pairs_groups_and_keys_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let group = folder.path().join("pointer");
    std::fs::create_dir(&group).unwrap();
    let message = || load_all(folder.path()).unwrap_err().to_string();

    std::fs::write(group.join("a.html"), "").unwrap();
    assert!(message().contains("has no metadata: write"), "{}", message());
    std::fs::write(group.join("a.yaml"), "title: A\nstory: S\nreference: []\ncolour: red\n").unwrap();
    assert!(message().contains("colour"), "{}", message());
    std::fs::write(group.join("a.yaml"), "title: A\nstory: S\nreference:\n  - click: '#go'\n    hover: '#go'\n").unwrap();
    assert!(message().contains("exactly one action"), "{}", message());
    std::fs::write(group.join("a.yaml"), "title: A\nstory: S\ngoal: {a: 1}\neffect_keys: [b]\nreference: []\n").unwrap();
    assert!(message().contains("effect key `b`"), "{}", message());
    std::fs::write(
        group.join("a.yaml"),
        "title: A\nstory: S\nvariants: {delay: [0, 900], frame: [same, cross]}\nreference:\n  - type: {into: '#f', text: hi}\n    in: ['#frame', 'x-box']\n",
    )
    .unwrap();
    let fixtures = load_all(folder.path()).unwrap();
    assert_eq!(fixtures[0].id, "pointer/a");
    assert_eq!(fixtures[0].variants["delay"], ["0", "900"]);
    assert_eq!(fixtures[0].reference[0].within, ["#frame", "x-box"]);

    std::fs::write(group.join("_part.html"), "").unwrap();
    assert!(load_all(folder.path()).is_ok(), "parts of pages need no metadata");
    std::fs::write(group.join("b.yaml"), "title: B\n").unwrap();
    assert!(message().contains("has no page"), "{}", message());
    std::fs::remove_file(group.join("b.yaml")).unwrap();
    std::fs::create_dir(folder.path().join("mouse")).unwrap();
    std::fs::write(folder.path().join("mouse/a.html"), "").unwrap();
    assert!(message().contains("is no fixture group"), "{}", message());
}
