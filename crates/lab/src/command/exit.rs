//! The one table of exit codes.

use std::path::PathBuf;
use std::process::ExitCode;

use miette::Diagnostic;

use crate::axdiff::AxError;
use crate::driver::ChromeError;
use crate::event::ScenarioReport;
use crate::fixture::FixtureError;
use crate::runner::RunError;
use crate::scenario::LoadError;
use crate::subject::SubjectError;
use crate::verdict::Verdict;

/// How the lab ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Everything asked for was done, and passed.
    Ok = 0,
    /// A scenario failed.
    Failed = 1,
    /// The command line is wrong (clap ends with the same code).
    Usage = 2,
    /// A scenario, fixture or known-failures file is wrong.
    BadScenario = 3,
    /// Nothing matched the filter.
    NothingMatched = 4,
    /// No Chrome, no extension, a subject that does not start.
    Environment = 5,
    /// The lab itself failed.
    Lab = 6,
    /// A scenario passed only when tried again, and that counts.
    Flaky = 7,
    /// Nothing can be learnt here: `git bisect run` skips it.
    Skip = 125,
    /// Ctrl-C.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

impl Exit {
    /// What the verdicts of a run come to.
    pub fn of_run(reports: &[ScenarioReport], interrupted: bool) -> Self {
        let any = |verdict| reports.iter().any(|report| report.verdict == verdict);
        if interrupted {
            Self::Interrupted
        } else if any(Verdict::LabError) {
            Self::Lab
        } else if any(Verdict::Environment) {
            Self::Environment
        } else if reports.iter().any(|report| !report.verdict.is_success()) {
            Self::Failed
        } else {
            Self::Ok
        }
    }

    /// The same for `git bisect run`: a commit of which nothing could be learnt is skipped.
    pub fn for_bisect(self) -> Self {
        match self {
            Self::BadScenario | Self::NothingMatched | Self::Environment | Self::Lab => Self::Skip,
            other => other,
        }
    }
}

/// Why a command could not do what was asked.
#[derive(Debug, thiserror::Error, Diagnostic)]
pub enum CommandError {
    /// No project above the working folder.
    #[error("no folder above {} holds fixtures/ and scenarios/", .0.display())]
    #[diagnostic(help("go into the project, or give its folder with --root"))]
    NoRoot(PathBuf),
    /// An argument makes no sense.
    #[error("{0}")]
    #[diagnostic(help("see --help"))]
    Usage(String),
    /// A scenario file is wrong.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Scenario(#[from] LoadError),
    /// A fixture is wrong.
    #[error(transparent)]
    Fixture(#[from] FixtureError),
    /// The list of known failures is wrong.
    #[error("{0}")]
    Known(String),
    /// What a run was made of is not there any more as it was.
    #[error("{0}")]
    Changed(String),
    /// A page cannot be a fixture.
    #[error(transparent)]
    Capture(#[from] crate::capture::CaptureError),
    /// Chrome or the subject does not come up.
    #[error("{0}")]
    Unready(String),
    /// A recording cannot be read, or makes no scenario.
    #[error("{0}")]
    Recording(String),
    /// Nothing matched.
    #[error("{0}")]
    #[diagnostic(help("`lab scenario list` shows all scenarios"))]
    NothingMatched(String),
    /// The subject cannot be had.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Subject(#[from] SubjectError),
    /// Chrome cannot be had.
    #[error(transparent)]
    Chrome(#[from] ChromeError),
    /// `lab serve` ended.
    #[error(transparent)]
    Serve(#[from] crate::serve::ServeError),
    /// `lab chrome` ended.
    #[error(transparent)]
    Stage(#[from] crate::chrome::Error),
    /// The trees could not be compared.
    #[error(transparent)]
    Trees(#[from] crate::axdiff::AxError),
    /// Nothing could be measured.
    #[error(transparent)]
    Bench(#[from] crate::bench::BenchError),
    /// The same, where nothing could be learnt of the subject and somebody bisects.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Skip(Box<CommandError>),
    /// The run could not be made.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Run(#[from] RunError),
    /// The lab's own fault.
    #[error("{0}")]
    Lab(String),
}

impl CommandError {
    /// The code to end with.
    pub fn exit(&self) -> Exit {
        match self {
            Self::Skip(error) => error.exit().for_bisect(),
            Self::Usage(_) | Self::Subject(SubjectError::Unknown { .. }) => Exit::Usage,
            Self::Scenario(_) | Self::Fixture(_) | Self::Known(_) | Self::Recording(_) | Self::Changed(_) => Exit::BadScenario,
            Self::NothingMatched(_) => Exit::NothingMatched,
            Self::Trees(AxError::Nothing(_)) => Exit::NothingMatched,
            Self::Trees(AxError::File { .. } | AxError::Fixture(_)) => Exit::BadScenario,
            Self::Trees(AxError::Link(_) | AxError::Io(_)) => Exit::Lab,
            Self::Trees(_) => Exit::Environment,
            Self::Bench(crate::bench::BenchError::Subject(SubjectError::Unknown { .. })) => Exit::Usage,
            Self::Bench(_) | Self::NoRoot(_) | Self::Subject(_) | Self::Chrome(_) | Self::Serve(_) | Self::Stage(_) => Exit::Environment,
            Self::Unready(_) => Exit::Environment,
            Self::Run(_) | Self::Capture(_) | Self::Lab(_) => Exit::Lab,
        }
    }
}
