// The documents of a tab: their ordinals, first contact with their content scripts, and bounded questions to them.

import type { PageCalls } from "../shared/pageCalls";
import { messageOf } from "../shared/text";
import type { Browser } from "./chrome";
import type { Dialogs } from "./dialogs";
import { Failure } from "./failure";
import { randomHex } from "./handshake";
import { sweep } from "./sweep";

const STUCK_MS = 5_000;
const CHILD_STUCK_MS = 2_000;
const KEY = "documents";
/** Kept for good: a reload of the extension empties the session's storage, but refs from before it are still about. */
const NEXT_KEY = "nextDocument";
const REMEMBERED = 2_000;
/** Ordinals are reserved in blocks, so that none is used twice even when the worker dies before it could note one. */
const BLOCK = 256;

/** Of a frame whose turn did not come: the next call meets it, or more of those before it. */
export const LATE = "not read: the tab has more frames than answer in time; the next call reads more of them";

/** One live document. */
export interface Doc {
  tab: number;
  /** Chrome's frame id. */
  frame: number;
  parent: number | null;
  documentId: string;
  ordinal: number;
  url: string;
  /** Chrome shows an error page here. */
  error: boolean;
}

/** The document is not there any more, or no content script can be put into it. */
export class PageLost extends Error {
  readonly why: "gone" | "unreachable";
  constructor(why: "gone" | "unreachable", message: string) {
    super(message);
    this.why = why;
  }
}

/** Limits of one question. */
export interface AskOptions {
  limitMs?: number;
}

/** See the file's head. */
export class Pages {
  private readonly ordinals = new Map<string, number>();
  private next = 1;
  private reserved = 1;
  private readonly touched = new Set<string>();
  /** Tabs of the documents met in this life of the worker, by ordinal. */
  private readonly homes = new Map<number, number>();
  /** Why a document could not be reached at the last try. */
  private readonly lost = new Map<string, string>();
  private readonly pages: Browser["pages"];
  private readonly store: Pick<Browser["store"], "local" | "setLocal" | "session" | "setSession">;
  private readonly dialogs: Dialogs;

  constructor(pages: Browser["pages"], store: Pick<Browser["store"], "local" | "setLocal" | "session" | "setSession">, dialogs: Dialogs) {
    this.pages = pages;
    this.store = store;
    this.dialogs = dialogs;
  }

  async load(): Promise<void> {
    const [next, known] = await Promise.all([this.store.local(NEXT_KEY), this.store.session(KEY)]);
    if (typeof next === "number") this.next = this.reserved = next;
    if (typeof known !== "object" || known === null) return;
    for (const [id, ordinal] of Object.entries(known)) if (typeof ordinal === "number") this.ordinals.set(id, ordinal);
  }

  /** Live documents of the tab, the main frame first, parents before children. */
  async documents(tab: number): Promise<Doc[]> {
    const frames = (await this.pages.frames(tab)).filter((frame) => frame.documentLifecycle === "active");
    const placed = new Set([-1]);
    const docs: Doc[] = [];
    let rest = frames.sort((a, b) => a.frameId - b.frameId);
    while (rest.length > 0) {
      const now = rest.filter((frame) => placed.has(frame.parentFrameId));
      // A frame whose parent is not listed is in the middle of going away.
      if (now.length === 0) break;
      for (const frame of now) {
        placed.add(frame.frameId);
        docs.push({
          tab, frame: frame.frameId, parent: frame.parentFrameId < 0 ? null : frame.parentFrameId, documentId: frame.documentId,
          ordinal: await this.ordinal(frame.documentId, tab), url: frame.url, error: frame.errorOccurred,
        });
      }
      rest = rest.filter((frame) => !placed.has(frame.frameId));
    }
    return docs;
  }

  /** Documents of the tab after first contact with each that is new. `allowed`: what must hold before any of them is met. */
  async ready(tab: number, allowed?: Promise<unknown>): Promise<Doc[]> {
    const listed = this.documents(tab);
    // Whatever is not allowed is the better reason.
    listed.catch(() => undefined);
    await allowed;
    this.dialogs.refuse(tab);
    const docs = await listed;
    const fresh = docs.filter((doc) => !this.touched.has(doc.documentId) && !doc.error);
    if (fresh.length === 0) return docs;
    const children = new Map<number, Record<string, number>>();
    const nonces = new Map<string, string>();
    for (const doc of fresh) {
      if (doc.parent === null) continue;
      const nonce = randomHex(16);
      nonces.set(doc.documentId, nonce);
      children.set(doc.parent, { ...children.get(doc.parent), [nonce]: doc.frame });
    }
    const meet = docs.filter((doc) => !doc.error && (fresh.includes(doc) || children.has(doc.frame)));
    await sweep(meet, (doc) => this.touch(doc, children.get(doc.frame) ?? {}), (doc) => { this.lost.set(doc.documentId, LATE); });
    await sweep(fresh, async (doc) => {
      const nonce = nonces.get(doc.documentId);
      if (nonce === undefined || !this.touched.has(doc.documentId)) return;
      await this.ask(doc, "announce", { nonce }, { limitMs: CHILD_STUCK_MS }).catch((thrown: unknown) => { rethrowDialog(thrown); });
    }, () => undefined);
    return docs;
  }

