//! `find` and `query`.

use async_trait::async_trait;
use protocol::{DataQuery, ErrorCode, Field, QueryResult, SnapshotFind};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::reading::TabCall;
use super::target::own_tab;
use super::tool::{Access, Context, Group, Reply, Tool, ToolError};
use crate::browser::BrowserCall as _;
use crate::{redact, render};

/// Bytes of rows in one reply.
const ROWS_BUDGET: usize = 24_000;
/// Most rows of one call.
const MOST_ROWS: u32 = 1_000;
/// Most fields of a row.
const MOST_FIELDS: usize = 30;

/// Arguments of `find`; at least one of role, name and text.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FindParams {
    /// Role, like button or heading.
    role: Option<String>,
    /// Accessible name.
    name: Option<String>,
    /// Visible text inside.
    text: Option<String>,
    /// Most matches shown; default 20.
    limit: Option<u32>,
    /// Default: current.
    tab: Option<u32>,
}

fn limit(given: Option<u32>, default: u32, most: u32) -> Result<u32, ToolError> {
    match given.unwrap_or(default) {
        limit if (1..=most).contains(&limit) => Ok(limit),
        limit => Err(ToolError::new(ErrorCode::InvalidArgument, format!("limit is {limit}; it goes from 1 to {most}"))),
    }
}

/// See its description.
pub(super) struct Find;

#[async_trait]
impl Tool for Find {
    const NAME: &'static str = "find";
    const DESCRIPTION: &'static str =
        "Find elements by role, name or visible text in all frames, exact matches before loose ones; says how many and gives refs.";
    const GROUP: Group = Group::Snapshot;
    const ACCESS: Access = Access::Reads;
    type Params = FindParams;

    async fn call(context: &Context, params: FindParams) -> Result<Reply, ToolError> {
        let limit = limit(params.limit, 20, 200)?;
        let asked = [("role", &params.role), ("name", &params.name), ("text", &params.text)];
        let words: Vec<String> =
            asked.iter().filter_map(|(key, value)| value.as_ref().map(|value| format!("{key} {}", render::quote(value)))).collect();
        if words.is_empty() || asked.iter().any(|(_, value)| value.as_ref().is_some_and(|value| value.trim().is_empty())) {
            return Err(ToolError::new(ErrorCode::InvalidArgument, "find looks for nothing")
                .with_next("Give role, name or text, none of them empty"));
        }
        let tab = own_tab(context, params.tab)?;
        let call = TabCall::begin(context, tab).await;
        let ask = SnapshotFind { tab, role: params.role, name: params.name, text: params.text, limit };
        let result = context.desk.browser.call(ask, &context.cancel).await.map_err(ToolError::from).map(|found| {
            let text = render::found(&found, &words.join(", "), &render::Fence::new());
            Reply::text(format!("{}\n{}", render::tab_line(&found.tab), redact::secret_lines(&text)))
        });
        Ok(call.settle(result).await)
    }
}

/// Arguments of `query`; exactly one of selector and contains.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct QueryParams {
    /// CSS selector of the rows. One table without extract: its rows under their headers.
    selector: Option<String>,
    /// Text to look for: where it stands, with path and ref.
    contains: Option<String>,
    /// With selector: fields to take of each row, name to "sub-selector@attribute"; either part may be left out.
    #[serde(default)]
    extract: Map<String, Value>,
    /// Most rows; default 100.
    limit: Option<u32>,
    /// Default: current.
    tab: Option<u32>,
}

/// See its description.
pub(super) struct Query;

#[async_trait]
impl Tool for Query {
    const NAME: &'static str = "query";
    const DESCRIPTION: &'static str =
        "Take data out of a page as rows: fields of every element that matches a selector, the rows of a table, or where a text stands.";
    const GROUP: Group = Group::Data;
    const ACCESS: Access = Access::Reads;
    type Params = QueryParams;

