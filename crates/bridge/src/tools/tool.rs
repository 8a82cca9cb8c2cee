//! What a tool is.

use std::marker::PhantomData;
use std::sync::Arc;

use async_trait::async_trait;
use protocol::ErrorCode;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::Desk;
pub use crate::error::ToolError;
use crate::judge::Outcome;
use crate::session::Session;

/// Capability a tool belongs to; the same word names files, fixtures and scenarios.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// Where a tab is.
    Navigate,
    /// Which tabs there are.
    Tabs,
    /// What a page shows.
    Snapshot,
    /// Mouse.
    Pointer,
    /// Keys and text.
    Keyboard,
    /// Forms: boxes, lists, many fields at once.
    Form,
    /// Native dialogs.
    Dialog,
    /// Conditions.
    Wait,
    /// Pictures.
    Capture,
    /// Rows, messages, requests, files.
    Data,
    /// What only the person can say.
    Human,
}

/// What a tool may do; MCP annotations derive from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Changes nothing.
    Reads,
    /// Acts on a page or the browser.
    Acts,
}

/// Part of a reply.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// Text.
    Text(String),
    /// Base64 image with its MIME type.
    Image {
        /// Base64.
        data: String,
        /// MIME type.
        mime: String,
    },
}

/// What an agent gets.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// Parts, in order.
    pub blocks: Vec<Block>,
    /// A refusal or failure.
    pub is_error: bool,
    /// What became of it, when it is an action's.
    pub outcome: Option<Outcome>,
    /// A tab that it opened.
    pub opened: Option<u32>,
}

impl Reply {
    /// A plain text.
    pub fn text(text: impl Into<String>) -> Self {
        Self { blocks: vec![Block::Text(text.into())], is_error: false, outcome: None, opened: None }
    }

    /// A worded failure: `code: what happened. What to do next.`
    #[must_use]
    pub fn failure(error: &ToolError) -> Self {
        Self { is_error: true, ..Self::text(error.to_string()) }
    }

    /// Its first text.
    #[must_use]
    pub fn first_text(&self) -> &str {
        self.blocks.iter().find_map(|block| if let Block::Text(text) = block { Some(text.as_str()) } else { None }).unwrap_or_default()
    }
}

/// One call's surroundings.
pub struct Context {
    /// What all calls share.
    pub desk: Arc<Desk>,
    /// Who calls.
    pub session: Session,
    /// The caller gave up.
    pub cancel: CancellationToken,
    /// Tells the caller that a long wait goes on; words for people.
    pub progress: Box<dyn Fn(String) + Send + Sync>,
    /// A step of a batch: what changed is told once, at its end, and nothing sensitive is activated.
    pub part: bool,
}

impl Context {
    /// The surroundings of a batch's steps.
    pub(super) fn part(&self) -> Self {
        Self {
            desk: Arc::clone(&self.desk),
            session: self.session.clone(),
            cancel: self.cancel.clone(),
            progress: Box::new(|_| {}),
            part: true,
        }
    }
}

/// One tool: name, group, access, parameters, and what it does.
#[async_trait]
pub(super) trait Tool: Send + Sync + 'static {
    /// Name, snake_case.
    const NAME: &'static str;
    /// For the model: what it does, when to use it.
    const DESCRIPTION: &'static str;
    /// Capability.
    const GROUP: Group;
    /// Access.
    const ACCESS: Access;
    /// Arguments; doc comments are the descriptions.
    type Params: DeserializeOwned + JsonSchema + Send;

    /// Does it.
    async fn call(context: &Context, params: Self::Params) -> Result<Reply, ToolError>;
}

/// A [`Tool`] without its types.
#[async_trait]
pub trait AnyTool: Send + Sync {
    /// Name.
    fn name(&self) -> &'static str;
    /// Description.
    fn description(&self) -> &'static str;
    /// Capability.
    fn group(&self) -> Group;
    /// Access.
    fn access(&self) -> Access;
    /// JSON Schema of the arguments (an object).
    fn schema(&self) -> Value;
    /// Whether these arguments have the form of the schema.
    ///
    /// # Errors
    /// `invalid_argument` with what is wrong.
    fn check(&self, arguments: &Value) -> Result<(), ToolError>;
    /// Checks the arguments and calls.
    async fn call(&self, context: &Context, arguments: Value) -> Result<Reply, ToolError>;
}

