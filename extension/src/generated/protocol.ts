// GENERATED from crates/protocol by `cargo xtask codegen`. Do not edit.

export const PROTOCOL_VERSION = 1;
export const MAX_FRAME_BYTES = 33554432;

/**
 * What became of an action: refused before dispatch, or dispatched.
 */
export type Act = { "kind": "refused", 
/**
 * Why.
 */
refusal: Refusal, } | { "kind": "done", 
/**
 * How.
 */
input: Input, 
/**
 * The target before the action.
 */
before: TargetFacts, 
/**
 * The element that really received it; absent when none did.
 */
delivered?: Described, 
/**
 * For typing: UTF-16 units that were handed to the field after its own limits (`maxlength`).
 */
accepted?: number, 
/**
 * Whether the field holds exactly the asked text right after the dispatch.
 */
holds?: boolean, 
/**
 * The first look, taken at once.
 */
look: Look, };

/**
 * Parameters of `capture/screenshot`.
 */
export type CaptureScreenshot = { 
/**
 * Tab.
 */
tab: number, 
/**
 * Format.
 */
format: Format, 
/**
 * JPEG quality, 1 to 100.
 */
quality: number, 
/**
 * Longest side in image pixels; larger pictures are scaled down.
 */
maxSide: number, };

/**
 * How surely a change belongs to the action (design §3, "Cause decides").
 */
export type Cause = "sync" | "linked" | "window";

/**
 * Answer of the daemon.
 */
export type Challenge = { 
/**
 * Version of the daemon.
 */
version: string, 
/**
 * Random id of this daemon's state dir.
 */
instance: string, 
/**
 * 32 random bytes, hex.
 */
nonce: string, 
/**
 * The daemon's proof, hex.
 */
proof: string, };

/**
 * Daemon → extension, tagged by `method`.
 */
export type Command = { "method": "tabs/list", "params": TabsList } | { "method": "tabs/create", "params": TabsCreate } | { "method": "tabs/activate", "params": TabsActivate } | { "method": "tabs/close", "params": TabsClose } | { "method": "tabs/hold", "params": TabsHold } | { "method": "navigate/go", "params": NavigateGo } | { "method": "navigate/history", "params": NavigateHistory } | { "method": "navigate/reload", "params": NavigateReload } | { "method": "snapshot/take", "params": SnapshotTake } | { "method": "snapshot/text", "params": SnapshotText } | { "method": "pointer/click", "params": PointerClick } | { "method": "pointer/listeners", "params": PointerListeners } | { "method": "keyboard/type", "params": KeyboardType } | { "method": "watch/look", "params": WatchLook } | { "method": "wait/probe", "params": WaitProbe } | { "method": "capture/screenshot", "params": CaptureScreenshot } | { "method": "link/echo", "params": LinkEcho };

/**
 * Error of one command, on the link.
 */
export type CommandError = { 
/**
 * Closed code.
 */
code: ErrorCode, 
/**
 * What happened, one sentence.
 */
message: string, };

/**
 * One thing that `wait/probe` looks for, in every frame.
 */
export type Condition = { "kind": "text", 
/**
 * Text, white space folded.
 */
text: string, } | { "kind": "textGone", 
/**
 * Text, white space folded.
 */
text: string, } | { "kind": "css", 
/**
 * CSS selector.
 */
selector: string, } | { "kind": "url", 
/**
 * Part of the URL.
 */
part: string, } | { "kind": "ref", 
/**
 * Ordinal of its document.
 */
doc: number, 
/**
 * Number within the document.
 */
node: number, 
/**
 * Wanted state; absent: the node is gone or hidden.
 */
state?: State, } | { "kind": "idle" };

/**
 * A node in words.
 */
export type Described = { 
/**
 * ARIA role, or the tag name where there is none.
 */
role: string, 
/**
 * Accessible name or a short text; cut to 80 characters.
 */
name: string, 
/**
 * Ordinal of its document, when it has a ref.
 */
doc?: number, 
/**
 * Number within its document, when it has a ref.
 */
node?: number, };

