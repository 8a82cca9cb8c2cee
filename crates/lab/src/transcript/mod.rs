//! Transcripts on disk: reading them with an error for each way they can be wrong, making them small and alike, comparing two.

mod compare;
mod compose;
mod read;
mod secret;

pub use compare::compare;
pub use compose::{Composed, Places, compose};
pub use read::{Transcript, TranscriptError, parse, read};

use crate::event::Case;
use crate::scenario::Profile;

/// The project's folder in every transcript.
pub(crate) const PROJECT: &str = "/project";

/// The file of a case's transcript, below `scenarios/`.
#[must_use]
pub fn file_of(case: &Case) -> String {
    match case.profile {
        Profile::Calm => format!("{}.transcript.jsonl", case.name),
        Profile::Wild | Profile::Headed => format!("{}.{}.transcript.jsonl", case.name, case.profile),
    }
}
