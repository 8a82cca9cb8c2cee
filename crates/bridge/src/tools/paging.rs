//! Following the pages of an answer: which address comes next, and when to stop. Pure.

use std::fmt;

use protocol::ErrorCode;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::tool::ToolError;

/// Pages at most.
const MOST: u32 = 50;

/// How to page: exactly one of `param` and `cursor_param`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Paging {
    /// Query parameter with the page number.
    param: Option<String>,
    /// Its first value; default 1.
    from: Option<i64>,
    /// What it grows by; default 1.
    step: Option<i64>,
    /// Query parameter with the cursor.
    cursor_param: Option<String>,
    /// Where the next cursor stands in the JSON, like data.next.
    cursor_path: Option<String>,
    /// Most pages; default 10.
    max: Option<u32>,
}

/// Why no page follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stop {
    /// The answer was no success.
    Status(u32),
    /// Nothing was in it.
    Empty,
    /// The same as the page before.
    Same,
    /// No next cursor.
    NoCursor,
    /// The next cursor is the one of this page.
    SameCursor,
    /// So many were asked for.
    Most(u32),
    /// The request failed.
    Failed(String),
    /// No text.
    Binary,
    /// Longer than so many bytes.
    TooLarge(u32),
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(status) => write!(f, "the next answer has status {status}"),
            Self::Empty => f.write_str("the next answer is empty"),
            Self::Same => f.write_str("the next answer is the same as the one before"),
            Self::NoCursor => f.write_str("there is no next cursor"),
            Self::SameCursor => f.write_str("the cursor did not change"),
            Self::Most(most) => write!(f, "{most} pages were asked for; there may be more"),
            Self::Failed(why) => write!(f, "the next request failed: {why}"),
            Self::Binary => f.write_str("the next answer is no text"),
            Self::TooLarge(bytes) => write!(f, "the answer is longer than {bytes} bytes"),
        }
    }
}

/// Where the paging stands.
#[derive(Debug)]
pub(super) struct Pages {
    base: String,
    url: String,
    way: Way,
    max: u32,
    done: u32,
    before: Option<String>,
}

#[derive(Debug)]
enum Way {
    Number { param: String, at: i64, step: i64 },
    Cursor { param: String, path: String, at: Option<String> },
}

impl Pages {
    /// The first page.
    pub(super) fn new(paging: &Paging, url: &str) -> Result<Self, ToolError> {
        let wrong = |what: String, next: &str| Err(ToolError::new(ErrorCode::InvalidArgument, what).with_next(next));
        let max = paging.max.unwrap_or(10);
        if !(1..=MOST).contains(&max) {
            return wrong(format!("pages.max is {max}; it goes from 1 to {MOST}"), "Save in several calls");
        }
        let way = match (&paging.param, &paging.cursor_param, &paging.cursor_path) {
            (Some(param), None, None) if !param.is_empty() => match paging.step.unwrap_or(1) {
                0 => return wrong("pages.step is 0: every page would be the same".into(), "Give another step"),
                step => Way::Number { param: param.clone(), at: paging.from.unwrap_or(1), step },
            },
            (None, Some(param), Some(path)) if !param.is_empty() && !path.is_empty() && paging.from.is_none() && paging.step.is_none() => {
                Way::Cursor { param: param.clone(), path: path.clone(), at: None }
            }
            _ => return wrong("pages names no way to page".into(), "Give param (with from, step), or cursor_param with cursor_path"),
        };
        let mut pages = Self { base: url.trim().to_owned(), url: url.trim().to_owned(), way, max, done: 0, before: None };
        if let Way::Number { param, at, .. } = &pages.way {
            pages.url = with_query(&pages.base, param, &at.to_string());
        }
        Ok(pages)
    }

