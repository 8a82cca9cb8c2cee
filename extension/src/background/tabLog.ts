// What the browser saw on touched tabs in the last seconds, outside their documents: navigations, titles, tabs, downloads,
// dialogs, exceptions. A watch reads from it what came after its dispatch.

import type { Cause, Evidence, EvidenceKind, Place } from "../generated/protocol";
import { cut } from "../shared/text";
import { HISTORY_MS } from "./requests";

const KEEP_MS = 15_000;
const MOST = 200;
/** A navigation that began so soon after the dispatch was begun by it. */
const LINKED_MS = 100;
/** Chrome tells a new title that much later. */
const TITLE_MS = 300;

/** One thing seen. Times are milliseconds since the epoch. */
export interface Entry {
  kind: EvidenceKind;
  what: string;
  at: number;
  /** When it began, where that is earlier: `onBeforeNavigate` of a commit. */
  began?: number;
  place?: Place;
  url?: string;
  tab?: number;
  /** Chrome's frame id, of a child frame that went elsewhere. */
  frame?: number;
  /** Certainly of this tab's doing, whenever it comes. */
  linked?: boolean;
}

/** See the file's head. */
export class TabLog {
  private readonly tabs = new Map<number, Entry[]>();

  add(tab: number, entry: Entry): void {
    const entries = (this.tabs.get(tab) ?? []).filter((old) => entry.at - old.at < KEEP_MS).slice(-MOST);
    entries.push(entry);
    this.tabs.set(tab, entries);
  }

  of(tab: number): readonly Entry[] {
    return this.tabs.get(tab) ?? [];
  }

  forget(tab: number): void {
    this.tabs.delete(tab);
  }
}

function sameThing(a: Entry, b: Entry): boolean {
  return a.kind === b.kind && a.tab === b.tab && a.frame === b.frame && (a.kind !== "navigation" || a.url === b.url);
}

/** Evidence of what was seen since the dispatch; the same thing again is one item. */
export function logEvidence(entries: readonly Entry[], span: { start: number; end?: number; frame?: number }): Evidence[] {
  const found: { entry: Entry; evidence: Evidence }[] = [];
  for (const entry of entries) {
    const began = entry.began ?? entry.at;
    // Something that had begun before the dispatch is not of its doing, even when it ends after it.
    if (entry.at < span.start) continue;
    const soon = began >= span.start && (span.end === undefined || began <= span.end + (entry.kind === "title" ? TITLE_MS : LINKED_MS));
    const cause: Cause = entry.linked === true || soon ? "linked" : "window";
    const known = found.find((other) => sameThing(other.entry, entry));
    const atMs = entry.at - span.start;
    if (known !== undefined) {
      known.evidence.times += 1;
      known.evidence.lastMs = atMs;
      known.evidence.what = cut(entry.what, 200);
      if (entry.url !== undefined) known.evidence.url = cut(entry.url, 500);
      continue;
    }
    const own = entry.frame !== undefined && entry.frame === span.frame;
    const before = entries.filter((old) => sameThing(old, entry) && old.at < span.start && old.at >= span.start - HISTORY_MS).length;
    found.push({
      entry,
      evidence: {
        // The target's own frame has come up once: that is no habit of it.
        cause: before > (own ? 1 : 0) && entry.linked !== true ? "window" : cause, place: entry.place ?? "browser", kind: entry.kind, what: cut(entry.what, 200),
        firstMs: atMs, lastMs: atMs, times: 1, before,
        ...(entry.url === undefined ? {} : { url: cut(entry.url, 500) }),
        ...(entry.tab === undefined ? {} : { tab: entry.tab }),
      },
    });
  }
  return found.map(({ evidence }) => evidence);
}