    async fn call(context: &Context, params: QueryParams) -> Result<Reply, ToolError> {
        let limit = limit(params.limit, 100, MOST_ROWS)?;
        let wrong = |what: &str, next: &str| Err(ToolError::new(ErrorCode::InvalidArgument, what).with_next(next));
        let empty = |text: &Option<String>| text.as_ref().is_some_and(|text| text.trim().is_empty());
        if params.selector.is_some() == params.contains.is_some() || empty(&params.selector) || empty(&params.contains) {
            return wrong("query takes either selector or contains", "Give one of them, not empty");
        }
        if params.contains.is_some() && !params.extract.is_empty() {
            return wrong("extract goes with selector", "Give a selector of the rows");
        }
        let fields = fields(&params.extract)?;
        let tab = own_tab(context, params.tab)?;
        let call = TabCall::begin(context, tab).await;
        let ask = DataQuery { tab, selector: params.selector, contains: params.contains, fields, limit };
        let result = match context.desk.browser.call(ask, &context.cancel).await {
            Ok(QueryResult::Rows { tab, columns, count, rows, unread }) => {
                let mut text = format!("{}\n{count} rows", render::tab_line(&tab));
                if !rows.is_empty() {
                    let (body, shown) = render::rows(&columns, &rows, ROWS_BUDGET, &render::Fence::new());
                    if shown < count as usize {
                        text.push_str(&format!("; the first {shown} are shown, give a narrower selector or a limit up to {MOST_ROWS}"));
                    }
                    text.push('\n');
                    text.push_str(&redact::secret_lines(&body));
                }
                if unread > 0 {
                    text.push_str(&format!("\npartial: {unread} frames could not be read"));
                }
                Ok(Reply::text(text))
            }
            Ok(QueryResult::Refused { refusal }) => Err(render::refusal(&refusal)),
            Err(error) => Err(error.into()),
        };
        Ok(call.settle(result).await)
    }
}

/// `{"price": ".price@data-amount"}` as fields.
fn fields(extract: &Map<String, Value>) -> Result<Vec<Field>, ToolError> {
    let wrong = |what: String| ToolError::new(ErrorCode::InvalidArgument, what).with_next("Write each as name: \"sub-selector@attribute\"");
    if extract.len() > MOST_FIELDS {
        return Err(wrong(format!("extract has {} fields; at most {MOST_FIELDS} can be taken", extract.len())));
    }
    extract
        .iter()
        .map(|(name, value)| {
            let Value::String(text) = value else {
                return Err(wrong(format!("the field {} is no text", render::quote(name))));
            };
            // An @ inside brackets or quotes belongs to the selector.
            let (selector, attribute) = match text.rsplit_once('@') {
                Some((selector, attribute)) if is_name(attribute) => (selector, Some(attribute.to_owned())),
                Some((_, "")) => return Err(wrong(format!("the field {} names no attribute after its @", render::quote(name)))),
                _ => (text.as_str(), None),
            };
            Ok(Field { name: name.clone(), selector: selector.trim().to_owned(), attribute })
        })
        .collect()
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '.'))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_are_read() {
        let Value::Object(extract) = json!({"title": "h2", "link": "a@href", "id": "@data-id", "mail": "a[href*='@x']"}) else { panic!() };
        let read = fields(&extract).unwrap();
        let words: Vec<_> = read.iter().map(|field| (field.name.as_str(), field.selector.as_str(), field.attribute.as_deref())).collect();
        assert_eq!(
            words,
            [("title", "h2", None), ("link", "a", Some("href")), ("id", "", Some("data-id")), ("mail", "a[href*='@x']", None)]
        );
        for wrong in [json!({"a": 1}), json!({"a": "b@"})] {
            let Value::Object(extract) = wrong else { panic!() };
            assert_eq!(fields(&extract).unwrap_err().code, ErrorCode::InvalidArgument);
        }
    }
}
