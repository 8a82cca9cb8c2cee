//! One subject on the pages: opens them with its own tool, and takes its turns there. What it answers is checked: a
//! snapshot that does not show what changed, and a click that did nothing, are no measurements.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::measure::{Key, Measure, Measured, Page, Sample};
use crate::driver::{Chrome, TabHandle};
use crate::fixture::{EventRecord, FixtureServer, Journal, RecordKind};
use crate::scenario::OutcomeClass;
use crate::subject::{Call, CallTarget, Node, Reply, SubjectSession};

/// Longest wait for a page of ours to load.
const LOAD_BOUND: Duration = Duration::from_secs(20);

/// Where all play.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) chrome: &'a Chrome,
    pub(super) server: &'a FixtureServer,
}

/// A subject with its session.
pub(super) struct Player<'a> {
    pub(super) name: String,
    scene: Scene<'a>,
    session: Box<dyn SubjectSession + 'a>,
    place: Option<Place>,
}

/// The document it plays on.
struct Place {
    page: Page,
    run: String,
    /// The tab in the subject's own terms.
    tab: String,
    handle: TabHandle,
    /// How often it has clicked.
    clicks: u64,
}

/// Why a turn gives no measurement, in words.
type Missed = String;

impl<'a> Player<'a> {
    pub(super) fn new(name: &str, scene: Scene<'a>, session: Box<dyn SubjectSession + 'a>) -> Self {
        Self { name: name.to_owned(), scene, session, place: None }
    }

    /// The server's own name and version.
    pub(super) fn version(&self) -> Option<String> {
        self.session.version()
    }

    /// Opens a fresh document with the subject's own tool, and takes the first snapshot of it.
    pub(super) async fn open(&mut self, page: Page, measured: &mut Measured) -> Result<(), Missed> {
        let Scene { chrome, server } = self.scene;
        let run = FixtureServer::new_run();
        let url = format!("{}/f/bench/_page.html?run={run}&size={}", server.origin_a(), page.letter());
        let tab = self.session.open(&url).await.map_err(|error| format!("it did not open the page: {error}"))?;
        let loaded = server.wait_until(&run, LOAD_BOUND, is_loaded).await;
        loaded.map_err(|error| format!("it says that the page is open, and the page did not load: {error}"))?;
        let handle = chrome.find_tab(&url).await.map_err(|error| error.to_string())?;
        self.place = Some(Place { page, run, tab, handle, clicks: 0 });
        self.front().await?;
        self.painted().await?;
        let shown = self.touch(0).await?;
        let (sample, _) = self.snapshot(&["snapshot_whole", "snapshot"], &shown).await?;
        self.add(measured, Measure::First, sample);
        // Who compares with an earlier snapshot has one now.
        match self.call("snapshot_since", None).await? {
            Some(reply) if reply.is_error => Err(format!("its snapshot of what changed failed: {}", beginning(&reply.text))),
            _ => Ok(()),
        }
    }

    /// One snapshot of each kind the subject has, each after one text node was changed from outside.
    pub(super) async fn snapshots(&mut self, numbers: &mut impl Iterator<Item = u64>, measured: &mut Measured) -> Result<(), Missed> {
        let mut number = || numbers.next().unwrap_or_default();
        let shown = self.touch(number()).await?;
        let (sample, tool) = self.snapshot(&["snapshot_whole", "snapshot"], &shown).await?;
        self.add(measured, Measure::Whole, sample);
        if self.session.speaks_our_words() {
            let shown = self.rewrite(number()).await?;
            let (sample, _) = self.snapshot(&["snapshot_whole", "snapshot"], &shown).await?;
            self.add(measured, Measure::Anew, sample);
        }
        let kinds = [(Measure::Since, "snapshot_since"), (Measure::Shortened, "snapshot")];
        for (measure, kind) in kinds.into_iter().filter(|(_, kind)| *kind != tool) {
            let shown = self.touch(number()).await?;
            let Some(reply) = self.call(kind, None).await? else { continue };
            self.add(measured, measure, checked(&reply, &shown)?);
        }
        Ok(())
    }

