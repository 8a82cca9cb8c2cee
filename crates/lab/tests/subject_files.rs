//! The project's own adapter files: all read, all fulfil the schema, and the schema is the code's.

#![allow(clippy::expect_used, reason = "in a test a panic with its reason is the report")]

use std::fs;
use std::path::{Path, PathBuf};

use lab::subject::{Adapter, schema};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects")
}

#[test]
fn the_schema_file_is_current() {
    let path = folder().join("adapter.schema.json");
    let fresh = format!("{}\n", serde_json::to_string_pretty(&schema()).expect("serialises"));
    if std::env::var_os("LAB_UPDATE_SCHEMA").is_some() {
        fs::write(&path, &fresh).expect("writes");
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == fresh, "subjects/adapter.schema.json is stale; run: LAB_UPDATE_SCHEMA=1 cargo test -p lab --test subject_files");
}

#[test]
fn every_adapter_is_read_and_fulfils_the_schema() {
    let validator = jsonschema::validator_for(&schema()).expect("the schema is one");
    let files = fs::read_dir(folder()).expect("is there").flatten().map(|entry| entry.path());
    let files = files.filter(|path| path.extension().is_some_and(|ending| ending == "yaml")).collect::<Vec<_>>();
    assert!(files.len() >= 7, "{files:?}");
    for path in files {
        let source = fs::read_to_string(&path).expect("is there");
        let name = path.file_stem().and_then(|stem| stem.to_str()).expect("has a name");
        Adapter::load(&folder(), name).unwrap_or_else(|error| panic!("{:?}", miette::Report::new(error)));
        assert!(source.starts_with("# yaml-language-server: $schema=adapter.schema.json\n"), "{name}: an editor finds no schema");
        let value: serde_json::Value = serde_saphyr::from_str(&source).expect("is YAML");
        let faults = validator.iter_errors(&value).map(|fault| format!("{fault} at {}", fault.instance_path())).collect::<Vec<_>>();
        assert!(faults.is_empty(), "{name}: {faults:?}");
    }
}

#[test]
fn the_schema_refuses_what_the_reader_refuses() {
    let validator = jsonschema::validator_for(&schema()).expect("the schema is one");
    for wrong in ["{title: t, foo: 1}", "{title: t, tools: {clik: {}}}", "{title: t, tools: {click: {toll: x}}}", "{server: {command: x}}"]
    {
        let value: serde_json::Value = serde_saphyr::from_str(wrong).expect("is YAML");
        assert!(!validator.is_valid(&value), "{wrong}");
    }
}
