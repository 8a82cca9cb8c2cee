//! What is read, end to end through the bridge in real Chrome: golden texts of the reading patterns, growth and extremes, memory.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests fail by panicking, and tell what they measured")]

mod bridge;
mod budget;
mod devtools;
mod extremes;
mod goldens;
mod memory;
