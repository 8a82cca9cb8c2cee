// What followed an action: the look of every document that was there, joined with what the browser saw.

import type { Evidence, Look, ReadBack, Tab } from "../generated/protocol";
import type { PageLook } from "../shared/pageCalls";
import { cut } from "../shared/text";
import { DialogOpened } from "./dialogs";
import type { Dialogs } from "./dialogs";
import { Failure } from "./failure";
import type { Doc, Pages } from "./pages";
import { requestEvidence } from "./requests";
import type { Requests } from "./requests";
import { logEvidence } from "./tabLog";
import type { TabLog } from "./tabLog";
import type { TabBook } from "./tabs";

const LOOK_MS = 1_000;
const OTHER_LOOK_MS = 400;

/** One action under watch. */
export interface Watch {
  number: number;
  tab: number;
  target: Doc;
  /** Documents that take part. */
  docs: readonly Doc[];
  /** The number its documents know it by. */
  pageNumber: number;
  startNow: number;
  startEpoch: number;
  /** So long after their start it was taken up anew: what its documents saw before is not told again. */
  resumedMs: number;
  endEpoch?: number;
  /** How long the target's document had been watched before; known from its first look. */
  historyMs: number;
}

const causes = ["sync", "linked", "window"] as const;
const places = ["target", "section", "browser", "away"] as const;

function strongestFirst(a: Evidence, b: Evidence): number {
  return causes.indexOf(a.cause) - causes.indexOf(b.cause) || places.indexOf(a.place) - places.indexOf(b.place) || a.firstMs - b.firstMs;
}

type Heard = { doc: Doc; look: PageLook } | { doc: Doc; lost: string };

/** See the file's head. */
export class Watches {
  private readonly current = new Map<number, Watch>();
  private readonly pages: Pages;
  private readonly dialogs: Dialogs;
  private readonly requests: Requests;
  private readonly log: TabLog;
  private readonly book: TabBook;

  constructor(parts: { pages: Pages; dialogs: Dialogs; requests: Requests; log: TabLog; book: TabBook }) {
    this.pages = parts.pages;
    this.dialogs = parts.dialogs;
    this.requests = parts.requests;
    this.log = parts.log;
    this.book = parts.book;
  }

  /** Begins a watch in the worker and in all documents but the target's, which begins by itself right before the dispatch.
   * A retry with the same number keeps the first start. */
  async begin(number: number, target: Doc, docs: readonly Doc[]): Promise<Watch> {
    const known = this.current.get(target.tab);
    if (known?.number === number) {
      delete known.endEpoch;
      return known;
    }
    const reached = docs.filter((doc) => this.pages.unreadable(doc) === undefined);
    const others = reached.filter((doc) => doc.documentId !== target.documentId);
    if (others.length > 0) {
      await Promise.all(others.map((doc) => this.pages.ask(doc, "begin", { watch: number }, { limitMs: OTHER_LOOK_MS }).catch((thrown: unknown) => {
        if (thrown instanceof DialogOpened) throw thrown;
      })));
    }
    const watch: Watch = { number, pageNumber: number, tab: target.tab, target, docs: reached, startNow: performance.now(), startEpoch: Date.now(), resumedMs: 0, historyMs: 0 };
    this.current.set(target.tab, watch);
    return watch;
  }

  /** Takes up the tab's watch under a new number: for what goes on in a page that stood still meanwhile and can begin none. */
  resume(number: number, target: Doc): Watch {
    const known = this.current.get(target.tab);
    const startNow = performance.now();
    const resumed: Watch = known === undefined
      ? { number, pageNumber: number, tab: target.tab, target, docs: [], startNow, startEpoch: Date.now(), resumedMs: 0, historyMs: 0 }
      : { ...known, number, startNow, startEpoch: Date.now(), resumedMs: known.resumedMs + startNow - known.startNow };
    delete resumed.endEpoch;
    this.current.set(target.tab, resumed);
    return resumed;
  }

  /** The dispatch is over; the page knows best when it began. */
  dispatched(watch: Watch, startedAt?: number): void {
    if (startedAt !== undefined && startedAt > watch.startEpoch) watch.startEpoch = startedAt;
    watch.endEpoch = Date.now();
  }

  forget(tab: number): void {
    this.current.delete(tab);
  }

  /** A watch under way on some tab, for things that name no tab. */
  active(withinMs: number): Watch[] {
    const now = performance.now();
    return [...this.current.values()].filter((watch) => now - watch.startNow <= withinMs);
  }

  find(tab: number, number: number): Watch | undefined {
    const watch = this.current.get(tab);
    return watch?.number === number ? watch : undefined;
  }

  /** The first look: what the acting document answered stands in for its own; `stuck` when it is known not to answer. */
  async firstLook(watch: Watch, own: PageLook | "stuck" | null): Promise<Look> {
    return await this.join(watch, own);
  }

  /** A later look. */
  async look(tab: number, number: number): Promise<Look> {
    const watch = this.find(tab, number);
    if (watch !== undefined) return await this.join(watch, null);
    const now = await this.book.get(tab);
    return {
      elapsedMs: 0, historyMs: 0, evidence: [], hidden: await this.book.hidden(now), quality: "unavailable",
      missing: ["no such action is under watch: it was refused, or the extension's worker started anew"],
    };
  }

