// The directory of what touched tabs requested since first contact, bounded.

import type { Request } from "../generated/protocol";
import { cut } from "../shared/text";
import type { RequestEvent } from "./chrome";

const MOST = 500;

type Entry = Omit<Request, "body">;

interface Tab {
  next: number;
  dropped: number;
  byId: Map<string, Entry & { at: number }>;
}

/** See the file's head. */
export class Traffic {
  private readonly tabs = new Map<number, Tab>();

  /** One step of a request; a redirect goes on under the same id. */
  note(phase: "started" | "headers" | "done" | "failed", event: RequestEvent): void {
    const tab: Tab = this.tabs.get(event.tab) ?? { next: 1, dropped: 0, byId: new Map() };
    this.tabs.set(event.tab, tab);
    const known = tab.byId.get(event.id);
    if (phase === "started") {
      if (known !== undefined) {
        known.url = cut(event.url, 2_000);
        return;
      }
      tab.byId.set(event.id, { number: tab.next, method: event.method, url: cut(event.url, 2_000), resource: event.type, at: event.at });
      tab.next += 1;
      for (const [oldest] of tab.byId) {
        if (tab.byId.size <= MOST) break;
        tab.byId.delete(oldest);
        tab.dropped += 1;
      }
      return;
    }
    if (known === undefined) return;
    if (event.status !== undefined) known.status = event.status;
    if (event.error !== undefined) known.error = cut(event.error, 100);
    if (event.mime !== undefined) known.mime = cut(event.mime, 100);
    if (event.size !== undefined) known.size = event.size;
    if (phase === "done" || phase === "failed") known.tookMs = Math.round(event.at - known.at);
  }

  forget(tab: number): void {
    this.tabs.delete(tab);
  }

  /** All that are remembered, oldest first. */
  of(tab: number): { list: Entry[]; dropped: number } {
    const known = this.tabs.get(tab);
    return { list: [...(known?.byId.values() ?? [])].map(plain), dropped: known?.dropped ?? 0 };
  }

  find(tab: number, number: number): Entry | undefined {
    for (const entry of this.tabs.get(tab)?.byId.values() ?? []) if (entry.number === number) return plain(entry);
    return undefined;
  }

  /** The request that the debugger means: the same address and method, nearest in time, not taken yet. */
  match(tab: number, method: string, url: string, at: number, taken: (number: number) => boolean): number | undefined {
    let best: { number: number; away: number } | undefined;
    for (const entry of this.tabs.get(tab)?.byId.values() ?? []) {
      const away = Math.abs(entry.at - at);
      if (entry.method === method && entry.url === cut(url, 2_000) && !taken(entry.number) && (best === undefined || away < best.away)) best = { number: entry.number, away };
    }
    return best?.number;
  }
}

function plain({ at: _at, ...entry }: Entry & { at: number }): Entry {
  return entry;
}
