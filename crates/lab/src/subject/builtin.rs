//! Subjects that are part of the lab and prove that it can fail: a liar, a mute, an evasive one.

use std::time::{Duration, Instant};

use async_trait::async_trait;
use serde_json::json;

use crate::driver::{Chrome, TabHandle};
use crate::frames::{Direction, FrameLog};
use crate::scenario::Outcome;
use crate::verdict::Claim;

use super::{Builtin, Call, Node, Reply, Stage, Subject, SubjectError, SubjectSession};

#[async_trait]
impl Subject for Builtin {
    async fn session<'a>(&'a self, stage: Stage<'a>, log: FrameLog) -> Result<Box<dyn SubjectSession + 'a>, SubjectError> {
        Ok(Box::new(Session { kind: *self, stage, log, tab: None, solved: false }))
    }
}

struct Session<'a> {
    kind: Builtin,
    stage: Stage<'a>,
    log: FrameLog,
    /// The tab of the fixture, with its address.
    tab: Option<(TabHandle, String)>,
    /// The reference solution was performed.
    solved: bool,
}

impl Session<'_> {
    fn chrome(&self) -> Result<&Chrome, SubjectError> {
        self.stage.chrome.ok_or_else(|| SubjectError::Driver("there is no browser".into()))
    }

    /// Does all that a person would do on the fixture.
    async fn solve(&mut self) -> Result<(), SubjectError> {
        let Stage { server, fixture, .. } = self.stage;
        let (Some((tab, url)), Some(fixture)) = (self.tab.clone().filter(|_| !self.solved), fixture) else { return Ok(()) };
        self.solved = true;
        self.chrome()?.perform_in(&tab, &url, &fixture.reference, server).await.map_err(|error| SubjectError::Driver(error.to_string()))
    }
}

#[async_trait]
impl SubjectSession for Session<'_> {
    async fn open(&mut self, url: &str) -> Result<String, SubjectError> {
        let tab = self.chrome()?.open(url).await.map_err(|error| SubjectError::Driver(error.to_string()))?;
        let word = tab.0.clone();
        self.tab.get_or_insert((tab, url.to_owned()));
        Ok(word)
    }

    async fn call(&mut self, call: &Call) -> Result<Option<Reply>, SubjectError> {
        let started = Instant::now();
        let mut tab = None;
        if let ("tabs", Some(url)) = (call.tool.as_str(), call.arguments.get("url").and_then(|url| url.as_str())) {
            tab = Some(self.open(url).await?);
        }
        let outcome = match (call.is_write, self.kind) {
            (false, _) => None,
            (true, Builtin::Liar) => Some(Outcome::Changed),
            (true, Builtin::Mute) => {
                self.solve().await?;
                Some(Outcome::NoEffect)
            }
            (true, Builtin::Evasive) => Some(Outcome::Unverifiable),
        };
        let text = outcome.map_or_else(String::new, |outcome| format!("outcome: {outcome} · {}", call.tool));
        self.log.frame("builtin", Direction::Out, &json!({"tool": call.tool, "arguments": call.arguments}));
        self.log.frame("builtin", Direction::In, &json!({"text": text}));
        let claim = outcome.map_or(Claim::Unreadable, Claim::Outcome);
        // Waiting for the page is not its answer's time.
        let took = if self.kind == Builtin::Mute { Duration::ZERO } else { started.elapsed() };
        Ok(Some(Reply { text, is_error: false, claim, images: Vec::new(), tab, bytes: 0, took, waited: Duration::ZERO }))
    }

    async fn resolve(&mut self, node: &Node, _tab: Option<&str>) -> Result<Option<String>, SubjectError> {
        Ok(Some(format!("{}:{}", node.role, node.name)))
    }

    fn reads(&self) -> bool {
        false
    }

    async fn close(self: Box<Self>) {}
}
