//! What a person can type: the lab's command line, and nothing else.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::bench::Page;
use crate::replay::FaultAt;

/// How `scenario run` ends.
const EXIT_CODES: &str = "\
Exit codes:
    0  every scenario passed (or failed as listed in scenarios/known-failures.yaml)
    1  a scenario failed, or a listed one passes now
    2  the command line is wrong, or names no subject
    3  a scenario, fixture or known-failures file is wrong
    4  nothing matched the filter
    5  the environment is not ready: Chrome, ChromeDriver, the extension, the server under test
    6  the lab itself failed
    7  a scenario passed only when tried again, and --flaky fail was given
  130  interrupted
With --bisect 3, 4, 5 and 6 become 125: `git bisect run` skips a commit of which nothing can be learnt.

Every run is kept in runs/: its events, the frames of all hops, and of each attempt that failed or was a retry (with
--evidence: of each) the replies, the last snapshots, the journal and pictures. `lab report` makes a page of it. The latest 20 stay; LAB_RUNS keeps more. LAB_CHROME and LAB_CHROMEDRIVER name other binaries, LAB_TEGATA another bridge.";

/// How `scenario minimize` ends.
const MINIMIZE_CODES: &str = "\
Exit codes:
    0  the shortest scenario is written (also where nothing could be taken away)
    2  several scenarios failed in the run and none was named
    3  the scenario was changed since the run, or its file cannot be cut
    4  there is no such run, or nothing failed in it
    5  the environment is not ready: Chrome, the server under test
    7  the verdict does not repeat: it is flaky, and not shrunk
  130  interrupted";

/// The lab: fixture pages with their own witness, scenarios, honest verdicts.
///
/// Exit codes: 0 everything passed · 1 a scenario failed · 2 wrong usage · 3 a scenario file is wrong ·
/// 4 nothing matched the filter · 5 the environment is not ready · 6 the lab itself failed.
#[derive(Debug, Parser)]
#[command(name = "lab", version, propagate_version = true)]
pub struct Cli {
    /// The project folder (default: the nearest one above that has `fixtures/` and `scenarios/`).
    #[arg(long, global = true, value_name = "FOLDER")]
    pub root: Option<PathBuf>,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The lab's commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run, list, check or explain scenarios.
    #[command(subcommand)]
    Scenario(ScenarioCommand),
    /// Serve a gallery of all fixtures for a person, until Ctrl-C.
    Serve(ServeArgs),
    /// Start fixtures, Chrome, the extension and the bridge for any MCP client, until Ctrl-C.
    Chrome(ChromeArgs),
    /// Compare role, name and states of every node with Chrome's own accessibility tree, on all fixtures and naming cases.
    Axdiff(AxdiffArgs),
    /// Measure speed and size on pages of three sizes, ours and its peers' in turns in one Chrome.
    Bench(BenchArgs),
    /// Run the scenarios that act against several subjects, and write who lies how often.
    Compare(CompareArgs),
    /// Save a live page as a fixture: one file, scrubbed, that asks nothing of any host.
    Capture(CaptureArgs),
    /// Make a report of a run that was made before.
    Report(ReportArgs),
}

/// Arguments of `capture`.
#[derive(Debug, Clone, Args)]
pub struct CaptureArgs {
    /// The page (http or https). With --devtools: the open tab with this address (default: the one in front last).
    #[arg(value_name = "URL", required_unless_present = "devtools")]
    pub url: Option<String>,
    /// What the fixture is called.
    #[arg(long = "as", value_name = "GROUP/NAME", default_value = "capture/captured")]
    pub name: String,
    /// What is replaced by filler of the same shape: what fields hold, e-mail addresses, long numbers and tokens, or also every word of
    /// every text.
    #[arg(long, value_enum, default_value_t, value_name = "WHAT")]
    pub scrub: ScrubChoice,
    /// Keep the page's scripts.
    #[arg(long)]
    pub keep_scripts: bool,
    /// Keep the page's pictures, in place of grey ones of the same size.
    #[arg(long)]
    pub images: bool,
    /// Take an open tab of the Chrome whose DevTools listen here (`lab chrome` tells; 127.0.0.1:PORT), as it stands.
    #[arg(long, value_name = "HOST:PORT")]
    pub devtools: Option<String>,
    /// Write over a fixture that is there.
    #[arg(long)]
    pub force: bool,
    /// Show the Chrome window.
    #[arg(long)]
    pub headed: bool,
}

