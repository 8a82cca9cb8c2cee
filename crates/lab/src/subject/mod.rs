//! The servers under test: what the runner needs of one, whoever it is.

mod adapter;
mod builtin;
mod cable;
pub(crate) mod control;
mod image;
mod loss;
mod mapping;
mod packages;
mod process;
pub(crate) mod replayed;
mod reply;
mod session;
pub mod tegata;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use miette::Diagnostic;
use serde_json::{Map, Value};

use crate::driver::Chrome;
use crate::fixture::{Fixture, FixtureServer};
use crate::frames::FrameLog;
use crate::scenario::{Fault, ScenarioError};
use crate::verdict::Claim;

pub use adapter::{Adapter, Builtin, CommandLine, schema};
pub use cable::{Cable, Question};
pub use image::Image;
pub use mapping::target_value;

/// Longest wait for any reply of a server under test.
pub const CALL_BOUND: Duration = Duration::from_secs(30);

/// Why a server under test could not be had or did not answer.
#[derive(Debug, thiserror::Error, Diagnostic)]
pub enum SubjectError {
    /// No adapter file of that name.
    #[error("there is no subject `{name}` in {folder}", folder = folder.display())]
    #[diagnostic(help("the subjects are: {known}"))]
    Unknown {
        /// The name asked for.
        name: String,
        /// Where it was looked for.
        folder: PathBuf,
        /// The names there are.
        known: String,
    },
    /// The adapter file is wrong.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Adapter(Box<ScenarioError>),
    /// It could not be built.
    #[error("the bridge could not be built: {0}")]
    #[diagnostic(help("run `cargo build -p bridge --bin tegata` and see"))]
    Build(String),
    /// Its extension is missing or old.
    #[error("{0}")]
    #[diagnostic(help("run ci/setup"))]
    Extension(String),
    /// Its npm packages could not be installed.
    #[error("the packages of the server under test could not be installed: {0}")]
    #[diagnostic(help("npm (it comes with Node.js) must be there and reach its registry; only peers need packages"))]
    Packages(String),
    /// It did not start or did not get hold of Chrome.
    #[error("{0}")]
    Start(String),
    /// It did not answer in time.
    #[error("no reply to `{tool}` within {} s", .bound.as_secs())]
    NoReply {
        /// The tool.
        tool: String,
        /// The bound.
        bound: Duration,
    },
    /// The connection to it broke.
    #[error("the connection to the server under test broke: {0}")]
    Broken(String),
    /// Its reply lacks what the lab must read in it.
    #[error("{0}")]
    Reply(String),
    /// A built-in subject could not act through WebDriver.
    #[error("a built-in subject could not act: {0}")]
    Driver(String),
}

/// A server under test, not yet running: everything that is done once for a run.
#[derive(Clone)]
pub enum Plan {
    /// Described by an adapter file and spawned as a process.
    Process(Arc<process::Prepared>),
    /// Part of the lab.
    Builtin(Builtin),
}

impl Plan {
    /// Reads the adapter file; builds and checks what it needs.
    ///
    /// # Errors
    /// When there is no such subject, or it cannot be built.
    pub async fn prepare(root: &Path, name: &str) -> Result<Self, SubjectError> {
        let adapter = Adapter::load(&root.join("subjects"), name)?;
        match adapter.builtin {
            Some(builtin) => Ok(Self::Builtin(builtin)),
            None => Ok(Self::Process(Arc::new(process::Prepared::new(root, adapter).await?))),
        }
    }

    /// Whether time and size of a subject can be measured.
    ///
    /// # Errors
    /// When there is no such subject, or it is part of the lab.
    pub fn is_measurable(root: &Path, name: &str) -> Result<(), SubjectError> {
        match Adapter::load(&root.join("subjects"), name)?.builtin {
            Some(_) => Err(SubjectError::Start(format!("`{name}` is part of the lab: there is nothing to measure"))),
            None => Ok(()),
        }
    }

    /// The same for a subject of which only time and size are measured.
    ///
    /// # Errors
    /// When there is no such subject, or it cannot be built.
    pub async fn measured(root: &Path, name: &str) -> Result<Self, SubjectError> {
        let mut adapter = Adapter::load(&root.join("subjects"), name)?;
        adapter.env.append(&mut adapter.measured_env);
        Ok(Self::Process(Arc::new(process::Prepared::new(root, adapter).await?)))
    }

