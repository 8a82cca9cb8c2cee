//! A step as a call in the subject's terms: targets found, tabs named, addresses filled in.

use serde_json::{Map, Value};

use crate::scenario::{Action, Step, Target};
use crate::subject::{Call, CallTarget, Node, target_value};
use crate::verdict::{Judgement, Verdict};

use super::{Attempt, Scene, Stopped, stopped};

impl Attempt<'_> {
    /// The step as a call in the subject's terms: refs found, tabs named, addresses filled in.
    pub(super) async fn prepare_call(&mut self, step: &Step, session: &str) -> Result<Call, Stopped> {
        let tab = match &step.tab {
            Some(word) => Some(
                self.tabs
                    .get(word)
                    .cloned()
                    .ok_or_else(|| Judgement::new(Verdict::Failed, format!("no tab was remembered as `{word}`")))?,
            ),
            None => None,
        };
        let target = match step.action.target() {
            Some(target) => Some(self.target(target, session, tab.as_deref()).await?),
            None => None,
        };
        let mut arguments = step.action.arguments();
        self.fill(&mut arguments);
        if matches!(step.action, Action::Write(..)) {
            for value in arguments.values_mut() {
                self.inner_targets(value, session, tab.as_deref()).await?;
            }
        }
        let raw = matches!(step.action, Action::Call(_));
        Ok(Call { tool: step.action.tool().to_owned(), raw, is_write: step.action.is_write(), target, arguments, tab })
    }

    /// Targets inside arguments (`fields: [{target: …}]`), found like the step's own.
    async fn inner_targets(&mut self, value: &mut Value, session: &str, tab: Option<&str>) -> Result<(), Stopped> {
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            match value {
                Value::Array(items) => open.extend(items),
                Value::Object(fields) => {
                    for (key, inner) in fields {
                        match serde_json::from_value::<Target>(inner.clone()) {
                            Ok(target) if key == "target" && target.fault().is_none() => {
                                *inner = target_value(&self.target(&target, session, tab).await?);
                            }
                            _ => open.push(inner),
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    async fn target(&mut self, target: &Target, session: &str, tab: Option<&str>) -> Result<CallTarget, Stopped> {
        if let Some(word) = &target.r#ref {
            let (found, node) = self
                .refs
                .get(word)
                .cloned()
                .ok_or_else(|| Judgement::new(Verdict::Failed, format!("no ref was remembered as `{word}`: the step before failed")))?;
            return Ok(CallTarget::Ref(found, Some(node)));
        }
        if let Some(css) = &target.css {
            return Ok(CallTarget::Css(css.clone()));
        }
        let (role, name) = (target.role.clone().unwrap_or_default(), target.name.clone().unwrap_or_default());
        let node = Node { role, name, nth: target.nth };
        if target.inline {
            return Ok(CallTarget::Node(node));
        }
        let Some(session) = self.sessions.get_mut(session) else {
            return Err(Judgement::new(Verdict::LabError, format!("there is no session {session}")));
        };
        match session.resolve(&node, tab).await.map_err(|error| stopped(&error))? {
            Some(found) => Ok(CallTarget::Ref(found, Some(node))),
            None => Err(Judgement::new(Verdict::NotSeen, format!("the subject's snapshot does not show {}", target.words()))),
        }
    }

    /// Fills addresses and remembered refs into a call's arguments.
    fn fill(&self, arguments: &mut Map<String, Value>) {
        let Scene { server, job, .. } = self.scene;
        if let Some(Value::String(url)) = arguments.get_mut("url") {
            let fixture = server.url(&job.fixture, &self.run, &job.scenario.query);
            *url = url
                .replace("{{fixture}}", &fixture)
                .replace("{{origin_a}}", server.origin_a())
                .replace("{{origin_b}}", server.origin_b())
                .replace("{{run}}", &self.run);
        }
        let conditions = arguments.get_mut("any").and_then(Value::as_array_mut);
        for condition in conditions.into_iter().flatten() {
            if let Some(Value::String(word)) = condition.get_mut("ref")
                && let Some((found, _)) = self.refs.get(word.as_str())
            {
                word.clone_from(found);
            }
        }
    }
}