/**
 * A native dialog.
 */
export type Dialog = { 
/**
 * Which kind.
 */
kind: DialogKind, 
/**
 * What it says; cut to 500 characters.
 */
text: string, 
/**
 * Whether the debugger was attached in time, so that it can be closed from here.
 */
closable: boolean, };

/**
 * Kinds of native dialogs.
 */
export type DialogKind = "alert" | "confirm" | "prompt" | "beforeUnload";

/**
 * Result of commands that have nothing to tell.
 */
export type Done = Record<symbol, never>;

/**
 * Result of `link/echo`: milliseconds each hop took inside the extension.
 */
export type Echo = { 
/**
 * Random word of this life of the worker.
 */
generation: string, 
/**
 * `offscreen` or `worker`: who holds the socket.
 */
socket: string, 
/**
 * Worker → content script → worker; absent when no tab was named.
 */
pageMs?: number, 
/**
 * Why the page did not answer.
 */
pageError?: string, };

/**
 * Why a call was refused or failed (design §3). Closed: a new code is a new row.
 */
export type ErrorCode = "stale_ref" | "not_found" | "ambiguous" | "covered" | "disabled" | "not_visible" | "not_editable" | "wrong_kind" | "no_match" | "restricted_page" | "no_tab" | "tab_owned" | "paused" | "needs_confirmation" | "declined" | "dialog_open" | "timeout" | "cancelled" | "extension_not_connected" | "protocol_mismatch" | "invalid_argument" | "unsupported" | "internal";

/**
 * Extension → daemon.
 */
export type Event = { "event": "tab/created", "params": { 
/**
 * It.
 */
tab: Tab, } } | { "event": "tab/removed", "params": { 
/**
 * Its id.
 */
tab: number, } } | { "event": "tab/navigated", "params": { 
/**
 * Its id.
 */
tab: number, 
/**
 * New address.
 */
url: string, 
/**
 * The document stayed.
 */
sameDocument: boolean, } } | { "event": "dialog/opened", "params": { 
/**
 * Tab it belongs to.
 */
tab: number, 
/**
 * It.
 */
dialog: Dialog, } } | { "event": "dialog/closed", "params": { 
/**
 * Tab it belonged to.
 */
tab: number, } } | { "event": "debugger/detached", "params": { 
/**
 * Tab.
 */
tab: number, 
/**
 * Chrome's reason word.
 */
reason: string, } } | { "event": "switches/changed", "params": { 
/**
 * They.
 */
switches: Switches, } } | { "event": "worker/started", "params": { 
/**
 * Random word of this life.
 */
generation: string, } };

/**
 * One thing that was seen since the action began.
 */
export type Evidence = { 
/**
 * How surely it belongs to the action.
 */
cause: Cause, 
/**
 * Where it is.
 */
place: Place, 
/**
 * What it is.
 */
kind: EvidenceKind, 
/**
 * The change in short, page text included: `"0 items" → "1 item"`. At most 200 characters.
 */
what: string, 
/**
 * Milliseconds after the dispatch when it was first seen.
 */
firstMs: number, 
/**
 * Milliseconds after the dispatch when it last moved.
 */
lastMs: number, 
/**
 * How many separate times it moved since the action.
 */
times: number, 
/**
 * How many times the same region had moved in the 10 s before the action.
 */
before: number, 
/**
 * A value or state is now again what it was before the action.
 */
reverted?: boolean, 
/**
 * For a navigation, tab or request: the address.
 */
url?: string, 
/**
 * For a tab: its id.
 */
tab?: number, 
/**
 * For an answered request: HTTP status.
 */
status?: number, };

/**
 * What kind of thing was seen.
 */