    /// The same, with a daemon whose clock stands, and a transcript in the place of its browser.
    ///
    /// # Errors
    /// When it is part of the lab, or does not start.
    pub(crate) async fn start_replayed(&self, state: &Path) -> Result<replayed::Replayed, SubjectError> {
        match self {
            Self::Process(prepared) => replayed::Replayed::start(Arc::clone(prepared), state).await,
            Self::Builtin(_) => Err(SubjectError::Start("what is part of the lab has no transcript".into())),
        }
    }

    /// The same with another build of it.
    ///
    /// # Errors
    /// When there is no such subject, or none that is built here.
    pub async fn measured_by(root: &Path, name: &str, binary: &Path) -> Result<Self, SubjectError> {
        let mut adapter = Adapter::load(&root.join("subjects"), name)?;
        adapter.env.append(&mut adapter.measured_env);
        if adapter.build.take().is_none() {
            return Err(SubjectError::Start(format!("`{name}` is not built here, so there is no other build of it")));
        }
        let mut prepared = process::Prepared::new(root, adapter).await?;
        prepared.built_as(binary);
        Ok(Self::Process(Arc::new(prepared)))
    }

    /// The same for a subject whose browser is a transcript: its extension is not looked at, and it writes no frames.
    ///
    /// # Errors
    /// When there is no such subject, it is part of the lab, or it cannot be built.
    pub async fn replayed(root: &Path, name: &str) -> Result<Self, SubjectError> {
        let mut adapter = Adapter::load(&root.join("subjects"), name)?;
        if adapter.builtin.is_some() {
            return Err(SubjectError::Start(format!("`{name}` is part of the lab: there is nothing to replay")));
        }
        adapter.env.append(&mut adapter.measured_env);
        if let Some(build) = &mut adapter.build {
            build.extension = None;
        }
        Ok(Self::Process(Arc::new(process::Prepared::new(root, adapter).await?)))
    }

    /// Whether it can run without a driver.
    pub fn runs_wild(&self) -> bool {
        matches!(self, Self::Process(_))
    }

    /// Starts one instance, isolated in its own state folder.
    ///
    /// # Errors
    /// When it does not start.
    pub async fn start(&self, state: &Path) -> Result<Box<dyn Subject>, SubjectError> {
        match self {
            Self::Process(prepared) => Ok(Box::new(process::Process::start(Arc::clone(prepared), state).await?)),
            Self::Builtin(builtin) => Ok(Box::new(*builtin)),
        }
    }

    /// The same with everything that faults need: the way from its extension to its daemon can be cut.
    ///
    /// # Errors
    /// When it does not start.
    pub async fn start_breakable(&self, state: &Path) -> Result<Box<dyn Subject>, SubjectError> {
        match self {
            Self::Process(prepared) => {
                let mut process = process::Process::start(Arc::clone(prepared), state).await?;
                process.lay_cable().await?;
                Ok(Box::new(process))
            }
            Self::Builtin(builtin) => Ok(Box::new(*builtin)),
        }
    }
}

/// A running server under test. One per Chrome.
#[async_trait]
pub trait Subject: Send + Sync {
    /// The unpacked extension Chrome must load.
    fn extension(&self) -> Option<PathBuf> {
        None
    }

    /// The pages that introduce Chrome to it.
    fn start_urls(&self) -> Vec<String> {
        Vec::new()
    }

    /// Waits until it has hold of its Chrome.
    async fn ready(&self) -> Result<(), SubjectError> {
        Ok(())
    }

    /// Opens a fresh session.
    async fn session<'a>(&'a self, stage: Stage<'a>, log: FrameLog) -> Result<Box<dyn SubjectSession + 'a>, SubjectError>;

    /// Its own frame log, if it writes one.
    fn own_log(&self) -> Option<PathBuf> {
        None
    }

    /// Loses a part of it. One that has no such part loses nothing.
    async fn lose(&self, _fault: Fault, _chrome: &Chrome) -> Result<(), SubjectError> {
        Ok(())
    }

