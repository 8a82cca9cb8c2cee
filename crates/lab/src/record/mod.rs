//! Records what an agent or a person did as a scenario: the calls of a transcript become steps, and what the fixture's journal saw meanwhile
//! becomes what is expected. Pure, but for reading files.

mod arguments;
mod bundle;
mod calls;
mod convert;
mod draft;
mod fill;
mod page;
mod seen;
#[cfg(test)]
mod tests;
mod witness;
mod yaml;

pub use bundle::{Bundle, BundleError, open};
pub use calls::{Call, calls};
pub use convert::{Recorded, Request, convert, page_of};
pub use page::Page;
pub(crate) use page::is_loopback;
pub use witness::Witness;