export type EvidenceKind = "state" | "value" | "removed" | "content" | "attribute" | "alert" | "live" | "topLayer" | "scroll" | "focus" | "navigation" | "sameDocument" | "frameNavigation" | "title" | "tab" | "download" | "dialog" | "request" | "exception";

/**
 * Picture formats.
 */
export type Format = "jpeg" | "png";

/**
 * Every frame of the link, both ways.
 */
export type Frame = { "kind": "hello", 
/**
 * Who it is.
 */
hello: Hello, } | { "kind": "challenge", 
/**
 * The daemon's side.
 */
challenge: Challenge, } | { "kind": "proof", 
/**
 * Its proof, hex.
 */
proof: string, 
/**
 * The user's switches now.
 */
switches: Switches, 
/**
 * Random word of this life of the worker.
 */
generation: string, } | { "kind": "welcome" } | { "kind": "refused", 
/**
 * Why.
 */
refused: Refused, } | { "kind": "request", 
/**
 * Unique among the open requests of its sender.
 */
id: number, 
/**
 * What to do.
 */
command: Command, } | { "kind": "reply", 
/**
 * The request's id.
 */
id: number, 
/**
 * Result of the command, unparsed.
 */
result?: unknown, 
/**
 * Error of the command.
 */
error?: CommandError, } | { "kind": "cancel", 
/**
 * The request's id.
 */
id: number, } | { "kind": "progress", 
/**
 * The request's id.
 */
id: number, 
/**
 * In words.
 */
note: string, } | { "kind": "event", 
/**
 * What.
 */
event: Event, } | { "kind": "ping" } | { "kind": "pong" };

/**
 * Text of one frame, as a person sees it.
 */
export type FrameText = { 
/**
 * Chrome's frame id.
 */
frame: number, 
/**
 * Address of the document.
 */
url: string, 
/**
 * Visible text; lines as rendered.
 */
text: string, 
/**
 * Why the frame could not be read.
 */
unreadable?: string, 
/**
 * Halves of surrogate pairs that were replaced.
 */
lone?: number, };

/**
 * One document of the tab.
 */
export type FrameTree = { 
/**
 * Chrome's frame id; 0 is the main frame.
 */
frame: number, 
/**
 * Frame id of the parent; absent for the main frame.
 */
parent?: number, 
/**
 * Ordinal of the document in this browser: refs carry it, it is never reused.
 */
doc: number, 
/**
 * Address of the document.
 */
url: string, 
/**
 * Nodes in pre-order.
 */
nodes: Array<Node>, 
/**
 * Why the frame could not be read; `nodes` is empty then.
 */
unreadable?: string, 
/**
 * Which nodes were asked for (inside the target, in the viewport): pairs of first index and index after the last. Absent: all.
 */
within?: Array<number>, 
/**
 * What was shown for a while since the last snapshot.
 */
vanished?: Array<Vanished>, 
/**
 * Halves of surrogate pairs that were replaced.
 */
lone?: number, };

/**
 * A header of a request.
 */
export type Header = { 
/**
 * Name.
 */
name: string, 
/**
 * Value.
 */
value: string, };

/**
 * A tab held by a session.
 */
export type Held = { 
/**
 * Tab.
 */
tab: number, 
/**
 * Name of the agent, as the mark shows it.
 */
label: string, };

/**
 * First frame of the extension.
 */
export type Hello = { 
/**
 * [`crate::PROTOCOL_VERSION`] of the extension.
 */
protocol: number, 
/**
 * Version from its manifest.
 */
version: string, 
/**
 * Hash of the sources it was built from.
 */
build: string, 
/**
 * Random id of this installation, kept in its storage.
 */
instance: string, 
/**
 * Browser name and version.
 */
browser: string, 
/**
 * Runs headless.
 */
headless: boolean, 
/**
 * 32 random bytes, hex.
 */
nonce: string, 
/**
 * Which key proves it.
 */
key: Key, };