    /// The way of its extension to its daemon, where it can be cut.
    fn cable(&self) -> Option<&Cable> {
        None
    }

    /// The word of its extension's present life, where its adapter tells one from the other.
    async fn generation(&self) -> Option<String> {
        None
    }

    /// Writes a transcript to this file from now on; without one, ends it.
    async fn record(&self, _path: Option<&Path>) -> Result<(), SubjectError> {
        Err(SubjectError::Start("it writes no transcript".into()))
    }

    /// Ends it; nothing of it is left running.
    async fn stop(&self) -> Result<(), SubjectError> {
        Ok(())
    }
}

/// Where a session plays. Only built-in subjects look at it; real ones know nothing of the lab.
#[derive(Clone, Copy)]
pub struct Stage<'a> {
    /// The browser; none where a transcript stands for it.
    pub chrome: Option<&'a Chrome>,
    /// The fixture server.
    pub server: &'a FixtureServer,
    /// The fixture; none where nothing is judged.
    pub fixture: Option<&'a Fixture>,
}

/// One MCP session with a server under test.
#[async_trait]
pub trait SubjectSession: Send {
    /// Opens a tab and returns the subject's name for it.
    async fn open(&mut self, url: &str) -> Result<String, SubjectError>;

    /// Calls a tool; none when the subject has no such tool.
    async fn call(&mut self, call: &Call) -> Result<Option<Reply>, SubjectError>;

    /// The subject's own ref for a node, by its latest snapshot; none when the snapshot does not show it.
    async fn resolve(&mut self, node: &Node, tab: Option<&str>) -> Result<Option<String>, SubjectError>;

    /// The server's own name and version.
    fn version(&self) -> Option<String> {
        None
    }

    /// The text of the latest snapshot it took.
    fn latest_snapshot(&self) -> Option<&str> {
        None
    }

    /// Whether its replies to reads are to be judged.
    fn reads(&self) -> bool {
        true
    }

    /// Whether it words its replies as the scenarios do (outcomes). Of one that does not, only what it claims is judged:
    /// neither the words of its replies nor the bounds on their time, which are promises of this project.
    fn speaks_our_words(&self) -> bool {
        true
    }

    /// The process of its server; none when it has none of its own.
    fn process(&self) -> Option<u32> {
        None
    }

    /// Ends the session.
    async fn close(self: Box<Self>);
}

/// A node as a scenario names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// ARIA role.
    pub role: String,
    /// Accessible name.
    pub name: String,
    /// Which of several.
    pub nth: Option<usize>,
}

/// A target as it is passed to a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallTarget {
    /// The subject's own ref (and the node it was found by, where known).
    Ref(String, Option<Node>),
    /// A CSS selector.
    Css(String),
    /// Role and name, found by the tool.
    Node(Node),
}

/// A tool call in the scenario's terms.
#[derive(Clone, Debug)]
pub struct Call {
    /// The tool, in the scenario's words.
    pub tool: String,
    /// The arguments are passed as they are, and the tool's name is the subject's own.
    pub raw: bool,
    /// Whether its reply must claim something.
    pub is_write: bool,
    /// The target.
    pub target: Option<CallTarget>,
    /// The other arguments.
    pub arguments: Map<String, Value>,
    /// The tab, in the subject's own terms.
    pub tab: Option<String>,
}

/// A reply, read.
#[derive(Clone, Debug)]
pub struct Reply {
    /// All its text.
    pub text: String,
    /// It is an error result.
    pub is_error: bool,
    /// What it asserts.
    pub claim: Claim,
    /// Its pictures.
    pub images: Vec<Image>,
    /// The tab it names.
    pub tab: Option<String>,
    /// Length of the whole MCP result as JSON, with what stands beside its text.
    pub bytes: usize,
    /// How long it took.
    pub took: Duration,
    /// How much of that the server says it only waited and watched.
    pub waited: Duration,
}

impl Reply {
    /// What a host tells its agent when the server was lost during the call.
    pub fn interrupted(text: String, took: Duration) -> Self {
        let claim = Claim::Outcome(crate::scenario::Outcome::Interrupted);
        Self { bytes: text.len(), text, is_error: false, claim, images: Vec::new(), tab: None, took, waited: Duration::ZERO }
    }
}
