//! From calls to steps. The rules: what opens the page is the scenario's `open`; a read stays only as a snapshot whose refs were used
//! afterwards; refs become role and name; addresses become variables; texts that nobody may know become fillers; what the witness saw is
//! expected. Pure.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::scenario::OutcomeClass;
use crate::transcript::Transcript;
use crate::verdict::Claim;

use super::calls::{Call, calls};
use super::draft::Draft;
use super::fill::Fillers;
use super::page::{Page, bare};
use super::seen::{Seen, Shown};
use super::witness::{Sight, Witness};

/// Tools that only read: nobody needs them again, but for the refs they gave.
const READS: [&str; 9] = ["snapshot", "find", "get_text", "read_text", "read_dom", "query", "console", "network", "screenshot"];

/// Tools that a scenario has a step for; any other is called as it is.
const STEPS: [&str; 22] = [
    "tabs",
    "navigate",
    "click",
    "type",
    "wait_for",
    "screenshot",
    "read_text",
    "read_dom",
    "find",
    "query",
    "console",
    "network",
    "fetch",
    "download",
    "press_key",
    "hover",
    "scroll",
    "drag",
    "check",
    "uncheck",
    "select_option",
    "fill",
];

/// The same, of those whose reply claims an effect.
const WRITES: [&str; 13] =
    ["click", "type", "navigate", "press_key", "hover", "scroll", "drag", "check", "uncheck", "select_option", "fill", "dialog", "upload"];

/// Tools that need a person or belong to the agent alone.
const LEFT_OUT: [&str; 3] = ["ask_human", "status_line", "learnings"];

/// How long the lab waits for what came late.
const LATE_MS: u64 = 5000;

/// What is asked for.
#[derive(Debug, Default)]
pub struct Request<'a> {
    /// What made it, for the head of the file.
    pub made_by: String,
    /// What it guards; none: said from what was done.
    pub guards: Option<String>,
    /// Texts that were masked, by their ordinals.
    pub typed: BTreeMap<u32, String>,
    /// The fixture that the page was rebuilt as.
    pub rebuilt: Option<&'a str>,
    /// The fixture's journal.
    pub witness: Option<&'a Witness>,
    /// What a person should know of it besides.
    pub notes: Vec<String>,
}

/// A scenario that was made of a recording.
#[derive(Debug)]
pub struct Recorded {
    /// The file.
    pub yaml: String,
    /// The fixture; else the address of the page that it needs.
    pub page: Result<Page, Option<String>>,
    /// What a person should know of it.
    pub notes: Vec<String>,
    /// Steps in it.
    pub steps: usize,
    /// Reads that nobody needed.
    pub dropped: usize,
}

/// The page that the calls are about: a fixture, or the address of something else.
///
/// # Errors
/// The address of a page that is no fixture; none where no page was named.
pub fn page_of(calls: &[Call], rebuilt: Option<&str>, is_fixture: impl Fn(&str) -> bool) -> Result<Page, Option<String>> {
    let asked = calls.iter().filter_map(|call| call.arguments.get("url")?.as_str());
    let told = calls.iter().filter_map(|call| call.reply.as_deref()).flat_map(|reply| reply.split(" · "));
    let told = told.filter_map(|part| part.split_whitespace().next()).filter(|word| word.contains("://"));
    let addresses: Vec<&str> = asked.chain(told).filter(|address| address.starts_with("http")).collect();
    if let Some(fixture) = rebuilt {
        return addresses.first().and_then(|address| Page::rebuilt(address, fixture)).ok_or(None);
    }
    let found = addresses.iter().find_map(|address| Page::at(address, &is_fixture));
    found.ok_or_else(|| addresses.first().map(|address| bare(address)))
}

/// Makes a scenario of a transcript.
///
/// # Errors
/// Why there is nothing to make one of.
pub fn convert(transcript: &Transcript, request: &Request<'_>, is_fixture: impl Fn(&str) -> bool) -> Result<Recorded, String> {
    if let Some(scenario) = &transcript.scenario {
        return Err(format!("it is the transcript of {}, a scenario that is there already", scenario.name));
    }
    let calls = calls(transcript);
    if calls.is_empty() {
        return Err("no tool was called in it".into());
    }
    let page = page_of(&calls, request.rebuilt, is_fixture);
    // What is to become a fixture is one already, as far as the steps go.
    let stand_in = match &page {
        Ok(page) => Some(page.clone()),
        Err(needed) => needed.as_deref().and_then(|address| Page::rebuilt(address, "GROUP/NAME")),
    };
    let mut maker = Maker::new(&calls, stand_in, request);
    maker.needs = page.err();
    request.notes.iter().for_each(|note| maker.note(note));
    if let Some(cut) = &transcript.cut {
        maker.note(format!("the recording is not whole: {cut}"));
    }
    maker.look();
    for at in 0..calls.len() {
        maker.call(at);
    }
    maker.finish()
}

