//! The tools a scenario can call, and their arguments as people write them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::fixture::ReferenceStep;

use super::fault::Fault;
use super::model::Until;

/// What a step does.
#[derive(Clone, Debug)]
pub enum Action {
    /// `tabs`
    Tabs(TabsArgs),
    /// `navigate`
    Navigate(NavigateArgs),
    /// `snapshot`
    Snapshot(SnapshotArgs),
    /// `get_text`
    GetText(GetTextArgs),
    /// `click`
    Click(ClickArgs),
    /// `type`
    Type(TypeArgs),
    /// `wait_for`
    WaitFor(WaitForArgs),
    /// `screenshot`
    Screenshot(ScreenshotArgs),
    /// One of the reading tools.
    Read(&'static str, ReadArgs),
    /// One of the tools whose replies claim an effect and that have no form of their own here.
    Write(&'static str, ReadArgs),
    /// Any tool with any arguments, passed as they are.
    Call(CallArgs),
    /// A part of the subject is lost.
    Fault(Fault),
    /// The lab waits until the journal says so.
    Until(Until),
    /// Somebody else (the page's user) acts, through WebDriver.
    Page(ReferenceStep),
}

impl Action {
    /// The step's key in the file.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Tabs(_) => "tabs",
            Self::Navigate(_) => "navigate",
            Self::Snapshot(_) => "snapshot",
            Self::GetText(_) => "get_text",
            Self::Click(_) => "click",
            Self::Type(_) => "type",
            Self::WaitFor(_) => "wait_for",
            Self::Screenshot(_) => "screenshot",
            Self::Read(tool, _) | Self::Write(tool, _) => tool,
            Self::Call(_) => "call",
            Self::Fault(_) => "fault",
            Self::Until(_) => "until",
            Self::Page(_) => "page",
        }
    }

    /// Whether it is a tool call (and not something the lab does).
    pub fn is_call(&self) -> bool {
        !matches!(self, Self::Until(_) | Self::Page(_) | Self::Fault(_))
    }

    /// Whether its reply must say what became of it.
    pub fn is_write(&self) -> bool {
        match self {
            Self::Click(_) | Self::Type(_) | Self::Navigate(_) | Self::Write(..) => true,
            Self::Call(args) => WRITES.contains(&args.tool.as_str()),
            _ => false,
        }
    }

    /// The tool it calls, in the scenario's own words.
    pub fn tool(&self) -> &str {
        match self {
            Self::Call(args) => &args.tool,
            _ => self.word(),
        }
    }

    /// The target it acts on.
    pub fn target(&self) -> Option<&Target> {
        match self {
            Self::Click(args) => args.target.as_ref(),
            Self::Type(args) => Some(&args.target),
            Self::GetText(args) => args.target.as_ref(),
            Self::Screenshot(args) => args.target.as_ref(),
            Self::Read(_, args) | Self::Write(_, args) => args.target.as_ref(),
            _ => None,
        }
    }

    /// The call's arguments, without the target and the tab (the runner adds both).
    pub fn arguments(&self) -> Map<String, Value> {
        let value = match self {
            Self::Tabs(args) => json!(args),
            Self::Navigate(args) => json!(args),
            Self::Snapshot(args) => json!(args),
            Self::GetText(args) => json!(args),
            Self::Click(args) => json!(args),
            Self::Type(args) => json!(args),
            Self::WaitFor(args) => json!(args),
            Self::Screenshot(args) => json!(args),
            Self::Read(_, args) | Self::Write(_, args) => json!(args),
            // Not even the target is taken out of it.
            Self::Call(args) => return args.arguments.clone(),
            Self::Until(_) | Self::Page(_) | Self::Fault(_) => Value::Null,
        };
        let mut map = match value {
            Value::Object(map) => map,
            _ => Map::new(),
        };
        map.remove("target");
        map
    }
}

/// The tools whose replies claim an effect.
const WRITES: [&str; 13] =
    ["click", "type", "navigate", "press_key", "hover", "scroll", "drag", "check", "uncheck", "select_option", "fill", "dialog", "upload"];

/// Arguments of `call`: bad input is written here, which the typed steps would not let through.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallArgs {
    /// The tool's name.
    pub tool: String,
    /// Its arguments, passed as they are.
    #[serde(default)]
    pub arguments: Map<String, Value>,
}

/// A node: exactly one form of `{role, name, nth?}`, `{ref}`, `{css}`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Target {
    /// The node's ARIA role, as the subject's own snapshot names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// The node's accessible name, exactly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Which of several with this role and name, from 0 in the order of the snapshot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nth: Option<usize>,
    /// A word remembered by an earlier step's `as`: its ref is used again, not refreshed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r#ref: Option<String>,
    /// A CSS selector, passed to the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub css: Option<String>,
    /// Passes role and name to the tool, in place of a ref found in the snapshot.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub inline: bool,
}

