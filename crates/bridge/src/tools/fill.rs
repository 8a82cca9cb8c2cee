//! `fill`: many fields in one call, one receipt for each.

use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use protocol::{
    ErrorCode, FillField, FillValue, Filled, FormFill, FormOwner, FormSubmit, Owner, PointerClick, Press, ReadBack, Receipt, Target,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::Value;

use super::act::{Acted, Action, Activates, Carried, Way, carry_out, perform, spare};
use super::expect::{ExpectParam, checked};
use super::reading::TabCall;
use super::target::{TargetParam, own_tab};
use super::tool::{Access, Block, Context, Group, Reply, Tool, ToolError};
use crate::browser::BrowserCall as _;
use crate::judge::{self, Asked, Holding, Outcome, Typed, Verdict, Wanted};
use crate::render;

/// Most fields of one call.
const MOST: usize = 60;
/// Longest text of a field, in bytes.
const LONGEST: usize = 1024 * 1024;

/// One field.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FieldParam {
    /// Which.
    target: TargetParam,
    /// Text; true or false for a box; option labels for a list.
    value: Wish,
}

/// What a field is to hold.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "Value")]
struct Wish(FillValue);

impl TryFrom<Value> for Wish {
    type Error = &'static str;

    fn try_from(value: Value) -> Result<Self, Self::Error> {
        let value = match value {
            Value::String(text) if text.len() > LONGEST => return Err("the text of a field is too long: type it"),
            Value::String(text) => FillValue::Text { text },
            Value::Bool(checked) => FillValue::Checked { checked },
            Value::Number(number) => FillValue::Text { text: number.to_string() },
            Value::Array(options) => {
                let label = |option: Value| if let Value::String(label) = option { Ok(label) } else { Err("an option is a text") };
                FillValue::Options { options: options.into_iter().map(label).collect::<Result<_, _>>()? }
            }
            _ => return Err("a value is a text, true or false, or a list of options"),
        };
        Ok(Self(value))
    }
}

impl JsonSchema for Wish {
    fn schema_name() -> Cow<'static, str> {
        "Wish".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": ["string", "boolean", "array"], "items": {"type": "string"}})
    }
}

/// Arguments of `fill`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FillParams {
    /// In the order to be filled.
    fields: Vec<FieldParam>,
    /// Submit afterwards, by the form's own button; only when every field kept its value.
    #[serde(default)]
    submit: bool,
    /// See click.
    expect: Option<ExpectParam>,
    /// Default: current.
    tab: Option<u32>,
}

/// See its description.
pub(super) struct Fill;

#[async_trait]
impl Tool for Fill {
    const NAME: &'static str = "fill";
    const DESCRIPTION: &'static str = "Fill many fields in one call: text, boxes, lists. A receipt for each tells what it holds; a field that fails does not stop the others.";
    const GROUP: Group = Group::Form;
    const ACCESS: Access = Access::Acts;
    type Params = FillParams;

    async fn call(context: &Context, params: FillParams) -> Result<Reply, ToolError> {
        if params.fields.is_empty() || params.fields.len() > MOST {
            return Err(ToolError::new(ErrorCode::InvalidArgument, format!("fill takes 1 to {MOST} fields, not {}", params.fields.len())));
        }
        let mut fields = Vec::with_capacity(params.fields.len());
        for (at, field) in params.fields.into_iter().enumerate() {
            let (target, _) =
                field.target.resolve().map_err(|error| ToolError { what: format!("field {}: {}", at + 1, error.what), ..error })?;
            if let FillValue::Text { text } = &field.value.0 {
                super::keyboard::plain(text).map_err(|error| ToolError { what: format!("field {}: {}", at + 1, error.what), ..error })?;
            }
            fields.push(FillField { target, value: field.value.0 });
        }
        let tab = own_tab(context, params.tab)?;
        let expect = checked(params.expect)?;
        let mut call = TabCall::begin(context, tab).await;
        call.expect = expect;
        let result = fill(context, &mut call, tab, &fields, params.submit).await;
        Ok(call.settle(result).await)
    }
}