  private async join(watch: Watch, own: PageLook | "stuck" | null): Promise<Look> {
    const standing = this.standing(watch);
    const live = await this.pages.documents(watch.tab).catch(() => []);
    const [{ tab, hidden }, heard] = await Promise.all([standing, this.hear(watch, live, own)]);
    const span = { start: watch.startEpoch, ...(watch.endEpoch === undefined ? {} : { end: watch.endEpoch }) };
    const committed = this.log.of(watch.tab).findLast((entry) => entry.kind === "navigation");
    const ownFrame = watch.target.parent === null ? {} : { frame: watch.target.frame };
    const frameCommitted = this.log.of(watch.tab).findLast((entry) => entry.kind === "frameNavigation");
    const evidence: Evidence[] = [
      ...logEvidence(this.log.of(watch.tab), { ...span, ...ownFrame }),
      ...requestEvidence(this.requests.of(watch.tab), {
        ...span, documents: new Set(watch.docs.map((doc) => doc.documentId)), ...(committed === undefined ? {} : { committed: committed.at }),
        ...ownFrame, ...(frameCommitted === undefined ? {} : { frameCommitted: frameCommitted.at }),
      }),
    ];
    const navigated = evidence.some((item) => item.kind === "navigation" || item.kind === "frameNavigation");
    const dialog = this.dialogs.current(watch.tab);
    const missing: string[] = [];
    let targetLook: PageLook | undefined;
    const held: ReadBack[] = [];
    for (const one of heard) {
      const isTarget = one.doc.documentId === watch.target.documentId;
      if ("look" in one) {
        if (isTarget) targetLook = one.look;
        evidence.push(...one.look.evidence.filter((item) => item.lastMs >= watch.resumedMs).map((item) => (
          watch.resumedMs === 0 ? item : { ...item, firstMs: Math.max(0, item.firstMs - watch.resumedMs), lastMs: item.lastMs - watch.resumedMs }
        )));
        held.push(...(one.look.held ?? []));
        for (const word of one.look.missing) if (!missing.includes(word)) missing.push(word);
      } else if (dialog === undefined && !navigated) missing.push(isTarget ? `the target's document: ${one.lost}` : `frame ${one.doc.url.slice(0, 80)}: ${one.lost}`);
    }
    if (dialog === undefined) missing.push(...this.unreached(live));
    else missing.push("the page itself, while the dialog is open");
    if (tab === null) missing.push("the tab is closed");
    await Promise.all(evidence.map((item) => this.nameTab(item)));
    evidence.sort(strongestFirst);
    held.sort((a, b) => a.field - b.field);
    const quality = missing.length === 0 ? "complete" : targetLook === undefined && !navigated && dialog === undefined ? "unavailable" : "partial";
    watch.historyMs = targetLook?.historyMs ?? watch.historyMs;
    return {
      elapsedMs: performance.now() - watch.startNow, historyMs: watch.historyMs, evidence,
      ...(targetLook?.target === undefined ? {} : { target: targetLook.target }), ...(held.length === 0 ? {} : { held }),
      hidden, ...(dialog === undefined ? {} : { dialog }), quality, missing,
    };
  }

  /** A tab that opened is named by where it goes, as soon as Chrome knows. */
  private async nameTab(item: Evidence): Promise<void> {
    if (item.kind !== "tab" || item.tab === undefined) return;
    if (item.url === undefined) {
      const url = (await this.book.get(item.tab).catch(() => null))?.url;
      if (url === undefined || url === "") return;
      item.url = cut(url, 500);
    }
    item.what = cut(`a tab opened: ${item.url}`, 200);
  }

  /** The tab, unless it is closed, and whether nobody can see it. */
  private async standing(watch: Watch): Promise<{ tab: Tab | null; hidden: boolean }> {
    const tab = await this.book.get(watch.tab).catch(() => null);
    return { tab, hidden: tab === null || await this.book.hidden(tab) };
  }

  private async hear(watch: Watch, live: readonly Doc[], own: PageLook | "stuck" | null): Promise<Heard[]> {
    return await Promise.all(watch.docs.map(async (doc): Promise<Heard> => {
      const isTarget = doc.documentId === watch.target.documentId;
      if (isTarget && own === "stuck") return { doc, lost: "it does not answer" };
      if (isTarget && own !== null && own !== "stuck") return { doc, look: own };
      // One that went into the back/forward cache would not refuse the question, only never answer it.
      if (!live.some((other) => other.documentId === doc.documentId)) return { doc, lost: "it is gone" };
      try {
        const look = await this.pages.ask(doc, "look", { watch: watch.pageNumber }, { limitMs: isTarget ? LOOK_MS : OTHER_LOOK_MS });
        return { doc, look };
      } catch (thrown) {
        if (thrown instanceof DialogOpened) return { doc, lost: "it cannot answer while the dialog is open" };
        if (thrown instanceof Failure && thrown.code === "timeout") return { doc, lost: "it does not answer" };
        return { doc, lost: "it is gone" };
      }
    }));
  }

  /** Frames that no content script could enter: what happens there is not seen. */
  private unreached(live: readonly Doc[]): string[] {
    return live.flatMap((doc) => {
      const why = this.pages.unreadable(doc);
      return why === undefined || doc.parent === null ? [] : [`frame ${doc.url.slice(0, 80)}: ${why}`];
    });
  }
}
