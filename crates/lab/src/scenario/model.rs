//! A scenario as data: what it guards, its fixture, its steps and what each must come to.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use serde_saphyr::Spanned;

use crate::fixture::ReferenceStep;

use super::fault::{During, Fault};
use super::step::{
    Action, CallArgs, ClickArgs, GetTextArgs, NavigateArgs, ReadArgs, ScreenshotArgs, SnapshotArgs, TabsArgs, TypeArgs, WaitForArgs,
};
use super::words::{Outcome, RefusalCode};

/// One value or a list of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct OneOrMany<T>(pub Vec<T>);

impl<T> Default for OneOrMany<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> OneOrMany<T> {
    /// The values.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OneOrMany<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de>> serde::de::Visitor<'de> for Visitor<T> {
            type Value = OneOrMany<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("one word or a list of them")
            }

            fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<Self::Value, E> {
                T::deserialize(serde::de::value::StrDeserializer::new(value)).map(|one| OneOrMany(vec![one]))
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut all = Vec::new();
                while let Some(one) = seq.next_element()? {
                    all.push(one);
                }
                Ok(OneOrMany(all))
            }
        }
        deserializer.deserialize_any(Visitor(std::marker::PhantomData))
    }
}

impl<T: JsonSchema> JsonSchema for OneOrMany<T> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("OneOrMany_{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let one = generator.subschema_for::<T>();
        schemars::json_schema!({"anyOf": [one, {"type": "array", "items": one}]})
    }
}

/// A browser profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    /// Anti-throttling flags, driver attached, the agent's tab in front.
    Calm,
    /// Chrome's defaults, no driver, the agent's tab in the background.
    Wild,
    /// Chrome with a window, no driver, the agent's tab in front: the debugger's bar shrinks the page.
    Headed,
}

impl Profile {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Calm, Self::Wild, Self::Headed];

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Calm => "calm",
            Self::Wild => "wild",
            Self::Headed => "headed",
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// A scenario, parsed and checked.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// `<group>/<name>`, from its path.
    pub name: String,
    /// What it guards.
    pub guards: String,
    /// Links to the reports behind it.
    pub issues: Vec<String>,
    /// Id of its fixture.
    pub fixture: String,
    /// Variant switches in the fixture's address.
    pub query: BTreeMap<String, String>,
    /// Where it runs.
    pub profiles: Vec<Profile>,
    /// Whether the runner opens the fixture first.
    pub open: bool,
    /// The steps in order.
    pub steps: Vec<Step>,
}

impl Scenario {
    /// Whether a part of the subject is lost in it.
    pub fn has_faults(&self) -> bool {
        self.steps
            .iter()
            .any(|step| step.during.as_ref().is_some_and(|during| during.fault.is_some()) || matches!(step.action, Action::Fault(_)))
    }

    /// Whether something happens to the fixture's tab on purpose.
    pub fn has_faults_of_tab(&self) -> bool {
        let of_tab = |fault: Option<super::fault::Fault>| fault.is_some_and(super::fault::Fault::is_of_tab);
        self.steps.iter().any(|step| {
            let now = if let Action::Fault(fault) = &step.action { Some(*fault) } else { None };
            of_tab(now) || of_tab(step.during.as_ref().and_then(|during| during.fault))
        })
    }

    /// Whether any step's reply must claim something.
    pub fn has_writes(&self) -> bool {
        self.steps.iter().any(|step| step.action.is_write())
    }
}

/// One step.
#[derive(Clone, Debug)]
pub struct Step {
    /// The line it stands on.
    pub line: u64,
    /// What it does.
    pub action: Action,
    /// Remembers the ref used.
    pub remember: Option<String>,
    /// The second MCP session that takes it (default: the first).
    pub session: Option<String>,
    /// A remembered tab it acts on.
    pub tab: Option<String>,
    /// Remembers the tab its reply names.
    pub remember_tab: Option<String>,
    /// What goes wrong while the call is under way.
    pub during: Option<During>,
    /// What the reply must be.
    pub expect: Expect,
    /// What the journal must say once the reply is there.
    pub journal: Option<JournalExpectation>,
}

impl Step {
    /// The step in words.
    pub fn words(&self) -> String {
        super::explain::step(self)
    }
}