/// What `capture` replaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum ScrubChoice {
    /// What fields hold, wherever it stands; e-mail addresses, long numbers, tokens.
    #[default]
    Secrets,
    /// Besides, every word: names too.
    Text,
}

/// Arguments of `report`.
#[derive(Debug, Clone, Args)]
pub struct ReportArgs {
    /// The run: a folder, or its name in runs/ (default: the latest).
    #[arg(value_name = "RUN")]
    pub run: Option<PathBuf>,
    /// One HTML file with everything in it.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// JUnit XML.
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// JSON.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// Arguments of `bench`.
#[derive(Debug, Clone, Args)]
pub struct BenchArgs {
    /// The peers: names of files in `subjects/`, with commas. Their npm packages are installed when they are missing.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub against: Vec<String>,
    /// Another build of the subject (its binary), measured in turns with this one in a Chrome of its own: each time is told as slower,
    /// faster, or not distinguishable from chance.
    #[arg(long, value_name = "BIN")]
    pub base: Option<PathBuf>,
    /// The pages, with commas.
    #[arg(long, value_enum, value_name = "PAGES", value_delimiter = ',', default_values_t = Page::ALL)]
    pub pages: Vec<Page>,
    /// How many rounds of turns on each document.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub repeats: u64,
    /// How many fresh documents of each page: as many first snapshots are measured.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=100))]
    pub documents: u64,
    /// The subject whose goals are looked at.
    #[arg(long, default_value = "tegata", value_name = "NAME")]
    pub subject: String,
    /// Write every single call as JSON.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// Arguments of `compare`.
#[derive(Debug, Clone, Args)]
pub struct CompareArgs {
    /// The subjects: names of files in `subjects/`, with commas. npm packages are installed when they are missing.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', required = true)]
    pub against: Vec<String>,
    /// Which scenarios.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Write the matrix to this file too.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// How many Chromes to use at once.
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub jobs: u16,
}

/// Arguments of `axdiff`.
#[derive(Debug, Clone, Default, Args)]
pub struct AxdiffArgs {
    /// Only fixtures and topics whose name contains one of these words (`snapshot/`, `names/labelledby`).
    #[arg(value_name = "NAME_FILTER")]
    pub names: Vec<String>,
}

/// What can be done with scenarios.
#[derive(Debug, Subcommand)]
pub enum ScenarioCommand {
    /// Run scenarios against a subject and judge every claim by the journal.
    #[command(after_help = EXIT_CODES)]
    Run(RunArgs),
    /// Record scenarios as transcripts, and review what is different from the committed ones.
    Bless(BlessArgs),
    /// Make a failed scenario as short as it can be while its verdict stays the same.
    #[command(after_help = MINIMIZE_CODES)]
    Minimize(MinimizeArgs),
    /// Record what an agent or a person does as a scenario.
    Record(RecordArgs),
    /// Turn a bundle of `tegata report` into a scenario.
    Import(ImportArgs),
    /// List scenarios with what they guard.
    List(FilterArgs),
    /// Check every scenario file without starting anything.
    Lint(FilterArgs),
    /// Tell a scenario in words: the fixture's story and each step.
    Explain(ExplainArgs),
}

/// Which scenarios are meant.
#[derive(Debug, Clone, Default, Args)]
pub struct FilterArgs {
    /// Only scenarios whose name contains one of these words (`pointer/`); a whole name (`pointer/control`) means only that one.
    #[arg(value_name = "NAME_FILTER")]
    pub names: Vec<String>,
}

/// Arguments of `scenario bless`.
#[derive(Debug, Clone, Args)]
pub struct BlessArgs {
    /// Which scenarios to record; none: all that have a committed transcript.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// The browser profile.
    #[arg(long, value_enum, default_value_t)]
    pub profile: ProfileChoice,
    /// How many Chromes to use at once.
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub jobs: u16,
    /// Try a failed scenario again up to N times.
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub retries: u32,
    /// Take everything that is different.
    #[arg(long, conflicts_with = "reject")]
    pub accept: bool,
    /// Show what is different and leave it.
    #[arg(long)]
    pub reject: bool,
    /// How much of each line of a diff is shown.
    #[arg(long, default_value_t = 400, value_name = "CHARACTERS")]
    pub width: usize,
}

/// Arguments of `scenario minimize`.
#[derive(Debug, Clone, Args)]
pub struct MinimizeArgs {
    /// The run: a folder, or its name in runs/ (default: the latest).
    #[arg(value_name = "RUN")]
    pub run: Option<PathBuf>,
    /// Which of several failed scenarios: its name, or a part of it.
    #[arg(value_name = "NAME_FILTER")]
    pub name: Option<String>,
    /// Which profile, where it failed in both.
    #[arg(long, value_enum, default_value_t)]
    pub profile: ProfileChoice,
    /// Where the short scenario goes (default: `minimal/` in the run's folder).
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Show the Chrome window.
    #[arg(long)]
    pub headed: bool,
}

/// Arguments of `scenario record`.
#[derive(Debug, Clone, Args)]
pub struct RecordArgs {
    /// The new scenario: `GROUP/NAME`, or only its name in the group of its fixture.
    pub name: String,
    /// The fixture to work on; with --from-session: the one that the page was rebuilt as.
    #[arg(long, value_name = "GROUP/NAME", required_unless_present_any = ["url", "from_session"])]
    pub fixture: Option<String>,
    /// A variant of it, as in `--query delay=900` (may be given more than once).
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable, requires = "fixture")]
    pub query: Vec<(String, String)>,
    /// A page of this machine to work on, in place of a fixture. There is no witness on it.
    #[arg(long, conflicts_with_all = ["fixture", "from_session"])]
    pub url: Option<String>,
    /// Make it of this transcript, which a daemon wrote before (TEGATA_TRANSCRIPT).
    #[arg(long, value_name = "FILE", conflicts_with_all = ["query", "headed", "until_closed"])]
    pub from_session: Option<PathBuf>,
    /// Show the Chrome window.
    #[arg(long)]
    pub headed: bool,
    /// End when the page is closed, in place of Ctrl-C or the end of input.
    #[arg(long)]
    pub until_closed: bool,
    /// What is to be made of it.
    #[command(flatten)]
    pub made: MadeArgs,
}

