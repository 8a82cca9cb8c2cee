//! The arguments of a call as a step has them: nodes by role and name, addresses by variables, fillers for what nobody may know.

use serde_json::{Map, Value, json};

use crate::verdict::Claim;

use super::convert::Maker;
use super::draft::Draft;
use super::fill::{Shape, marks};
use super::page::{Page, bare};
use super::seen::Shown;

impl Maker<'_> {
    /// Puts a call down as a step of its own, or as a `call`.
    pub(super) fn put(&mut self, at: usize, is_step: bool) {
        let call = &self.calls[at];
        let mut draft = Draft::default();
        let mut arguments = call.arguments.clone();
        let tab = arguments.remove("tab");
        self.beside(at, &mut draft);
        self.name_tab(at, tab.as_ref(), &mut draft);
        self.lift(&mut arguments);
        if is_step {
            if let Some(target) = arguments.get("target").cloned() {
                let stale = call.claim() == Claim::Refused("stale_ref".into());
                let (target, word) = self.target(at, &target, stale);
                draft.of = word.map(|word| (call.session, word));
                arguments.insert("target".into(), target);
            }
            if call.tool == "wait_for" {
                self.awaited(at, &mut arguments);
            }
        }
        let mut arguments = Value::Object(arguments);
        self.retarget(at, &mut arguments, is_step, true);
        self.fill(at, &mut arguments, Shape::Text, false);
        draft.action = Some(if is_step && is_known_form(&call.tool, &arguments) {
            (call.tool.clone(), arguments)
        } else {
            if let Some(target) = arguments.get_mut("target") {
                as_tool_takes_it(target);
            }
            ("call".into(), json!({"tool": call.tool, "arguments": arguments}))
        });
        self.steps.insert((at, 1), draft);
    }

    /// Whose step it is.
    pub(super) fn beside(&mut self, at: usize, draft: &mut Draft) {
        if let Some(word) = self.session(self.calls[at].session).word.clone() {
            draft.beside.insert("session", word);
        }
    }

    /// A tab other than the session's current one is remembered by the step that named it.
    fn name_tab(&mut self, at: usize, tab: Option<&Value>, draft: &mut Draft) {
        let Some(tab) = tab.and_then(Value::as_u64) else { return };
        let selects = self.calls[at].tool == "tabs";
        if self.session(self.calls[at].session).current == Some(tab) && !selects {
            return;
        }
        let by = self.tabs.get(&tab).copied();
        let word = match by {
            Some(by) => {
                let word = format!("tab-{tab}");
                self.steps.get_mut(&by).map(|step| step.beside.insert("as_tab", word.clone())).map(|_| word)
            }
            // The tab that the runner opens.
            None => self.opened.then(|| String::from("main")),
        };
        match word {
            Some(word) => drop(draft.beside.insert("tab", word)),
            None => self.note("a tab that the recording does not show the opening of is left out of a step"),
        }
    }

    /// Hosts, ports and paths of this machine.
    fn lift(&mut self, arguments: &mut Map<String, Value>) {
        if let Some(Value::String(url)) = arguments.get_mut("url")
            && let Some(page) = &self.page
        {
            match page.lifted(url) {
                Ok(lifted) => *url = lifted,
                Err(why) => {
                    *url = bare(url);
                    self.note(why);
                }
            }
        }
        let mut left = Vec::new();
        for (key, value) in arguments.iter_mut().filter(|(key, _)| *key != "url") {
            lift_texts(key, value, self.page.as_ref(), &mut left);
        }
        left.into_iter().for_each(|note| self.note(note));
    }

    /// A step's own target: by role and name, or the remembered ref where the old one is what matters.
    fn target(&mut self, at: usize, target: &Value, stale: bool) -> (Value, Option<String>) {
        let Some(word) = target.get("ref").and_then(Value::as_str) else {
            let mut target = target.clone();
            if let Some(fields) = target.as_object_mut().filter(|fields| fields.contains_key("role")) {
                fields.insert("inline".into(), true.into());
            }
            return (target, None);
        };
        let Some(node) = self.nodes[at].get(word).cloned() else {
            self.note(format!("what [{word}] was is not in the recording: name that target yourself"));
            return (json!({"role": "generic", "name": word}), None);
        };
        if stale {
            let remembered = self.remembered(at, word, &node);
            return (json!({"ref": remembered}), None);
        }
        (self.named(&node), Some(word.to_owned()))
    }

    fn named(&mut self, node: &Shown) -> Value {
        let name = self.fillers.put(&node.name, Shape::Text);
        match node.nth {
            Some(nth) => json!({"role": node.role, "name": name, "nth": nth}),
            None => json!({"role": node.role, "name": name}),
        }
    }

    /// The word of a ref: the step before that used it remembers it, else one that reads it where it was shown.
    fn remembered(&mut self, at: usize, word: &str, node: &Shown) -> String {
        let session = self.calls[at].session;
        let of = Some((session, word.to_owned()));
        let earlier = self.steps.iter_mut().rev().find(|(_, step)| step.of == of);
        if let Some((_, step)) = earlier {
            let fresh = format!("node-{}", self.words + 1);
            let known = step.beside.entry("as").or_insert_with(|| fresh.clone()).clone();
            self.words += u32::from(known == fresh);
            return known;
        }
        self.words += 1;
        let fresh = format!("node-{}", self.words);
        let named = self.named(node);
        let mut draft = Draft { action: Some(("get_text".into(), json!({"target": named}))), of, ..Draft::default() };
        draft.beside.insert("as", fresh.clone());
        self.beside(at, &mut draft);
        self.steps.insert((node.by, 4), draft);
        fresh
    }

    /// Refs that are waited for are remembered ones.
    fn awaited(&mut self, at: usize, arguments: &mut Map<String, Value>) {
        for condition in arguments.get_mut("any").and_then(Value::as_array_mut).into_iter().flatten() {
            let Some(word) = condition.get("ref").and_then(Value::as_str).map(ToOwned::to_owned) else { continue };
            if let Some(node) = self.nodes[at].get(&word).cloned() {
                condition["ref"] = self.remembered(at, &word, &node).into();
            }
        }
    }

    /// Every other ref, as the tools take a node; below `target` of a step the runner finds it.
    fn retarget(&mut self, at: usize, value: &mut Value, is_step: bool, is_top: bool) {
        match value {
            Value::Array(items) => items.iter_mut().for_each(|item| self.retarget(at, item, is_step, false)),
            Value::Object(fields) => {
                for (key, inner) in fields.iter_mut() {
                    // The step's own target, and conditions of a wait, were seen to.
                    if is_step && is_top && (key == "target" || key == "any") {
                        continue;
                    }
                    let node = inner.get("ref").and_then(Value::as_str).and_then(|word| self.nodes[at].get(word)).cloned();
                    match node {
                        Some(node) => *inner = self.named(&node),
                        None => self.retarget(at, inner, is_step, false),
                    }
                }
            }
            _ => {}
        }
    }

    /// The option of so many characters that was filled in: the only one that was shown, or the one that the journal then held.
    fn option(&self, at: usize, ordinal: u32, chars: usize) -> Option<String> {
        // Where it was masked among the options themselves, it is none of the others.
        if self.options[at].iter().any(|option| marks(option).contains(&(ordinal, chars))) {
            return None;
        }
        let fitting: Vec<&String> = self.options[at].iter().filter(|option| option.chars().count() == chars).collect();
        let call = &self.calls[at];
        let next = self.calls.get(at + 1).map(|next| next.asked_us);
        let held = || self.request.witness.zip(call.replied_us).map(|(witness, replied)| witness.call(call.asked_us, replied, next).goal);
        match fitting.as_slice() {
            [] => None,
            [only] => Some((*only).clone()),
            several => {
                let held = held()?;
                several.iter().find(|option| held.values().any(|value| value == option.as_str())).map(|option| (*option).clone())
            }
        }
    }

    /// Something in the place of each text that nobody may know.
    fn fill(&mut self, at: usize, value: &mut Value, shape: Shape, is_typed: bool) {
        match value {
            Value::String(text) => {
                for (ordinal, chars) in marks(text) {
                    let is_whole = text.len() == protocol::typed_mark(ordinal, chars).len();
                    if let Some(option) = self.option(at, ordinal, chars).filter(|_| is_whole && is_typed && shape == Shape::Option) {
                        self.fillers.known(ordinal, &option);
                    }
                    if !self.typed.contains(&(ordinal, chars)) {
                        self.typed.push((ordinal, chars));
                    }
                }
                let filled = self.fillers.put(text, shape);
                let bare = filled == *text && !text.is_empty();
                *text = if bare && is_typed && self.calls[at].secret { self.fillers.secret(text, shape) } else { filled };
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.fill(at, item, shape, is_typed)),
            Value::Object(fields) => {
                let part = |key: &str| fields.get("target").and_then(|target| target.get(key)).and_then(Value::as_str).unwrap_or_default();
                let own = fields.contains_key("target").then(|| Shape::of(part("role"), &(part("name").to_owned() + part("css"))));
                let shape = own.unwrap_or(shape);
                for (key, inner) in fields.iter_mut() {
                    let types =
                        ["text", "value"].contains(&key.as_str()) && ["type", "fill", "act"].contains(&self.calls[at].tool.as_str());
                    self.fill(at, inner, shape, types);
                }
            }
            _ => {}
        }
    }

    /// Goal values that may be written down.
    pub(super) fn goal(&mut self, at: usize, goal: &Map<String, Value>) -> Map<String, Value> {
        let mut out = Map::new();
        for (key, value) in goal {
            match self.tellable(at, value) {
                Some(value) => drop(out.insert(key.clone(), value)),
                None => self.note(format!("the goal `{key}` is left out: it may be a text that was typed")),
            }
        }
        out
    }

    /// A value without a text that nobody may know; none where it may be one.
    fn tellable(&self, at: usize, value: &Value) -> Option<Value> {
        let source = self.request.witness.map(|witness| witness.source.as_str()).unwrap_or_default();
        let is_said = |text: &str| self.said.contains(text) || source.contains(text);
        let secret = self.calls[at].secret;
        match value {
            Value::String(text) => {
                let chars = text.chars().count();
                if let Some(filler) = self.fillers.for_chars(chars, &self.typed).filter(|_| !is_said(text)) {
                    return Some(filler.into());
                }
                let known = text.is_empty() || if chars < 4 { !secret } else { is_said(text) };
                known.then(|| value.clone())
            }
            Value::Number(number) => {
                let digits = number.to_string();
                let like = self.typed.iter().any(|(_, chars)| *chars == digits.len()) && digits.len() >= 3;
                (!like || is_said(&digits)).then(|| value.clone())
            }
            Value::Array(items) => items.iter().map(|item| self.tellable(at, item)).collect::<Option<Vec<_>>>().map(Value::from),
            Value::Object(fields) => {
                let pairs = fields.iter().map(|(key, inner)| Some((key.clone(), self.tellable(at, inner)?)));
                pairs.collect::<Option<Map<_, _>>>().map(Value::Object)
            }
            other => Some(other.clone()),
        }
    }
}