/// What a reply must be.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Expect {
    /// The allowed outcomes of a write.
    #[serde(skip_serializing_if = "OneOrMany::is_empty")]
    pub outcome: OneOrMany<Outcome>,
    /// The allowed refusal codes.
    #[serde(skip_serializing_if = "OneOrMany::is_empty")]
    pub refusal: OneOrMany<RefusalCode>,
    /// Texts the reply must contain.
    #[serde(skip_serializing_if = "OneOrMany::is_empty")]
    pub reply: OneOrMany<String>,
    /// Texts the reply must not contain.
    #[serde(skip_serializing_if = "OneOrMany::is_empty")]
    pub not_reply: OneOrMany<String>,
    /// Hard bound on the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within_ms: Option<u64>,
    /// The bound in the wild profile, where the tab is hidden (default: `within_ms` + 1300).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within_ms_hidden: Option<u64>,
    /// What the picture in the reply must show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<ImageExpectation>,
    /// The truth this step must have by the journal; every write step says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effect: Option<bool>,
}

impl Expect {
    /// The bound on the call in this profile.
    pub fn bound_ms(&self, profile: Profile) -> Option<u64> {
        match profile {
            Profile::Calm | Profile::Headed => self.within_ms,
            // A hidden tab is watched 1.3 s longer by design (2.5 s in place of 1.2 s).
            Profile::Wild => self.within_ms_hidden.or(self.within_ms.map(|bound| bound + 1300)),
        }
    }
}

/// What a picture must show: a page of one colour tells which tab it was taken of.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImageExpectation {
    /// The colour of at least half of it, as `#rrggbb`.
    pub colour: String,
    /// How far each channel may be off.
    #[serde(default = "near")]
    pub near: u8,
}

fn near() -> u8 {
    24
}

impl ImageExpectation {
    /// The colour's channels; none when it is not written as one.
    pub fn channels(&self) -> Option<[u8; 3]> {
        let digits = self.colour.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.is_ascii())?;
        let channel = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).ok();
        Some([channel(0)?, channel(2)?, channel(4)?])
    }
}

/// What the journal must say.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct JournalExpectation {
    /// Values the goal state must hold (more may stand in it).
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub goal: Map<String, Value>,
    /// Events that must have reached the page since the scenario began.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<EventExpectation>,
    /// Elements (`#id`, `tag`, `tag#id`) that no input event may have reached.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub untouched: Vec<String>,
    /// How many documents must have said hello.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub documents: Option<usize>,
}

/// An event and how often it must have come.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EventExpectation {
    /// The event's type.
    pub r#type: String,
    /// The element: `#id`, `tag` or `tag#id` (default: any).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// How often, exactly (default: at least once).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<usize>,
    /// Whether the browser vouches for it (default: either).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trusted: Option<bool>,
}

/// A wait of the lab, on the journal.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Until {
    /// Values the goal state must come to hold.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub goal: Map<String, Value>,
    /// Events that must come.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<EventExpectation>,
    /// How many documents must have said hello.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub documents: Option<usize>,
    /// Why there is a wait here.
    pub why: String,
    /// Bound of the wait.
    pub within_ms: u64,
}

/// The file as people write it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "A scenario of the lab")]
pub(super) struct ScenarioFile {
    /// What it guards, in one sentence.
    pub(super) guards: String,
    /// Links to the reports behind it.
    #[serde(default)]
    pub(super) issues: Vec<String>,
    /// The fixture: `<group>/<name>`.
    #[schemars(with = "String")]
    pub(super) fixture: Spanned<String>,
    /// Variant switches in the fixture's address.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, String>")]
    pub(super) query: BTreeMap<String, Spanned<String>>,
    /// Where it runs (default: calm).
    #[serde(default)]
    pub(super) profiles: Vec<Profile>,
    /// Whether the runner opens the fixture first (default: yes).
    #[serde(default)]
    pub(super) open: Option<bool>,
    /// The steps in order.
    #[schemars(with = "Vec<StepFile>")]
    pub(super) steps: Vec<Spanned<StepFile>>,
}

