//! Entry point.

use clap::Parser;

fn main() {
    let _cli = lab::cli::Cli::parse();
}
