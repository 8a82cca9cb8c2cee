// What the worker asks of the content script of one document, and what the content script tells unasked.
// Facts only: no prose, no verdict. Every call names the document by Chrome's documentId, so it can never reach a later one.

import type {
  Condition, DataFetch, Described, Evidence, Fetched, Field, FillValue, Input, Match, Panel, PanelState, Press, ReadBack, Receipt, Refusal, Row, Scroll, Scrolled, TargetFacts,
  Tier,
} from "../generated/protocol";
import type { Money, Patterns } from "./money";

/** A point in CSS pixels of one document's viewport. */
export interface Point {
  x: number;
  y: number;
}

/** Evidence of one document since a watch began. */
export interface PageLook {
  /** Milliseconds the document had been watched before the dispatch. */
  historyMs: number;
  evidence: Evidence[];
  /** Only from the document that holds the target. */
  target?: TargetFacts;
  hidden: boolean;
  /** What was asked of controls, read back. */
  held?: ReadBack[];
  /** What could not be observed, in words. */
  missing: string[];
}

/** What a document answers to a name or selector. */
export interface Found {
  /** All that match, visible ones only unless none is; each has a node number. */
  candidates: Described[];
  /** Exact name, or a name that contains it. */
  tier: "exact" | "contains" | "none";
  /** Some that are there instead, at most 12. */
  seen: Described[];
  /** The selector cannot be parsed. */
  badSelector?: string;
}

/** One field of a form that is filled; `field` is its place in the call. */
export interface PageField {
  field: number;
  node: number;
  value: FillValue;
}

/** What can be done with a field; `later`: lists made by the page and rich editors are the worker's. */
export type Planned =
  | { kind: "refused"; refusal: Refusal }
  | { kind: "already"; facts: TargetFacts }
  | { kind: "ready"; facts: TargetFacts; point: Point; later: "list" | "editor" | null };

/** What is asked of a control, to be read back at every look. */
export type Wanted = { kind: "checked"; checked: boolean } | { kind: "options"; options: string[] } | { kind: "text"; text: string } | { kind: "files"; names: string[] };

/** A control that moves money. */
export interface MoneyHit extends Money {
  node: number;
}

/** By what a control is known to move money, and the one that the person allowed. */
export interface MoneyGate {
  by: Patterns;
  granted?: MoneyHit;
}

/** Ready to be acted on, or not. */
export type Prepared =
  | { kind: "already"; facts: TargetFacts }
  | { kind: "refused"; refusal: Refusal }
  | { kind: "ready"; facts: TargetFacts; point: Point; /** trusted input is needed from the start */ trustedOnly: boolean; /** it moves money and nobody allowed it */ money?: MoneyHit };

/** Point mapped to this document, or the cover that lies over the child frame here. */
export type Located = { kind: "refused"; refusal: Refusal } | { kind: "at"; point: Point };

/** What lies at a point. */
export type Pointed = { kind: "refused"; refusal: Refusal } | { kind: "node"; node: number; child?: number; inner?: Point };

/** An input that was dispatched, or waited for. */
export interface Dispatched {
  /** Element that really received it. */
  delivered?: Described;
  /** When the dispatch began, in milliseconds since the epoch. */
  startedAt?: number;
  /** Typing: units accepted by the field's own limits. */
  accepted?: number;
  /** Scrolling: what became of the scroller. */
  scrolled?: Scrolled;
  /** Dragging: what the button was let go over. */
  dropped?: Described;
  /** It moves money and nobody allowed it: nothing was pressed. */
  stopped?: MoneyHit;
  /** The node became another one under the pointer: nothing was pressed. */
  refused?: Refusal;
  /** The field holds what was asked for now. */
  holds?: boolean;
  look: PageLook;
}

/** What a node is made ready for. `keys`: whatever has the focus gets them; `press`: the same for a node that was named. */
export type Deed = "click" | "hover" | "drag" | "drop" | "scroll" | "type" | "press" | "keys" | "check" | "uncheck" | "select" | "submit" | "upload";

/** An option of a list made by the page. */
export interface ListedOption {
  node: number;
  label: string;
  selected: boolean;
  disabled: boolean;
}

/** A list made by the page: shown or not, or the control is a native one. */
export type Listed =
  | { kind: "native" }
  | { kind: "closed"; typed: boolean }
  | { kind: "open"; options: ListedOption[]; multiple: boolean; /** text can be put in to filter it */ typed: boolean };

/** A rectangle in CSS pixels of one document's viewport. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Where things are in a document, for a picture. */
export interface Boxes {
  /** Filled secret fields. */
  secrets: Box[];
  /** Nodes with a ref. */
  marks: (Box & { node: number })[];
  /** Content boxes of child frames. */
  frames: (Box & { frame: number })[];
  /** The viewport, scrollbars included. */
  width: number;
}