async fn fill(context: &Context, call: &mut TabCall<'_>, tab: u32, fields: &[FillField], submit: bool) -> Result<Reply, ToolError> {
    // What is expected of a form is expected of its submission.
    let expect = if submit { call.expect.take() } else { None };
    let receipts: Mutex<Vec<Receipt>> = Mutex::default();
    let first = fields.first().map_or(Target::Css { selector: String::new() }, |field| field.target.clone());
    let action = Action {
        tab,
        target: Some(first),
        asked: Asked::Fields,
        verb: "fill".into(),
        object: String::new(),
        way: Way::Gentle,
        activates: Activates::Nothing,
    };
    let carried = carry_out(context, call, &action, &|_, watch| {
        let fields = fields.to_vec();
        let receipts = &receipts;
        Box::pin(async move {
            let filled: Filled = context.desk.browser.call(FormFill { tab, fields, watch }, &context.cancel).await?;
            *receipts.lock().unwrap_or_else(PoisonError::into_inner) = filled.receipts;
            Ok(filled.act)
        })
    })
    .await;
    let receipts = receipts.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut acted = match carried {
        Ok(Carried::Acted(acted)) => acted,
        Ok(Carried::Said(reply)) => return Ok(reply),
        // All of them are so already: that is no refusal.
        Err(_) if !receipts.is_empty() && receipts.iter().all(|one| matches!(one, Receipt::Already { .. })) => {
            let lines = lines(fields, &receipts, &[]);
            let head = format!("outcome: {} · fill · every field already holds what was asked for", Outcome::NoEffect.word());
            let mut reply = Reply::text(format!("{head}\n{}", words(&lines)));
            if submit {
                call.expect = expect;
                reply = submitted(context, call, tab, fields, &lines, reply).await?;
            }
            return Ok(reply);
        }
        Err(error) => return Err(error),
    };
    let lines = lines(fields, &receipts, &acted.look.held);
    let kept = lines.iter().filter(|line| line.is_kept()).count();
    overall(&mut acted, &lines);
    acted.what = format!("fill {} fields · {kept} kept", fields.len());
    let navigated = matches!(acted.verdict.outcome, Outcome::Navigated | Outcome::Dialog | Outcome::OpenedTab | Outcome::Interrupted);
    let mut reply = acted.reply(context, tab).await;
    append(&mut reply, &words(&lines));
    if !submit {
        return Ok(reply);
    }
    if kept < fields.len() || navigated {
        append(&mut reply, "not submitted: not every field kept its value");
        return Ok(reply);
    }
    call.expect = expect;
    submitted(context, call, tab, fields, &lines, reply).await
}

/// What became of one field.
struct Line {
    outcome: Outcome,
    already: bool,
    text: String,
}

impl Line {
    fn is_kept(&self) -> bool {
        self.already || self.outcome == Outcome::Changed
    }
}

fn lines(fields: &[FillField], receipts: &[Receipt], held: &[ReadBack]) -> Vec<Line> {
    let of = |at: usize| held.iter().find(|one| one.field as usize == at);
    fields.iter().zip(receipts).enumerate().map(|(at, (field, receipt))| line(field, receipt, of(at))).collect()
}

fn line(field: &FillField, receipt: &Receipt, held: Option<&ReadBack>) -> Line {
    match receipt {
        Receipt::Refused { refusal } => {
            Line { outcome: Outcome::NoEffect, already: false, text: format!("refused: {}", render::refusal(refusal)) }
        }
        Receipt::Already { field } => {
            Line { outcome: Outcome::NoEffect, already: true, text: format!("{}: already so", render::described(field)) }
        }
        Receipt::Unknown { why } => Line { outcome: Outcome::Interrupted, already: false, text: format!("not known: {why}") },
        Receipt::Done { field: named, accepted } => {
            let verdict = held.and_then(|held| judged(&field.value, held, *accepted, named.role == "combobox"));
            let verdict =
                verdict.unwrap_or_else(|| Verdict::bare(Outcome::Unverifiable, "the field is gone: what it holds cannot be read back"));
            let word = if verdict.outcome == Outcome::Changed { "kept" } else { verdict.outcome.word() };
            let remark = verdict.remark.map(|remark| format!(" · {remark}")).unwrap_or_default();
            Line { outcome: verdict.outcome, already: false, text: format!("{}: {word}{remark}", render::described(named)) }
        }
    }
}

