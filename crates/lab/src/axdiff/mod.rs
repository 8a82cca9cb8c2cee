//! `lab axdiff`: our tree of every fixture and of a corpus of small cases, against the accessibility tree that Chrome
//! itself computes. What differs is explained in a list or an error.

mod compare;
mod corpus;
mod explained;
mod link;
mod node;
mod visit;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::driver::{Chrome, ChromeError, ChromeOptions};
use crate::fixture::{FixtureError, FixtureServer, NAMES, ServerError, load_all};

pub use compare::{Difference, Kind};
pub use corpus::{Case, Topic};
pub use explained::Rule;
use link::Link;
pub use node::Shown;
use visit::{Document, Visitor};

/// Why the trees could not be compared.
#[derive(Debug, thiserror::Error)]
pub enum AxError {
    /// DevTools did not do what it was asked.
    #[error("Chrome's DevTools: {0}")]
    Link(String),
    /// A page could not be read.
    #[error("{url}: {reason}")]
    Page {
        /// Its address.
        url: String,
        /// Why.
        reason: String,
    },
    /// A file of the corpus is wrong.
    #[error("{path}: {reason}", path = path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// No page has a name like that.
    #[error("no fixture and no topic is named so: {}", .0.join(" "))]
    Nothing(Vec<String>),
    /// The fixtures could not be read.
    #[error(transparent)]
    Fixture(#[from] FixtureError),
    /// The fixture server did not start.
    #[error(transparent)]
    Server(#[from] ServerError),
    /// Chrome did not start.
    #[error(transparent)]
    Chrome(#[from] ChromeError),
    /// A folder could not be written, or the output.
    #[error("a temporary folder or the output cannot be written: {0}")]
    Io(#[from] io::Error),
}

/// What came of a comparison.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Pages compared.
    pub pages: usize,
    /// Cases compared.
    pub cases: usize,
    /// Nodes that Chrome shows.
    pub nodes: usize,
    /// Differences that the list explains.
    pub explained: usize,
    /// Those that nothing explains.
    pub unexplained: Vec<Difference>,
    /// Explanations that explained nothing although everything was compared.
    pub idle: Vec<String>,
}

impl Outcome {
    /// Whether all is as it should be.
    pub fn is_clean(&self) -> bool {
        self.unexplained.is_empty() && self.idle.is_empty()
    }

    /// Prints it, differences first.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        for difference in &self.unexplained {
            writeln!(out, "{difference}")?;
        }
        for reason in &self.idle {
            writeln!(out, "explains nothing any more: {reason}")?;
        }
        writeln!(
            out,
            "{} pages, {} cases, {} nodes: {} differences explained, {} unexplained",
            self.pages,
            self.cases,
            self.nodes,
            self.explained,
            self.unexplained.len()
        )
    }
}

/// Compares every page of the project whose name holds one of the words; none: all.
///
/// # Errors
/// When Chrome, the extension or a file is not as needed.
pub async fn run(root: &Path, words: &[String]) -> Result<Outcome, AxError> {
    let folder = root.join("fixtures");
    let named = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word.as_str()));
    let rules = Rule::load(&folder.join(NAMES).join(corpus::EXPLAINED))?;
    let topics: Vec<Topic> = Topic::load_all(&folder.join(NAMES))?.into_iter().filter(|topic| named(&page_of(topic))).collect();
    let fixtures = load_all(&folder)?.into_iter().filter(|fixture| named(&fixture.id)).collect::<Vec<_>>();
    if topics.is_empty() && fixtures.is_empty() {
        return Err(AxError::Nothing(words.to_vec()));
    }
    let made = tempfile::tempdir()?;
    std::fs::create_dir(made.path().join(NAMES))?;
    std::fs::copy(folder.join("journal.js"), made.path().join("journal.js"))?;
    for topic in &topics {
        std::fs::write(made.path().join(format!("{}.html", page_of(topic))), topic.page())?;
    }
    let server = FixtureServer::start(&folder).await?;
    let corpus = FixtureServer::start(made.path()).await?;
    let chrome = Chrome::launch(ChromeOptions { extension: Some(root.join("extension/dist")), ..ChromeOptions::default() }).await?;
    let compared = async {
        let link = Link::connect(chrome.devtools_url()).await?;
        let visitor = Visitor::open(&link).await?;
        let mut comparison = Comparison { rules: &rules, used: BTreeSet::new(), outcome: Outcome::default() };
        for topic in &topics {
            let documents = visitor.visit(&format!("{}/f/{}.html", corpus.origin_a(), page_of(topic))).await?;
            comparison.cases(topic, &documents);
            comparison.page(&page_of(topic), &documents);
        }
        for fixture in &fixtures {
            let url = server.url(fixture, &FixtureServer::new_run(), &BTreeMap::new());
            comparison.page(&fixture.id, &visitor.visit(&url).await?);
        }
        visitor.close().await?;
        Ok::<_, AxError>(comparison.finish(words.is_empty()))
    }
    .await;
    chrome.close().await?;
    compared
}

