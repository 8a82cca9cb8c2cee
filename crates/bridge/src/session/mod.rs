//! Who is at work, and which tabs are whose.

mod ownership;

pub use ownership::{Kept, Ownership, Session, SessionId};