/// The verdict on one field, by what it holds.
fn judged(value: &FillValue, held: &ReadBack, accepted: Option<u32>, combobox: bool) -> Option<Verdict> {
    match value {
        FillValue::Checked { .. } => judge::judge_held(Holding::State, held, &[]),
        FillValue::Options { .. } => judge::judge_held(Holding::Choice, held, &[]),
        FillValue::Text { .. } if accepted.is_none() => judge::judge_held(Holding::Choice, held, &[]),
        FillValue::Text { text } => judge::judge_typed(
            &Wanted { text: text.clone(), append: false, submit: false },
            &Typed {
                before: Some(&held.before),
                now: held.now.as_ref(),
                accepted,
                held: Some(held.holds),
                list_open: held.list_open,
                combobox,
                read: Some(held),
            },
        ),
    }
}

/// What the fields come to together, with those that were refused.
fn overall(acted: &mut Acted, lines: &[Line]) {
    let verdict = &mut acted.verdict;
    if !matches!(verdict.outcome, Outcome::Changed | Outcome::Partial | Outcome::Reverted | Outcome::NoEffect) {
        return;
    }
    let has = |outcome: Outcome| lines.iter().any(|line| line.outcome == outcome);
    verdict.outcome = if lines.iter().all(Line::is_kept) {
        Outcome::Changed
    } else if has(Outcome::Changed) || has(Outcome::Partial) {
        Outcome::Partial
    } else if has(Outcome::Reverted) {
        Outcome::Reverted
    } else if has(Outcome::Unverifiable) || has(Outcome::Interrupted) {
        Outcome::Unverifiable
    } else {
        Outcome::NoEffect
    };
}

fn words(lines: &[Line]) -> String {
    let each: Vec<String> = lines.iter().enumerate().map(|(at, line)| format!("{}. {}", at + 1, line.text)).collect();
    each.join("\n")
}

fn append(reply: &mut Reply, text: &str) {
    if let Some(Block::Text(all)) = reply.blocks.first_mut() {
        all.push('\n');
        all.push_str(text);
    }
}

/// Submits the one form that owns all fields, and puts what came of it first.
async fn submitted(
    context: &Context,
    call: &mut TabCall<'_>,
    tab: u32,
    fields: &[FillField],
    lines: &[Line],
    mut filled: Reply,
) -> Result<Reply, ToolError> {
    let targets: Vec<Target> = fields.iter().map(|field| field.target.clone()).collect();
    let browser = &context.desk.browser;
    let owner = match browser.call(FormOwner { tab, targets }, &context.cancel).await {
        Ok(owner) => owner,
        Err(error) => {
            append(&mut filled, &format!("not submitted: {}", error.message));
            return Ok(filled);
        }
    };
    let first = fields.first().map(|field| field.target.clone());
    let done = match (owner, first) {
        (Owner::Button { button }, _) if button.doc.is_some() && button.node.is_some() => {
            let target = Target::Ref { doc: button.doc.unwrap_or_default(), node: button.node.unwrap_or_default() };
            let object = render::described(&button);
            let action = Action {
                tab,
                target: Some(target.clone()),
                asked: Asked::Click,
                verb: "submit by".into(),
                object,
                way: Way::Gentle,
                activates: Activates::Unspared,
            };
            perform(context, call, &action, &|input, watch| {
                let press = Press { count: 1, ..Press::default() };
                let command = PointerClick { tab, target: target.clone(), press, input, watch, spare: spare(context) };
                Box::pin(async move { context.desk.browser.call(command, &context.cancel).await })
            })
            .await
        }
        (Owner::Form {}, Some(target)) => {
            let object = "the form of".to_owned();
            let action = Action {
                tab,
                target: Some(target.clone()),
                asked: Asked::Click,
                verb: "submit the form of".into(),
                object,
                way: Way::Gentle,
                activates: Activates::Target,
            };
            perform(context, call, &action, &|_, watch| {
                let target = target.clone();
                Box::pin(async move { context.desk.browser.call(FormSubmit { tab, target, watch }, &context.cancel).await })
            })
            .await
        }
        (Owner::None { why }, _) => {
            append(&mut filled, &format!("not submitted: {why}"));
            return Ok(filled);
        }
        _ => return Ok(filled),
    };
    match done {
        Ok(mut reply) => {
            append(&mut reply, &format!("filled before:\n{}", words(lines)));
            Ok(reply)
        }
        Err(error) => {
            append(&mut filled, &format!("not submitted: {error}"));
            Ok(filled)
        }
    }
}
