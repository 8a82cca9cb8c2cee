//! What is seen of the page around a step: pictures, console and network, where it was hit. The verdict is the same without.

use std::time::Duration;

use crate::fixture::RecordKind;
use crate::scenario::Step;

use super::Attempt;

/// Longest wait for a picture.
const PICTURE_BOUND: Duration = Duration::from_secs(3);

impl Attempt<'_> {
    /// Begins to hear console and network of the fixture's tab. Without them the verdict is the same.
    pub(super) async fn listen(&mut self) {
        // A tab that DevTools listens to is neither frozen nor unloaded.
        let Some(page) = self.page.as_ref().filter(|_| !self.scene.job.scenario.has_faults()) else { return };
        let Some(chrome) = self.scene.chrome else { return };
        match chrome.witness(page, self.began).await {
            Ok(witness) => self.witness = Some(witness),
            Err(error) => tracing::debug!(%error, "console and network are not heard"),
        }
    }

    /// Takes a picture around a step that acts; its file's name.
    pub(super) async fn picture(&mut self, step: &Step, index: usize, when: &str) -> Option<String> {
        // A tab that is pictured is woken: what was done to it on purpose would be undone.
        if !self.close_up || !step.action.is_write() || self.halted.is_some() || self.scene.job.scenario.has_faults_of_tab() {
            return None;
        }
        let page = self.page.as_ref()?;
        // A page that is gone, or whose dialog is open, gives none.
        let taken = tokio::time::timeout(PICTURE_BOUND, self.scene.chrome?.picture(page)).await.ok()?.ok()?;
        let name = format!("{:02}-{when}.jpg", index + 1);
        self.pictures.push((name.clone(), taken));
        Some(name)
    }

    /// Where the page was hit since so many records, by its own word.
    pub(super) fn hit(&self, since: usize) -> Option<(f64, f64)> {
        let journal = self.scene.tape.journal(self.scene.server, &self.run);
        let top = |doc: &str| journal.documents.iter().any(|document| document.top && document.id == doc);
        let mut hits = journal.since(since).iter().filter(|record| top(&record.doc)).filter_map(|record| match &record.kind {
            RecordKind::Event(event) if event.r#type == "pointerdown" || event.r#type == "click" => event.x.zip(event.y),
            _ => None,
        });
        hits.next_back()
    }
}