pub(super) struct Session {
    pub(super) word: Option<String>,
    pub(super) seen: Seen,
    pub(super) current: Option<u64>,
    /// Something was done in it already.
    pub(super) began: bool,
}

pub(super) struct Maker<'a> {
    pub(super) calls: &'a [Call],
    pub(super) request: &'a Request<'a>,
    pub(super) page: Option<Page>,
    /// It is no fixture yet: its address, where there is one.
    pub(super) needs: Option<Option<String>>,
    pub(super) sessions: BTreeMap<u32, Session>,
    /// Of each call, the nodes of the refs in it.
    pub(super) nodes: Vec<BTreeMap<String, Shown>>,
    /// Of each call that fills, the options that were shown before.
    pub(super) options: Vec<Vec<String>>,
    /// Calls whose reply showed a ref that was used.
    pub(super) needed: BTreeSet<usize>,
    /// Only reads were made: then they are what it is about.
    pub(super) keeps_reads: bool,
    pub(super) opened: bool,
    pub(super) fillers: Fillers,
    /// Marks of texts typed so far.
    pub(super) typed: Vec<(u32, usize)>,
    /// Everything that agents were told or said themselves.
    pub(super) said: String,
    /// The step whose reply was the first to name a tab.
    pub(super) tabs: BTreeMap<u64, (usize, u8)>,
    pub(super) steps: BTreeMap<(usize, u8), Draft>,
    pub(super) words: u32,
    pub(super) notes: Vec<String>,
    pub(super) dropped: usize,
}

impl<'a> Maker<'a> {
    fn new(calls: &'a [Call], page: Option<Page>, request: &'a Request<'a>) -> Self {
        let mut said = String::new();
        for call in calls {
            said.push_str(call.reply.as_deref().unwrap_or_default());
            said.push('\n');
            said.push_str(&Value::Object(call.arguments.clone()).to_string());
            said.push('\n');
        }
        Self {
            calls,
            request,
            page,
            needs: None,
            sessions: BTreeMap::new(),
            nodes: Vec::new(),
            options: Vec::new(),
            needed: BTreeSet::new(),
            keeps_reads: false,
            opened: false,
            fillers: Fillers::told(request.typed.clone()),
            typed: Vec::new(),
            said,
            tabs: BTreeMap::new(),
            steps: BTreeMap::new(),
            words: 0,
            notes: Vec::new(),
            dropped: 0,
        }
    }