/// Gives a [`Tool`] its untyped face.
pub(super) struct Erased<T>(PhantomData<fn() -> T>);

impl<T> Erased<T> {
    /// The only value.
    pub(super) const NEW: Self = Self(PhantomData);
}

#[async_trait]
impl<T: Tool> AnyTool for Erased<T> {
    fn name(&self) -> &'static str {
        T::NAME
    }

    fn description(&self) -> &'static str {
        T::DESCRIPTION
    }

    fn group(&self) -> Group {
        T::GROUP
    }

    fn access(&self) -> Access {
        T::ACCESS
    }

    fn schema(&self) -> Value {
        // Inlined: models and hosts read `$ref` badly, and the schemas are small.
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.inline_subschemas = true;
            settings.meta_schema = None;
        });
        let mut schema = settings.into_generator().into_root_schema_for::<T::Params>().to_value();
        if let Some(object) = schema.as_object_mut() {
            object.remove("title");
            object.remove("description");
        }
        slim(&mut schema, true);
        schema
    }

    fn check(&self, arguments: &Value) -> Result<(), ToolError> {
        parse::<T>(arguments.clone()).map(drop)
    }

    async fn call(&self, context: &Context, arguments: Value) -> Result<Reply, ToolError> {
        T::call(context, parse::<T>(arguments)?).await
    }
}

fn parse<T: Tool>(arguments: Value) -> Result<T::Params, ToolError> {
    let arguments = if arguments.is_null() { Value::Object(serde_json::Map::new()) } else { arguments };
    serde_json::from_value(arguments).map_err(|error| {
        ToolError::new(ErrorCode::InvalidArgument, format!("{}: {}", T::NAME, without_values(&error.to_string())))
            .with_next(format!("See the schema of {} in tools/list", T::NAME))
    })
}

/// Takes out of a schema what tells a model nothing: hosts send the list of tools with every conversation. Arguments are optional by not
/// being required, so a null among their types, their absence as a default and the width of a number say nothing more.
fn slim(schema: &mut Value, top: bool) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(|item| slim(item, false)),
        Value::Object(fields) => {
            if let Some(inner) = fields.get("anyOf").and_then(only_one)
                && let Value::Object(inner) = inner
            {
                fields.remove("anyOf");
                for (key, value) in inner {
                    fields.entry(key).or_insert(value);
                }
            }
            fields.retain(|key, value| match key.as_str() {
                "format" => !value.is_string(),
                "default" => !(value.is_null() || *value == Value::Bool(false) || value.as_object().is_some_and(serde_json::Map::is_empty)),
                "minimum" => value.as_f64() != Some(0.0),
                // Said once, for the arguments themselves; the parts refuse what they do not know all the same.
                "additionalProperties" => top || *value != Value::Bool(false),
                _ => true,
            });
            if let Some(types) = fields.get_mut("type")
                && let Some(kind) = only_one(types)
            {
                *types = kind;
            }
            if let Some(Value::Array(words)) = fields.get_mut("enum") {
                words.retain(|word| !word.is_null());
            }
            if let Some(words) = fields.get("oneOf").and_then(Value::as_array).and_then(|forms| words(forms)) {
                fields.remove("oneOf");
                fields.insert("type".into(), "string".into());
                fields.insert("enum".into(), Value::Array(words));
            }
            fields.values_mut().for_each(|field| slim(field, false));
        }
        _ => {}
    }
}

/// Of several forms the one that is not null, when there is just one.
fn only_one(forms: &Value) -> Option<Value> {
    let null = |form: &Value| form == "null" || (form["type"] == "null" && form.as_object().is_some_and(|form| form.len() == 1));
    match forms.as_array()?.iter().filter(|form| !null(form)).collect::<Vec<_>>()[..] {
        [one] => Some(one.clone()),
        _ => None,
    }
}

/// The words of an enum whose every word has its own form; null when a form is more than a word.
fn words(forms: &[Value]) -> Option<Vec<Value>> {
    let word = |form: &Value| {
        let form = form.as_object()?;
        form.keys().all(|key| matches!(key.as_str(), "const" | "type" | "description")).then(|| form.get("const").cloned())?
    };
    forms.iter().map(word).collect()
}

