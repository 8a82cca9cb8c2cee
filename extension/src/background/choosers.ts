// File choosers that Chrome would open: held back while one is expected, and answered with the files instead.

import { field } from "./debug";
import type { Debug } from "./debug";

/** A chooser that was about to open. */
export interface Chooser {
  sessionId: string | undefined;
  backendNodeId: number;
  several: boolean;
}

/** See the file's head. */
export class Choosers {
  private readonly waiting = new Map<number, (chooser: Chooser) => void>();
  private readonly debug: Debug;

  constructor(debug: Debug) {
    this.debug = debug;
  }

  debuggerEvent(tab: number, sessionId: string | undefined, method: string, params: unknown): void {
    if (method !== "Page.fileChooserOpened") return;
    const node = field(params, "backendNodeId");
    if (typeof node === "number") this.waiting.get(tab)?.({ sessionId, backendNodeId: node, several: field(params, "mode") === "selectMultiple" });
  }

  /** Does something that may open one; the chooser, when one came within the limit. */
  async during(tab: number, sessions: readonly string[], run: () => Promise<void>, limitMs: number): Promise<Chooser | null> {
    const places: (string | undefined)[] = [undefined, ...sessions];
    // A frame of another process tells of its choosers only when it is asked to tell of anything.
    for (const session of sessions) this.debug.send(tab, "Page.enable", {}, session).catch(() => undefined);
    const hold = (enabled: boolean) => Promise.all(places.map((session) => this.debug.send(tab, "Page.setInterceptFileChooserDialog", { enabled }, session).catch((thrown: unknown) => {
      // The page itself has to be held; a frame that went away need not.
      if (enabled && session === undefined) throw thrown;
    })));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const came = new Promise<Chooser>((resolve) => { this.waiting.set(tab, resolve); });
    try {
      await hold(true);
      await run();
      const late = new Promise<null>((resolve) => { timer = setTimeout(() => { resolve(null); }, limitMs); });
      return await Promise.race([came, late]);
    } finally {
      clearTimeout(timer);
      this.waiting.delete(tab);
      await hold(false).catch(() => undefined);
    }
  }
}
