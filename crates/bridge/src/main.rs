//! Entry point.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