/**
 * How the input was made.
 */
export type Input = "synthetic" | "trusted";

/**
 * Which key a handshake uses.
 */
export type Key = "secret" | "code";

/**
 * Parameters of `keyboard/type`.
 */
export type KeyboardType = { 
/**
 * Tab.
 */
tab: number, 
/**
 * Which field.
 */
target: Target, 
/**
 * What to type.
 */
text: string, 
/**
 * Keep what is there and add to its end.
 */
append: boolean, 
/**
 * Press Enter afterwards.
 */
submit: boolean, 
/**
 * How.
 */
input: Input, 
/**
 * Number under which `watch/look` finds what follows.
 */
watch: number, };

/**
 * Parameters of `link/echo`.
 */
export type LinkEcho = { 
/**
 * Ask the content script of this tab's main frame too.
 */
tab?: number, };

/**
 * Result of `pointer/listeners`: what stands on the target's path.
 */
export type Listeners = { 
/**
 * Event types listened to by listeners that can act (not declared passive).
 */
types: Array<string>, 
/**
 * Words found in the listeners' scripts that only trusted input can satisfy (`isTrusted`, `userActivation` …).
 */
trustWords: Array<string>, 
/**
 * What activation does by itself: `link`, `submit`, `toggle`, `summary` …
 */
defaultAction?: string, };

/**
 * All evidence since the action began, as of now.
 */
export type Look = { 
/**
 * Milliseconds since the dispatch, by the worker's clock.
 */
elapsedMs: number, 
/**
 * How long the page had been watched before the dispatch, in milliseconds.
 */
historyMs: number, 
/**
 * Everything seen so far, strongest first.
 */
evidence: Array<Evidence>, 
/**
 * The target as it is now; absent when its document is gone.
 */
target?: TargetFacts, 
/**
 * The tab is in the background or its window is hidden.
 */
hidden: boolean, 
/**
 * A native dialog that is open now.
 */
dialog?: Dialog, 
/**
 * How much could be seen.
 */
quality: Quality, 
/**
 * What could not, in words.
 */
missing: Array<string>, };

/**
 * Parameters of `navigate/go`.
 */
export type NavigateGo = { 
/**
 * Tab.
 */
tab: number, 
/**
 * Absolute http or https address.
 */
url: string, 
/**
 * How long to wait for the load, in milliseconds.
 */
limitMs: number, };

/**
 * Parameters of `navigate/history`.
 */
export type NavigateHistory = { 
/**
 * Tab.
 */
tab: number, 
/**
 * -1 back, 1 forward.
 */
delta: number, 
/**
 * How long to wait for the load, in milliseconds.
 */
limitMs: number, };

/**
 * Parameters of `navigate/reload`.
 */
export type NavigateReload = { 
/**
 * Tab.
 */
tab: number, 
/**
 * How long to wait for the load, in milliseconds.
 */
limitMs: number, };

/**
 * Where a navigation ended.
 */
export type Navigation = { 
/**
 * The tab afterwards.
 */
tab: Tab, 
/**
 * How it ended.
 */
end: NavigationEnd, 
/**
 * HTTP status of the main document, when there was one.
 */
status?: number, 
/**
 * Chrome's error word (`net::ERR_…`).
 */
error?: string, };

/**
 * How a navigation ended.
 */
export type NavigationEnd = "complete" | "interactive" | "committed" | "sameDocument" | "nothing" | "failed" | "endOfHistory" | "dialog";

/**
 * One node of a frame's tree, in pre-order.
 */