impl Target {
    /// What is wrong with it, if anything.
    pub fn fault(&self) -> Option<&'static str> {
        let forms = [self.role.is_some(), self.r#ref.is_some(), self.css.is_some()].iter().filter(|form| **form).count();
        if forms != 1 {
            return Some("a target has exactly one form: {role, name, nth?}, {ref} or {css}");
        }
        if self.role.is_some() && self.name.is_none() {
            return Some("a target by role needs its name too (an empty string for a node without one)");
        }
        if self.role.is_none() && (self.name.is_some() || self.nth.is_some() || self.inline) {
            return Some("`name`, `nth` and `inline` belong to a target by role");
        }
        None
    }

    /// The target in words.
    pub fn words(&self) -> String {
        match (&self.role, &self.r#ref, &self.css) {
            (Some(role), ..) => {
                let nth = self.nth.map(|nth| format!(" (number {nth})")).unwrap_or_default();
                let how = if self.inline { ", found by the tool itself" } else { "" };
                format!("{role} \"{}\"{nth}{how}", self.name.as_deref().unwrap_or_default())
            }
            (_, Some(word), _) => format!("the node remembered as {word}, by its old ref"),
            (.., Some(css)) => format!("the element {css}"),
            _ => String::from("nothing"),
        }
    }
}

/// Arguments of `tabs`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TabsArgs {
    /// What to do.
    pub action: TabsAction,
    /// The address of a new tab; `{{fixture}}`, `{{origin_a}}`, `{{origin_b}}`, `{{run}}` are filled in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// What `tabs` can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TabsAction {
    /// List the session's tabs.
    List,
    /// Open a tab.
    New,
    /// Make a tab the current one.
    Select,
    /// Close a tab.
    Close,
}

/// Arguments of `navigate`: exactly one of `url` and `action`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct NavigateArgs {
    /// The address; `{{fixture}}`, `{{origin_a}}`, `{{origin_b}}`, `{{run}}` are filled in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// A move in the history.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<NavigateAction>,
}

/// A move in the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NavigateAction {
    /// One back.
    Back,
    /// One forward.
    Forward,
    /// The same page again.
    Reload,
}

/// Arguments of `snapshot`: none.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SnapshotArgs {}

/// Arguments of `get_text`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GetTextArgs {
    /// The node whose text is asked for (default: the page).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
}

/// Arguments of `click`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClickArgs {
    /// What to click; none where `at` says the place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
    /// A point of the viewport, `{x, y}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Value>,
    /// Which button.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub button: Option<String>,
    /// How many times in a row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// Keys held meanwhile.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modifiers: Vec<String>,
    /// Milliseconds between press and release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hold_ms: Option<u32>,
    /// What is to be seen afterwards, as the tool takes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect: Option<Value>,
    /// Use trusted input at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub real: Option<bool>,
}

/// Arguments of `type`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TypeArgs {
    /// The field.
    pub target: Target,
    /// The text.
    pub text: String,
    /// Replace what is there, or append to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<TypeMode>,
    /// Submit afterwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub submit: Option<bool>,
    /// What is to be seen afterwards, as the tool takes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect: Option<Value>,
    /// Use trusted input at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub real: Option<bool>,
}

/// How typed text meets the text that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TypeMode {
    /// It takes its place.
    Replace,
    /// It is put after it.
    Append,
}

/// Arguments of `wait_for`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WaitForArgs {
    /// Any one of these ends the wait.
    pub any: Vec<WaitCondition>,
    /// Bound of the wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
}

/// One condition of `wait_for`: exactly one of its keys (`state` goes with `ref`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct WaitCondition {
    /// Text that appears.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Text that goes away.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gone_text: Option<String>,
    /// An element that appears.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub css: Option<String>,
    /// Part of the address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// A node remembered by `as`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r#ref: Option<String>,
    /// The state that node must have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// The page is quiet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idle: Option<bool>,
}

/// Arguments of `screenshot`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ScreenshotArgs {
    /// The image format.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<ImageFormat>,
    /// JPEG quality, 1 to 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quality: Option<u8>,
    /// Only this element.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
    /// The whole page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full: Option<bool>,
    /// With the refs drawn on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refs: Option<bool>,
}

/// Arguments of a tool that has no form of its own here: a target where it takes one, everything else as the tool takes it, wrong ones too.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ReadArgs {
    /// The node it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
    /// The rest, passed on; `{{fixture}}`, `{{origin_a}}`, `{{origin_b}}`, `{{run}}` are filled in in `url`.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// An image format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ImageFormat {
    /// JPEG
    Jpeg,
    /// PNG
    Png,
}
