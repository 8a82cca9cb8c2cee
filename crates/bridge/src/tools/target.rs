//! Targets and tabs as agents name them.

use protocol::{ErrorCode, Target};
use schemars::JsonSchema;
use serde::Deserialize;

use super::tool::{Context, ToolError};
use crate::render;

/// What to act on: exactly one of `ref`, `role` with `name`, or `css`. Its fields are described once, in `click`: the list of tools is sent with
/// every conversation.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object with ref, with role and name, or with css")]
pub(super) struct TargetParam {
    // From a snapshot, like a12.
    pub(super) r#ref: Option<String>,
    // With name.
    pub(super) role: Option<String>,
    // With role.
    pub(super) name: Option<String>,
    // Of several, from 0.
    pub(super) nth: Option<u32>,
    // Selector.
    pub(super) css: Option<String>,
}

impl TargetParam {
    /// The target, and the call's object in words.
    pub(super) fn resolve(&self) -> Result<(Target, String), ToolError> {
        let wrong =
            |what: &str| Err(ToolError::new(ErrorCode::InvalidArgument, what).with_next("Give exactly one of ref, role with name, or css"));
        match (&self.r#ref, &self.role, &self.name, &self.css) {
            (Some(word), None, None, None) if self.nth.is_none() => match render::parse_ref(word) {
                Some((doc, node)) => Ok((Target::Ref { doc, node }, format!("[{word}]"))),
                None => Err(ToolError::new(ErrorCode::InvalidArgument, "what was given is not a ref; refs look like a12")
                    .with_next("Take a snapshot and use its refs")),
            },
            (None, Some(role), Some(name), None) => {
                let words = format!("{role} {}", render::quote(name));
                Ok((Target::Name { role: role.clone(), name: name.clone(), nth: self.nth }, words))
            }
            (None, None, None, Some(selector)) if self.nth.is_none() => {
                Ok((Target::Css { selector: selector.clone() }, format!("css {}", render::quote(selector))))
            }
            (None, None, None, None) => wrong("the target names nothing"),
            (None, Some(_), None, None) | (None, None, Some(_), None) => wrong("role and name go together"),
            (Some(_), None, None, None) | (None, None, None, Some(_)) => wrong("nth goes with role and name only"),
            _ => wrong("the target is named in two ways"),
        }
    }
}

/// The tab a call acts on: the named one, or the session's current one. It must be the session's own.
pub(super) fn own_tab(context: &Context, tab: Option<u32>) -> Result<u32, ToolError> {
    let session = &context.session;
    let tab = tab.map(|tab| session.ownership().now(tab));
    let Some(tab) = tab.or_else(|| session.current()) else {
        let others =
            session.ownership().tabs().into_iter().filter(|tab| session.holds(*tab)).map(|tab| tab.to_string()).collect::<Vec<_>>();
        let refused = |message: String| ToolError::new(ErrorCode::NoTab, message);
        return Err(if others.is_empty() {
            refused("this session has no tab".into())
        } else {
            refused(format!("the session's current tab was closed; it still has {}", others.join(", ")))
                .with_next("Take one of them with tabs select, or open one with tabs new")
        });
    };
    if session.holds(tab) {
        return Ok(tab);
    }
    match session.other_holder(tab) {
        Some(label) => Err(owned(tab, &label)),
        None => Err(ToolError::new(ErrorCode::NoTab, format!("tab {tab} is not one of this session's"))
            .with_next("Take it with tabs select, or open one with tabs new")),
    }
}

/// The refusal for another session's tab.
pub(super) fn owned(tab: u32, label: &str) -> ToolError {
    ToolError::new(ErrorCode::TabOwned, format!("tab {tab} belongs to {label}"))
        .with_next("Open your own with tabs new, or ask the user which agent is to have it")
}