export type Node = { 
/**
 * Nesting level; the frame's top nodes have 0.
 */
depth: number, 
/**
 * ARIA role, or `text` for a text run, `iframe` for a frame's place.
 */
role: string, 
/**
 * Accessible name, or the text of a text run.
 */
name?: string, 
/**
 * Number of the node within its document, when it can be a target.
 */
node?: number, 
/**
 * States that hold, in the order of [`State`].
 */
states?: Array<State>, 
/**
 * Current value of a field; a secret one is only a length.
 */
value?: Value, 
/**
 * Heading level, 1 to 6 (or `aria-level`).
 */
level?: number, 
/**
 * Destination of a link as written in the page, cut to 200 characters.
 */
url?: string, 
/**
 * For `iframe`: Chrome's frame id of the document inside, when known.
 */
frame?: number, 
/**
 * Why nothing of the inside is shown (closed surface, canvas, frame that cannot be entered).
 */
opaque?: string, };

/**
 * Where the change is, seen from the target.
 */
export type Place = "target" | "section" | "away" | "browser";

/**
 * Parameters of `pointer/click`.
 */
export type PointerClick = { 
/**
 * Tab.
 */
tab: number, 
/**
 * What to click.
 */
target: Target, 
/**
 * How.
 */
input: Input, 
/**
 * Number under which `watch/look` finds what follows; the watch of the action before ends.
 * A trusted retry keeps the watch of its first try, so that nothing between is lost.
 */
watch: number, };

/**
 * Parameters of `pointer/listeners`.
 */
export type PointerListeners = { 
/**
 * Tab.
 */
tab: number, 
/**
 * Whose path.
 */
target: Target, };

/**
 * Answer of `wait/probe`.
 */
export type Probe = { 
/**
 * Index of the first condition that holds.
 */
met?: number, 
/**
 * Frame in which it holds.
 */
frame?: number, 
/**
 * The tab as it is.
 */
tab: Tab, 
/**
 * Beginning of the visible text, at most 300 characters: what is there instead.
 */
there: string, 
/**
 * Frames that could not be read.
 */
unread: number, };

/**
 * How much the look could see.
 */
export type Quality = "complete" | "partial" | "unavailable";

/**
 * Why the page refused to act; nothing was dispatched.
 */
export type Refusal = { "reason": "navigated" } | { "reason": "removed", 
/**
 * What it was.
 */
was: Described, } | { "reason": "changed", 
/**
 * What the snapshot showed.
 */
was: Described, 
/**
 * What it is.
 */
now: Described, } | { "reason": "notFound", 
/**
 * Some that are there, at most 12.
 */
seen: Array<Described>, } | { "reason": "ambiguous", 
/**
 * How many.
 */
count: number, 
/**
 * The first 8.
 */
candidates: Array<Described>, } | { "reason": "badSelector", 
/**
 * What the parser said.
 */
message: string, } | { "reason": "covered", 
/**
 * The target.
 */
target: Described, 
/**
 * The cover.
 */
by: Described, 
/**
 * The cover lies in a parent document.
 */
inParent: boolean, } | { "reason": "disabled", 
/**
 * The target.
 */
target: Described, 
/**
 * `itself`, `fieldset "…"`, `aria-disabled`, `inert`.
 */
how: string, } | { "reason": "notVisible", 
/**
 * The target.
 */
target: Described, 
/**
 * Which rule hides it.
 */
how: string, } | { "reason": "moving", 
/**
 * The target.
 */
target: Described, } | { "reason": "notEditable", 
/**
 * The target.
 */
target: Described, 
/**
 * `readonly`, `aria-readonly`.
 */
how: string, } | { "reason": "wrongKind", 
/**
 * The target.
 */
target: Described, 
/**
 * What to use.
 */
instead: string, };

/**
 * Why the daemon closes the link.
 */
export type Refused = { 
/**
 * Word for programs.
 */
why: RefusedWhy, 
/**
 * Sentence for the popup, with the way out.
 */
message: string, };

/**
 * Words of [`Refused`].
 */
export type RefusedWhy = "protocol" | "unpaired" | "code" | "proof" | "taken" | "malformed";

/**
 * A picture of a tab.
 */
