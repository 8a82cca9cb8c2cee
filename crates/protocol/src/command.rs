//! The command table: one row per thing the daemon asks of the extension.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::{
    Act, Body, Chord, Condition, Confirmed, Console, Downloaded, Evaluated, Facts, Fetched, Field, FillField, Filled, Format, FoundNodes,
    FrameText, Header, HtmlResult, Input, KnownTree, Listeners, Look, MoneyWords, Navigation, Offset, Owner, Panel, PanelState, Press,
    Probe, QueryResult, Recording, Requests, Screenshot, Scroll, Snapshot, Tab, Target,
};

/// A command's parameters, tied to its method and result.
pub trait Call: Into<Command> {
    /// `noun/verb`.
    const METHOD: &'static str;
    /// What the extension answers.
    type Result: DeserializeOwned + Serialize + Send;
}

macro_rules! commands {
    ($($(#[doc = $doc:literal])+ $method:literal $variant:ident($params:ident) -> $result:ty;)+) => {
        /// Daemon → extension, tagged by `method`.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
        #[serde(tag = "method", content = "params")]
        pub enum Command {
            $($(#[doc = $doc])+ #[serde(rename = $method)] $variant($params),)+
        }

        impl Command {
            /// Every method, in the order of the table.
            pub const METHODS: &[&str] = &[$($method),+];

            /// Its method.
            #[must_use]
            pub fn method(&self) -> &'static str {
                match self { $(Self::$variant(_) => $method),+ }
            }

            /// The tab it acts on, where it acts on one.
            #[must_use]
            pub fn tab(&self) -> Option<u32> {
                match self { $(Self::$variant(params) => params.tab_id()),+ }
            }
        }

        $(
            impl Call for $params {
                const METHOD: &'static str = $method;
                type Result = $result;
            }
            impl From<$params> for Command {
                fn from(params: $params) -> Self { Self::$variant(params) }
            }
        )+

        /// Rows for the generated TypeScript map: method, name of the parameters, name of the result.
        #[cfg(feature = "codegen")]
        pub(crate) fn rows(cfg: &ts_rs::Config) -> Vec<(&'static str, String, String)> {
            use ts_rs::TS;
            vec![$(($method, <$params as TS>::name(cfg), <$result as TS>::name(cfg))),+]
        }

        /// Visits the types that the rows name.
        #[cfg(feature = "codegen")]
        pub(crate) fn visit(visitor: &mut impl ts_rs::TypeVisitor) {
            $(visitor.visit::<$params>(); visitor.visit::<$result>();)+
        }
    };
}

commands! {
    /// All tabs of all windows.
    "tabs/list" TabsList(TabsList) -> Tabs;
    /// Opens a tab, in the background unless `active`.
    "tabs/create" TabsCreate(TabsCreate) -> Navigation;
    /// Brings a tab to the front of its window (the window is not raised).
    "tabs/activate" TabsActivate(TabsActivate) -> Tab;
    /// Closes a tab.
    "tabs/close" TabsClose(TabsClose) -> Done;
    /// Says which tabs sessions hold; the extension marks them (tab group) and lists them in the popup.
    "tabs/hold" TabsHold(TabsHold) -> Done;
    /// Goes to a URL.
    "navigate/go" NavigateGo(NavigateGo) -> Navigation;
    /// Goes back or forward in the tab's history.
    "navigate/history" NavigateHistory(NavigateHistory) -> Navigation;
    /// Loads the page again.
    "navigate/reload" NavigateReload(NavigateReload) -> Navigation;
    /// Takes the tree of every frame.
    "snapshot/take" SnapshotTake(SnapshotTake) -> Snapshot;
    /// Reads the visible text, of all frames or of one target.
    "snapshot/text" SnapshotText(SnapshotText) -> TextResult;
    /// Reads the HTML of one frame or of one element.
    "snapshot/html" SnapshotHtml(SnapshotHtml) -> HtmlResult;
    /// Looks for nodes by role, name and text.
    "snapshot/find" SnapshotFind(SnapshotFind) -> FoundNodes;
    /// Clicks.
    "pointer/click" PointerClick(PointerClick) -> Act;
    /// What the target is; dispatches nothing.
    "pointer/facts" PointerFacts(PointerFacts) -> Facts;
    /// Moves the pointer onto the target.
    "pointer/hover" PointerHover(PointerHover) -> Act;
    /// Scrolls what is around the target, or the page.
    "pointer/scroll" PointerScroll(PointerScroll) -> Act;
    /// Drags the target somewhere else, by the mouse.
    "pointer/drag" PointerDrag(PointerDrag) -> Act;
    /// Reads which listeners stand on the target's path, through the debugger; dispatches nothing.
    "pointer/listeners" PointerListeners(PointerListeners) -> Listeners;
    /// Puts text into a field.
    "keyboard/type" KeyboardType(KeyboardType) -> Act;
    /// Presses keys, trusted.
    "keyboard/press" KeyboardPress(KeyboardPress) -> Act;
    /// Checks or unchecks a box, radio or switch; presses nothing when it is so already.
    "form/check" FormCheck(FormCheck) -> Act;
    /// Chooses options of a list, native or made by the page.
    "form/select" FormSelect(FormSelect) -> Act;
    /// Puts values into many fields, those of one document in one go.
    "form/fill" FormFill(FormFill) -> Filled;
    /// By what the fields are submitted together; does nothing.
    "form/owner" FormOwner(FormOwner) -> Owner;
    /// Submits the form of a field that has no submit button, as Enter would.
    "form/submit" FormSubmit(FormSubmit) -> Act;
    /// Gives files to a file input, to the chooser that a button opens, or drops them.
    "form/upload" FormUpload(FormUpload) -> Act;
    /// Answers the native dialog that is open.
    "dialog/answer" DialogAnswer(DialogAnswer) -> Act;
    /// Everything seen since the action with this watch number began.
    "watch/look" WatchLook(WatchLook) -> Look;
    /// Which of the conditions holds now.
    "wait/probe" WaitProbe(WaitProbe) -> Probe;
    /// Takes a picture of a tab, wherever it is.
    "capture/screenshot" CaptureScreenshot(CaptureScreenshot) -> Screenshot;
    /// Takes fields out of every element that matches, or finds the elements that hold a text.
    "data/query" DataQuery(DataQuery) -> QueryResult;
    /// Reads what the page said on its console, through the debugger.
    "data/console" DataConsole(DataConsole) -> Console;
    /// What the tab requested since first contact.
    "data/requests" DataRequests(DataRequests) -> Requests;
    /// The kept body of one answer.
    "data/body" DataBody(DataBody) -> Body;
    /// Requests an address as the page would, with the user's cookies.
    "data/fetch" DataFetch(DataFetch) -> Fetched;
    /// Lets Chrome download an address, with the user's cookies.
    "data/download" DataDownload(DataDownload) -> Downloaded;
    /// Adds words to the table of those that move money.
    "human/words" HumanWords(HumanWords) -> Done;
    /// Asks the person, on a page of the extension, whether what was refused last on this tab may happen once.
    "human/confirm" HumanConfirm(HumanConfirm) -> Confirmed;
    /// Runs code in the page's own world; presses on what moves money are held back.
    "data/eval" DataEval(DataEval) -> Evaluated;
    /// The extension loads itself anew, right after its answer.
    "link/reload" LinkReload(LinkReload) -> Done;
    /// Shows the panel in the page, asks after its answer, or takes it away.
    "human/panel" HumanPanel(HumanPanel) -> PanelState;
    /// Answers at once: through the worker, and through the page's content script when a tab is named.
    "link/echo" LinkEcho(LinkEcho) -> Echo;
}

macro_rules! params {
    ($($(#[doc = $doc:literal])+ $name:ident { $($(#[$meta:meta])* $field:ident: $ty:ty,)* } $tab:tt;)+) => {
        $(
            $(#[doc = $doc])+
            #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
            #[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
            #[serde(rename_all = "camelCase", deny_unknown_fields)]
            pub struct $name { $($(#[$meta])* pub $field: $ty,)* }

            impl $name {
                /// The tab it acts on.
                fn tab_id(&self) -> Option<u32> { params!(@tab self $tab) }
            }
        )+
    };
    (@tab $self:ident none) => {{ let _ = $self; None }};
    (@tab $self:ident tab) => { Some($self.tab) };
    (@tab $self:ident maybe) => { $self.tab };
}

params! {
    /// No parameters.
    TabsList {} none;
    /// Parameters of `tabs/create`.
    TabsCreate {
        /// Address; absent: an empty page.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        url: Option<String>,
        /// In front.
        active: bool,
        /// How long to wait for the load, in milliseconds.
        limit_ms: u32,
    } none;
    /// Parameters of `tabs/activate`.
    TabsActivate {
        /// Tab.
        tab: u32,
    } tab;
    /// Parameters of `tabs/close`.
    TabsClose {
        /// Tab.
        tab: u32,
    } tab;
    /// Parameters of `tabs/hold`: the whole list, each time.
    TabsHold {
        /// Held tabs.
        held: Vec<Held>,
    } none;
    /// Parameters of `navigate/go`.
    NavigateGo {
        /// Tab.
        tab: u32,
        /// Absolute http or https address.
        url: String,
        /// How long to wait for the load, in milliseconds.
        limit_ms: u32,
    } tab;
    /// Parameters of `navigate/history`.
    NavigateHistory {
        /// Tab.
        tab: u32,
        /// -1 back, 1 forward.
        delta: i32,
        /// How long to wait for the load, in milliseconds.
        limit_ms: u32,
    } tab;
    /// Parameters of `navigate/reload`.
    NavigateReload {
        /// Tab.
        tab: u32,
        /// How long to wait for the load, in milliseconds.
        limit_ms: u32,
    } tab;
    /// Parameters of `snapshot/take`: the whole tree comes in any case, `target` and `viewport` mark parts of it.
    SnapshotTake {
        /// Tab.
        tab: u32,
        /// Mark the nodes inside this.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        target: Option<Target>,
        /// Mark the nodes that are in the viewport now.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "codegen", ts(optional, as = "Option<bool>"))]
        viewport: bool,
        /// Trees that the daemon holds: of these only the difference is needed.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "codegen", ts(optional, as = "Option<Vec<KnownTree>>"))]
        known: Vec<KnownTree>,
        /// Nobody waits for it and nobody is told: what appeared and went stays to be told.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "codegen", ts(optional, as = "Option<bool>"))]
        ahead: bool,
    } tab;
    /// Parameters of `snapshot/text`.
    SnapshotText {
        /// Tab.
        tab: u32,
        /// Only this; absent: all frames.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        target: Option<Target>,
    } tab;
    /// Parameters of `pointer/click`.
    PointerClick {
        /// Tab.
        tab: u32,
        /// What to click.
        target: Target,
        /// How.
        press: Press,
        /// How the input is made.
        input: Input,
        /// Number under which `watch/look` finds what follows; the watch of the action before ends.
        /// A trusted retry keeps the watch of its first try, so that nothing between is lost.
        watch: u32,
        /// Refuses as sensitive what submits a form, and what has one of these words in its name's first 40 characters or in its marks:
        /// ASCII words stand alone, others anywhere, all in lower case. Absent: nothing is spared.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        spare: Option<Vec<String>>,
    } tab;
    /// Parameters of `pointer/facts`.
    PointerFacts {
        /// Tab.
        tab: u32,
        /// What to describe; absent: what has the focus.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        target: Option<Target>,
    } tab;
    /// Parameters of `pointer/hover`.
    PointerHover {
        /// Tab.
        tab: u32,
        /// Where to.
        target: Target,
        /// How the input is made; styles follow trusted input only.
        input: Input,
        /// Number under which `watch/look` finds what follows.
        watch: u32,
    } tab;
    /// Parameters of `pointer/scroll`.
    PointerScroll {
        /// Tab.
        tab: u32,
        /// The nearest scroller around it, or itself; absent: the page, or the biggest scroller where the page has none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        target: Option<Target>,
        /// How far.
        scroll: Scroll,
        /// Number under which `watch/look` finds what follows.
        watch: u32,
    } tab;
    /// Parameters of `pointer/drag`.
    PointerDrag {
        /// Tab.
        tab: u32,
        /// What is dragged.
        target: Target,
        /// Onto what; absent: as far as the offset says.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        onto: Option<Target>,
        /// From the middle of what it is dragged onto, or of itself.
        offset: Offset,
        /// How the input is made.
        input: Input,
        /// Number under which `watch/look` finds what follows.
        watch: u32,
    } tab;
    /// Parameters of `pointer/listeners`.
    PointerListeners {
        /// Tab.
        tab: u32,
        /// Whose path.
        target: Target,
    } tab;
    /// Parameters of `keyboard/type`.
    KeyboardType {
        /// Tab.
        tab: u32,
        /// Which field.
        target: Target,
        /// What to type.
        text: String,
        /// Keep what is there and add to its end.
        append: bool,
        /// Press Enter afterwards.
        submit: bool,
        /// How.
        input: Input,
        /// Number under which `watch/look` finds what follows.
        watch: u32,
    } tab;
    /// Parameters of `keyboard/press`.
    KeyboardPress {
        /// Tab.
        tab: u32,
        /// What is focused first; absent: what has the focus gets them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        target: Option<Target>,
        /// One after the other; they stop when the document they began in is gone.
        chords: Vec<Chord>,
        /// Number under which `watch/look` finds what follows.
        watch: u32,
    } tab;
    /// Parameters of `form/check`.
    FormCheck {
        /// Tab.
        tab: u32,
        /// Which control.
        target: Target,
        /// What it is to be.
        checked: bool,
        /// How.
        input: Input,
        /// Number under which `watch/look` finds what follows.
        watch: u32,
    } tab;
    /// Parameters of `form/select`.
    FormSelect {
        /// Tab.
        tab: u32,
        /// Which list.
        target: Target,
        /// Labels or values: all that are to be chosen afterwards.
        options: Vec<String>,
        /// How; native lists are never chosen from by trusted input.
        input: Input,
        /// Number under which `watch/look` finds what follows.
        watch: u32,
    } tab;
    /// Parameters of `form/fill`.
    FormFill {
        /// Tab.
        tab: u32,
        /// Fields in the order they are filled.
        fields: Vec<FillField>,
        /// Number under which `watch/look` finds what follows.
        watch: u32,
    } tab;
    /// Parameters of `form/owner`.
    FormOwner {
        /// Tab.
        tab: u32,
        /// The fields.
        targets: Vec<Target>,
    } tab;
    /// Parameters of `form/submit`.
    FormSubmit {
        /// Tab.
        tab: u32,
        /// A field of the form.
        target: Target,
        /// Number under which `watch/look` finds what follows.
        watch: u32,
    } tab;
    /// Parameters of `form/upload`.
    FormUpload {
        /// Tab.
        tab: u32,
        /// File input, its label, the button that opens the chooser, or the place to drop on.
        target: Target,
        /// Absolute paths of files.
        paths: Vec<String>,
        /// Number under which `watch/look` finds what follows.
        watch: u32,
    } tab;
    /// Parameters of `dialog/answer`.
    DialogAnswer {
        /// Tab.
        tab: u32,
        /// OK; else cancel.
        accept: bool,
        /// Text for a prompt.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        text: Option<String>,
        /// Number under which `watch/look` finds what follows.
        watch: u32,
    } tab;
    /// Parameters of `watch/look`.
    WatchLook {
        /// Tab.
        tab: u32,
        /// Number given with the action.
        watch: u32,
    } tab;
    /// Parameters of `wait/probe`.
    WaitProbe {
        /// Tab.
        tab: u32,
        /// Alternatives.
        conditions: Vec<Condition>,
    } tab;
    /// Parameters of `capture/screenshot`.
    CaptureScreenshot {
        /// Tab.
        tab: u32,
        /// Format.
        format: Format,
        /// JPEG quality, 1 to 100.
        quality: u32,
        /// Longest side in image pixels; larger pictures are scaled down.
        max_side: u32,
        /// Only this element, scrolled into view; absent: the viewport.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        target: Option<Target>,
        /// The whole page.
        full: bool,
        /// Draw the refs on it.
        refs: bool,
    } tab;
    /// Parameters of `snapshot/html`.
    SnapshotHtml {
        /// Tab.
        tab: u32,
        /// Only this; absent: the document of the main frame.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        target: Option<Target>,
        /// As rendered: shadow roots and slots in place, hidden parts, scripts and styles left out.
        shown: bool,
        /// UTF-16 units at most.
        limit: u32,
    } tab;
    /// Parameters of `snapshot/find`; at least one of role, name and text.
    SnapshotFind {
        /// Tab.
        tab: u32,
        /// ARIA role.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        role: Option<String>,
        /// Accessible name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        name: Option<String>,
        /// Visible text inside.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        text: Option<String>,
        /// Matches at most.
        limit: u32,
    } tab;
    /// Parameters of `data/query`; exactly one of selector and contains.
    DataQuery {
        /// Tab.
        tab: u32,
        /// Selector of the rows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        selector: Option<String>,
        /// Text to look for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        contains: Option<String>,
        /// What to take out; none: the text, or the cells of a table.
        fields: Vec<Field>,
        /// Rows at most.
        limit: u32,
    } tab;
    /// Parameters of `data/console`.
    DataConsole {
        /// Tab.
        tab: u32,
        /// Only what was said after this time, in milliseconds since 1970.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        since: Option<f64>,
        /// Entries at most, the newest.
        limit: u32,
    } tab;
    /// Parameters of `data/requests`.
    DataRequests {
        /// Tab.
        tab: u32,
        /// What to do about bodies.
        recording: Recording,
    } tab;
    /// Parameters of `data/body`.
    DataBody {
        /// Tab.
        tab: u32,
        /// Number of the request.
        number: u32,
        /// Bytes at most.
        limit: u32,
    } tab;
    /// Parameters of `data/fetch`.
    DataFetch {
        /// Tab whose page asks.
        tab: u32,
        /// Address, also relative to the page's.
        url: String,
        /// HTTP method.
        method: String,
        /// Headers.
        headers: Vec<Header>,
        /// Body to send.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        body: Option<String>,
        /// Bytes of the answer at most.
        limit: u32,
        /// Milliseconds at most.
        limit_ms: u32,
    } tab;
    /// Parameters of `data/download`.
    DataDownload {
        /// Tab for which it is done.
        tab: u32,
        /// Absolute http or https address.
        url: String,
        /// Milliseconds at most.
        limit_ms: u32,
    } tab;
    /// Parameters of `human/words`.
    HumanWords {
        /// Beside the table's own.
        words: MoneyWords,
    } none;
    /// Parameters of `human/confirm`. What is asked stands in the extension: nothing of it comes from here.
    HumanConfirm {
        /// Tab.
        tab: u32,
        /// Without an answer after so many milliseconds it is refused.
        limit_ms: u32,
    } tab;
    /// Parameters of `data/eval`.
    DataEval {
        /// Tab.
        tab: u32,
        /// A script, or the body of an async function.
        code: String,
        /// So long a promise is awaited, in milliseconds.
        limit_ms: u32,
        /// UTF-16 units of the value at most.
        limit: u32,
    } tab;
    /// No parameters.
    LinkReload {} none;
    /// Parameters of `human/panel`.
    HumanPanel {
        /// Tab.
        tab: u32,
        /// What to do.
        panel: Panel,
    } tab;
    /// Parameters of `link/echo`.
    LinkEcho {
        /// Ask the content script of this tab's main frame too.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "codegen", ts(optional))]
        tab: Option<u32>,
    } maybe;
}

/// Result of `tabs/list`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Tabs {
    /// In window order.
    pub tabs: Vec<Tab>,
}

/// A tab held by a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Held {
    /// Tab.
    pub tab: u32,
    /// Name of the agent, as the mark shows it.
    pub label: String,
}

/// Result of `snapshot/text`: text, or why the target was refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum TextResult {
    /// What was read.
    Read {
        /// The tab.
        tab: Tab,
        /// One entry a frame, main frame first.
        frames: Vec<FrameText>,
    },
    /// The target was refused.
    Refused {
        /// Why.
        refusal: crate::Refusal,
    },
}

/// Result of commands that have nothing to tell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Done {}

/// Result of `link/echo`: milliseconds each hop took inside the extension.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Echo {
    /// Random word of this life of the worker.
    pub generation: String,
    /// `offscreen` or `worker`: who holds the socket.
    pub socket: String,
    /// Worker → content script → worker; absent when no tab was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub page_ms: Option<f64>,
    /// Why the page did not answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub page_error: Option<String>,
}
