//! `lab capture`: a live page as a fixture of its own, scrubbed, that asks nothing of any host. Pure; the page comes from the driver.

mod address;
mod page;
mod scrub;
mod texts;

use crate::driver::{Still, StillNode};
use crate::fixture::lint;

pub use page::Tally;
pub use scrub::{Scrub, Scrubber, shape};
pub use texts::texts;

/// How a page is written.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// What is replaced.
    pub scrub: Scrub,
    /// Its scripts stay.
    pub keep_scripts: bool,
    /// Its pictures stay.
    pub images: bool,
}

/// A page as a fixture.
#[derive(Debug)]
pub struct Captured {
    /// The page.
    pub html: String,
    /// Its metadata, to be filled in by a person.
    pub yaml: String,
    /// What is in it, and what is not.
    pub tally: Tally,
    /// How many words were replaced.
    pub replaced: usize,
}

/// Why a page cannot be a fixture.
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    /// It could not be written.
    #[error("the page could not be written: {0}")]
    Write(#[from] std::io::Error),
    /// It would ask something of another host.
    #[error("line {line} of the captured page {message}: this is a fault of the lab, please report it")]
    Unsound {
        /// The line.
        line: u64,
        /// What is wrong.
        message: String,
    },
}

/// Makes a fixture of a page; `salt` makes its filler its own.
///
/// # Errors
/// When it would not be self-contained.
pub fn capture(still: &Still, options: Options, salt: &[u8]) -> Result<Captured, CaptureError> {
    let mut scrubber = Scrubber::new(options.scrub, salt, typed(still));
    let (html, tally) = page::write(still, options, &mut scrubber)?;
    // What a page's own scripts made may be no tree that any text could give.
    let broken = !lint::problems(&html, false).is_empty();
    if let Some(problem) = lint::problems(&html, true).into_iter().next() {
        return Err(CaptureError::Unsound { line: problem.line, message: problem.message });
    }
    let title = still.documents.get(&still.top).map(|document| document.title.clone()).unwrap_or_default();
    let title = scrubber.text(if title.trim().is_empty() { "Captured page" } else { title.trim() });
    let tags = if broken { format!("captured, {}", lint::BROKEN_MARKUP) } else { String::from("captured") };
    let yaml = format!(
        "title: {}\nstory: \"Captured from a live page and scrubbed. Say here what goes wrong on it.\"\ntags: [{tags}]\nissues: []\n# What a person reaches on it, and how: without scripts no goal is ever set, so it stays empty.\ngoal: {{}}\nreference: []\n",
        serde_json::Value::from(title)
    );
    Ok(Captured { html, yaml, tally, replaced: scrubber.replaced() })
}

/// What is in the page's fields.
fn typed(still: &Still) -> Vec<String> {
    let nodes = still.documents.values().flat_map(|document| &document.nodes);
    let value = |node: &StillNode| match node {
        StillNode::Typed(text) => Some(text.clone()),
        StillNode::Element(element) => {
            let kind = element.attributes.iter().find(|(name, _)| name == "type").map(|(_, kind)| kind.to_ascii_lowercase());
            let is_label = matches!(
                kind.as_deref(),
                Some(
                    "button"
                        | "submit"
                        | "reset"
                        | "checkbox"
                        | "radio"
                        | "range"
                        | "color"
                        | "date"
                        | "month"
                        | "week"
                        | "time"
                        | "datetime-local"
                )
            );
            element.value.clone().filter(|_| !is_label)
        }
        StillNode::Text(_) => None,
    };
    nodes.filter_map(value).collect()
}

#[cfg(test)]
mod tests;
