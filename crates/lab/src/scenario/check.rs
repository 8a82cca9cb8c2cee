//! What a scenario must fulfil beyond its grammar: names that exist, refs remembered before use, a truth for every write.

use std::collections::BTreeSet;

use serde_saphyr::Location;

use super::error::{ScenarioError, did_you_mean};
use super::fault::Fault;
use super::load::Catalog;
use super::model::{Profile, Scenario, ScenarioFile, Step, StepFile};
use super::step::{Action, Target};
use super::words::OutcomeClass;

/// Every role a node can have: WAI-ARIA with its graphics and the names of HTML's own kinds, as snapshots say them.
const ROLES: [&str; 102] = [
    "alert",
    "alertdialog",
    "application",
    "article",
    "audio",
    "banner",
    "blockquote",
    "button",
    "canvas",
    "caption",
    "cell",
    "checkbox",
    "code",
    "columnheader",
    "combobox",
    "comment",
    "complementary",
    "contentinfo",
    "definition",
    "deletion",
    "details",
    "dialog",
    "directory",
    "document",
    "embed",
    "emphasis",
    "feed",
    "figure",
    "form",
    "generic",
    "graphics-document",
    "graphics-object",
    "graphics-symbol",
    "grid",
    "gridcell",
    "group",
    "heading",
    "iframe",
    "image",
    "img",
    "insertion",
    "label",
    "legend",
    "link",
    "list",
    "listbox",
    "listitem",
    "log",
    "main",
    "mark",
    "marquee",
    "math",
    "menu",
    "menubar",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "meter",
    "navigation",
    "none",
    "note",
    "object",
    "option",
    "paragraph",
    "presentation",
    "progressbar",
    "radio",
    "radiogroup",
    "region",
    "row",
    "rowgroup",
    "rowheader",
    "scrollbar",
    "search",
    "searchbox",
    "sectionfooter",
    "sectionheader",
    "separator",
    "slider",
    "spinbutton",
    "status",
    "strong",
    "subscript",
    "suggestion",
    "summary",
    "superscript",
    "switch",
    "tab",
    "table",
    "tablist",
    "tabpanel",
    "term",
    "text",
    "textbox",
    "time",
    "timer",
    "toolbar",
    "tooltip",
    "tree",
    "treegrid",
    "treeitem",
    "video",
];

/// Collects faults of one file.
pub(super) struct Faults<'a> {
    file: &'a str,
    source: &'a str,
    all: Vec<ScenarioError>,
}

impl<'a> Faults<'a> {
    pub(super) fn new(file: &'a str, source: &'a str) -> Self {
        Self { file, source, all: Vec::new() }
    }

    /// The same at a word near the place.
    fn add_at(&mut self, (place, word): (&Location, &str), message: impl Into<String>, help: impl Into<String>) {
        self.all.push(ScenarioError::new(self.file, self.source, message).at_word(place, word).with_help(help));
    }

    fn add(&mut self, place: &Location, message: impl Into<String>, help: impl Into<String>) {
        self.all.push(ScenarioError::new(self.file, self.source, message).at(place).with_help(help));
    }
}

/// Where the parts of the step under check stand.
#[derive(Default)]
struct Places {
    arguments: Option<Location>,
    expect: Option<Location>,
    tab: Option<Location>,
    during: Option<Location>,
}

/// Walks through a file in its order, with the words remembered so far.
pub(super) struct Checker<'a> {
    faults: Faults<'a>,
    catalog: &'a Catalog,
    /// What may be a goal of the fixture.
    goals: Option<&'a BTreeSet<String>>,
    refs: BTreeSet<String>,
    tabs: BTreeSet<String>,
    places: Places,
    page_steps: Vec<Location>,
}

impl<'a> Checker<'a> {
    pub(super) fn new(faults: Faults<'a>, catalog: &'a Catalog) -> Self {
        let tabs = BTreeSet::from([String::from("main")]);
        Self { faults, catalog, goals: None, refs: BTreeSet::new(), tabs, places: Places::default(), page_steps: Vec::new() }
    }

    pub(super) fn into_faults(self) -> Vec<ScenarioError> {
        self.faults.all
    }

