//! A node as one of the two trees shows it, and Chrome's words in ours.

use std::collections::{BTreeSet, HashMap};

use serde::Deserialize;
use serde_json::Value;

/// A node of either tree, for the comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// DOM node, by Chrome's number.
    pub backend: i64,
    /// Role, in our words.
    pub role: String,
    /// Accessible name.
    pub name: String,
    /// States that both sides know, in our words.
    pub states: BTreeSet<String>,
    /// Roles around it, innermost first (Chrome's tree only).
    pub around: Vec<String>,
}

/// A node of ours as the content script answers it.
#[derive(Debug, Deserialize)]
pub(super) struct OwnNode {
    pub(super) role: String,
    #[serde(default)]
    pub(super) name: String,
    #[serde(default)]
    pub(super) states: Vec<String>,
    pub(super) level: Option<u32>,
}

/// States compared: those that Chrome's tree has a word for.
const STATES: [&str; 15] = [
    "checked",
    "unchecked",
    "mixed",
    "pressed",
    "unpressed",
    "expanded",
    "collapsed",
    "selected",
    "disabled",
    "readonly",
    "required",
    "invalid",
    "busy",
    "modal",
    "multiple",
];

impl OwnNode {
    /// For the comparison.
    pub(super) fn shown(self, backend: i64) -> Shown {
        let mut states: BTreeSet<String> = self.states.into_iter().filter(|state| STATES.contains(&state.as_str())).collect();
        states.extend(self.level.map(|level| format!("level={level}")));
        Shown { backend, role: self.role, name: fold(&self.name), states, around: Vec::new() }
    }
}

/// Chrome's tree of one frame: elements in the order of the tree, and all text.
#[derive(Debug, Default)]
pub(super) struct ChromeTree {
    pub(super) elements: Vec<Shown>,
    pub(super) texts: Vec<Shown>,
}

/// Roles of Chrome's nodes that stand for text.
const TEXTS: [&str; 1] = ["StaticText"];
/// Roles of Chrome's nodes that are parts of a text or of the drawing.
const PARTS: [&str; 4] = ["InlineTextBox", "LineBreak", "ListMarker", "RootWebArea"];

impl ChromeTree {
    /// From the answer of `Accessibility.getFullAXTree`.
    pub(super) fn read(answer: &Value) -> Self {
        let none = Vec::new();
        let nodes = answer["nodes"].as_array().unwrap_or(&none);
        let by_id: HashMap<&str, &Value> = nodes.iter().filter_map(|node| Some((node["nodeId"].as_str()?, node))).collect();
        let mut tree = Self::default();
        let Some(root) = nodes.iter().find(|node| node["parentId"].is_null()) else { return tree };
        let mut open: Vec<(&Value, Vec<String>)> = vec![(root, Vec::new())];
        while let Some((node, around)) = open.pop() {
            let role = node["role"]["value"].as_str().unwrap_or_default();
            let mut inside = around.clone();
            if node["ignored"] != true {
                let word = own_word(role);
                let shown = Shown {
                    backend: node["backendDOMNodeId"].as_i64().unwrap_or_default(),
                    role: word.clone(),
                    name: fold(node["name"]["value"].as_str().unwrap_or_default()),
                    states: states_of(node),
                    around,
                };
                if TEXTS.contains(&role) {
                    tree.texts.push(shown);
                } else if !PARTS.contains(&role) {
                    tree.elements.push(shown);
                }
                inside.insert(0, word);
            }
            let children = node["childIds"].as_array().unwrap_or(&none);
            for child in children.iter().rev().filter_map(|id| by_id.get(id.as_str()?)) {
                open.push((child, inside.clone()));
            }
        }
        tree
    }
}

/// Chrome names some roles by its own words; everything else is ARIA's.
fn own_word(role: &str) -> String {
    match role {
        "image" => "img",
        "Iframe" | "IframePresentational" => "iframe",
        "DisclosureTriangle" | "DisclosureTriangleGrouped" => "button",
        "Details" => "group",
        "Figcaption" => "caption",
        "LayoutTable" => "table",
        "LayoutTableRow" => "row",
        "LayoutTableCell" => "cell",
        "LabelText" | "Ruby" | "Legend" | "Abbr" | "none" | "Section" | "Pre" | "DescriptionList" | "sectionheader" | "sectionfooter" => {
            "generic"
        }
        "Canvas" => "canvas",
        "Video" => "video",
        "Audio" => "audio",
        "EmbeddedObject" => "embed",
        "PluginObject" => "object",
        "SvgRoot" => "img",
        "Time" => "time",
        "MathMLMath" => "math",
        "ColorWell" | "Date" | "DateTime" | "InputTime" => "textbox",
        "MenuListPopup" => "listbox",
        "menuListOption" => "option",
        _ => role,
    }
    .to_owned()
}

fn states_of(node: &Value) -> BTreeSet<String> {
    let none = Vec::new();
    let mut states = BTreeSet::new();
    for property in node["properties"].as_array().unwrap_or(&none) {
        let value = &property["value"]["value"];
        let truth = value == true || value == "true";
        let word = match property["name"].as_str().unwrap_or_default() {
            "checked" if value == "mixed" => "mixed",
            "checked" => {
                if truth {
                    "checked"
                } else {
                    "unchecked"
                }
            }
            "pressed" if value == "mixed" => "mixed",
            "pressed" => {
                if truth {
                    "pressed"
                } else {
                    "unpressed"
                }
            }
            "expanded" => {
                if truth {
                    "expanded"
                } else {
                    "collapsed"
                }
            }
            "invalid" if value != "false" => "invalid",
            "multiselectable" if truth => "multiple",
            "level" => {
                if let (Some(level), "heading") = (value.as_i64(), node["role"]["value"].as_str().unwrap_or_default()) {
                    states.insert(format!("level={level}"));
                }
                continue;
            }
            word @ ("selected" | "disabled" | "readonly" | "required" | "busy" | "modal") if truth => word,
            _ => continue,
        };
        states.insert(word.to_owned());
    }
    states
}

/// Runs of white space count as one, as in our own names.
pub(super) fn fold(text: &str) -> String {
    text.split([' ', '\t', '\n', '\r', '\u{c}', '\u{a0}']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}