    pub(super) fn note(&mut self, note: impl Into<String>) {
        let note = note.into();
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    pub(super) fn session(&mut self, ordinal: u32) -> &mut Session {
        let number = self.sessions.len() + 1;
        self.sessions.entry(ordinal).or_insert_with(|| Session {
            word: (number > 1).then(|| format!("agent-{number}")),
            seen: Seen::default(),
            current: None,
            began: false,
        })
    }

    /// Goes over all calls once: what was each ref when it was used, and whose reply showed it.
    fn look(&mut self) {
        let calls = self.calls;
        for (at, call) in calls.iter().enumerate() {
            let mut refs = Vec::new();
            gather_refs(&Value::Object(call.arguments.clone()), &mut refs);
            let seen = &mut self.session(call.session).seen;
            let nodes: BTreeMap<String, Shown> =
                refs.into_iter().filter_map(|word| Some((word.clone(), seen.node(&word)?.clone()))).collect();
            let options = if call.tool == "fill" { seen.options().to_vec() } else { Vec::new() };
            if let Some(reply) = &call.reply {
                let is_whole = call.tool == "snapshot" && !call.is_error && !call.arguments.contains_key("target");
                seen.reply(at, reply, is_whole);
            }
            // A reader's refs do not make the reply that showed them a step.
            if !is_read(call) {
                // What a snapshot that stays showed just so needs no other.
                let unknown = |node: &&Shown| !node.before.iter().any(|earlier| self.needed.contains(earlier));
                let needed: Vec<usize> = nodes.values().filter(unknown).map(|node| node.by).collect();
                self.needed.extend(needed);
            }
            self.nodes.push(nodes);
            self.options.push(options);
        }
        self.keeps_reads = calls.iter().all(|call| is_read(call) || is_opening(call));
    }

    fn call(&mut self, at: usize) {
        let calls = self.calls;
        let call = &calls[at];
        let first = !self.session(call.session).began;
        let is_main = self.session(call.session).word.is_none();
        let Some(reply) = &call.reply else {
            return self.note(format!("a call of {} has no reply in the recording, and is left out", call.tool));
        };
        let named = tab_in(reply);
        if is_opening(call) && !call.is_error {
            let url = call.arguments.get("url").and_then(Value::as_str).unwrap_or_default();
            let session = self.session(call.session);
            session.current = named;
            session.began = true;
            if first && self.page.as_ref().is_some_and(|page| page.is(url)) {
                self.opened |= is_main;
                return;
            }
        }
        if self.is_slip(at) {
            return self.note(format!("a call of {} with arguments that it does not take is left out", call.tool));
        }
        if is_read(call) {
            return self.read(at);
        }
        if LEFT_OUT.contains(&call.tool.as_str()) {
            return self.note(format!("{} is left out: it is between the agent and its user", call.tool));
        }
        self.session(call.session).began = true;
        self.write(at);
        if let Some(tab) = named {
            self.tabs.entry(tab).or_insert((at, 1));
            if call.tool == "tabs" && call.arguments.get("action").is_some_and(|action| action == "select") {
                self.session(call.session).current = Some(tab);
            }
        }
        // What is used of its delta is looked at anew.
        if self.needed.contains(&at) {
            self.snapshot(at, 2);
        }
    }

    /// Whether a call is a slip of the agent: its arguments were none, and it was a read, or was made again with right ones.
    fn is_slip(&self, at: usize) -> bool {
        let is_wrong = |call: &Call| matches!(call.claim(), Claim::Refused(code) if code == "invalid_argument");
        let call = &self.calls[at];
        let again = |later: &Call| later.session == call.session && later.tool == call.tool && !is_wrong(later);
        is_wrong(call) && ((is_read(call) && !self.keeps_reads) || self.calls[at + 1..].iter().any(again))
    }

    fn snapshot(&mut self, at: usize, sub: u8) {
        let mut draft = Draft { action: Some(("snapshot".into(), json!({}))), ..Draft::default() };
        self.beside(at, &mut draft);
        self.steps.insert((at, sub), draft);
    }

    fn read(&mut self, at: usize) {
        let call = &self.calls[at];
        if self.needed.contains(&at) || (self.keeps_reads && call.tool == "snapshot" && !call.is_error) {
            return self.snapshot(at, 1);
        }
        if !call.is_error && !self.keeps_reads {
            self.dropped += 1;
            return;
        }
        let is_plain = !call.is_error && STEPS.contains(&call.tool.as_str());
        self.put(at, is_plain);
        if let (Claim::Refused(code), Some(draft)) = (call.claim(), self.steps.get_mut(&(at, 1))) {
            draft.expect.insert("refusal".into(), code.into());
        }
    }

    /// A step that does something, with what came of it.
    fn write(&mut self, at: usize) {
        let calls = self.calls;
        let call = &calls[at];
        let claim = call.claim();
        if let Claim::Refused(code) = &claim
            && code == "no code"
        {
            return self.note(format!("a call of {} failed in a way that has no code, and is left out", call.tool));
        }
        self.put(at, STEPS.contains(&call.tool.as_str()) || WRITES.contains(&call.tool.as_str()));
        let next = calls.get(at + 1).map(|next| next.asked_us);
        let sight = self.request.witness.zip(call.replied_us).map(|(witness, replied)| witness.call(call.asked_us, replied, next));
        let mut expect = Map::new();
        if WRITES.contains(&call.tool.as_str()) {
            self.claim(at, &claim, sight.as_ref().map(|sight| sight.effect), &mut expect);
        } else if let Claim::Refused(code) = &claim {
            expect.insert("refusal".into(), code.clone().into());
        } else if let Some(done) = call.reply.as_deref().and_then(done_of) {
            expect.insert("reply".into(), done.into());
        }
        let journal = sight.as_ref().map(|sight| self.journal(at, sight)).unwrap_or_default();
        if let Some(draft) = self.steps.get_mut(&(at, 1)) {
            draft.expect = expect;
            draft.journal = journal;
        }
        let Some((witness, replied)) = self.request.witness.zip(call.replied_us) else { return };
        let late = witness.after(replied, next);
        let goal = self.goal(at, &late.goal);
        if late.by_hand {
            self.note("somebody used mouse or keyboard in the page: that is no step (`page:` would be one)");
        } else if !goal.is_empty() {
            let until = json!({"goal": goal, "why": "this came after the reply when it was recorded", "within_ms": LATE_MS});
            self.steps.insert((at, 3), Draft { action: Some(("until".into(), until)), ..Draft::default() });
        }
    }

    /// What is expected of a write: the honest answer, which need not be the one that was given.
    fn claim(&mut self, at: usize, claim: &Claim, effect: Option<bool>, expect: &mut Map<String, Value>) {
        let tool = &self.calls[at].tool;
        let class = claim.class();
        // A page that has no journal is no witness of what was opened or loaded.
        let elsewhere = matches!(claim, Claim::Outcome(outcome) if ["opened_tab", "navigated", "download"].contains(&outcome.word()));
        let effect = match (effect, class) {
            (Some(effect), _) => effect || elsewhere,
            (None, class) => class == Some(OutcomeClass::Effect),
        };
        if self.request.witness.is_none() {
            self.note("no journal was there: `effect` is what the replies said, and may not be so");
        }
        let word = match (claim, class) {
            (Claim::Outcome(_), Some(OutcomeClass::Effect)) if !effect => {
                self.note(format!(
                    "step {tool}: the reply claimed `{claim}`, and the journal saw no effect; it fails until that is mended"
                ));
                "no_effect".to_owned()
            }
            (_, Some(OutcomeClass::NoEffect)) if effect => {
                self.note(format!("step {tool}: the reply said `{claim}`, and the journal saw an effect; it fails until that is mended"));
                "changed".to_owned()
            }
            (Claim::Outcome(outcome), _) => outcome.word().to_owned(),
            (Claim::Refused(code), _) => {
                expect.insert("refusal".into(), code.clone().into());
                expect.insert("effect".into(), false.into());
                return;
            }
            _ if effect => "changed".to_owned(),
            _ => "no_effect".to_owned(),
        };
        expect.insert("outcome".into(), word.into());
        expect.insert("effect".into(), effect.into());
    }

    fn journal(&mut self, at: usize, sight: &Sight) -> Map<String, Value> {
        let mut journal = Map::new();
        let goal = self.goal(at, &sight.goal);
        if !goal.is_empty() {
            journal.insert("goal".into(), Value::Object(goal));
        }
        let event = |(kind, target, times): &(String, String, usize)| json!({"type": kind, "target": target, "times": times});
        if !sight.events.is_empty() {
            journal.insert("events".into(), sight.events.iter().map(event).collect());
        }
        journal
    }
}

fn is_read(call: &Call) -> bool {
    let lists = call.tool == "tabs" && call.arguments.get("action").is_none_or(|action| action == "list");
    lists || READS.contains(&call.tool.as_str())
}

/// A tab that is opened on a page.
fn is_opening(call: &Call) -> bool {
    call.tool == "tabs" && call.arguments.get("action").is_some_and(|action| action == "new")
}

/// The first tab that a reply names.
fn tab_in(reply: &str) -> Option<u64> {
    let mut words = reply.split_whitespace();
    words.find(|word| *word == "tab")?;
    let number: String = words.next()?.chars().take_while(char::is_ascii_digit).collect();
    number.parse().ok()
}

/// What a reply says of several steps: `done: 5 of 5 steps`.
fn done_of(reply: &str) -> Option<String> {
    let line = reply.lines().find(|line| line.starts_with("done: "))?;
    Some(line.split(',').next().unwrap_or(line).to_owned())
}

fn gather_refs(value: &Value, refs: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| gather_refs(item, refs)),
        Value::Object(fields) => {
            refs.extend(fields.get("ref").and_then(Value::as_str).map(ToOwned::to_owned));
            fields.values().for_each(|inner| gather_refs(inner, refs));
        }
        _ => {}
    }
}