/// Whether a step of this name takes these arguments.
fn is_known_form(tool: &str, arguments: &Value) -> bool {
    use crate::scenario::{ClickArgs, GetTextArgs, NavigateArgs, ScreenshotArgs, TabsArgs, TypeArgs, WaitForArgs};
    let fits = |is: Result<(), serde_json::Error>| is.is_ok();
    let own = arguments.clone();
    match tool {
        "click" => fits(serde_json::from_value::<ClickArgs>(own).map(drop)),
        "type" => fits(serde_json::from_value::<TypeArgs>(own).map(drop)),
        "navigate" => fits(serde_json::from_value::<NavigateArgs>(own).map(drop)),
        "tabs" => fits(serde_json::from_value::<TabsArgs>(own).map(drop)),
        "wait_for" => fits(serde_json::from_value::<WaitForArgs>(own).map(drop)),
        "screenshot" => fits(serde_json::from_value::<ScreenshotArgs>(own).map(drop)),
        "get_text" => fits(serde_json::from_value::<GetTextArgs>(own).map(drop)),
        // These pass on what they do not know, but for a target that is none.
        _ => own.get("target").is_none_or(|target| {
            serde_json::from_value::<crate::scenario::Target>(target.clone()).is_ok_and(|target| target.fault().is_none())
        }),
    }
}

/// A target in the words of the tools themselves.
fn as_tool_takes_it(target: &mut Value) {
    if let Some(fields) = target.as_object_mut() {
        fields.remove("inline");
    }
}

/// Hosts, ports and folders in the texts of arguments.
fn lift_texts(key: &str, value: &mut Value, page: Option<&Page>, left: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            if let Some((stripped, true)) = page.map(|page| page.stripped(text)) {
                left.push(format!("host, port and run were taken out of `{key}`"));
                *text = stripped;
            }
            let is_path = (text.starts_with('/') || text.starts_with("~/")) && ["path", "paths", "file", "files", "to"].contains(&key);
            if is_path && text.trim_start_matches('~').matches('/').count() > 1 {
                let name = match text.split_once("/_files/") {
                    Some((_, below)) => below.to_owned(),
                    None => text.rsplit('/').next().unwrap_or_default().to_owned(),
                };
                left.push(format!("the file {name} is taken from fixtures/_files"));
                *text = name;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| lift_texts(key, item, page, left)),
        Value::Object(fields) => fields.iter_mut().for_each(|(key, inner)| lift_texts(key, inner, page, left)),
        _ => {}
    }
}