    /// What the page's main thread does for one whole snapshot, after one text node was changed from outside.
    pub(super) async fn inside(&mut self, number: u64, measured: &mut Measured) -> Result<(), Missed> {
        let shown = self.touch(number).await?;
        let Some(place) = &self.place else { return Err("it has no page".into()) };
        let key = (place.page, self.name.clone());
        let mut meter = self.scene.chrome.meter(&place.handle).await.map_err(|error| error.to_string())?;
        let before = meter.read().await.map_err(|error| error.to_string())?;
        self.snapshot(&["snapshot_whole", "snapshot"], &shown).await?;
        let after = meter.read().await.map_err(|error| error.to_string())?;
        measured.inside.entry(key).or_default().push(after.since(before));
        Ok(())
    }

    /// One click that adds one, checked by the page's own witness.
    pub(super) async fn click(&mut self, measured: &mut Measured) -> Result<(), Missed> {
        let node = Node { role: "button".into(), name: "Add one".into(), nth: None };
        let Some(place) = &self.place else { return Err("it has no page".into()) };
        let (run, tab) = (place.run.clone(), place.tab.clone());
        let found = self.session.resolve(&node, Some(&tab)).await.map_err(|error| error.to_string())?;
        let found = found.ok_or("its snapshot does not show the button")?;
        self.front().await?;
        let reply = self.call("click", Some(CallTarget::Ref(found, Some(node)))).await?.ok_or("it has no tool to click")?;
        if reply.is_error {
            return Err(format!("its click failed: {}", beginning(&reply.text)));
        }
        let journal = self.scene.server.barrier(&run).await.map_err(|error| error.to_string())?;
        let count = journal.goal.get("count").and_then(Value::as_u64).unwrap_or_default();
        let Some(place) = &mut self.place else { return Err("it has no page".into()) };
        place.clicks += 1;
        if count != place.clicks {
            return Err(format!("the page counts {count} clicks and not {}: {}", place.clicks, beginning(&reply.text)));
        }
        if self.session.speaks_our_words() && reply.claim.class() != Some(OutcomeClass::Effect) {
            return Err(format!("its click did something and it says otherwise: {}", beginning(&reply.text)));
        }
        self.add(measured, Measure::Click, sample(&reply));
        Ok(())
    }

    /// 100 characters into a field, read back in the page.
    pub(super) async fn types(&mut self, round: u64, measured: &mut Measured) -> Result<(), Missed> {
        let text = format!("{round:04} {}", "typed ".repeat(16)).chars().take(100).collect::<String>();
        let more = Map::from_iter([("text".to_owned(), json!(text))]);
        let Some(reply) = self.ours("type", Some(("textbox", "Field 2")), more).await? else { return Ok(()) };
        effect(&reply)?;
        let held = self.read("document.querySelector('[aria-label=\"Field 2\"]').value").await?;
        if held.as_str() != Some(text.as_str()) {
            return Err(format!("the field holds {held}: {}", beginning(&reply.text)));
        }
        self.add(measured, Measure::Type, sample(&reply));
        Ok(())
    }

    /// 30 fields in one call, read back in the page.
    pub(super) async fn fills(&mut self, round: u64, measured: &mut Measured) -> Result<(), Missed> {
        let fields = (0..30)
            .map(|n| 2 + 4 * n)
            .map(|n| json!({"target": {"role": "textbox", "name": format!("Field {n}")}, "value": format!("{round} {n}")}));
        let more = Map::from_iter([("fields".to_owned(), Value::Array(fields.collect()))]);
        let Some(reply) = self.ours("fill", None, more).await? else { return Ok(()) };
        effect(&reply)?;
        let held = self.read("[...document.querySelectorAll('input[type=text]')].slice(0, 30).map((field) => field.value).join()").await?;
        let wanted = (0..30).map(|n| format!("{round} {}", 2 + 4 * n)).collect::<Vec<_>>().join(",");
        if held.as_str() != Some(wanted.as_str()) {
            return Err(format!("the fields hold {held}: {}", beginning(&reply.text)));
        }
        self.add(measured, Measure::Fill, sample(&reply));
        Ok(())
    }

