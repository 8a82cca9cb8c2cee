//! What is kept of a failed attempt: a picture, the replies, the last snapshots, the journal.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::driver::{Chrome, TabHandle};
use crate::frames::Secrets;

/// Longest wait for a picture: a page with an open dialog gives none.
const PICTURE_BOUND: Duration = Duration::from_secs(3);

/// Texts of an attempt, gathered while its sessions are still open.
#[derive(Clone, Debug, Default)]
pub(super) struct Evidence {
    /// Each call with its reply, in order.
    pub(super) replies: Vec<(String, String)>,
    /// The latest snapshot of each session.
    pub(super) snapshots: Vec<(String, String)>,
    /// The journal as JSON.
    pub(super) journal: String,
    /// What console and network said, as JSON.
    pub(super) heard: String,
    /// The lives of the subject's worker, one a line.
    pub(super) generations: String,
    /// Pictures by their file names.
    pub(super) pictures: Vec<(String, Vec<u8>)>,
}

impl Evidence {
    /// Writes it into the run's folder and returns the place. What cannot be kept never changes a verdict.
    pub(super) async fn keep(&self, folder: &Path, secrets: &Secrets, page: Option<(&Chrome, &TabHandle)>) -> Option<PathBuf> {
        if let Err(error) = self.write(folder, secrets) {
            tracing::warn!(%error, "the evidence of a failure could not be kept");
            return None;
        }
        if let Some((chrome, tab)) = page {
            match tokio::time::timeout(PICTURE_BOUND, chrome.screenshot(tab)).await {
                Ok(Ok(png)) => {
                    if let Err(error) = std::fs::write(folder.join("screenshot.png"), png) {
                        tracing::warn!(%error, "the picture of a failure could not be kept");
                    }
                }
                Ok(Err(error)) => tracing::debug!(%error, "no picture of the failure"),
                Err(_) => tracing::debug!("no picture of the failure within the bound"),
            }
        }
        Some(folder.to_owned())
    }

    fn write(&self, folder: &Path, secrets: &Secrets) -> std::io::Result<()> {
        std::fs::create_dir_all(folder)?;
        let told = |texts: &[(String, String)]| {
            texts.iter().fold(String::new(), |mut all, (name, text)| {
                // Writing to a String cannot fail.
                let _ = writeln!(all, "## {name}\n{text}\n");
                all
            })
        };
        for (name, picture) in &self.pictures {
            std::fs::write(folder.join(name), picture)?;
        }
        for (name, mut text) in [
            ("replies.txt", told(&self.replies)),
            ("snapshot.txt", told(&self.snapshots)),
            ("journal.json", self.journal.clone()),
            ("heard.json", self.heard.clone()),
            ("worker.txt", self.generations.clone()),
        ] {
            if !text.is_empty() {
                secrets.redact_text(&mut text);
                std::fs::write(folder.join(name), text)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_kept_holds_no_secret() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("failed/one");
        let evidence = Evidence {
            replies: vec![("type".into(), "typed hunter2".into())],
            snapshots: Vec::new(),
            journal: "{\"value\":\"hunter2\"}".into(),
            ..Evidence::default()
        };
        let kept = evidence.keep(&place, &Secrets::new(["hunter2".to_owned()]), None).await;
        assert_eq!(kept.as_deref(), Some(place.as_path()));
        let replies = std::fs::read_to_string(place.join("replies.txt")).unwrap();
        assert!(replies.starts_with("## type\ntyped [7 characters"), "{replies}");
        assert!(!std::fs::read_to_string(place.join("journal.json")).unwrap().contains("hunter2"));
        assert!(!place.join("snapshot.txt").exists());
    }
}