    /// Address of the page to fetch.
    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// Takes an answer; says why no page follows, or goes on to the next.
    pub(super) fn next(&mut self, status: u32, body: &str) -> Option<Stop> {
        if !(200..300).contains(&status) {
            return Some(Stop::Status(status));
        }
        if matches!(body.trim(), "" | "[]" | "{}" | "null") {
            return Some(Stop::Empty);
        }
        if self.before.as_deref() == Some(body) {
            return Some(Stop::Same);
        }
        self.before = Some(body.to_owned());
        self.done += 1;
        match &mut self.way {
            Way::Number { param, at, step } => {
                if self.done >= self.max {
                    return Some(Stop::Most(self.max));
                }
                let Some(next) = at.checked_add(*step) else { return Some(Stop::Most(self.done)) };
                *at = next;
                self.url = with_query(&self.base, param, &next.to_string());
            }
            Way::Cursor { param, path, at } => {
                let Some(next) = cursor(body, path) else { return Some(Stop::NoCursor) };
                if at.as_ref() == Some(&next) {
                    return Some(Stop::SameCursor);
                }
                if self.done >= self.max {
                    return Some(Stop::Most(self.max));
                }
                self.url = with_query(&self.base, param, &next);
                *at = Some(next);
            }
        }
        None
    }
}

/// The cursor at a path like `data.next` or `links.0.cursor`.
fn cursor(body: &str, path: &str) -> Option<String> {
    let value: Value = serde_json::from_str(body).ok()?;
    let found = path.split('.').try_fold(&value, |at, key| match at {
        Value::Array(items) => items.get(key.parse::<usize>().ok()?),
        other => other.get(key),
    })?;
    match found {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The address with one query parameter set.
fn with_query(url: &str, param: &str, value: &str) -> String {
    let (rest, fragment) = url.split_once('#').map_or((url, None), |(rest, fragment)| (rest, Some(fragment)));
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let name = encoded(param);
    let mut parts: Vec<String> = query
        .split('&')
        .filter(|part| !part.is_empty() && part.split('=').next().is_some_and(|key| key != param && key != name))
        .map(str::to_owned)
        .collect();
    parts.push(format!("{name}={}", encoded(value)));
    let fragment = fragment.map_or_else(String::new, |fragment| format!("#{fragment}"));
    format!("{path}?{}{fragment}", parts.join("&"))
}

/// For a query: what is not unreserved becomes `%XX`.
fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~') {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paging(json: Value) -> Result<Pages, ToolError> {
        Pages::new(&serde_json::from_value(json).unwrap(), "/api?size=2&page=9#x")
    }

    #[test]
    fn numbers_are_counted_until_nothing_comes() {
        let mut pages = paging(serde_json::json!({"param": "page", "from": 0, "step": 2, "max": 3})).unwrap();
        assert_eq!(pages.url(), "/api?size=2&page=0#x");
        assert_eq!(pages.next(200, "[1]"), None);
        assert_eq!(pages.url(), "/api?size=2&page=2#x");
        assert_eq!(pages.next(200, "[1]"), Some(Stop::Same));
        assert_eq!(pages.next(200, " [] "), Some(Stop::Empty));
        assert_eq!(pages.next(404, "no"), Some(Stop::Status(404)));
        assert_eq!(pages.next(200, "[2]"), None);
        assert_eq!(pages.next(200, "[3]"), Some(Stop::Most(3)));
    }

    #[test]
    fn cursors_are_followed_until_they_end_or_stand_still() {
        let mut pages = paging(serde_json::json!({"cursor_param": "after", "cursor_path": "data.next"})).unwrap();
        assert_eq!(pages.url(), "/api?size=2&page=9#x");
        assert_eq!(pages.next(200, r#"{"data":{"next":"a b"}}"#), None);
        assert_eq!(pages.url(), "/api?size=2&page=9&after=a%20b#x");
        assert_eq!(pages.next(200, r#"{"data":{"next":"a b","n":2}}"#), Some(Stop::SameCursor));
        assert_eq!(pages.next(200, r#"{"data":{"next":null}}"#), Some(Stop::NoCursor));
    }

    #[test]
    fn what_cannot_be_followed_is_refused() {
        for wrong in [
            serde_json::json!({}),
            serde_json::json!({"param": "p", "step": 0}),
            serde_json::json!({"param": "p", "max": 51}),
            serde_json::json!({"cursor_param": "c"}),
        ] {
            assert_eq!(paging(wrong).unwrap_err().code, ErrorCode::InvalidArgument);
        }
    }
}
