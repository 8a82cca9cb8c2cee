//! The real program, real sockets, a fake extension: everything between an agent and a browser.

mod doors;
mod extension;
mod handshake;
mod http;
mod instance;
mod lifecycle;
mod link;
mod relay;
mod secrets;
mod status;