fn page_of(topic: &Topic) -> String {
    format!("{NAMES}/{}", topic.name)
}

/// A comparison under way.
struct Comparison<'a> {
    rules: &'a [Rule],
    used: BTreeSet<usize>,
    outcome: Outcome,
}

impl Comparison<'_> {
    fn page(&mut self, page: &str, documents: &[Document]) {
        self.outcome.pages += 1;
        for document in documents {
            self.outcome.nodes += document.chrome.elements.len();
            tracing::debug!(page, url = document.url, ours = document.ours.len(), chrome = document.chrome.elements.len(), "compared");
            self.judge(compare::differences(page, document));
        }
    }

    fn judge(&mut self, found: Vec<Difference>) {
        let before = found.len();
        let left = compare::unexplained(found, self.rules, &mut self.used);
        self.outcome.explained += before - left.len();
        self.outcome.unexplained.extend(left);
    }

    /// Whether Chrome says of each case what the corpus expects, and whether we say the same of its element, shown or not.
    fn cases(&mut self, topic: &Topic, documents: &[Document]) {
        for (id, case) in &topic.cases {
            self.outcome.cases += 1;
            let found = documents.iter().find_map(|document| {
                let (_, own) = document.cases.iter().find(|(mark, _)| mark == id)?;
                let theirs = document.chrome.elements.iter().find(|node| node.backend == own.backend);
                let shown = document.ours.iter().find(|node| node.backend == own.backend);
                Some((shown.unwrap_or(own), theirs.cloned(), shown.is_some()))
            });
            let page = format!("{}/{id}", page_of(topic));
            let (role, name, states) = case.in_chrome();
            let expected = Shown { role: role.to_owned(), name: name.to_owned(), states: states.clone(), ..Shown::default() };
            let mut differences = Vec::new();
            let mut differ = |kind, ours: &str, chrome: &str| {
                let node = format!("{} ({})", compare::worded(&expected), case.html.trim());
                differences.push(Difference {
                    page: page.clone(),
                    kind,
                    node,
                    role: role.to_owned(),
                    around: Vec::new(),
                    ours: ours.to_owned(),
                    chrome: chrome.to_owned(),
                });
            };
            if let Some((own, theirs, shown)) = found {
                // What Chrome leaves out is called `none` by the corpus.
                let theirs = theirs.unwrap_or_else(|| Shown { role: "none".into(), ..Shown::default() });
                if !is_same(&theirs.role, &expected.role) || theirs.name != expected.name || theirs.states != expected.states {
                    differ(Kind::Expected, "", &compare::worded(&theirs));
                }
                // What neither shows has no role to compare.
                if !is_same(&own.role, &theirs.role) && (shown || theirs.role != "none") {
                    differ(Kind::Role, &own.role, &theirs.role);
                }
                // Of what it leaves out Chrome tells no name.
                if own.name != theirs.name && theirs.role != "none" {
                    differ(Kind::Name, &own.name, &theirs.name);
                }
            } else {
                differ(Kind::Missing, "", "no element is marked");
            }
            self.judge(differences);
        }
    }

    fn finish(mut self, whole: bool) -> Outcome {
        if whole {
            let idle = self.rules.iter().enumerate().filter(|(index, _)| !self.used.contains(index));
            self.outcome.idle = idle.map(|(_, rule)| rule.reason.clone()).collect();
        }
        self.outcome
    }
}

/// The same role, or two of those that say nothing: text flows through them on both sides.
fn is_same(one: &str, other: &str) -> bool {
    let plain = |role: &str| matches!(role, "generic" | "none");
    one == other || (plain(one) && plain(other))
}
