//! The real program, real sockets, a fake extension: everything between an agent and a browser.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod doors;
mod extension;
mod full;
mod handshake;
mod http;
mod instance;
mod lifecycle;
mod link;
mod relay;
mod report;
mod secrets;
mod status;
mod transcript;