export type Screenshot = { 
/**
 * Base64 of the image.
 */
data: string, 
/**
 * `image/jpeg` or `image/png`.
 */
mime: string, 
/**
 * Width in pixels.
 */
width: number, 
/**
 * Height in pixels.
 */
height: number, 
/**
 * Image pixels per CSS pixel.
 */
scale: number, 
/**
 * The tab was in the background.
 */
hidden: boolean, };

/**
 * Result of `snapshot/take`: every frame of a tab, main frame first.
 */
export type Snapshot = { 
/**
 * The tab it was taken of.
 */
tab: Tab, 
/**
 * Frames, parents before children.
 */
frames: Array<FrameTree>, 
/**
 * Why the target of a part was refused; the frames are empty then.
 */
refused?: Refusal, };

/**
 * Parameters of `snapshot/find`; at least one of role, name and text.
 */
export type SnapshotFind = { 
/**
 * Tab.
 */
tab: number, 
/**
 * ARIA role.
 */
role?: string, 
/**
 * Accessible name.
 */
name?: string, 
/**
 * Visible text inside.
 */
text?: string, 
/**
 * Matches at most.
 */
limit: number, };

/**
 * Parameters of `snapshot/take`.
 */
export type SnapshotTake = { 
/**
 * Tab.
 */
tab: number, 
/**
 * Mark the nodes inside this.
 */
target?: Target, 
/**
 * Mark the nodes that are in the viewport now.
 */
viewport?: boolean, };

/**
 * Parameters of `snapshot/text`.
 */
export type SnapshotText = { 
/**
 * Tab.
 */
tab: number, 
/**
 * Only this; absent: all frames.
 */
target?: Target, };

/**
 * States of a node (ARIA states and properties, HTML equivalents; closed set).
 */
export type State = "checked" | "unchecked" | "mixed" | "pressed" | "unpressed" | "expanded" | "collapsed" | "selected" | "current" | "disabled" | "readonly" | "required" | "invalid" | "busy" | "modal" | "focused" | "inert" | "clickable" | "file" | "multiple";

/**
 * The user's switches; they live in the extension, an agent cannot reach them.
 */
export type Switches = { 
/**
 * No tool acts or reads.
 */
paused: boolean, 
/**
 * The debugger may be used.
 */
trustedInput: boolean, };

/**
 * A tab of the user's browser.
 */
export type Tab = { 
/**
 * Chrome's tab id.
 */
id: number, 
/**
 * Chrome's window id.
 */
window: number, 
/**
 * Address shown.
 */
url: string, 
/**
 * Title shown.
 */
title: string, 
/**
 * In front in its window.
 */
active: boolean, 
/**
 * Still loading.
 */
loading: boolean, 
/**
 * Unloaded by Chrome to save memory.
 */
discarded: boolean, 
/**
 * Tab that opened it.
 */
opener?: number, 
/**
 * Why extensions may not act on this page (`chrome page`, `web store`, …).
 */
restricted?: string, 
/**
 * A native dialog that is open on it.
 */
dialog?: Dialog, };

/**
 * Result of `tabs/list`.
 */
export type Tabs = { 
/**
 * In window order.
 */
tabs: Array<Tab>, };

/**
 * Parameters of `tabs/activate`.
 */
export type TabsActivate = { 
/**
 * Tab.
 */
tab: number, };

/**
 * Parameters of `tabs/close`.
 */
export type TabsClose = { 
/**
 * Tab.
 */
tab: number, };

/**
 * Parameters of `tabs/create`.
 */
export type TabsCreate = { 
/**
 * Address; absent: an empty page.
 */
url?: string, 
/**
 * In front.
 */
active: boolean, 
/**
 * How long to wait for the load, in milliseconds.
 */
limitMs: number, };

/**
 * Parameters of `tabs/hold`: the whole list, each time.
 */
export type TabsHold = { 
/**
 * Held tabs.
 */
held: Array<Held>, };

/**
 * No parameters.
 */