/** A node found in one document. */
export type PageMatch = Omit<Match, "frame">;

/** What one document found. */
export interface Searched {
  tier: Tier;
  count: number;
  matches: PageMatch[];
  /** Some that are there instead. */
  seen: Described[];
}

/** A row of one document. */
export type PageRow = Omit<Row, "frame">;

/** What one document read. */
export interface Queried {
  columns: string[];
  count: number;
  rows: PageRow[];
  badSelector?: string;
}

/** Calls of the worker, by name. Each answer is `{ ok: result }` or `{ error: string }`. */
export interface PageCalls {
  /** First contact: start to watch. Idempotent. `children` maps the nonces its child frames will announce to Chrome's frame ids. */
  touch: { params: { doc: number; frame: number; parent: number | null; children: Record<string, number> }; result: { historyMs: number; contentType: string } };
  /** Post this nonce to the parent document, which maps its iframe element to the frame. */
  announce: { params: { nonce: string }; result: null };
  /** The whole `FrameTree` as JSON text, made once and passed on untouched; a part of it marked. */
  take: { params: { node: number | null; viewport: boolean; /** number of the tree that the daemon holds */ base: number | null; /** nobody is told: what appeared and went is kept */ ahead: boolean }; result: { kind: "read"; tree: string } | { kind: "refused"; refusal: Refusal } };
  /** Visible text of the document, or of one node. */
  text: { params: { node: number | null }; result: { kind: "read"; text: string; lone: number } | { kind: "refused"; refusal: Refusal } };
  /** Nodes by role and name, or by selector. */
  find: { params: { by: "name"; role: string; name: string } | { by: "css"; selector: string }; result: Found };
  /** The same for many names, in one walk. */
  findAll: { params: { names: { role: string; name: string }[] }; result: Found[] };
  /** Identity, state, scroll into view, wait (bounded) until it stands still, hit test. Dispatches nothing. */
  facts: { params: { node: number }; result: { kind: "refused"; refusal: Refusal } | { kind: "known"; facts: TargetFacts } };
  prepare: { params: { node: number; action: Deed; at?: Point; still?: boolean; options?: string[]; gate?: MoneyGate; submit?: boolean }; result: Prepared };
  /** The scroller to scroll that way: around a node, around the iframe of a child frame, or of the page; no node where there is none. */
  scroller: { params: { node: number | null; child?: number; scroll: Scroll }; result: { node?: number } };
  /** What lies at a point: a node, and the child frame with the point in it when it is one. */
  pointed: { params: { point: Point }; result: Pointed };
  /** What has the focus here; the child frame that holds it, when it is in one. */
  focused: { params: null; result: { node: number; child?: number } };
  /** Focuses the node, before any watch begins. */
  focus: { params: { node: number }; result: { focused: boolean } };
  /** Maps a point of the child frame to this document and hit-tests it here; `scroll` brings it into view first. */
  locate: { params: { child: number; point: Point; scroll: boolean }; result: Located };
  /** Begins a watch without acting: in frames that do not hold the target. */
  begin: { params: { watch: number }; result: null };
  /** Synthetic click at the prepared node; the watch begins right before the dispatch. */
  click: { params: { node: number; watch: number; point: Point; press: Press; /** none where only a list is opened or chosen from */ gate?: MoneyGate }; result: Dispatched };
  /** The pointer comes to the prepared node, synthetically: listeners hear it, styles do not. */
  hover: { params: { node: number; watch: number; point: Point }; result: Dispatched };
  /** Scrolls the scroller, or brings the node into view; `found` is false where nothing scrolls that way and only the wheel is turned. */
  scroll: { params: { node: number; watch: number; scroll: Scroll; found: boolean }; result: Dispatched };
  /** Whether the drag that was armed has become one of the browser's own (HTML drag and drop). */
  dragging: { params: { watch: number }; result: { started: boolean } };
  /** Drags by events of script, inside this document. */
  drag: { params: { node: number; watch: number; from: Point; to: Point; gate: MoneyGate }; result: Dispatched };
  /** Begins the watch and notes what is asked of the node, so that every look reads it back. */
  want: { params: { node: number; watch: number; field: number; wanted: Wanted }; result: null };
  /** Presses a box, radio or switch until it is what is asked for: twice at most, and only out of the mixed state. */
  check: { params: { node: number; watch: number; point: Point; checked: boolean }; result: Dispatched };
  /** Chooses options of a native list. */
  select: { params: { node: number; watch: number; options: string[] }; result: Dispatched };
  /** Marks the file input that is meant, for the debugger; no expression where there is none. */
  fileInput: { params: { node: number }; result: { expression?: string } };
  /** From here on it is heard whether the page takes what is dragged over it. */
  dragWatch: { params: null; result: null };
  /** Whether it did. */
  dragTaken: { params: null; result: { taken: boolean } };
  /** What can be done with fields; dispatches nothing. */
  plan: { params: { fields: PageField[] }; result: Planned[] };
  /** Fills those that were planned for here, one after the other. */
  fill: { params: { watch: number; fields: PageField[] }; result: { receipts: Receipt[]; look: PageLook } };
  /** By what fields are submitted together. */
  owner: { params: { nodes: number[] }; result: { kind: "button"; button: Described } | { kind: "form" } | { kind: "none"; why: string } };
  /** Submits the form of a field. */
  submit: { params: { node: number; watch: number }; result: Dispatched };
  /** The list of a control made by the page, as it is now. */
  list: { params: { node: number; watch: number | null }; result: Listed };
  /** Puts text in, by the native setter or the editing command. */
  type: { params: { node: number; watch: number; text: string; append: boolean; submit: boolean; gate?: MoneyGate }; result: Dispatched };
  /** Begins (or keeps) the watch and notes the next trusted input: before the worker dispatches it through the debugger. For `type` it focuses
   * the node and selects what is to be replaced (or puts the caret to the end). */
  arm: {
    params: { node: number; watch: number; action: Deed; append: boolean; text: string | null; /** Typing: what is asked is read back under this number. */ field?: number; caret?: boolean; gate?: MoneyGate; point?: Point };
    result: { focused: boolean; accepted?: number; stopped?: MoneyHit; /** the editor shows a part of its document only: it must be selected by its own keys */ excerpt?: boolean };
  };
  /** The caret stands where the text is to go, by the editor's own keys. */
  placed: { params: null; result: null };
  /** Whether the beginning of what was typed is out of view and must be brought there to be read. */
  typed: { params: null; result: { beginUnseen: boolean } };
  /** What a press of this key now would move, by what has the focus. */
  pressing: { params: { key: string; alt: boolean; gate: MoneyGate }; result: MoneyHit | null };
  /** Who received the armed input. */
  received: { params: { watch: number; text: string | null }; result: Dispatched };
  /** Evidence since the watch began. */
  look: { params: { watch: number }; result: PageLook };
  /** Marks the node for the debugger (`Runtime.evaluate` finds it by this expando in the isolated world) and tells its default action. */
  listeners: { params: { node: number }; result: { expression: string; defaultAction?: string } };
  /** Which conditions hold here; url and idle are the worker's. */
  probe: { params: { conditions: Condition[] }; result: { met: number[]; there: string; quietMs: number } };
  /** HTML of the document or of one node, secrets masked. */
  html: {
    params: { node: number | null; shown: boolean; limit: number };
    result: { kind: "read"; title: string; html: string; total: number; masked: number } | { kind: "refused"; refusal: Refusal };
  };
  /** Nodes by role, name and text: exact before loose. */
  search: { params: { role?: string; name?: string; text?: string; limit: number }; result: Searched };
  /** Fields of all that match, or elements that hold a text. */
  query: { params: { by: "css"; selector: string; fields: Field[]; limit: number } | { by: "text"; text: string; limit: number }; result: Queried };
  /** Requests an address as the page would. */
  fetch: { params: Omit<DataFetch, "tab">; result: Fetched };
  /** Where secret fields, refs and frames are now. */
  boxes: { params: { refs: boolean }; result: Boxes };
  /** Box of one node, scrolled into view. */
  box: { params: { node: number }; result: { kind: "refused"; refusal: Refusal } | { kind: "at"; box: Box } };
  /** Arms the guard against presses by script, or (null) lets it rest and tells what it stopped. */
  guard: { params: { gate: MoneyGate | null }; result: MoneyHit | null };
  /** A text without what stands in this document's secret fields. */
  scrub: { params: { text: string }; result: string };
  /** The panel for the person: shown, asked after, taken away. */
  panel: { params: Panel; result: PanelState };
  /** Hides the panel while a picture is taken. */
  veil: { params: { on: boolean }; result: null };
  /** Answers at once. */
  echo: { params: null; result: null };
}

/** What a content script tells the worker unasked. */
export type PageEvent =
  /** A native dialog is about to open: the MAIN world holds it back for at most 100 ms. */
  | { event: "dialog"; dialog: "alert" | "confirm" | "prompt"; text: string }
  /** The native call came back. */
  | { event: "dialogDone" }
  /** An uncaught exception or rejection of the page; may be forged, never raises an outcome. */
  | { event: "exception"; message: string };

/** How the worker addresses the content script. */
export interface PageRequest<K extends keyof PageCalls = keyof PageCalls> {
  tegata: K;
  params: PageCalls[K]["params"];
}

/** How the content script answers. */
export type PageAnswer<R> = { ok: R } | { error: string };

/** Synthetic or trusted, as the daemon asked. */
export type { Input };
