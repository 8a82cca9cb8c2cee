//! Text for agents: pure functions over data.

mod cut;
mod delta;
mod fence;
mod line;
mod link;
mod neutral;
mod outline;
mod reading;
mod refusal;
mod reply;
mod snapshot;
mod table;
mod words;

pub use cut::{Shortened, shorten};
pub use delta::{Delta, Edit, Hunk, apply, diff};
pub use fence::Fence;
pub use line::Line;
pub use neutral::Neutralised;
pub use outline::{Outline, outline};
pub use reading::{console, cut_at, fenced, found, request, rows};
pub use refusal::refusal;
pub use reply::{ActReply, act_reply, already, evidence_line};
pub use snapshot::{Rendered, SNAPSHOT_BUDGET, View, changes, changes_block, page, text};
pub use words::{described, dialog_word, parse_ref, quote, ref_word, state_word, tab_line};

#[cfg(test)]
mod goldens;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;
