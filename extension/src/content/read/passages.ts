// Where a text stands: the innermost elements whose visible text contains it, also when tags divide it.

import * as dom from "../dom";
import { composedParent, isElement, isText, pushChildren } from "../tree/composed";
import { isInlineTag } from "../tree/names";
import { shownAs } from "../tree/visibility";
import { readable } from "../words";

const SKIPPED = new Set("script style noscript template head meta link title textarea datalist canvas video audio iframe object svg".split(" "));
const LIMIT = 5_000_000;
const AROUND = 60;

/** A place where the text stands. */
export interface Passage {
  element: Element;
  /** The text with some of what stands around it. */
  text: string;
}

interface Piece {
  start: number;
  node: Text;
}

type Step = { node: Node; blank: boolean } | { gap: string };

/** All places, in document order; exact case first decides, then any case. */
export function passages(top: Element, wanted: string): { exact: boolean; found: Passage[] } {
  const needle = readable(wanted);
  if (needle === "") return { exact: false, found: [] };
  const { text, pieces } = collect(top);
  const same = places(text, needle);
  // Lower case can change the length of a text; then places would not fit any more.
  const lower = text.toLowerCase();
  const found = same.length > 0 || lower.length !== text.length ? same : places(lower, needle.toLowerCase());
  return { exact: same.length > 0, found: found.map((at) => passage(text, pieces, at, needle.length)) };
}

function places(text: string, needle: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) found.push(at);
  return found;
}

function collect(top: Element): { text: string; pieces: Piece[] } {
  let text = "";
  const pieces: Piece[] = [];
  const open: Step[] = [{ node: top, blank: false }];
  for (let step = open.pop(); step !== undefined && text.length < LIMIT; step = open.pop()) {
    if ("gap" in step) {
      if (text !== "" && !text.endsWith("\n")) text = `${text.trimEnd()}\n`;
      continue;
    }
    const { node, blank } = step;
    if (isText(node)) {
      let data = blank ? "" : node.data.replaceAll("\u00ad", "").replace(/[ \t\n\r\f\u00a0]+/g, " ");
      if (text === "" || text.endsWith("\n") || text.endsWith(" ")) data = data.trimStart();
      if (data === "") continue;
      pieces.push({ start: text.length, node });
      text += data;
      continue;
    }
    if (!isElement(node) || SKIPPED.has(dom.localName(node))) continue;
    const shown = shownAs(node);
    if (shown === "none") continue;
    const inline = isInlineTag(dom.localName(node)) && dom.localName(node) !== "br";
    if (!inline) {
      open.push({ gap: "\n" });
      if (text !== "" && !text.endsWith("\n")) text = `${text.trimEnd()}\n`;
    }
    const inside = { blank: shown === "bare" ? blank : shown === "blank" };
    pushChildren(node, (child) => { open.push({ node: child, ...inside }); });
  }
  return { text, pieces };
}

function passage(text: string, pieces: readonly Piece[], at: number, length: number): Passage {
  const first = pieceAt(pieces, at);
  const last = pieceAt(pieces, at + length - 1);
  const lineStart = text.lastIndexOf("\n", at) + 1;
  const lineEnd = text.indexOf("\n", at + length);
  const from = Math.max(lineStart, at - AROUND);
  const to = Math.min(lineEnd < 0 ? text.length : lineEnd, at + length + AROUND);
  const shown = `${from > lineStart ? "…" : ""}${text.slice(from, to).trim()}${to < (lineEnd < 0 ? text.length : lineEnd) ? "…" : ""}`;
  return { element: common(first, last), text: shown };
}

/** The piece that holds a position: pieces are in order. */
function pieceAt(pieces: readonly Piece[], position: number): Text | undefined {
  let low = 0, high = pieces.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((pieces[middle]?.start ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  return pieces[low]?.node;
}

/** The innermost element around both. */
function common(first: Text | undefined, last: Text | undefined): Element {
  const above = new Set<Element>();
  for (let at = first === undefined ? undefined : composedParent(first); at !== undefined; at = composedParent(at)) above.add(at);
  for (let at = last === undefined ? undefined : composedParent(last); at !== undefined; at = composedParent(at)) if (above.has(at)) return at;
  return document.body;
}
