// Waits for navigations of the main frame: how they end, with what status, and within what limit.

import type { NavigationEnd } from "../generated/protocol";
import { messageOf } from "../shared/text";
import type { NavigationEvent, RequestEvent } from "./chrome";
import { Failure } from "./failure";

/** After an aborted navigation another may take its place (a redirect by script, a second click). */
const ABORTED_MS = 200;
/** So long a navigation may take to begin; a beforeunload dialog keeps it from beginning. */
const BEGIN_MS = 700;

/** How a wait ended. */
export interface Ended {
  end: NavigationEnd;
  status?: number;
  error?: string;
}

interface Waiter {
  event(phase: string, event: NavigationEvent): void;
  status(status: number): void;
  loaded(): void;
  dialog(): void;
}

/** One wait, once it knows which tab it is about. */
export interface Wait {
  /** Events up to now are replayed. */
  of(tab: number): void;
  ended: Promise<Ended>;
}

/** See the file's head. */
export class Navigations {
  private readonly waiters = new Map<number, Set<Waiter>>();
  /** While a tab is being created its id is not known yet: everything of unknown tabs is kept for it. */
  private creating = 0;
  private early: { tab: number; run: (waiter: Waiter) => void }[] = [];

  /** Whether events of a tab that no session has touched matter now. */
  get expectsUnknown(): boolean {
    return this.creating > 0;
  }

  event(phase: string, event: NavigationEvent): void {
    if (event.frame === 0) this.pass(event.tab, (waiter) => { waiter.event(phase, event); });
  }

  request(phase: string, event: RequestEvent): void {
    const { status } = event;
    if (event.type === "main_frame" && (phase === "headers" || phase === "done") && status !== undefined) this.pass(event.tab, (waiter) => { waiter.status(status); });
  }

  loaded(tab: number): void {
    this.pass(tab, (waiter) => { waiter.loaded(); });
  }

  dialog(tab: number): void {
    this.pass(tab, (waiter) => { waiter.dialog(); });
  }

  /** Starts a navigation by `start`, which names the tab, and waits for its end. `idle` is asked when nothing begins: it may know why,
   * and that nothing will. */
  async run(start: () => Promise<number>, options: { tab?: number; limitMs: number; signal: AbortSignal; idle?: () => Promise<NavigationEnd | null> }): Promise<Ended> {
    const { limitMs, signal } = options;
    const mine: Waiter[] = [];
    let tab = options.tab;
    const timers: ReturnType<typeof setTimeout>[] = [];
    const later = (ms: number, run: () => void) => { timers.push(setTimeout(run, ms)); };
    if (tab === undefined) this.creating += 1;
    let failStart: (thrown: unknown) => void = () => undefined;
    try {
      return await new Promise<Ended>((resolve, reject) => {
        failStart = reject;
        let committed = false, parsed = false, begun = false;
        let status: number | undefined;
        const done = (end: NavigationEnd, error?: string) => {
          resolve({ end, ...(status === undefined ? {} : { status }), ...(error === undefined ? {} : { error }) });
        };
        const now = () => {
          if (committed) done(parsed ? "interactive" : "committed");
          else if (begun) reject(new Failure(signal.aborted ? "cancelled" : "timeout", "no document came within the limit; the tab still waits for it"));
          else done("nothing");
        };
        const waiter: Waiter = {
          event: (phase, event) => {
            switch (phase) {
              case "before": begun = true; committed = parsed = false; return;
              case "committed": begun = committed = true; parsed = false; return;
              case "parsed": parsed = committed; return;
              case "completed": if (committed) done("complete"); return;
              case "history": case "fragment": if (!begun) done("sameDocument"); return;
              case "failed": {
                const aborted = event.error === "net::ERR_ABORTED" || event.error === undefined;
                if (!aborted) { done("failed", event.error); return; }
                if (committed) return;
                begun = false;
                later(ABORTED_MS, () => { if (!begun && !committed) done("nothing"); });
              }
            }
          },
          status: (value) => { status = value; },
          loaded: () => { if (committed) done("complete"); },
          dialog: () => { done("dialog"); },
        };
        mine.push(waiter);
        if (tab !== undefined) this.add(tab, waiter);
        later(limitMs, now);
        signal.addEventListener("abort", now, { once: true });
        start().then((started) => {
          if (tab === undefined) {
            tab = started;
            this.add(started, waiter);
            for (const early of this.early) if (early.tab === started) early.run(waiter);
          }
          later(BEGIN_MS, () => {
            if (begun || committed || options.idle === undefined) return;
            options.idle().then((end) => { if (end !== null && !begun && !committed) done(end); }, () => undefined);
          });
        }, failStart);
      });
    } finally {
      for (const timer of timers) clearTimeout(timer);
      if (options.tab === undefined) {
        this.creating -= 1;
        if (this.creating === 0) this.early = [];
      }
      if (tab !== undefined) for (const waiter of mine) this.waiters.get(tab)?.delete(waiter);
    }
  }

  private add(tab: number, waiter: Waiter): void {
    const waiters = this.waiters.get(tab) ?? new Set();
    waiters.add(waiter);
    this.waiters.set(tab, waiters);
  }

  private pass(tab: number, run: (waiter: Waiter) => void): void {
    if (this.creating > 0) this.early.push({ tab, run });
    for (const waiter of [...(this.waiters.get(tab) ?? [])]) run(waiter);
  }
}

/** Chrome has no such history entry. */
export function isEndOfHistory(thrown: unknown): boolean {
  return !(thrown instanceof Failure) && /cannot find a (next|previous) page|history/i.test(messageOf(thrown));
}
