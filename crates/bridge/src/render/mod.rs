//! Text for agents: pure functions over data.

mod fence;
mod refusal;
mod reply;
mod snapshot;
mod words;

pub use fence::Fence;
pub use refusal::refusal;
pub use reply::{ActReply, act_reply, evidence_line};
pub use snapshot::{Rendered, SNAPSHOT_BUDGET, snapshot, text};
pub use words::{described, dialog_word, parse_ref, quote, ref_word, state_word, tab_line};

#[cfg(test)]
mod tests;
