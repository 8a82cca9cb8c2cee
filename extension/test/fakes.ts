// Stand-ins for Chrome, one for each part that a test needs.

import type { SocketLike, SocketWorld } from "../src/shared/socketLoop";

/** Storage in memory. */
export function fakeStore() {
  const local = new Map<string, unknown>();
  const session = new Map<string, unknown>();
  const copy = (value: unknown): unknown => (value === undefined ? undefined : structuredClone(value));
  return {
    localMap: local,
    local: (key: string) => Promise.resolve(copy(local.get(key))),
    setLocal: (key: string, value: unknown) => { local.set(key, copy(value)); return Promise.resolve(); },
    session: (key: string) => Promise.resolve(copy(session.get(key))),
    setSession: (key: string, value: unknown) => { session.set(key, copy(value)); return Promise.resolve(); },
    keepFromPages: () => Promise.resolve(),
  };
}

/** A socket that does what the test says. */
export class FakeSocket implements SocketLike {
  readyState = 0;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  readonly sent: string[] = [];
  readonly url: string;
  closedByUs = false;
  constructor(url: string) {
    this.url = url;
  }
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.closedByUs = true;
    this.readyState = 3;
  }
  open(): void {
    this.readyState = 1;
    this.onopen?.();
  }
  fail(): void {
    this.readyState = 3;
    this.onclose?.();
  }
}

/** A world whose clock the test moves. */
export class FakeWorld implements SocketWorld {
  readonly sockets: FakeSocket[] = [];
  private time = 0;
  private timers: { at: number; run: () => void }[] = [];
  socket = (url: string): FakeSocket => {
    const made = new FakeSocket(url);
    this.sockets.push(made);
    return made;
  };
  now = (): number => this.time;
  after = (ms: number, run: () => void): (() => void) => {
    const timer = { at: this.time + ms, run };
    this.timers.push(timer);
    return () => { this.timers = this.timers.filter((one) => one !== timer); };
  };
  get last(): FakeSocket {
    const last = this.sockets.at(-1);
    if (last === undefined) throw new Error("no socket was made");
    return last;
  }
  pass(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const [next] = this.timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.timers = this.timers.filter((timer) => timer !== next);
      this.time = next.at;
      next.run();
    }
    this.time = end;
  }
}

/** Lets everything that is ready run. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 20; round++) await new Promise((resolve) => { setTimeout(resolve, 0); });
}