/// A step as people write it: exactly one tool, `until`, `fault` or `page`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct StepFile {
    /// Calls `tabs`.
    #[schemars(with = "Option<TabsArgs>")]
    pub(super) tabs: Option<Spanned<TabsArgs>>,
    /// Calls `navigate`.
    #[schemars(with = "Option<NavigateArgs>")]
    pub(super) navigate: Option<Spanned<NavigateArgs>>,
    /// Calls `snapshot`.
    #[schemars(with = "Option<SnapshotArgs>")]
    pub(super) snapshot: Option<Spanned<SnapshotArgs>>,
    /// Calls `get_text`.
    #[schemars(with = "Option<GetTextArgs>")]
    pub(super) get_text: Option<Spanned<GetTextArgs>>,
    /// Calls `click`.
    #[schemars(with = "Option<ClickArgs>")]
    pub(super) click: Option<Spanned<ClickArgs>>,
    /// Calls `type`.
    #[schemars(with = "Option<TypeArgs>")]
    pub(super) r#type: Option<Spanned<TypeArgs>>,
    /// Calls `wait_for`.
    #[schemars(with = "Option<WaitForArgs>")]
    pub(super) wait_for: Option<Spanned<WaitForArgs>>,
    /// Calls `screenshot`.
    #[schemars(with = "Option<ScreenshotArgs>")]
    pub(super) screenshot: Option<Spanned<ScreenshotArgs>>,
    /// Calls `read_text`.
    #[schemars(with = "Option<ReadArgs>")]
    pub(super) read_text: Option<Spanned<ReadArgs>>,
    /// Calls `read_dom`.
    #[schemars(with = "Option<ReadArgs>")]
    pub(super) read_dom: Option<Spanned<ReadArgs>>,
    /// Calls `find`.
    #[schemars(with = "Option<ReadArgs>")]
    pub(super) find: Option<Spanned<ReadArgs>>,
    /// Calls `query`.
    #[schemars(with = "Option<ReadArgs>")]
    pub(super) query: Option<Spanned<ReadArgs>>,
    /// Calls `console`.
    #[schemars(with = "Option<ReadArgs>")]
    pub(super) console: Option<Spanned<ReadArgs>>,
    /// Calls `network`.
    #[schemars(with = "Option<ReadArgs>")]
    pub(super) network: Option<Spanned<ReadArgs>>,
    /// Calls `fetch`.
    #[schemars(with = "Option<ReadArgs>")]
    pub(super) fetch: Option<Spanned<ReadArgs>>,
    /// Calls `download`.
    #[schemars(with = "Option<ReadArgs>")]
    pub(super) download: Option<Spanned<ReadArgs>>,
    /// Calls `ask_human`.
    #[schemars(with = "Option<ReadArgs>")]
    pub(super) ask_human: Option<Spanned<ReadArgs>>,
    /// Calls `status_line`.
    #[schemars(with = "Option<ReadArgs>")]
    pub(super) status_line: Option<Spanned<ReadArgs>>,
    /// Calls `eval`.
    #[schemars(with = "Option<ReadArgs>")]
    pub(super) eval: Option<Spanned<ReadArgs>>,
    /// Calls `reload`.
    #[schemars(with = "Option<ReadArgs>")]
    pub(super) reload: Option<Spanned<ReadArgs>>,
    /// Calls `learnings`.
    #[schemars(with = "Option<ReadArgs>")]
    pub(super) learnings: Option<Spanned<ReadArgs>>,
    /// Calls `press_key`.
    #[schemars(with = "Option<ReadArgs>")]
    pub(super) press_key: Option<Spanned<ReadArgs>>,
    /// Calls `hover`.
    #[schemars(with = "Option<ReadArgs>")]
    pub(super) hover: Option<Spanned<ReadArgs>>,
    /// Calls `scroll`.
    #[schemars(with = "Option<ReadArgs>")]
    pub(super) scroll: Option<Spanned<ReadArgs>>,
    /// Calls `drag`.
    #[schemars(with = "Option<ReadArgs>")]
    pub(super) drag: Option<Spanned<ReadArgs>>,
    /// Calls `check`.
    #[schemars(with = "Option<ReadArgs>")]
    pub(super) check: Option<Spanned<ReadArgs>>,
    /// Calls `uncheck`.
    #[schemars(with = "Option<ReadArgs>")]
    pub(super) uncheck: Option<Spanned<ReadArgs>>,
    /// Calls `select_option`.
    #[schemars(with = "Option<ReadArgs>")]
    pub(super) select_option: Option<Spanned<ReadArgs>>,
    /// Calls `fill`.
    #[schemars(with = "Option<ReadArgs>")]
    pub(super) fill: Option<Spanned<ReadArgs>>,
    /// Calls `dialog`.
    #[schemars(with = "Option<ReadArgs>")]
    pub(super) dialog: Option<Spanned<ReadArgs>>,
    /// Calls `upload`.
    #[schemars(with = "Option<ReadArgs>")]
    pub(super) upload: Option<Spanned<ReadArgs>>,
    /// Calls any tool with any arguments.
    #[schemars(with = "Option<CallArgs>")]
    pub(super) call: Option<Spanned<CallArgs>>,
    /// A part of the subject is lost.
    #[schemars(with = "Option<Fault>")]
    pub(super) fault: Option<Spanned<Fault>>,
    /// The lab waits for the journal.
    #[schemars(with = "Option<Until>")]
    pub(super) until: Option<Spanned<Until>>,
    /// The page's user acts, through WebDriver (calm only).
    #[schemars(with = "Option<ReferenceStep>")]
    pub(super) page: Option<Spanned<ReferenceStep>>,
    /// Remembers the ref this step used, under a word.
    pub(super) r#as: Option<String>,
    /// Takes the step in another MCP session, named by a word.
    pub(super) session: Option<String>,
    /// Acts on a remembered tab.
    #[schemars(with = "Option<String>")]
    pub(super) tab: Option<Spanned<String>>,
    /// Remembers the tab the reply names, under a word.
    pub(super) as_tab: Option<String>,
    /// What goes wrong while the call is under way.
    #[schemars(with = "Option<During>")]
    pub(super) during: Option<Spanned<During>>,
    /// What the reply must be.
    #[schemars(with = "Option<Expect>")]
    pub(super) expect: Option<Spanned<Expect>>,
    /// What the journal must say once the reply is there.
    pub(super) journal: Option<JournalExpectation>,
}

