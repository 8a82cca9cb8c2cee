// Replies that could not be sent: kept for a reconnect, also across the worker's death, never for long.

import type { Browser } from "./chrome";

const KEY = "outbox";
const KEEP_MS = 15_000;
const MOST = 32;
const MOST_CHARS = 4_000_000;

interface Kept {
  at: number;
  text: string;
}

function isKept(value: unknown): value is Kept {
  return typeof value === "object" && value !== null && "at" in value && typeof value.at === "number" && "text" in value && typeof value.text === "string";
}

/** See the file's head. */
export class Outbox {
  private kept: Kept[] = [];
  private readonly store: Pick<Browser["store"], "session" | "setSession">;
  private readonly now: () => number;

  constructor(store: Pick<Browser["store"], "session" | "setSession">, now: () => number = Date.now) {
    this.store = store;
    this.now = now;
  }

  async load(): Promise<void> {
    const stored = await this.store.session(KEY);
    if (Array.isArray(stored)) this.kept = [...stored.filter(isKept), ...this.kept];
  }

  add(text: string): void {
    this.kept.push({ at: this.now(), text });
    this.prune();
    this.save();
  }

  /** Takes all that are still young enough. */
  take(): string[] {
    this.prune();
    const texts = this.kept.map((entry) => entry.text);
    this.kept = [];
    if (texts.length > 0) this.save();
    return texts;
  }

  private prune(): void {
    const oldest = this.now() - KEEP_MS;
    this.kept = this.kept.filter((entry) => entry.at >= oldest).slice(-MOST);
    let chars = this.kept.reduce((sum, entry) => sum + entry.text.length, 0);
    while (chars > MOST_CHARS) chars -= this.kept.shift()?.text.length ?? chars;
  }

  private save(): void {
    // Memory-backed; when it fails the replies are still in this life's memory.
    this.store.setSession(KEY, this.kept).catch(() => undefined);
  }
}
