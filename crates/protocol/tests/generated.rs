//! The committed TypeScript is the one this crate would write.

#[test]
fn typescript_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../extension/src/generated/protocol.ts");
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    assert!(committed == protocol::export::typescript(), "extension/src/generated/protocol.ts is stale: run `cargo xtask codegen`");
}

#[test]
fn transcript_schema_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/transcript.schema.json");
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    assert!(committed == protocol::export::transcript_schema(), "docs/transcript.schema.json is stale: run `cargo xtask codegen`");
}
