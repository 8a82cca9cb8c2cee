// Bodies of answers, kept while an agent asked for it: Chrome gives them only through the debugger, and only while it is attached.
// A body is never requested a second time to have it.

import type { Content } from "../generated/protocol";
import { messageOf, unitsUpTo } from "../shared/text";
import { field } from "./debug";
import type { Debug } from "./debug";
import type { Traffic } from "./traffic";

const RECORD_MS = 600_000;
/** One body at most, and all of a tab. */
const ONE = 2_000_000;
const ALL = 12_000_000;
const KEPT_TYPES = new Set(["Document", "XHR", "Fetch", "Script", "Stylesheet", "EventSource", "Other", "Manifest", "TextTrack"]);

interface Kept {
  data: string;
  binary: boolean;
}

interface Pending {
  number: number | undefined;
  method: string;
  url: string;
  at: number;
  type: string;
}

interface Tape {
  until: number;
  pending: Map<string, Pending>;
  bodies: Map<number, Kept | string>;
  size: number;
}

/** Whoever wants to hear the debugger's console events. */
export type Tap = Map<number, (method: string, params: unknown) => void>;

/** See the file's head. */
export class Bodies {
  private readonly tapes = new Map<number, Tape>();
  private readonly debug: Debug;
  private readonly traffic: Traffic;
  readonly consoleTap: Tap = new Map();

  constructor(debug: Debug, traffic: Traffic) {
    this.debug = debug;
    this.traffic = traffic;
  }

  /** Keeps bodies from now on, for at most ten minutes. */
  async start(tab: number): Promise<void> {
    await this.debug.attach(tab);
    await this.debug.send(tab, "Network.enable", { maxTotalBufferSize: ALL, maxResourceBufferSize: ONE });
    const tape = this.tapes.get(tab) ?? { until: 0, pending: new Map(), bodies: new Map(), size: 0 };
    tape.until = Date.now() + RECORD_MS;
    this.tapes.set(tab, tape);
  }

  /** No more; what is kept stays. */
  stop(tab: number): void {
    const tape = this.tapes.get(tab);
    if (tape === undefined) return;
    tape.until = 0;
    if (this.debug.isAttached(tab)) this.debug.send(tab, "Network.disable").catch(() => undefined);
  }

  forget(tab: number): void {
    this.tapes.delete(tab);
    this.consoleTap.delete(tab);
  }

  /** The debugger is off the tab. */
  detached(tab: number): void {
    const tape = this.tapes.get(tab);
    if (tape === undefined) return;
    tape.until = 0;
    tape.pending.clear();
  }

  isRecording(tab: number): boolean {
    return (this.tapes.get(tab)?.until ?? 0) > Date.now();
  }

  has(tab: number, number: number): boolean {
    return typeof this.tapes.get(tab)?.bodies.get(number) === "object";
  }

  /** The body, or why there is none. */
  of(tab: number, number: number, limit: number): Promise<Content | string> {
    const tape = this.tapes.get(tab);
    const kept = tape?.bodies.get(number);
    if (kept === undefined) return Promise.resolve(tape === undefined ? "bodies are not being kept on this tab" : "it came while bodies were not being kept, or is not there yet");
    if (typeof kept === "string") return Promise.resolve(kept);
    const { data, binary } = kept;
    const bytes = binary ? Math.floor(data.length * 3 / 4) : new TextEncoder().encode(data).length;
    // Base64 is cut at whole groups of four.
    const shown = binary ? data.slice(0, Math.floor(limit / 3) * 4) : unitsUpTo(data, limit);
    return Promise.resolve({ data: shown.toWellFormed(), binary, cut: shown.length < data.length, bytes });
  }

  debuggerEvent(tab: number, sessionId: string | undefined, method: string, params: unknown): void {
    this.consoleTap.get(tab)?.(method, params);
    const tape = this.tapes.get(tab);
    if (tape === undefined || tape.until < Date.now()) return;
    const id = field(params, "requestId");
    if (typeof id !== "string") return;
    switch (method) {
      case "Network.requestWillBeSent": {
        const [verb, url, wall] = [field(params, "request", "method"), field(params, "request", "url"), field(params, "wallTime")];
        if (typeof verb === "string" && typeof url === "string") {
          tape.pending.set(id, { number: undefined, method: verb, url, at: typeof wall === "number" ? wall * 1_000 : Date.now(), type: String(field(params, "type")) });
        }
        return;
      }
      case "Network.loadingFinished": {
        const pending = tape.pending.get(id);
        tape.pending.delete(id);
        if (pending !== undefined && KEPT_TYPES.has(pending.type)) void this.keep(tab, sessionId, tape, id, pending);
        return;
      }
      case "Network.loadingFailed": tape.pending.delete(id);
    }
  }

  private async keep(tab: number, sessionId: string | undefined, tape: Tape, id: string, pending: Pending): Promise<void> {
    const number = this.traffic.match(tab, pending.method, pending.url, pending.at, (one) => tape.bodies.has(one));
    if (number === undefined) return;
    tape.bodies.set(number, "its body is not there yet");
    let kept: Kept | string;
    try {
      const answer = await this.debug.send(tab, "Network.getResponseBody", { requestId: id }, sessionId);
      const data = field(answer, "body");
      kept = typeof data !== "string" ? "Chrome gave no body" : data.length > ONE ? `the body is larger than ${ONE} bytes and was not kept` : { data, binary: field(answer, "base64Encoded") === true };
    } catch (thrown) {
      kept = `Chrome gave no body: ${messageOf(thrown)}`;
    }
    tape.bodies.set(number, kept);
    tape.size += typeof kept === "string" ? 0 : kept.data.length;
    for (const [oldest, old] of tape.bodies) {
      if (tape.size <= ALL) break;
      if (typeof old === "string" || oldest === number) continue;
      tape.size -= old.data.length;
      tape.bodies.set(oldest, "its body was dropped to make room for later ones");
    }
  }
}
