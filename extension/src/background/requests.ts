// Requests of touched tabs, and which of them an action may be said to have started.

import type { Cause, Evidence } from "../generated/protocol";
import { cut } from "../shared/text";
import type { RequestEvent } from "./chrome";

const KEEP_MS = 15_000;
const MOST = 400;
/** A page that asked the same in this time before the action is polling by itself. */
export const HISTORY_MS = 10_000;
/** A handler may start its request a few tasks after the dispatch. */
export const AFTER_MS = 60;

/** One request of a tab. Times are milliseconds since the epoch. */
export interface Seen {
  id: string;
  method: string;
  path: string;
  url: string;
  type: string;
  at: number;
  endAt?: number;
  status?: number;
  error?: string;
  documentId?: string;
  /** Chrome's frame id: of a navigation the frame that goes elsewhere. */
  frame?: number;
  /** An action of ours started it. */
  ours?: true;
}

/** The time of the dispatch, and the documents that were there. */
export interface Span {
  start: number;
  /** Absent while the dispatch has not ended. */
  end?: number;
  documents: ReadonlySet<string>;
  /** When the main frame last got a new document. */
  committed?: number;
  /** The frame that holds the target, and when any child frame last got a new document. */
  frame?: number;
  frameCommitted?: number;
}

/** A navigation begins so soon after the handler that asked for it. */
const NAVIGATION_MS = 100;

/** What makes two requests the same one again: counters and ids in the path do not tell them apart. */
function pathOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{16,}|\d+/gi, "#");
}

/** See the file's head. */
export class Requests {
  private readonly tabs = new Map<number, Map<string, Seen>>();

  /** One step of a request. */
  note(phase: "started" | "headers" | "done" | "failed", event: RequestEvent): void {
    const seen = this.tabs.get(event.tab) ?? new Map<string, Seen>();
    this.tabs.set(event.tab, seen);
    const known = seen.get(event.id);
    if (phase === "started") {
      if (known !== undefined) return; // a redirect starts again under the same id
      seen.set(event.id, {
        id: event.id, method: event.method, path: pathOf(event.url), url: event.url, type: event.type, at: event.at, frame: event.frame,
        ...(event.documentId === undefined ? {} : { documentId: event.documentId }),
      });
      this.prune(seen, event.at);
      return;
    }
    if (known === undefined) return;
    if (event.status !== undefined) known.status = event.status;
    if (event.error !== undefined) known.error = event.error;
    if (phase === "done" || phase === "failed") known.endAt = event.at;
  }

  forget(tab: number): void {
    this.tabs.delete(tab);
  }

  /** All that are still remembered. */
  of(tab: number): Seen[] {
    return [...(this.tabs.get(tab)?.values() ?? [])];
  }

  /** Milliseconds without a request under way, streams aside. */
  quietMs(tab: number, now: number): number {
    let last = Number.NEGATIVE_INFINITY;
    for (const seen of this.of(tab)) {
      if (seen.type === "websocket" || seen.type === "ping") continue;
      if (seen.endAt === undefined && now - seen.at < KEEP_MS) return 0;
      last = Math.max(last, seen.endAt ?? seen.at);
    }
    return Math.max(0, now - last);
  }

  private prune(seen: Map<string, Seen>, now: number): void {
    for (const [id, entry] of seen) {
      if (seen.size <= MOST && (now - entry.at < KEEP_MS || entry.endAt === undefined)) continue;
      if (now - entry.at < KEEP_MS && seen.size <= MOST) continue;
      seen.delete(id);
    }
  }
}

/** A navigation of the main frame, or of the target's own, that has not come to a document yet, or whose answer was that there is none. */
function isUnderWay(seen: Seen, span: Span): boolean {
  if (seen.at < span.start || seen.error !== undefined) return false;
  const own = seen.type === "sub_frame" && seen.frame !== undefined && seen.frame === span.frame;
  if (seen.type !== "main_frame" && !own) return false;
  if (seen.status === 204 || seen.status === 205) return true;
  // A frame that is not shown can take its time to change its document after the answer is there.
  if (own) return span.frameCommitted === undefined || span.frameCommitted < seen.at;
  return seen.endAt === undefined && (span.committed === undefined || span.committed < seen.at);
}

function isPartOfNavigation(seen: Seen, span: Span): boolean {
  if (seen.type === "main_frame" || seen.type === "sub_frame" || seen.type === "csp_report") return true;
  return seen.documentId !== undefined && !span.documents.has(seen.documentId);
}

/** How surely the action started it; null when it is none of the tab's own requests since the dispatch. */
export function causeOf(seen: Seen, span: Span, before: number): Cause | null {
  if (seen.at < span.start || isPartOfNavigation(seen, span)) return null;
  const withinDispatch = span.end === undefined || seen.at <= span.end + AFTER_MS;
  return withinDispatch && before === 0 ? "linked" : "window";
}

/** Evidence of the requests since the dispatch, the same method and path as one item. */
export function requestEvidence(all: readonly Seen[], span: Span): Evidence[] {
  const groups = new Map<string, Evidence>();
  for (const seen of [...all].sort((a, b) => a.at - b.at)) {
    const same = (other: Seen) => other.method === seen.method && other.path === seen.path && other.type === seen.type;
    const underWay = isUnderWay(seen, span);
    // The document that is there was asked for in the same way, and what an earlier action asked for the page did not ask by itself: that is no polling.
    const before = underWay ? 0 : all.filter((other) => same(other) && other.ours !== true && other.at < span.start && other.at >= span.start - HISTORY_MS).length;
    const soon = span.end === undefined || seen.at <= span.end + NAVIGATION_MS;
    const cause = underWay ? (soon ? "linked" : "window") : causeOf(seen, span, before);
    if (cause === null) continue;
    if (cause === "linked") seen.ours = true;
    const key = `${seen.method} ${seen.path}`;
    const firstMs = seen.at - span.start;
    const lastMs = (seen.endAt ?? seen.at) - span.start;
    const end = seen.error !== undefined ? ` → ${seen.error}` : seen.endAt === undefined ? (underWay ? " (navigation under way)" : " (not answered yet)") : seen.status === undefined ? "" : ` → ${seen.status}`;
    const path = URL.canParse(seen.url) ? new URL(seen.url).pathname : seen.url;
    const what = cut(`${seen.method} ${path}${end}`, 200);
    const known = groups.get(key);
    if (known !== undefined) {
      known.times += 1;
      known.lastMs = Math.max(known.lastMs, lastMs);
      if (known.cause === "window" && cause === "linked") known.cause = cause;
      known.what = what;
      if (seen.status !== undefined) known.status = seen.status;
      continue;
    }
    groups.set(key, {
      cause, place: "browser", kind: "request", what, firstMs, lastMs, times: 1, before, url: cut(seen.url, 500),
      ...(seen.status === undefined ? {} : { status: seen.status }),
    });
  }
  return [...groups.values()];
}