export type TabsList = Record<symbol, never>;

/**
 * Where an action goes.
 */
export type Target = { "by": "ref", 
/**
 * Ordinal of its document.
 */
doc: number, 
/**
 * Number within the document.
 */
node: number, } | { "by": "name", 
/**
 * ARIA role.
 */
role: string, 
/**
 * Accessible name.
 */
name: string, 
/**
 * Which of several, from 0, in document order.
 */
nth?: number, } | { "by": "css", 
/**
 * CSS selector.
 */
selector: string, };

/**
 * What is known of the target at one moment.
 */
export type TargetFacts = { 
/**
 * The node in words.
 */
described: Described, 
/**
 * Lower-case tag name.
 */
tag: string, 
/**
 * States that hold.
 */
states: Array<State>, 
/**
 * Value of a field or editing host.
 */
value?: Value, 
/**
 * Still attached to its document.
 */
connected: boolean, 
/**
 * Submits a form when activated.
 */
submits: boolean, 
/**
 * A link, or a control that opens a new browsing context by itself.
 */
opensTab: boolean, 
/**
 * An editing host that is not a plain field.
 */
rich: boolean, 
/**
 * Secret-like field: password, one-time code, card.
 */
secret: boolean, 
/**
 * Class tokens and test id, lower case, cut to 200 characters: for the sensitive-word rule.
 */
marks: string, };

/**
 * Result of `snapshot/text`: text, or why the target was refused.
 */
export type TextResult = { "kind": "read", 
/**
 * The tab.
 */
tab: Tab, 
/**
 * One entry a frame, main frame first.
 */
frames: Array<FrameText>, } | { "kind": "refused", 
/**
 * Why.
 */
refusal: Refusal, };

/**
 * What a field holds.
 */
export type Value = { "kind": "plain", 
/**
 * Value as the page would read it.
 */
text: string, } | { "kind": "secret", 
/**
 * UTF-16 length, as `value.length`.
 */
length: number, };

/**
 * Text of an alert or status region that was shown since the last snapshot of the document and is not there any more.
 */
export type Vanished = { 
/**
 * Role of the region: alert, status, log.
 */
role: string, 
/**
 * What it said, cut to 200 characters.
 */
text: string, 
/**
 * Milliseconds since it was first seen.
 */
agoMs: number, };

/**
 * Parameters of `wait/probe`.
 */
export type WaitProbe = { 
/**
 * Tab.
 */
tab: number, 
/**
 * Alternatives.
 */
conditions: Array<Condition>, };

/**
 * Parameters of `watch/look`.
 */
export type WatchLook = { 
/**
 * Tab.
 */
tab: number, 
/**
 * Number given with the action.
 */
watch: number, };

/** Parameters and result of every command, by method. */
export interface Commands {
  "tabs/list": { params: TabsList; result: Tabs };
  "tabs/create": { params: TabsCreate; result: Navigation };
  "tabs/activate": { params: TabsActivate; result: Tab };
  "tabs/close": { params: TabsClose; result: Done };
  "tabs/hold": { params: TabsHold; result: Done };
  "navigate/go": { params: NavigateGo; result: Navigation };
  "navigate/history": { params: NavigateHistory; result: Navigation };
  "navigate/reload": { params: NavigateReload; result: Navigation };
  "snapshot/take": { params: SnapshotTake; result: Snapshot };
  "snapshot/text": { params: SnapshotText; result: TextResult };
  "pointer/click": { params: PointerClick; result: Act };
  "pointer/listeners": { params: PointerListeners; result: Listeners };
  "keyboard/type": { params: KeyboardType; result: Act };
  "watch/look": { params: WatchLook; result: Look };
  "wait/probe": { params: WaitProbe; result: Probe };
  "capture/screenshot": { params: CaptureScreenshot; result: Screenshot };
  "link/echo": { params: LinkEcho; result: Echo };
}
