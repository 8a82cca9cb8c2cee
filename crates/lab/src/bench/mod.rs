//! `lab bench`: speed and size of our bridge and of its peers, on the same pages in the same Chrome, in turns.

mod budget;
mod measure;
mod player;
mod rank;
mod table;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::driver::{Chrome, ChromeError, ChromeOptions};
use crate::fixture::{FixtureServer, ServerError};
use crate::frames::FrameLog;
use crate::subject::{Plan, Stage, Subject, SubjectError};

pub use budget::{Counts, Held, hold, renewed};
pub use measure::{Measured, Page};
pub use rank::{Answer, compare};
pub use table::{Cast, Goal, as_json, base_table, goal_table, goals, inside_table, tables};

use player::{Player, Scene};

/// What `lab bench` was asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// The subject whose goals are looked at.
    pub ours: String,
    /// Whom it is compared with.
    pub against: Vec<String>,
    /// Another build of it.
    pub base: Option<PathBuf>,
    /// The pages.
    pub pages: Vec<Page>,
    /// How many fresh documents of each page.
    pub documents: u64,
    /// How many rounds of turns on each document.
    pub repeats: u64,
}

/// Why nothing could be measured.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// The fixture server did not start.
    #[error(transparent)]
    Server(#[from] ServerError),
    /// Chrome did not start.
    #[error(transparent)]
    Chrome(#[from] ChromeError),
    /// A subject could not be had.
    #[error(transparent)]
    Subject(#[from] SubjectError),
    /// A state folder could not be made.
    #[error("the temporary state folder cannot be used: {0}")]
    Io(#[from] std::io::Error),
}

/// Everything that came of it.
#[derive(Debug)]
pub struct Outcome {
    /// The figures.
    pub measured: Measured,
    /// Whose they are.
    pub cast: Cast,
    /// Under which conditions.
    pub about: Value,
}

/// The name of the other build.
pub const BASE: &str = "base";

/// A subject that runs, with its name.
struct Running {
    name: String,
    subject: Box<dyn Subject>,
    _state: tempfile::TempDir,
}

impl Running {
    async fn start(name: &str, plan: &Plan) -> Result<Self, BenchError> {
        let state = tempfile::TempDir::with_prefix("lab-state-")?;
        let subject = plan.start(state.path()).await?;
        Ok(Self { name: name.to_owned(), subject, _state: state })
    }
}

/// A Chrome that has hold of these subjects.
async fn chrome_of(running: &[Running]) -> Result<Chrome, BenchError> {
    let extension: Option<PathBuf> = running.iter().find_map(|one| one.subject.extension());
    let chrome = Chrome::launch(ChromeOptions { extension, ..ChromeOptions::default() }).await?;
    for one in running {
        for url in one.subject.start_urls() {
            chrome.open(&url).await?;
        }
        one.subject.ready().await?;
    }
    Ok(chrome)
}

/// Measures everything; `told` hears how far it is.
///
/// # Errors
/// When the stage does not come up. What a subject cannot do is part of the outcome.
pub async fn run(root: &Path, request: &Request, mut told: impl FnMut(&str)) -> Result<Outcome, BenchError> {
    let names = std::iter::once(&request.ours).chain(&request.against).collect::<Vec<_>>();
    // A name that is wrong is told before anything is built or installed.
    for name in &names {
        Plan::is_measurable(root, name)?;
    }
    let mut running = Vec::new();
    for name in names {
        told(&format!("preparing {name}"));
        running.push(Running::start(name, &Plan::measured(root, name).await?).await?);
    }
    let mut base = Vec::new();
    if let Some(binary) = &request.base {
        told("preparing the base");
        base.push(Running::start(BASE, &Plan::measured_by(root, &request.ours, binary).await?).await?);
    }
    let played = play(root, request, (&running, &base), &mut told).await;
    for one in running.iter().chain(&base) {
        if let Err(error) = one.subject.stop().await {
            tracing::warn!(%error, name = one.name, "a subject did not end cleanly");
        }
    }
    played
}

async fn play(
    root: &Path,
    request: &Request,
    (running, base): (&[Running], &[Running]),
    told: &mut impl FnMut(&str),
) -> Result<Outcome, BenchError> {
    let server = FixtureServer::start(&root.join("fixtures")).await?;
    let chrome = chrome_of(running).await?;
    // Two builds of one extension cannot be in one Chrome: they are one extension to it.
    let other = if base.is_empty() { None } else { Some(chrome_of(base).await?) };
    let mut measured = Measured::default();
    let mut players = Vec::new();
    let here = running.iter().map(|one| (one, &chrome));
    for (one, chrome) in here.chain(base.iter().zip(&other)) {
        let stage = Stage { chrome: Some(chrome), server: &server, fixture: None };
        match one.subject.session(stage, FrameLog::none()).await {
            Ok(session) => players.push(Player::new(&one.name, Scene { chrome, server: &server }, session)),
            Err(error) => measured.missed.push(format!("{}: {error}", one.name)),
        }
    }
    let before = load_average();
    let versions = players.iter().map(|player| (player.name.clone(), json!(player.version()))).collect::<serde_json::Map<_, _>>();
    for page in request.pages.iter().copied() {
        for document in 1..=request.documents {
            told(&format!("page {}, document {document} of {}", page.letter(), request.documents));
            one_document(&mut players, page, request.repeats, &mut measured).await;
        }
    }
    for player in players {
        player.close().await;
    }
    let about = json!({
        "chrome": chrome.versions().chrome,
        "release": !cfg!(debug_assertions),
        "versions": versions,
        "documents": request.documents,
        "repeats": request.repeats,
        "loadAverage": [before, load_average()],
        "processors": std::thread::available_parallelism().map_or(0, std::num::NonZero::get),
    });
    chrome.close().await?;
    if let Some(other) = other {
        other.close().await?;
    }
    let cast = Cast { ours: request.ours.clone(), peers: request.against.clone(), pages: request.pages.clone() };
    Ok(Outcome { measured, cast, about })
}

/// What is done in a round.
#[derive(Clone, Copy)]
enum Turn {
    Snapshots,
    Inside,
    Click,
    Type,
    Fill,
    Act,
    Refused,
    Dead,
}

impl Turn {
    /// The turns on this page: what only our own words can ask for is timed where its goal stands.
    fn on(page: Page) -> &'static [Self] {
        match page {
            Page::A => &[Self::Snapshots, Self::Inside, Self::Click, Self::Type, Self::Act, Self::Refused, Self::Dead],
            Page::B => &[Self::Snapshots, Self::Inside, Self::Click, Self::Fill],
            Page::C => &[Self::Snapshots, Self::Inside, Self::Click],
        }
    }
}

/// A fresh document for each, then the rounds: everybody in turn, another one first each time.
async fn one_document(players: &mut [Player<'_>], page: Page, repeats: u64, measured: &mut Measured) {
    let mut here = vec![true; players.len()];
    for (player, here) in players.iter_mut().zip(&mut here) {
        if let Err(why) = player.open(page, measured).await {
            miss(measured, &player.name, page, "open", &why);
            *here = false;
        }
    }
    let mut numbers = 1..;
    for turn in Turn::on(page).iter().copied() {
        // Who cannot do the one may do the other.
        let mut here = here.clone();
        for round in 0..repeats {
            for index in order(players.len(), round) {
                let (Some(player), Some(here)) = (players.get_mut(index), here.get_mut(index).filter(|here| **here)) else { continue };
                let (what, done) = match turn {
                    Turn::Snapshots => ("snapshot", player.snapshots(&mut numbers, measured).await),
                    Turn::Inside => ("work inside", player.inside(numbers.next().unwrap_or_default(), measured).await),
                    Turn::Click => ("click", player.click(measured).await),
                    Turn::Type => ("typing", player.types(round, measured).await),
                    Turn::Fill => ("fill", player.fills(round, measured).await),
                    Turn::Act => ("act", player.acts(measured).await),
                    Turn::Refused => ("refusal", player.refused(measured).await),
                    Turn::Dead => ("dead click", player.dead(measured).await),
                };
                if let Err(why) = done {
                    miss(measured, &player.name, page, what, &why);
                    *here = false;
                }
            }
        }
    }
    for player in players {
        player.leave().await;
    }
}

/// Everybody's place in a round.
fn order(count: usize, round: u64) -> impl Iterator<Item = usize> {
    let first = usize::try_from(round).unwrap_or_default();
    (0..count).map(move |turn| (turn + first) % count)
}

fn miss(measured: &mut Measured, name: &str, page: Page, what: &str, why: &str) {
    let missed = format!("{name}, page {}, {what}: {why}", page.letter());
    tracing::warn!("{missed}");
    measured.missed.push(missed);
}

/// The machine's load over the last minute, where the system tells it.
fn load_average() -> Option<f64> {
    std::fs::read_to_string("/proc/loadavg").ok()?.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_one_is_first_in_each_round() {
        let orders = (0..4).map(|round| order(3, round).collect::<Vec<_>>()).collect::<Vec<_>>();
        assert_eq!(orders, [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 1, 2]]);
        assert_eq!(order(0, 5).count(), 0);
    }
}
