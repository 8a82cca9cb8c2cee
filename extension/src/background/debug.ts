// The debugger: attached on demand, detached when idle, and every reason why it cannot be had in words.

import { messageOf } from "../shared/text";
import type { Browser } from "./chrome";
import { Failure } from "./failure";

const IDLE_MS = 5_000;
const CALL_MS = 5_000;

/** A reading of `unknown` results of the debugger. */
export function field(value: unknown, ...path: string[]): unknown {
  let now = value;
  for (const key of path) {
    if (typeof now !== "object" || now === null || !Object.hasOwn(now, key)) return undefined;
    now = Object.getOwnPropertyDescriptor(now, key)?.value;
  }
  return now;
}

/** It was taken away while something was sent by it: what of it had arrived nobody knows. */
export class DebuggerLost extends Failure {
  constructor(why: string) {
    super("unsupported", `the debugger was detached: ${why}`);
  }
}

interface Attached {
  ready: Promise<void>;
  /** It was attached by the call that asked, not before. */
  since: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** See the file's head. */
export class Debug {
  private readonly attached = new Map<number, Attached>();
  /** Tabs on which the user pressed Cancel in Chrome's bar. */
  private readonly cancelled = new Set<number>();
  private readonly api: Browser["debug"];
  private readonly allowed: () => boolean;
  /** A tab whose dialog is open stays attached: later it could not be closed any more. */
  keep: (tab: number) => boolean = () => false;
  /** The debugger left a tab, for whatever reason. */
  left: (tab: number) => void = () => undefined;

  constructor(api: Browser["debug"], allowed: () => boolean) {
    this.api = api;
    this.allowed = allowed;
  }

  /** Ends what an earlier life of the worker left attached. Other people's debuggers refuse, which is right. */
  async reap(): Promise<void> {
    for (const tab of await this.api.attachedTabs()) if (!this.attached.has(tab)) await this.api.detach(tab).catch(() => undefined);
  }

  isAttached(tab: number): boolean {
    return this.attached.has(tab);
  }

  /** Attaches when it is not yet; true when it was done now. */
  async attach(tab: number): Promise<boolean> {
    if (!this.allowed()) throw new Failure("unsupported", "trusted input is switched off in the extension's popup");
    if (this.cancelled.has(tab)) throw new Failure("unsupported", "the user cancelled the debugger on this tab");
    const known = this.attached.get(tab);
    if (known !== undefined) {
      await known.ready;
      this.rest(tab);
      return false;
    }
    const ready = this.api.attach(tab).catch((thrown: unknown) => {
      this.attached.delete(tab);
      const said = messageOf(thrown);
      throw new Failure("unsupported", /already attached/i.test(said) ? "another debugger (DevTools, another extension) is attached to this tab" : `Chrome gives no debugger here: ${said}`);
    });
    this.attached.set(tab, { ready, since: performance.now(), timer: undefined });
    await ready;
    // Not awaited: with a dialog open it answers only when that is gone. Without it no dialog is announced.
    this.api.send({ tabId: tab }, "Page.enable", {}).catch(() => undefined);
    this.rest(tab);
    return true;
  }

  /** Sends one command, bounded. */
  async send(tab: number, method: string, params: Record<string, unknown> = {}, sessionId?: string): Promise<unknown> {
    this.rest(tab);
    const target = sessionId === undefined ? { tabId: tab } : { tabId: tab, sessionId };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => { reject(new Failure("timeout", `the debugger did not answer ${method}`)); }, CALL_MS);
    });
    try {
      return await Promise.race([this.api.send(target, method, params), late]);
    } catch (thrown) {
      if (thrown instanceof Failure) throw thrown;
      if (!this.attached.has(tab)) throw new DebuggerLost(this.cancelled.has(tab) ? "the user cancelled it" : messageOf(thrown));
      throw new Failure("unsupported", `${method}: ${messageOf(thrown)}`);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Chrome says it is detached. */
  gone(tab: number, reason: string): void {
    const known = this.attached.get(tab);
    clearTimeout(known?.timer);
    this.attached.delete(tab);
    this.left(tab);
    if (reason === "canceled_by_user") this.cancelled.add(tab);
  }

  /** The tab closed, or the user switched trusted input on again. */
  forget(tab?: number): void {
    if (tab === undefined) this.cancelled.clear();
    else this.cancelled.delete(tab);
  }

  /** Detaches from all: the user switched it off. */
  async letGo(): Promise<void> {
    for (const tab of [...this.attached.keys()]) await this.detach(tab);
  }

  private rest(tab: number): void {
    const known = this.attached.get(tab);
    if (known === undefined) return;
    clearTimeout(known.timer);
    known.timer = setTimeout(() => {
      if (this.keep(tab)) this.rest(tab);
      else void this.detach(tab);
    }, IDLE_MS);
  }

  private async detach(tab: number): Promise<void> {
    clearTimeout(this.attached.get(tab)?.timer);
    this.attached.delete(tab);
    this.left(tab);
    await this.api.detach(tab).catch(() => undefined);
  }
}