/// Arguments of `scenario import`.
#[derive(Debug, Clone, Args)]
pub struct ImportArgs {
    /// The file that `tegata report` wrote.
    pub bundle: PathBuf,
    /// The new scenario (default: named by its fixture's group and when the bundle was made).
    pub name: Option<String>,
    /// The fixture that the page was rebuilt as, where the bundle's page is none.
    #[arg(long, value_name = "GROUP/NAME")]
    pub fixture: Option<String>,
    /// What is to be made of it.
    #[command(flatten)]
    pub made: MadeArgs,
}

/// How a recording becomes a scenario.
#[derive(Debug, Clone, Args)]
pub struct MadeArgs {
    /// Put it in the place of a scenario of this name.
    #[arg(long)]
    pub force: bool,
    /// The sentence that it guards.
    #[arg(long, value_name = "SENTENCE")]
    pub guards: Option<String>,
    /// What a masked text was, where it is no secret, as in `--typed 1=Berlin` (may be given more than once).
    #[arg(long, value_name = "N=TEXT", value_parser = typed)]
    pub typed: Vec<(u32, String)>,
    /// Do not run it afterwards.
    #[arg(long)]
    pub no_run: bool,
}

/// `N=TEXT` as a pair.
fn typed(text: &str) -> Result<(u32, String), String> {
    let (number, text) = text.split_once('=').ok_or("write it as N=TEXT")?;
    Ok((number.parse().map_err(|_| String::from("write it as N=TEXT, with the number of the text"))?, text.to_owned()))
}

/// Arguments of `scenario explain`.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// The scenario's name, as `scenario list` prints it.
    pub name: String,
}

/// Which browser profiles to run in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum ProfileChoice {
    /// Anti-throttling flags, driver attached.
    Calm,
    /// Chrome's defaults, nothing attached, the agent's tab in the background.
    Wild,
    /// With a window (on Xvfb where no display is asked for), nothing attached, the agent's tab in front.
    Headed,
    /// Every profile a scenario names.
    #[default]
    All,
}

