//! Real Chrome under the lab's hand: found, started, driven with real input, and ended without a trace.

mod binary;
mod card;
mod chrome;
mod devtools;
mod discard;
mod display;
mod error;
mod fault;
mod guard;
mod launch;
mod meter;
mod process;
mod steps;
mod still;
mod witness;

pub use chrome::{Chrome, TabHandle};
pub use error::ChromeError;
pub use guard::Guard;
pub use launch::{ChromeOptions, Profile, Versions};
pub use meter::{Meter, Work};
pub use process::{group_is_alive, is_running, users_of};
pub use still::{Resource, Still, StillDocument, StillElement, StillNode, StillShadow, Wanted, still_at};
pub use witness::Witness;