impl StepFile {
    /// The step's one action; its neighbours, when there are several or none.
    pub(super) fn take_action(&mut self) -> Result<Action, Vec<&'static str>> {
        let mut found = [
            self.tabs.take().map(|args| Action::Tabs(args.value)),
            self.navigate.take().map(|args| Action::Navigate(args.value)),
            self.snapshot.take().map(|args| Action::Snapshot(args.value)),
            self.get_text.take().map(|args| Action::GetText(args.value)),
            self.click.take().map(|args| Action::Click(args.value)),
            self.r#type.take().map(|args| Action::Type(args.value)),
            self.wait_for.take().map(|args| Action::WaitFor(args.value)),
            self.screenshot.take().map(|args| Action::Screenshot(args.value)),
            self.read_text.take().map(|args| Action::Read("read_text", args.value)),
            self.read_dom.take().map(|args| Action::Read("read_dom", args.value)),
            self.find.take().map(|args| Action::Read("find", args.value)),
            self.query.take().map(|args| Action::Read("query", args.value)),
            self.console.take().map(|args| Action::Read("console", args.value)),
            self.network.take().map(|args| Action::Read("network", args.value)),
            self.fetch.take().map(|args| Action::Read("fetch", args.value)),
            self.download.take().map(|args| Action::Read("download", args.value)),
            self.ask_human.take().map(|args| Action::Read("ask_human", args.value)),
            self.status_line.take().map(|args| Action::Read("status_line", args.value)),
            self.eval.take().map(|args| Action::Read("eval", args.value)),
            self.reload.take().map(|args| Action::Read("reload", args.value)),
            self.learnings.take().map(|args| Action::Read("learnings", args.value)),
            self.press_key.take().map(|args| Action::Write("press_key", args.value)),
            self.hover.take().map(|args| Action::Write("hover", args.value)),
            self.scroll.take().map(|args| Action::Write("scroll", args.value)),
            self.drag.take().map(|args| Action::Write("drag", args.value)),
            self.check.take().map(|args| Action::Write("check", args.value)),
            self.uncheck.take().map(|args| Action::Write("uncheck", args.value)),
            self.select_option.take().map(|args| Action::Write("select_option", args.value)),
            self.fill.take().map(|args| Action::Write("fill", args.value)),
            self.dialog.take().map(|args| Action::Write("dialog", args.value)),
            self.upload.take().map(|args| Action::Write("upload", args.value)),
            self.call.take().map(|args| Action::Call(args.value)),
            self.fault.take().map(|args| Action::Fault(args.value)),
            self.until.take().map(|args| Action::Until(args.value)),
            self.page.take().map(|args| Action::Page(args.value)),
        ]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>();
        match (found.pop(), found.is_empty()) {
            (Some(action), true) => Ok(action),
            (last, _) => Err(found.iter().chain(&last).map(Action::word).collect()),
        }
    }
}

/// The JSON Schema of a scenario file.
pub fn schema() -> Value {
    schemars::schema_for!(ScenarioFile).to_value()
}

/// The words of all steps that call a tool.
pub fn tool_words() -> BTreeSet<String> {
    // What stands beside a tool in a step, or in the place of one.
    const OTHERS: [&str; 11] = ["as", "session", "tab", "as_tab", "during", "expect", "journal", "until", "fault", "page", "call"];
    let schema = schemars::schema_for!(StepFile).to_value();
    let words = schema["properties"].as_object().into_iter().flat_map(Map::keys);
    words.filter(|word| !OTHERS.contains(&word.as_str())).cloned().collect()
}
