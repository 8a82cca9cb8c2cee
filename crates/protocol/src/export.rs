//! Writes the TypeScript twin of this crate as one text.

use std::any::TypeId;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;

use ts_rs::{Config, TS, TypeVisitor};

use crate::{Frame, MAX_FRAME_BYTES, MoneyWords, PROTOCOL_VERSION, TranscriptLine, command};

/// Collects a declaration for every named type that can be reached.
struct Collect<'a> {
    cfg: &'a Config,
    seen: HashSet<TypeId>,
    declarations: BTreeMap<String, String>,
}

impl TypeVisitor for Collect<'_> {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        if !self.seen.insert(TypeId::of::<T>()) {
            return;
        }
        T::visit_dependencies(self);
        T::visit_generics(self);
        // Only types declared by a derive have a path of their own; primitives and containers do not.
        if T::output_path().is_some() {
            let docs = T::docs().unwrap_or_default();
            self.declarations.insert(T::ident(self.cfg), format!("{docs}export {}\n", T::decl(self.cfg)));
        }
    }
}

/// The whole of `extension/src/generated/protocol.ts`.
#[must_use]
pub fn typescript() -> String {
    let cfg = Config::new().with_large_int("number");
    let mut collect = Collect { cfg: &cfg, seen: HashSet::new(), declarations: BTreeMap::new() };
    collect.visit::<Frame>();
    command::visit(&mut collect);

    let mut out = String::from("// GENERATED from crates/protocol by `cargo xtask codegen`. Do not edit.\n\n");
    let _ = writeln!(out, "export const PROTOCOL_VERSION = {PROTOCOL_VERSION};");
    let _ = writeln!(out, "export const MAX_FRAME_BYTES = {MAX_FRAME_BYTES};\n");
    let words = serde_json::to_string_pretty(&MoneyWords::table()).unwrap_or_default();
    let _ = writeln!(
        out,
        "/** The table of words that move money; a daemon may add to it. */\nexport const MONEY_WORDS: MoneyWords = {words};\n"
    );
    for declaration in collect.declarations.values() {
        let _ = writeln!(out, "{declaration}");
    }
    out.push_str("/** Parameters and result of every command, by method. */\nexport interface Commands {\n");
    for (method, params, result) in command::rows(&cfg) {
        let _ = writeln!(out, "  \"{method}\": {{ params: {params}; result: {result} }};");
    }
    out.push_str("}\n");
    out
}

/// The whole of `docs/transcript.schema.json`: the schema of one line of a transcript.
#[must_use]
pub fn transcript_schema() -> String {
    let schema = schemars::schema_for!(TranscriptLine);
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}