/// What a flaky case comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum FlakyChoice {
    /// It is told, and the run passes.
    #[default]
    Pass,
    /// It is told, and the run fails with a code of its own.
    Fail,
}

/// Arguments of `scenario run`.
#[derive(Debug, Clone, Args)]
pub struct RunArgs {
    /// Which scenarios to run.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// The server under test: the name of a file in `subjects/`.
    #[arg(long, default_value = "tegata", value_name = "NAME")]
    pub subject: String,
    /// The browser profile.
    #[arg(long, value_enum, default_value_t)]
    pub profile: ProfileChoice,
    /// How many Chromes to use at once.
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub jobs: u16,
    /// Try a failed scenario again up to N times; one that passes later is reported as `flaky`.
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub retries: u32,
    /// What a scenario that passed only when tried again comes to.
    #[arg(long, value_enum, default_value_t, value_name = "WHAT")]
    pub flaky: FlakyChoice,
    /// Run every case N times.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub repeat: Option<u32>,
    /// Run again and again until a case fails (at most --repeat times, by default 1000).
    #[arg(long)]
    pub until_fail: bool,
    /// Write a report: `json=PATH`, `junit=PATH`, `html=PATH`, or `github` for annotations and the step summary (may be given more than once).
    #[arg(long = "report", value_name = "KIND=PATH")]
    pub reports: Vec<String>,
    /// Keep pictures before and after every step that acts, console and network of every attempt (calm; a little slower). A report as HTML asks for it.
    #[arg(long)]
    pub evidence: bool,
    /// When a case fails, leave its pages open until Enter is pressed. One Chrome at a time.
    #[arg(long)]
    pub pause_on_fail: bool,
    /// Pause so many milliseconds before each step, for somebody who looks on.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(0..=60_000))]
    pub slow_mo: Option<u64>,
    /// Take Chrome from this WebDriver (calm only). It must see the same folders and loopback.
    #[arg(long, value_name = "URL")]
    pub webdriver: Option<String>,
    /// Ends with 125 where nothing could be learnt, for `git bisect run`.
    #[arg(long)]
    pub bisect: bool,
    /// Show the Chrome windows.
    #[arg(long)]
    pub headed: bool,
    /// Stop at the first failure.
    #[arg(long)]
    pub fail_fast: bool,
    /// Play the committed transcripts in place of Chrome: the scenarios that have one, in milliseconds.
    #[arg(long, conflicts_with_all = ["headed", "retries", "jobs"])]
    pub replay: bool,
    /// With --replay: lets something go wrong with a frame of the extension, once in each scenario: drop, delay, duplicate, reorder,
    /// truncate, close or stall; `close@12` names the frame. Then only honesty is asked for: no lie, no hang, nothing done twice.
    #[arg(long = "fault", value_name = "KIND[@FRAME]", requires = "replay")]
    pub faults: Vec<FaultAt>,
    /// Chooses the frames of the faults.
    #[arg(long, default_value_t = 1, value_name = "N", requires = "replay")]
    pub seed: u64,
    /// Only the scenarios that did not pass in the last run against this subject.
    #[arg(long)]
    pub last_failed: bool,
    /// Run the m-th of n equal shares (`2/3`).
    #[arg(long, value_name = "M/N")]
    pub partition: Option<String>,
}

/// Arguments of `serve`.
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// The port (0: any free one).
    #[arg(long, default_value_t = 0)]
    pub port: u16,
}

/// Arguments of `chrome`.
#[derive(Debug, Args)]
pub struct ChromeArgs {
    /// Show the Chrome window.
    #[arg(long)]
    pub headed: bool,
    /// Print one JSON line with every address a client needs.
    #[arg(long)]
    pub json: bool,
    /// Set a variable for the bridge, as in `--env TEGATA_LOG=debug` (may be given more than once).
    #[arg(long = "env", value_name = "NAME=VALUE", value_parser = variable)]
    pub env: Vec<(String, String)>,
}

/// `NAME=VALUE` as a pair.
fn variable(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("write it as NAME=VALUE".into()),
    }
}