/// A parser's sentence without what the caller gave: arguments hold what is typed.
fn without_values(error: &str) -> String {
    /// What a value can be called, as serde does.
    const KINDS: &[&str] = &[
        "integer",
        "floating point",
        "boolean",
        "string",
        "null",
        "map",
        "sequence",
        "unit value",
        "character",
        "byte array",
        "Option value",
    ];
    // The last one is ours: what was expected never quotes the caller.
    let (given, expected) = error.rsplit_once(", expected ").unwrap_or((error, ""));
    let is_plain = |word: &str| word.len() <= 32 && word.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    let kind = |rest: &str| KINDS.iter().find(|kind| rest.starts_with(**kind)).copied().unwrap_or("something else");
    let said = if let Some(rest) = given.strip_prefix("invalid type: ") {
        format!("invalid type: {}", kind(rest))
    } else if let Some(rest) = given.strip_prefix("invalid value: ") {
        format!("invalid value: {}", kind(rest))
    } else if given.starts_with("unknown variant ") {
        "unknown variant".to_owned()
    } else if let Some(rest) = given.strip_prefix("unknown field ") {
        let name = rest.trim_matches('`');
        if is_plain(name) { given.to_owned() } else { "unknown field".to_owned() }
    } else if ["missing field ", "invalid length "].iter().any(|begin| given.starts_with(begin)) {
        given.to_owned()
    } else {
        "an argument is not of the form that the schema gives".to_owned()
    };
    // Names of types say nothing to who does not write the program.
    let expected = match expected {
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number, 0 or more",
        "i32" | "i64" => "a whole number",
        "f64" => "a number",
        other => other,
    };
    if expected.is_empty() { said } else { format!("{said}, expected {expected}") }
}

/// Runs what may keep a thread busy for long without keeping the sockets waiting: a task that was woken on this thread moves to another.
pub(super) fn aside<T>(work: impl FnOnce() -> T) -> T {
    match tokio::runtime::Handle::try_current().map(|handle| handle.runtime_flavor()) {
        Ok(tokio::runtime::RuntimeFlavor::MultiThread) => tokio::task::block_in_place(work),
        _ => work(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::slim;

    #[test]
    fn a_schema_loses_what_says_nothing() {
        let mut schema = json!({"type": "object", "properties": {
            "tab": {"type": ["integer", "null"], "format": "uint32", "minimum": 0, "description": "Tab."},
            "full": {"type": "boolean", "default": false},
            "way": {"anyOf": [{"oneOf": [{"const": "a", "type": "string", "description": "A."}, {"const": "b"}]}, {"type": "null"}], "description": "Way."},
            "either": {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string"}]},
            "format": {"type": "string"},
        }});
        slim(&mut schema, true);
        assert_eq!(
            schema,
            json!({"type": "object", "properties": {
                "tab": {"type": "integer", "description": "Tab."},
                "full": {"type": "boolean"},
                "way": {"description": "Way.", "type": "string", "enum": ["a", "b"]},
                "either": {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string"}]},
                "format": {"type": "string"},
            }})
        );
    }

    use super::without_values;

    #[test]
    fn a_parsers_sentence_says_what_was_expected_and_not_what_was_given() {
        let cases = [
            ("invalid type: integer `7788990011`, expected a string", "invalid type: integer, expected a string"),
            ("invalid type: string \"a, expected b\", expected u32", "invalid type: string, expected a whole number, 0 or more"),
            ("invalid value: integer `-1`, expected u32", "invalid value: integer, expected a whole number, 0 or more"),
            ("unknown variant `hunter2`, expected `a` or `b`", "unknown variant, expected `a` or `b`"),
            ("unknown field `txt`, expected one of `a`, `b`", "unknown field `txt`, expected one of `a`, `b`"),
            ("unknown field `hunter2`, expected `a`", "unknown field, expected `a`"),
            ("missing field `text`", "missing field `text`"),
            ("hunter2", "an argument is not of the form that the schema gives"),
        ];
        for (given, expected) in cases {
            assert_eq!(without_values(given), expected);
        }
    }
}