  /** Why a document could not be reached, when it could not. */
  unreadable(doc: Doc): string | undefined {
    return doc.error ? "Chrome shows an error page here" : this.lost.get(doc.documentId);
  }

  /** Asks one document, bounded. */
  async ask<K extends keyof PageCalls>(doc: Doc, call: K, params: PageCalls[K]["params"], options: AskOptions = {}): Promise<PageCalls[K]["result"]> {
    const limit = options.limitMs ?? STUCK_MS;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => { reject(new Failure("timeout", "the page does not answer: its main thread is busy")); }, limit);
    });
    try {
      const answer = await this.dialogs.guard(doc.tab, Promise.race([this.send(doc, call, params), late]));
      if (answer === undefined) throw new PageLost("unreachable", "the page gave no answer");
      if ("error" in answer) throw new Failure("internal", `${call}: ${answer.error}`);
      return answer.ok;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Whether no document of the tab stands still. */
  async answers(tab: number, limitMs: number): Promise<boolean> {
    const docs = await this.documents(tab).catch(() => []);
    const stuck = await Promise.all(docs.filter((doc) => this.unreadable(doc) === undefined).map((doc) =>
      this.ask(doc, "echo", null, { limitMs }).then(() => false, (thrown: unknown) => thrown instanceof Failure && thrown.code === "timeout")));
    return !stuck.includes(true);
  }

  /** Whether the document is still there. */
  async alive(doc: Doc): Promise<boolean> {
    return (await this.documents(doc.tab).catch(() => [])).some((other) => other.documentId === doc.documentId);
  }

  private async touch(doc: Doc, children: Record<string, number>): Promise<void> {
    try {
      const { contentType } = await this.ask(doc, "touch", { doc: doc.ordinal, frame: doc.frame, parent: doc.parent, children }, { limitMs: doc.parent === null ? STUCK_MS : CHILD_STUCK_MS });
      this.touched.add(doc.documentId);
      if (contentType === "application/pdf") this.lost.set(doc.documentId, "a PDF in Chrome's viewer, which lets nobody in; download or fetch with save gets the file");
      else this.lost.delete(doc.documentId);
    } catch (thrown) {
      rethrowDialog(thrown);
      if (doc.parent === null && thrown instanceof Failure) throw thrown;
      this.lost.set(doc.documentId, messageOf(thrown));
    }
  }

  private async send<K extends keyof PageCalls>(doc: Doc, call: K, params: PageCalls[K]["params"]) {
    const request = { tegata: call, params };
    try {
      return await this.pages.ask(doc.tab, doc.documentId, request);
    } catch {
      // No content script there: the tab is older than this installation, or its script was orphaned by a reload.
      if (!await this.alive(doc)) throw new PageLost("gone", "the document is gone");
    }
    if (call !== "touch" && this.touched.has(doc.documentId)) {
      // It was there a moment ago: the answer was lost with the document, which is on its way out. Never act twice.
      throw new PageLost("gone", "the document went away before it answered");
    }
    try {
      await this.pages.inject(doc.tab, doc.documentId);
    } catch (thrown) {
      const said = messageOf(thrown);
      throw new PageLost("unreachable", /cannot access|must request permission/i.test(said) ? "Chrome lets no extension into this document" : said);
    }
    return await this.pages.ask(doc.tab, doc.documentId, request).catch((thrown: unknown) => {
      const said = messageOf(thrown);
      throw new PageLost("unreachable", /receiving end does not exist/i.test(said) ? "Chrome lets no extension into this document" : said);
    });
  }

  /** Throws when the document with this ordinal is known to be another tab's. */
  refuseForeign(tab: number, ordinal: number): void {
    if (ordinal >= this.next) throw new Failure("stale_ref", "no snapshot has shown this ref");
    const home = this.homes.get(ordinal);
    if (home !== undefined && home !== tab) throw new Failure("stale_ref", `this ref is of tab ${home}, not of tab ${tab}`);
  }

  private async ordinal(documentId: string, tab: number): Promise<number> {
    const known = this.ordinals.get(documentId);
    if (known !== undefined) {
      this.homes.set(known, tab);
      return known;
    }
    const ordinal = this.next;
    this.next += 1;
    this.ordinals.set(documentId, ordinal);
    this.homes.set(ordinal, tab);
    for (const [oldest, number] of this.ordinals) {
      if (this.ordinals.size <= REMEMBERED) break;
      this.homes.delete(number);
      this.ordinals.delete(oldest);
      this.touched.delete(oldest);
      this.lost.delete(oldest);
    }
    this.store.setSession(KEY, Object.fromEntries(this.ordinals)).catch(() => undefined);
    if (this.next > this.reserved) {
      this.reserved = this.next + BLOCK;
      await this.store.setLocal(NEXT_KEY, this.reserved);
    }
    return ordinal;
  }
}

/** A dialog ends every question to the tab. */
export function rethrowDialog(thrown: unknown): void {
  if (thrown instanceof Failure && thrown.code === "dialog_open") throw thrown;
}