    /// Ten clicks in one call, counted by the page.
    pub(super) async fn acts(&mut self, measured: &mut Measured) -> Result<(), Missed> {
        // By ref, as the single clicks are.
        let node = Node { role: "button".into(), name: "Add one".into(), nth: None };
        let tab = self.place.as_ref().map(|place| place.tab.clone());
        let found = self.session.resolve(&node, tab.as_deref()).await.map_err(|error| error.to_string())?;
        let found = found.ok_or("its snapshot does not show the button")?;
        let step = json!({"do": "click", "target": {"ref": found}});
        let more = Map::from_iter([("steps".to_owned(), json!(vec![step; 10]))]);
        let Some(reply) = self.ours("act", None, more).await? else { return Ok(()) };
        let Some(place) = &mut self.place else { return Err("it has no page".into()) };
        let journal = self.scene.server.barrier(&place.run).await.map_err(|error| error.to_string())?;
        let count = journal.goal.get("count").and_then(Value::as_u64).unwrap_or_default();
        place.clicks += 10;
        if reply.is_error || count != place.clicks {
            return Err(format!("the page counts {count} clicks and not {}: {}", place.clicks, beginning(&reply.text)));
        }
        self.add(measured, Measure::Act, sample(&reply));
        Ok(())
    }

    /// A click on a disabled button.
    pub(super) async fn refused(&mut self, measured: &mut Measured) -> Result<(), Missed> {
        let Some(reply) = self.ours("click", Some(("button", "Not now")), Map::new()).await? else { return Ok(()) };
        if !reply.is_error {
            return Err(format!("its click was not refused: {}", beginning(&reply.text)));
        }
        self.add(measured, Measure::Refused, sample(&reply));
        Ok(())
    }

    /// A click on a button that does nothing.
    pub(super) async fn dead(&mut self, measured: &mut Measured) -> Result<(), Missed> {
        let Some(reply) = self.ours("click", Some(("button", "Do nothing")), Map::new()).await? else { return Ok(()) };
        if reply.claim.class() != Some(OutcomeClass::NoEffect) {
            return Err(format!("its click did nothing and it says otherwise: {}", beginning(&reply.text)));
        }
        self.add(measured, Measure::Dead, sample(&reply));
        Ok(())
    }

    /// A call in our own words, with its tab in front; none for who does not speak them.
    async fn ours(&mut self, tool: &str, target: Option<(&str, &str)>, arguments: Map<String, Value>) -> Result<Option<Reply>, Missed> {
        if !self.session.speaks_our_words() {
            return Ok(None);
        }
        let tab = self.place.as_ref().map(|place| place.tab.clone());
        let target = match target {
            None => None,
            Some((role, name)) => {
                let node = Node { role: role.into(), name: name.into(), nth: None };
                let found = self.session.resolve(&node, tab.as_deref()).await.map_err(|error| error.to_string())?;
                Some(CallTarget::Ref(found.ok_or_else(|| format!("its snapshot does not show {role} \"{name}\""))?, Some(node)))
            }
        };
        self.front().await?;
        // What no scenario has a step for is passed as it is, with its tab.
        let raw = tool == "act";
        let mut arguments = arguments;
        if let Some(number) = tab.as_ref().filter(|_| raw).and_then(|tab| tab.parse::<u64>().ok()) {
            arguments.insert("tab".to_owned(), json!(number));
        }
        let call = Call { tool: tool.to_owned(), raw, is_write: true, target, arguments, tab };
        self.session.call(&call).await.map_err(|error| error.to_string())
    }

    /// Something read in the page, from outside.
    async fn read(&self, what: &str) -> Result<Value, Missed> {
        let Some(place) = &self.place else { return Err("it has no page".into()) };
        self.scene.chrome.evaluate(&place.handle, what).await.map_err(|error| error.to_string())
    }

    /// Closes its tab, through the browser.
    pub(super) async fn leave(&mut self) {
        if let Some(place) = self.place.take()
            && let Err(error) = self.scene.chrome.close_tab(&place.handle).await
        {
            tracing::debug!(%error, "the tab was already closed");
        }
    }

    /// Ends the session.
    pub(super) async fn close(self) {
        self.session.close().await;
    }

    fn add(&self, measured: &mut Measured, measure: Measure, sample: Sample) {
        if let Some(place) = &self.place {
            measured.add(Key { page: place.page, measure, subject: self.name.clone() }, sample);
        }
    }

