// The payment gate: what the person is asked about, and the one press that was allowed. It lives in the worker's memory only.

import type { Act, Permission } from "../generated/protocol";
import { patterns } from "../shared/money";
import type { Patterns } from "../shared/money";
import type { CardState } from "../shared/messages";
import type { MoneyGate, MoneyHit } from "../shared/pageCalls";
import type { Browser } from "./chrome";
import { Failure } from "./failure";
import { randomHex } from "./handshake";
import type { Doc } from "./pages";

const WORDS = "moneyWords";
/** So long an allowed press may take to come. */
const GRANT_MS = 30_000;

interface Asked {
  tab: number;
  documentId: string;
  url: string;
  hit: MoneyHit;
}

interface Card {
  asked: Asked;
  title: string;
  window: number | undefined;
  end: (permission: Permission) => void;
}

function words(value: unknown): { pay: string[]; generic: string[]; currencies: string[] } {
  const list = (key: string): string[] => {
    const found: unknown = typeof value === "object" && value !== null ? Object.getOwnPropertyDescriptor(value, key)?.value : undefined;
    return Array.isArray(found) ? found.filter((word): word is string => typeof word === "string") : [];
  };
  return { pay: list("pay"), generic: list("generic"), currencies: list("currencies") };
}

/** See the file's head. */
export class MoneyGates {
  private by: Patterns = patterns({ pay: [], generic: [], currencies: [] });
  /** What was refused last, by tab. */
  private readonly asked = new Map<number, Asked>();
  private readonly grants = new Map<number, Asked & { until: number }>();
  private readonly cards = new Map<string, Card>();
  private readonly browser: Pick<Browser, "store" | "windows">;

  constructor(browser: Pick<Browser, "store" | "windows">) {
    this.browser = browser;
  }

  async load(): Promise<void> {
    this.by = patterns(words(await this.browser.store.local(WORDS)));
  }

  /** Words that the daemon adds; the table's own stay. */
  async add(more: unknown): Promise<void> {
    const added = words(more);
    this.by = patterns(added);
    await this.browser.store.setLocal(WORDS, added);
  }

  /** By what a press in this document is judged. */
  gate(doc: Doc): MoneyGate {
    const grant = this.grants.get(doc.tab);
    return grant !== undefined && grant.documentId === doc.documentId && grant.until > Date.now() ? { by: this.by, granted: grant.hit } : { by: this.by };
  }

  /** The same, right before the press: what was allowed is used up by it. */
  take(doc: Doc): MoneyGate {
    const gate = this.gate(doc);
    if (gate.granted !== undefined) this.grants.delete(doc.tab);
    return gate;
  }

  /** The refusal; what it is about is kept for the card. */
  refuse(doc: Doc, hit: MoneyHit, pressed = 0): Act {
    this.asked.set(doc.tab, { tab: doc.tab, documentId: doc.documentId, url: doc.url, hit });
    return { kind: "refused", refusal: { reason: "needsConfirmation", label: hit.label, ...(hit.amount === undefined ? {} : { amount: hit.amount }), ...(pressed === 0 ? {} : { pressed }) } };
  }

  /** Shows the card and waits for the person. */
  async confirm(tab: number, title: string, limitMs: number, signal: AbortSignal): Promise<Permission> {
    const asked = this.asked.get(tab);
    this.asked.delete(tab);
    if (asked === undefined) throw new Failure("no_match", "nothing on this tab waits for a confirmation");
    const id = randomHex(16);
    let resolve: (permission: Permission) => void = () => undefined;
    const promise = new Promise<Permission>((done) => { resolve = done; });
    const card: Card = { asked, title, window: undefined, end: resolve };
    this.cards.set(id, card);
    const giveUp = () => { resolve("refused"); };
    const timer = setTimeout(() => { resolve("timedOut"); }, limitMs);
    signal.addEventListener("abort", giveUp);
    try {
      card.window = await this.browser.windows.open(`confirm.html#${id}`);
      const permission = await promise;
      if (signal.aborted) throw new Failure("cancelled", "the caller gave up while the user was asked; nothing was pressed");
      if (permission === "allowed") this.grants.set(tab, { ...asked, until: Date.now() + GRANT_MS });
      return permission;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
      this.cards.delete(id);
      if (card.window !== undefined) await this.browser.windows.close(card.window).catch(() => undefined);
    }
  }

  /** What a card shows. */
  card(id: string): CardState | null {
    const card = this.cards.get(id);
    if (card === undefined) return null;
    const { hit, url } = card.asked;
    return { label: hit.label, amount: hit.amount ?? null, url, title: card.title };
  }

  /** The person pressed a button of the card. */
  answer(id: string, allow: boolean): void {
    this.cards.get(id)?.end(allow ? "allowed" : "refused");
  }

  /** A window is gone: a card that was closed says no. */
  closed(window: number): void {
    for (const card of this.cards.values()) if (card.window === window) card.end("refused");
  }
}
