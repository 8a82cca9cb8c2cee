//! The project's own scenario files: all read, all fulfil the schema, and the schema is the code's.

#![allow(clippy::expect_used, reason = "in a test a panic with its reason is the report")]

use std::fs;
use std::path::{Path, PathBuf};

use lab::scenario::{Catalog, load_all, schema};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn the_schema_file_is_current() {
    let path = root().join("scenarios/scenario.schema.json");
    let fresh = format!("{}\n", serde_json::to_string_pretty(&schema()).expect("serialises"));
    if std::env::var_os("LAB_UPDATE_SCHEMA").is_some() {
        fs::write(&path, &fresh).expect("writes");
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == fresh, "scenarios/scenario.schema.json is stale; run: LAB_UPDATE_SCHEMA=1 cargo test -p lab --test scenario_files");
}

#[test]
fn every_scenario_is_read_and_fulfils_the_schema() {
    let fixtures = lab::fixture::load_all(&root().join("fixtures")).expect("the fixtures are read");
    let folder = root().join("scenarios");
    let scenarios = load_all(&folder, &Catalog::of(&fixtures)).unwrap_or_else(|error| panic!("{:?}", miette::Report::new(error)));
    assert!(!scenarios.is_empty());
    let validator = jsonschema::validator_for(&schema()).expect("the schema is one");
    for scenario in scenarios {
        let path = folder.join(format!("{}.yaml", scenario.name));
        let source = fs::read_to_string(&path).expect("is there");
        let value: serde_json::Value = serde_saphyr::from_str(&source).expect("is YAML");
        let faults = validator.iter_errors(&value).map(|fault| format!("{fault} at {}", fault.instance_path())).collect::<Vec<_>>();
        assert!(faults.is_empty(), "{}: {faults:?}", path.display());
    }
}
