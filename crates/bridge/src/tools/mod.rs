//! The one ordered list of tools; everything about tools derives from it.

mod tool;

pub use tool::{Access, AnyTool, Block, Context, Desk, Group, Reply, ToolError};

/// Every tool, in the order of `tools/list` and the docs.
#[must_use]
pub fn registry() -> &'static [&'static dyn AnyTool] {
    &[]
}

/// Carries out one call: finds the tool, checks the arguments, applies the policy once, words every failure.
pub async fn call(context: &Context, name: &str, arguments: serde_json::Value) -> Reply {
    let _ = (context, arguments);
    Reply::failure(&ToolError::new(protocol::ErrorCode::InvalidArgument, format!("there is no tool {name}")))
}