    pub(super) fn file(&mut self, raw: &ScenarioFile) {
        let fixture = &raw.fixture.value;
        self.goals = self.catalog.goals.get(fixture);
        let Some(variants) = self.catalog.fixtures.get(fixture) else {
            let near = did_you_mean(fixture, self.catalog.fixtures.keys().map(String::as_str));
            let help = near.map_or_else(
                || String::from("a fixture is a page with metadata: fixtures/<group>/<name>.html and .yaml"),
                |near| format!("did you mean `{near}`?"),
            );
            return self.faults.add(&raw.fixture.referenced, format!("there is no fixture `{fixture}`"), help);
        };
        for (key, value) in &raw.query {
            let Some(values) = variants.get(key) else {
                let known = variants.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
                let message = format!("the fixture `{fixture}` has no variant `{key}`");
                let help = match did_you_mean(key, variants.keys().map(String::as_str)) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None if known.is_empty() => String::from("declare it under `variants` in the fixture's yaml"),
                    None => format!("its variants are: {known}"),
                };
                self.faults.add_at((&value.referenced, key), message, help);
                continue;
            };
            if !values.is_empty() && !values.contains(&value.value) {
                let message = format!("the fixture `{fixture}` does not know `{key}` as `{}`", value.value);
                self.faults.add(&value.referenced, message, format!("its values are: {}", values.join(", ")));
            }
        }
        if raw.steps.is_empty() {
            self.faults.add(&raw.fixture.referenced, "the scenario has no steps", "say what the agent does under `steps`");
        }
    }

    /// Takes down where the parts of the next step stand.
    pub(super) fn places(&mut self, step: &StepFile) {
        let arguments = [
            step.tabs.as_ref().map(|args| args.referenced),
            step.navigate.as_ref().map(|args| args.referenced),
            step.get_text.as_ref().map(|args| args.referenced),
            step.click.as_ref().map(|args| args.referenced),
            step.r#type.as_ref().map(|args| args.referenced),
            step.wait_for.as_ref().map(|args| args.referenced),
            step.screenshot.as_ref().map(|args| args.referenced),
            step.read_text.as_ref().map(|args| args.referenced),
            step.read_dom.as_ref().map(|args| args.referenced),
            step.find.as_ref().map(|args| args.referenced),
            step.query.as_ref().map(|args| args.referenced),
            step.console.as_ref().map(|args| args.referenced),
            step.network.as_ref().map(|args| args.referenced),
            step.fetch.as_ref().map(|args| args.referenced),
            step.download.as_ref().map(|args| args.referenced),
            step.ask_human.as_ref().map(|args| args.referenced),
            step.status_line.as_ref().map(|args| args.referenced),
            step.eval.as_ref().map(|args| args.referenced),
            step.reload.as_ref().map(|args| args.referenced),
            step.learnings.as_ref().map(|args| args.referenced),
            step.press_key.as_ref().map(|args| args.referenced),
            step.hover.as_ref().map(|args| args.referenced),
            step.scroll.as_ref().map(|args| args.referenced),
            step.drag.as_ref().map(|args| args.referenced),
            step.check.as_ref().map(|args| args.referenced),
            step.uncheck.as_ref().map(|args| args.referenced),
            step.select_option.as_ref().map(|args| args.referenced),
            step.fill.as_ref().map(|args| args.referenced),
            step.dialog.as_ref().map(|args| args.referenced),
            step.upload.as_ref().map(|args| args.referenced),
            step.call.as_ref().map(|args| args.referenced),
            step.fault.as_ref().map(|args| args.referenced),
            step.until.as_ref().map(|args| args.referenced),
            step.page.as_ref().map(|args| args.referenced),
        ];
        self.places = Places {
            arguments: arguments.into_iter().flatten().next(),
            expect: step.expect.as_ref().map(|expect| expect.referenced),
            tab: step.tab.as_ref().map(|tab| tab.referenced),
            during: step.during.as_ref().map(|during| during.referenced),
        };
        self.page_steps.extend(step.page.as_ref().map(|page| page.referenced));
    }

    pub(super) fn not_one_action(&mut self, found: &[&str], place: &Location) {
        let message = match found {
            [] => String::from("this step does nothing"),
            several => format!("this step does {} things at once: {}", several.len(), several.join(", ")),
        };
        self.faults.add(place, message, "a step has exactly one tool (or `until`, `fault` or `page`)");
    }

    pub(super) fn step(&mut self, step: &Step, place: &Location) {
        let arguments = self.places.arguments.unwrap_or(*place);
        if let Some(target) = step.action.target() {
            self.target(target, &arguments);
        }
        self.arguments(&step.action, &arguments);
        let until = match &step.action {
            Action::Until(until) => Some(until),
            _ => step.during.as_ref().and_then(|during| during.until.as_ref()),
        };
        let awaited = until.into_iter().flat_map(|until| until.goal.keys());
        self.goal(step.journal.iter().flat_map(|journal| journal.goal.keys()).chain(awaited), place);
        self.expectations(step, place);
        if let Some(word) = &step.tab {
            let known = self.tabs.contains(word);
            let place = self.places.tab.unwrap_or(*place);
            if !known {
                let help = remembered(word, &self.tabs, "as_tab");
                self.faults.add(&place, format!("no earlier step remembered a tab as `{word}`"), help);
            }
        }
        if step.during.is_some() && !step.action.is_call() {
            let place = self.places.during.unwrap_or(*place);
            self.faults.add(&place, "`during` is about a call under way, and this step makes none", "use a step `fault: …`");
        }
        if let Some(during) = &step.during
            && (during.fault.is_some() == during.person.is_some() || (during.person.is_none() && !during.card.is_empty()))
        {
            let place = self.places.during.unwrap_or(*place);
            self.faults.add(&place, "`during` has either `fault` or `person` (with `card`)", "for example {person: allows}");
        }
        let loses_answer = |fault: Option<Fault>| fault == Some(Fault::LostAcknowledgement);
        if let Some(during) = step.during.as_ref().filter(|during| loses_answer(during.fault) && during.until.is_none()) {
            let place = self.places.during.unwrap_or(*place);
            let fault = during.fault.map(|fault| fault.words()).unwrap_or_default();
            self.faults.add(&place, format!("{fault}: which one?"), "say with `until` what the journal holds before that answer");
        }
        if let Action::Fault(fault) = &step.action
            && loses_answer(Some(*fault))
        {
            self.faults.add(
                &arguments,
                "an answer is lost only in the middle of a call",
                "use `during: {fault: lost_acknowledgement, until: …}`",
            );
        }
        match (&step.remember, step.action.target()) {
            (Some(_), None) => {
                self.faults.add(place, "`as` remembers a target's ref, and this step has no target", "remove `as`");
            }
            (Some(_), Some(target)) if target.css.is_some() || target.inline => {
                let help = "use a target {role, name}, which the runner resolves to a ref";
                self.faults.add(&arguments, "`as` needs a ref, and this target has none", help);
            }
            _ => {}
        }
        self.refs.extend(step.remember.clone());
        self.tabs.extend(step.remember_tab.clone());
    }

    fn target(&mut self, target: &Target, place: &Location) {
        if let Some(fault) = target.fault() {
            self.faults.add_at((place, "target"), fault, "for example {role: button, name: Go}");
        }
        self.role(target, place);
        if let Some(word) = &target.r#ref {
            self.known_ref(word, place);
        }
    }

    /// A role that nobody has, a name that no page says: it could only be `not_seen`.
    fn role(&mut self, target: &Target, place: &Location) {
        let Some(role) = target.role.as_deref().filter(|role| !ROLES.contains(role)) else { return };
        let help = match did_you_mean(role, ROLES.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => String::from("roles are those of WAI-ARIA and its HTML mapping, in small letters"),
        };
        self.faults.add_at((place, role), format!("there is no role `{role}`"), help);
    }

    /// Keys that no document of the fixture could ever set.
    fn goal<'b>(&mut self, keys: impl Iterator<Item = &'b String>, place: &Location) {
        let Some(words) = self.goals else { return };
        // A key may be put together: `count_${session}`.
        let made = |key: &str| words.iter().any(|word| word.ends_with('_') && word.len() > 1 && key.starts_with(word.as_str()));
        for key in keys.filter(|key| !words.contains(key.as_str()) && !made(key)) {
            let help = match did_you_mean(key, words.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => String::from("a page sets goals by `journal.goal({key: value})`"),
            };
            self.faults.add_at((place, key), format!("no document of the fixture has a goal `{key}`"), help);
        }
    }

    fn known_ref(&mut self, word: &str, place: &Location) {
        if !self.refs.contains(word) {
            let help = remembered(word, &self.refs, "as");
            self.faults.add_at((place, word), format!("no earlier step remembered a ref as `{word}`"), help);
        }
    }

    fn arguments(&mut self, action: &Action, place: &Location) {
        match action {
            Action::Navigate(args) if args.url.is_some() == args.action.is_some() => {
                self.faults.add(place, "`navigate` takes either `url` or `action`", "for example {action: reload}");
            }
            Action::Click(args) if args.target.is_some() == args.at.is_some() => {
                self.faults.add(place, "`click` takes either `target` or `at`", "for example {target: {role: button, name: Go}}");
            }
            Action::WaitFor(args) => {
                if args.any.is_empty() {
                    self.faults.add(place, "`wait_for` waits for nothing", "for example {any: [{text: Saved}]}");
                }
                for word in args.any.iter().filter_map(|condition| condition.r#ref.as_deref()) {
                    self.known_ref(word, place);
                }
            }
            Action::Until(until) if until.goal.is_empty() && until.events.is_empty() && until.documents.is_none() => {
                self.faults.add(place, "`until` waits for nothing", "name what the journal must hold: {goal: {count: 1}, …}");
            }
            _ => {}
        }
    }

    fn expectations(&mut self, step: &Step, place: &Location) {
        let expect = &step.expect;
        let at = self.places.expect.unwrap_or(*place);
        if !step.action.is_call() && self.places.expect.is_some() {
            let help = "an `until` is its own expectation; `journal` may stand on any step";
            return self.faults.add(&at, "`expect` is about a reply, and this step has none", help);
        }
        if let Some(image) = &expect.image
            && image.channels().is_none()
        {
            self.faults.add_at((&at, &image.colour), format!("`{}` is no colour", image.colour), "write it as #rrggbb, such as #008060");
        }
        if !step.action.is_write() {
            if !expect.outcome.is_empty() || expect.effect.is_some() {
                let help = "only tools that act claim an effect; use `reply` here";
                let word = if expect.outcome.is_empty() { "effect" } else { "outcome" };
                self.faults.add_at((&at, word), format!("`{}` has no outcome", step.action.word()), help);
            }
            return;
        }
        let Some(effect) = expect.effect else {
            let help = "say the truth by the journal: `expect: {effect: true}` or `false`";
            return self.faults.add(&at, "a write step needs `effect` in its `expect`", help);
        };
        let contrary = |outcome: &super::words::Outcome| match outcome.class() {
            OutcomeClass::Effect => !effect,
            OutcomeClass::NoEffect => effect,
            OutcomeClass::Abstains => false,
        };
        if let Some(outcome) = expect.outcome.iter().find(|outcome| contrary(outcome)) {
            let message = format!("`outcome: {outcome}` contradicts `effect: {effect}`");
            self.faults.add_at((&at, outcome.word()), message, "a reply that says so about this truth would be a lie or a false alarm");
        }
        if effect && !expect.refusal.is_empty() {
            self.faults.add_at((&at, "refusal"), "`refusal` contradicts `effect: true`", "a refused call has no effect");
        }
        if expect.outcome.is_empty() && expect.refusal.is_empty() {
            let help = "for example `outcome: changed`, `outcome: [no_effect, reverted]` or `refusal: covered`";
            self.faults.add(&at, "a write step needs `outcome` or `refusal` in its `expect`", help);
        }
    }

    pub(super) fn profiles(&mut self, scenario: &Scenario) {
        if let Some(profile) = scenario.profiles.iter().find(|profile| **profile != Profile::Calm)
            && let Some(place) = self.page_steps.first().copied()
        {
            let help = format!("remove `{profile}` from `profiles`: no driver is attached there");
            self.faults.add(&place, format!("a `page` step needs a driver and cannot run in the {profile} profile"), help);
        }
    }
}

fn remembered(word: &str, known: &BTreeSet<String>, key: &str) -> String {
    match did_you_mean(word, known.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("remember it on an earlier step with `{key}: {word}`"),
    }
}

/// Checks a whole folder's scenarios against each other (known failures must name existing ones).
pub fn check<'a>(scenarios: &[Scenario], known: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let exists = |name: &str| scenarios.iter().any(|scenario| scenario.name == name);
    let names = || scenarios.iter().map(|scenario| scenario.name.as_str());
    known
        .into_iter()
        .filter(|name| !exists(name))
        .map(|name| match did_you_mean(name, names()) {
            Some(near) => format!("known-failures.yaml names `{name}`, which does not exist; did you mean `{near}`?"),
            None => format!("known-failures.yaml names `{name}`, which does not exist"),
        })
        .collect()
}
