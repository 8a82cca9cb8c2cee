//! The tool calls of a transcript with their replies.

use protocol::{TranscriptDirection, TranscriptHop, TranscriptLine};
use serde_json::{Map, Value};

use crate::scenario::{Outcome, RefusalCode};
use crate::transcript::Transcript;
use crate::verdict::Claim;

/// A tool call.
#[derive(Clone, Debug)]
pub struct Call {
    /// Ordinal of the agent's session.
    pub session: u32,
    /// The tool.
    pub tool: String,
    /// Its arguments.
    pub arguments: Map<String, Value>,
    /// Microseconds since the transcript began.
    pub asked_us: u64,
    /// The same, of the reply.
    pub replied_us: Option<u64>,
    /// The reply's text; none where it is missing.
    pub reply: Option<String>,
    /// The reply is an error.
    pub is_error: bool,
    /// The page said meanwhile that the field is one for secrets.
    pub secret: bool,
}

impl Call {
    /// What the reply asserts.
    #[must_use]
    pub fn claim(&self) -> Claim {
        let text = self.reply.as_deref().unwrap_or_default();
        if self.is_error {
            return refusal(text).map_or_else(|| Claim::Refused("no code".into()), |code| Claim::Refused(code.to_string()));
        }
        let word = text.lines().find_map(|line| line.strip_prefix("outcome: "));
        let word = word.map(|rest| rest.split(|sign: char| sign.is_whitespace()).next().unwrap_or_default());
        word.and_then(Outcome::from_word).map_or(Claim::Unreadable, Claim::Outcome)
    }
}

/// The code a refusal begins with.
fn refusal(text: &str) -> Option<RefusalCode> {
    text.lines().find_map(|line| {
        let (word, _) = line.split_once(": ")?;
        serde_json::from_value(Value::String(word.to_owned())).ok()
    })
}

/// All calls in the order they were made in.
#[must_use]
pub fn calls(transcript: &Transcript) -> Vec<Call> {
    let mut calls: Vec<Call> = Vec::new();
    let mut open: Vec<(u32, Value, usize)> = Vec::new();
    for line in &transcript.lines {
        let TranscriptLine::Frame { t_us, hop, dir, session, frame: Some(frame), .. } = line else { continue };
        if *hop == TranscriptHop::Link {
            if *dir == TranscriptDirection::In && says_secret(frame) {
                open.iter().for_each(|(_, _, at)| calls[*at].secret = true);
            }
            continue;
        }
        let (session, id) = (session.unwrap_or_default(), frame.get("id").cloned().unwrap_or_default());
        match dir {
            TranscriptDirection::In if frame.get("method").is_some_and(|method| method == "tools/call") => {
                let said = |key: &str| frame.pointer(&format!("/params/{key}"));
                open.push((session, id, calls.len()));
                calls.push(Call {
                    session,
                    tool: said("name").and_then(Value::as_str).unwrap_or_default().to_owned(),
                    arguments: said("arguments").and_then(Value::as_object).cloned().unwrap_or_default(),
                    asked_us: *t_us,
                    replied_us: None,
                    reply: None,
                    is_error: false,
                    secret: false,
                });
            }
            TranscriptDirection::Out => {
                let Some(place) = open.iter().position(|(of, asked, _)| *of == session && *asked == id) else { continue };
                let call = &mut calls[open.remove(place).2];
                call.replied_us = Some(*t_us);
                call.reply = text_of(frame);
                call.is_error = frame.get("error").is_some() || frame.pointer("/result/isError").is_some_and(|is_error| is_error == true);
            }
            TranscriptDirection::In => {}
        }
    }
    calls
}

/// All texts of a reply; none of one that was too large to be kept.
fn text_of(frame: &Value) -> Option<String> {
    if let Some(message) = frame.pointer("/error/message").and_then(Value::as_str) {
        return Some(message.to_owned());
    }
    let blocks = frame.pointer("/result/content")?.as_array()?;
    let texts: Vec<&str> = blocks.iter().filter_map(|block| block.get("text").and_then(Value::as_str)).collect();
    Some(texts.join("\n"))
}

fn says_secret(value: &Value) -> bool {
    match value {
        Value::Object(fields) => fields.iter().any(|(key, inner)| (key == "secret" && inner == true) || says_secret(inner)),
        Value::Array(items) => items.iter().any(says_secret),
        _ => false,
    }
}