    /// Brings the tab to the front, as all others' are in their turns, and waits until it is painted.
    async fn front(&self) -> Result<(), Missed> {
        self.script("").await.map(drop)
    }

    /// Waits until the page stands on the screen: to draw a large one takes longer than to look at it, and would be measured with it.
    async fn painted(&self) -> Result<(), Missed> {
        let first = "new Promise((done) => new PerformanceObserver((list) => {
            if (list.getEntriesByName('first-contentful-paint').length > 0) done('painted');
        }).observe({ type: 'paint', buffered: true }))";
        let Some(place) = &self.place else { return Err("it has no page".into()) };
        match self.scene.chrome.evaluate(&place.handle, first).await {
            Ok(_) => Ok(()),
            Err(error) => Err(format!("its page is not painted: {error}")),
        }
    }

    /// The same, after the page's one changing text was set from outside. Returns the text a snapshot must show.
    async fn touch(&self, number: u64) -> Result<String, Missed> {
        let text = format!("tick {}", 1000 + number);
        self.script(&format!("document.getElementById('tick').firstChild.data = '{text}';")).await?;
        Ok(text)
    }

    /// The same, and every other text node is written again, in the rows of page C with another word: for who watches, all of them changed,
    /// and of what was told before nothing stands.
    async fn rewrite(&self, number: u64) -> Result<String, Missed> {
        let all = "const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            const other = { lazy: 'idle', idle: 'lazy' };
            while (texts.nextNode()) texts.currentNode.data = texts.currentNode.data.replace(/lazy|idle/, (word) => other[word]);";
        self.script(&format!("{{ {all} }}")).await?;
        self.touch(number).await
    }

    async fn script(&self, what: &str) -> Result<(), Missed> {
        let Some(place) = &self.place else { return Err("it has no page".into()) };
        let chrome = self.scene.chrome;
        chrome.activate(&place.handle).await.map_err(|error| error.to_string())?;
        // Two frames: the change and the new place in front are laid out before anybody looks.
        let frames = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(document.visibilityState))))";
        let seen = chrome.evaluate(&place.handle, &format!("{what}{frames}")).await.map_err(|error| error.to_string())?;
        match seen.as_str() {
            Some("visible") => Ok(()),
            _ => Err(format!("its tab did not come to the front: {seen}")),
        }
    }

    /// A whole snapshot by the first of these steps that the subject has, and which it was.
    async fn snapshot<'s>(&mut self, steps: &[&'s str], shown: &str) -> Result<(Sample, &'s str), Missed> {
        for step in steps {
            if let Some(reply) = self.call(step, None).await? {
                return Ok((checked(&reply, shown)?, step));
            }
        }
        Err("it has no snapshot tool".into())
    }

    async fn call(&mut self, step: &str, target: Option<CallTarget>) -> Result<Option<Reply>, Missed> {
        let tab = self.place.as_ref().map(|place| place.tab.clone());
        let call = Call { tool: step.to_owned(), raw: false, is_write: target.is_some(), target, arguments: Map::new(), tab };
        self.session.call(&call).await.map_err(|error| error.to_string())
    }
}

/// A reply that claims an effect.
fn effect(reply: &Reply) -> Result<(), Missed> {
    match reply.claim.class() {
        Some(OutcomeClass::Effect) => Ok(()),
        _ => Err(format!("it did something and says otherwise: {}", beginning(&reply.text))),
    }
}

/// A snapshot that shows what it must.
fn checked(reply: &Reply, shown: &str) -> Result<Sample, Missed> {
    if reply.is_error {
        return Err(format!("its snapshot failed: {}", beginning(&reply.text)));
    }
    if !reply.text.contains(shown) {
        return Err(format!("its snapshot does not show \"{shown}\", which stands on the page: {}", beginning(&reply.text)));
    }
    Ok(sample(reply))
}

fn sample(reply: &Reply) -> Sample {
    Sample::new(reply.took, reply.text.len(), reply.bytes)
}

fn beginning(text: &str) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    flat.chars().take(200).collect()
}

fn is_loaded(journal: &Journal) -> bool {
    journal.records.iter().any(|record| matches!(&record.kind, RecordKind::Event(EventRecord { r#type, .. }) if r#type == "pageshow"))
}
