//! Records an attempt as a transcript. What goes wrong in it costs the transcript, never a verdict.

use std::path::{Path, PathBuf};

use protocol::TranscriptScenario;

use crate::fixture::FixtureServer;
use crate::subject::Subject;
use crate::transcript::{PROJECT, Places, compose, file_of};
use crate::verdict::Verdict;

use super::Job;
use super::tape::Tape;

/// The hosts of the fixtures in every transcript; where they are replayed nothing listens there.
pub(crate) const HOSTS: (&str, &str) = ("127.0.0.1:40001", "localhost:40002");

/// A recording that is under way.
pub(super) struct Record {
    raw: PathBuf,
    folder: PathBuf,
}

impl Record {
    /// Begins it, where it is wanted and the subject can.
    pub(super) async fn begin(folder: &Path, job: &Job, subject: &dyn Subject) -> Option<Self> {
        let folder = folder.join("transcripts");
        let raw = folder.join("raw").join(job.scenario.name.replace('/', ".")).join("daemon.jsonl");
        let made = raw.parent().map(std::fs::create_dir_all).transpose();
        let begun = match made {
            Ok(_) => subject.record(Some(&raw)).await.map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        match begun {
            Ok(()) => Some(Self { raw, folder }),
            Err(why) => {
                tracing::warn!(%why, "the scenario is not recorded");
                None
            }
        }
    }

    /// Ends it: of an attempt that passed a transcript is made, beside the run's other files.
    pub(super) async fn end(self, verdict: Verdict, job: &Job, subject: &dyn Subject, tape: &Tape, places: Places) {
        let ended = subject.record(None).await.map_err(|error| error.to_string());
        let scenario =
            TranscriptScenario { name: job.scenario.name.clone(), profile: job.profile.to_string(), verdict: verdict.word().to_owned() };
        let written = ended.and_then(|()| {
            let composed = compose(&self.raw, tape.told(), &places, scenario).map_err(|error| error.to_string())?;
            composed
                .write(&self.folder.join(file_of(&job.case())), &self.folder.join(protocol::BLOB_FOLDER))
                .map_err(|error| error.to_string())
        });
        if let Err(why) = written {
            tracing::warn!(%why, case = %job.case(), "there is no transcript of it");
        }
    }
}

/// What is by chance in an attempt, and what it is called in transcripts.
pub(super) fn places(server: &FixtureServer, run: &str, (root, state): (&Path, &Path), tape: &Tape) -> Places {
    let host = |origin: &str| origin.trim_start_matches("http://").to_owned();
    let mut places = vec![
        (run.to_owned(), String::from("replay")),
        (host(server.origin_a()), HOSTS.0.to_owned()),
        (host(server.origin_b()), HOSTS.1.to_owned()),
        (state.display().to_string(), String::from("/state")),
        (root.display().to_string(), PROJECT.to_owned()),
    ];
    let documents = tape.journal(server, run).documents;
    places.extend(documents.into_iter().zip(1..).map(|(document, number)| (document.id, format!("document-{number}"))));
    Places(places)
}
