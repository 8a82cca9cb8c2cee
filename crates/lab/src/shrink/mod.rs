//! Makes a failed scenario as short as it can be: which steps are left, and the file without the others. Pure.

mod ddmin;
mod source;
mod symptom;

pub use ddmin::ddmin;
pub use source::{SourceError, kept};
pub use symptom::Symptom;
