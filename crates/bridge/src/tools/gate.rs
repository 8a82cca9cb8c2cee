//! Policy that holds for every call, applied once around it.

use protocol::ErrorCode;
use serde_json::Value;

use super::registry;
use super::tool::{Block, Context, Reply, ToolError};

/// Carries out one call: finds the tool, applies the user's pause, words every failure, says what became of calls given up.
pub async fn call(context: &Context, name: &str, arguments: Value) -> Reply {
    let mut reply = match plain(context, name, arguments).await {
        Ok(reply) => reply,
        Err(error) => Reply::failure(&error),
    };
    if context.cancel.is_cancelled() {
        // Nobody reads this reply: the session's next one says what became of the call.
        let first = first_line(&reply);
        context.desk.note(context.session.id(), format!("the cancelled {name} ended with: {first}"));
        return reply;
    }
    // Words of advice stand last, after what happened.
    if let Some(note) = context.desk.coach(context.session.id(), name, reply.outcome.is_some())
        && let Some(Block::Text(text)) = reply.blocks.first_mut()
    {
        text.push('\n');
        text.push_str(note);
    }
    let notes = context.desk.take_notes(context.session.id());
    if !notes.is_empty() {
        let lines: String = notes.iter().map(|note| format!("since_last: {note}\n")).collect();
        match reply.blocks.first_mut() {
            Some(Block::Text(text)) => text.insert_str(0, &lines),
            _ => reply.blocks.insert(0, Block::Text(lines)),
        }
    }
    reply
}

/// The call by itself: what a batch's steps go through.
pub(super) async fn plain(context: &Context, name: &str, arguments: Value) -> Result<Reply, ToolError> {
    let Some(tool) = registry().iter().find(|tool| tool.name() == name) else {
        let names: Vec<&str> = registry().iter().map(|tool| tool.name()).collect();
        return Err(ToolError::new(ErrorCode::InvalidArgument, format!("there is no tool {name}"))
            .with_next(format!("Tools are {}", names.join(", "))));
    };
    if context.desk.browser.switches().is_some_and(|switches| switches.paused) {
        return Err(ToolError::new(ErrorCode::Paused, "the user has paused the bridge"));
    }
    tool.call(context, arguments).await
}

fn first_line(reply: &Reply) -> String {
    reply
        .blocks
        .iter()
        .find_map(|block| match block {
            Block::Text(text) => text.lines().find(|line| !line.starts_with("since_last:")).map(str::to_owned),
            Block::Image { .. } => None,
        })
        .unwrap_or_default()
}
