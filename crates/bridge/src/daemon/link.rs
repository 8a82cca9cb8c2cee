//! The link: the one place an extension can have, and commands over whoever has it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use protocol::{Command, CommandError, ErrorCode, Event, Refused, RefusedWhy, Switches};
use serde_json::value::RawValue;
use tokio::sync::{broadcast, watch};
use tokio_util::sync::CancellationToken;

use super::connection::Connection;
use super::handshake::refused;
use crate::browser::Browser;

/// How long a command waits for an extension that is not there: it may be waking.
const WAKING: Duration = Duration::from_secs(5);

/// How long the extension that has the place may take to show that it lives, when another one asks for it.
const SIGN_OF_LIFE: Duration = Duration::from_secs(2);

/// Place of the extension.
#[derive(Debug)]
pub struct Link {
    place: watch::Sender<Option<Arc<Connection>>>,
    events: broadcast::Sender<Event>,
    /// The last refusal, until an extension is welcomed.
    refusal: Mutex<Option<Refused>>,
    /// One newcomer at a time asks whether the place is free.
    asking: tokio::sync::Mutex<()>,
}

impl Default for Link {
    fn default() -> Self {
        Self {
            place: watch::Sender::new(None),
            events: broadcast::Sender::new(1024),
            refusal: Mutex::default(),
            asking: tokio::sync::Mutex::default(),
        }
    }
}

impl Link {
    /// Who has the place.
    #[must_use]
    pub fn current(&self) -> Option<Arc<Connection>> {
        self.place.borrow().clone()
    }

    /// Changes of who has the place.
    #[must_use]
    pub fn changes(&self) -> watch::Receiver<Option<Arc<Connection>>> {
        self.place.subscribe()
    }

    /// Where frames of the extension tell events.
    #[must_use]
    pub fn sink(&self) -> &broadcast::Sender<Event> {
        &self.events
    }

    /// Why the last extension was turned away, until one was welcomed.
    #[must_use]
    pub fn refusal(&self) -> Option<Refused> {
        self.refusal.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Remembers a refusal.
    pub fn remember(&self, refused: &Refused) {
        *self.refusal.lock().unwrap_or_else(PoisonError::into_inner) = Some(refused.clone());
    }

    /// Gives the place to a newcomer, unless the one who has it lives. `last` runs when the place is sure and may still refuse.
    ///
    /// # Errors
    /// The refusal to send.
    pub async fn take(&self, newcomer: &Arc<Connection>, last: impl FnOnce() -> Result<(), Refused>) -> Result<(), Refused> {
        let _one_at_a_time = self.asking.lock().await;
        if let Some(holder) = self.current() {
            if holder.answers_within(SIGN_OF_LIFE).await {
                return Err(refused(RefusedWhy::Taken));
            }
            tracing::info!(instance = %holder.hello.instance, "the extension that had the place is gone");
            holder.closed.cancel();
        }
        last()?;
        *self.refusal.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.place.send_replace(Some(Arc::clone(newcomer)));
        Ok(())
    }

    /// The socket of a connection has closed.
    pub fn leave(&self, connection: &Arc<Connection>) {
        connection.closed.cancel();
        self.place.send_if_modified(|place| {
            let mine = place.as_ref().is_some_and(|holder| Arc::ptr_eq(holder, connection));
            if mine {
                *place = None;
            }
            mine
        });
    }

    async fn connection(&self, cancel: &CancellationToken) -> Result<Arc<Connection>, CommandError> {
        let mut changes = self.changes();
        let there = async { changes.wait_for(Option::is_some).await.ok().and_then(|place| place.clone()) };
        let found = tokio::select! {
            biased;
            found = tokio::time::timeout(WAKING, there) => found.ok().flatten(),
            () = cancel.cancelled() => return Err(CommandError::new(ErrorCode::Cancelled, "the caller gave up before anything was sent")),
        };
        found.ok_or_else(|| match self.refusal() {
            Some(Refused { why: RefusedWhy::Protocol, message }) => CommandError::new(ErrorCode::ProtocolMismatch, message),
            Some(Refused { why: RefusedWhy::Unpaired | RefusedWhy::Code | RefusedWhy::Proof, message }) => {
                CommandError::new(ErrorCode::ExtensionNotConnected, message)
            }
            _ => CommandError::new(ErrorCode::ExtensionNotConnected, "no extension is connected"),
        })
    }
}

#[async_trait]
impl Browser for Link {
    async fn request(&self, command: Command, cancel: &CancellationToken) -> Result<Box<RawValue>, CommandError> {
        self.connection(cancel).await?.request(command, cancel).await
    }

    fn events(&self) -> broadcast::Receiver<Event> {
        self.events.subscribe()
    }

    fn switches(&self) -> Option<Switches> {
        self.current().map(|connection| connection.switches())
    }
}
