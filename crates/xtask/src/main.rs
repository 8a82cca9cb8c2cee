//! Build chores that need no tool but cargo: `cargo xtask codegen | tidy | extension | ci`.

use anyhow::{Context as _, Result, bail};

fn main() -> Result<()> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    match std::env::args().nth(1).as_deref() {
        Some("codegen") => {
            let path = format!("{root}/extension/src/generated/protocol.ts");
            std::fs::write(&path, protocol::export::typescript()).with_context(|| format!("cannot write {path}"))
        }
        other => bail!("unknown task {other:?}: codegen"),
    }
}
