//! `tegata tools`: what can be called, for who calls by hand.
#![expect(clippy::print_stdout, reason = "this is what a command line is for")]

use std::process::ExitCode;

use bridge::tools::registry;

use super::failure;

pub(super) fn tools(tool: Option<&str>) -> ExitCode {
    let Some(name) = tool else {
        for tool in registry() {
            let first = tool.description().split_inclusive(". ").next().unwrap_or_default().trim();
            println!("{:<14} {first}", tool.name());
        }
        println!("`tegata tools NAME` shows the arguments of one.");
        return ExitCode::SUCCESS;
    };
    match registry().iter().find(|tool| tool.name() == name) {
        Some(tool) => {
            println!("{}\n{}", tool.description(), serde_json::to_string_pretty(&tool.schema()).unwrap_or_default());
            ExitCode::SUCCESS
        }
        None => failure(&format!("there is no tool {name}. `tegata tools` shows them."), 2),
    }
}
