//! What reading tools bring back: HTML, found nodes, rows, messages, requests, files.

use serde::{Deserialize, Serialize};

use crate::{Described, Refusal, State, Tab};

macro_rules! data {
    ($($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident: $ty:ty,)* })+) => {
        $(
            $(#[$meta])*
            #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
            #[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
            #[serde(rename_all = "camelCase", deny_unknown_fields)]
            pub struct $name { $($(#[$field_meta])* pub $field: $ty,)* }
        )+
    };
}

data! {
    /// HTML of one frame or one element. Secret values are masked where it was read.
    FrameHtml {
        /// Chrome's frame id; 0 is the main frame.
        frame: u32,
        /// Address of its document.
        url: String,
        /// Title of its document.
        title: String,
        /// HTML, cut at the asked limit.
        html: String,
        /// UTF-16 units before the cut.
        total: u32,
        /// Values that were masked.
        masked: u32,
    }
    /// A node that was looked for.
    Match {
        /// The node in words; it always has a number.
        node: Described,
        /// Its states.
        states: Vec<State>,
        /// Frame it is in.
        frame: u32,
        /// Text around it, or the text that was found; cut to 160 characters.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        text: Option<String>,
    }
    /// Answer of `snapshot/find`.
    FoundNodes {
        /// The tab.
        tab: Tab,
        /// How well they match.
        tier: Tier,
        /// How many match.
        count: u32,
        /// The first of them.
        matches: Vec<Match>,
        /// Some that are there instead.
        seen: Vec<Described>,
        /// Frames that could not be searched.
        unread: u32,
    }
    /// A field to take out of every row.
    Field {
        /// What the caller calls it.
        name: String,
        /// Selector below the row; empty: the row itself.
        selector: String,
        /// Attribute or property; absent: the visible text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        attribute: Option<String>,
    }
    /// One row of a query.
    Row {
        /// The element, with a number where it may be acted on.
        node: Described,
        /// Its states.
        states: Vec<State>,
        /// Frame it is in.
        frame: u32,
        /// CSS path of the element, where text was looked for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        path: Option<String>,
        /// Values in the order of the columns; null where nothing matches.
        values: Vec<Option<String>>,
    }
    /// A message of a page's console, or an uncaught exception.
    ConsoleEntry {
        /// `log`, `info`, `warning`, `error`, `debug`, …
        level: String,
        /// What it says; cut to 2000 characters.
        text: String,
        /// Script and line, when known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        place: Option<String>,
        /// An uncaught exception.
        exception: bool,
        /// Milliseconds since 1970.
        at: f64,
    }
    /// Answer of `data/console`.
    Console {
        /// The tab.
        tab: Tab,
        /// In the order of time.
        entries: Vec<ConsoleEntry>,
        /// Older ones that were not kept.
        dropped: u32,
        /// Why it may be incomplete.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        missing: Option<String>,
    }
    /// One request of a tab.
    Request {
        /// Number in the tab, from 1 in the order of time; never given twice.
        number: u32,
        /// HTTP method.
        method: String,
        /// Address; cut to 2000 characters.
        url: String,
        /// Chrome's type: `xmlhttprequest`, `script`, `image`, …
        resource: String,
        /// HTTP status.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        status: Option<u32>,
        /// `net::ERR_…`
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        error: Option<String>,
        /// MIME type of the answer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        mime: Option<String>,
        /// Bytes of the body, as the server says.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        size: Option<u32>,
        /// Milliseconds until it ended.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        took_ms: Option<f64>,
        /// Its body was kept.
        body: bool,
    }
    /// Answer of `data/requests`.
    Requests {
        /// The tab.
        tab: Tab,
        /// In the order of time.
        requests: Vec<Request>,
        /// Older ones that were not kept.
        dropped: u32,
        /// Bodies are being kept now.
        recording: bool,
    }
    /// Answer of `data/body`.
    Body {
        /// Its request.
        request: Request,
        /// The body; absent: it was not kept.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        content: Option<Content>,
        /// Why it was not kept.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        missing: Option<String>,
    }
    /// Bytes as text or Base64.
    Content {
        /// Text, or Base64 of the bytes.
        data: String,
        /// `data` is Base64: the bytes are no text.
        binary: bool,
        /// More was there than the limit allows.
        cut: bool,
        /// Bytes that were read.
        bytes: u32,
    }
    /// Answer of `data/fetch`.
    Fetched {
        /// HTTP status.
        status: u32,
        /// Address after redirects.
        url: String,
        /// MIME type.
        mime: String,
        /// The body.
        content: Content,
    }
    /// A header of a request.
    Header {
        /// Name.
        name: String,
        /// Value.
        value: String,
    }
    /// Answer of `data/download`.
    Downloaded {
        /// Absolute path of the file that Chrome wrote.
        path: String,
        /// Name that the server or the address gives it.
        name: String,
        /// Bytes.
        bytes: f64,
        /// MIME type.
        mime: String,
        /// Address after redirects.
        url: String,
    }
}

/// How well found nodes match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Tier {
    /// The same.
    Exact,
    /// It contains what was asked for, case aside.
    Contains,
    /// Nothing matches.
    None,
}

/// Result of `snapshot/html`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum HtmlResult {
    /// What was read.
    Read {
        /// The tab.
        tab: Tab,
        /// It.
        frame: FrameHtml,
        /// Frames of the page that are not in it.
        frames: u32,
    },
    /// The target was refused.
    Refused {
        /// Why.
        refusal: Refusal,
    },
}

/// Result of `data/query`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum QueryResult {
    /// What was read.
    Rows {
        /// The tab.
        tab: Tab,
        /// Names of the values: fields, or headers of a table.
        columns: Vec<String>,
        /// How many there are.
        count: u32,
        /// The first of them.
        rows: Vec<Row>,
        /// Frames that could not be searched.
        unread: u32,
    },
    /// The selector was refused.
    Refused {
        /// Why.
        refusal: Refusal,
    },
}

/// What `data/requests` does about bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Recording {
    /// Leaves it as it is.
    Keep,
    /// Keeps the bodies of answers from now on, through the debugger.
    Start,
    /// Ends that.
    Stop,
}

/// How an agent's script ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum EvalEnd {
    /// It has a value.
    Value,
    /// It threw, or its promise was rejected.
    Thrown,
    /// Its promise was not settled within the limit, or the page's thread stands still.
    Late,
    /// Its page went away.
    Gone,
}

/// By which way a script ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum EvalWay {
    /// As a script of the page.
    Script,
    /// Through the debugger: the page's policy forbids scripts of this kind.
    Debugger,
}

/// A control that moves money, in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MoneyPress {
    /// What it says.
    pub label: String,
    /// The amount in it or beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub amount: Option<String>,
}

/// Result of `data/eval`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Evaluated {
    /// The tab afterwards.
    pub tab: Tab,
    /// How it ended.
    pub end: EvalEnd,
    /// The value as JSON, or the error; secrets masked, cut.
    pub text: String,
    /// UTF-16 units before the cut.
    pub total: u32,
    /// How it ran.
    pub way: EvalWay,
    /// A press on this was held back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub stopped: Option<MoneyPress>,
}
