//! The seam to the browser: commands out, results and events in. Knows no socket.

use async_trait::async_trait;
use protocol::{Call, Command, CommandError, ErrorCode, Event, Switches};
use serde_json::value::RawValue;
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

/// A browser that carries out commands: the extension behind its link, or a fake in tests.
#[async_trait]
pub trait Browser: Send + Sync {
    /// Carries out one command. When `cancel` fires the command is cancelled at the extension and its answer still awaited, bounded.
    ///
    /// # Errors
    /// `extension_not_connected` before it was sent; `internal` with a message that begins with [`LOST`] when the link broke after it was sent.
    async fn request(&self, command: Command, cancel: &CancellationToken) -> Result<Box<RawValue>, CommandError>;

    /// Events from now on.
    fn events(&self) -> broadcast::Receiver<Event>;

    /// The user's switches; `None` while no extension is connected.
    fn switches(&self) -> Option<Switches>;
}

/// How the message of an error begins when a command was sent and its answer lost: it may have happened.
pub const LOST: &str = "the link broke";

/// Typed commands over any [`Browser`].
#[async_trait]
pub trait BrowserCall: Browser {
    /// Carries out a typed command.
    ///
    /// # Errors
    /// As [`Browser::request`]; `internal` when the answer has another shape.
    async fn call<C>(&self, command: C, cancel: &CancellationToken) -> Result<C::Result, CommandError>
    where
        C: Call + Send + 'static,
    {
        let raw = self.request(command.into(), cancel).await?;
        serde_json::from_str(raw.get()).map_err(|error| {
            CommandError::new(ErrorCode::Internal, format!("the extension answered {} in another shape: {error}", C::METHOD))
        })
    }
}

impl<B: Browser + ?Sized> BrowserCall for B {}
