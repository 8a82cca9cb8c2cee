// Keeps one WebSocket to the daemon: tries the ports in turn, backs off between rounds, pings, notices silence.
// Runs in the offscreen document, or in the worker where there is none. Frames pass through as strings.

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;
const OPEN_LIMIT_MS = 5_000;
const PING_MS = 15_000;
const SILENCE_MS = 45_000;

/** Wait before the round after `failed` failed rounds. */
export function backOff(failed: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failed, 10));
}

/** What the loop tells its owner. */
export interface SocketEvents {
  open(socket: number, port: number): void;
  frame(socket: number, text: string): void;
  /** A socket that had been open is gone. */
  closed(socket: number): void;
  /** No port opened in a whole round; said once until something else happens. */
  absent(ports: number[]): void;
  unsent(text: string): void;
}

/** The part of a WebSocket that is used; tests give a fake. */
export interface SocketLike {
  readyState: number;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
  send(text: string): void;
  close(): void;
}

/** Surroundings of the loop; tests give their own. */
export interface SocketWorld {
  socket(url: string): SocketLike;
  after(ms: number, run: () => void): () => void;
  now(): number;
}

/** The real surroundings. */
export const realWorld: SocketWorld = {
  socket(url) {
    const socket = new WebSocket(url);
    const like: SocketLike = {
      get readyState() { return socket.readyState; },
      onopen: null, onmessage: null, onclose: null,
      send: (text) => { socket.send(text); },
      close: () => { socket.close(); },
    };
    socket.onopen = () => like.onopen?.();
    socket.onmessage = (event: MessageEvent<unknown>) => like.onmessage?.({ data: event.data });
    socket.onclose = () => like.onclose?.();
    return like;
  },
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => { clearTimeout(timer); };
  },
  now: () => performance.now(),
};

/** See the file's head. */
export class SocketLoop {
  private ports: number[] = [];
  private at = 0;
  private failedRounds = 0;
  private absentSaid = false;
  private socket: SocketLike | null = null;
  private serialNow = 0;
  private opened = false;
  private lastHeard = 0;
  private stopTimer: () => void = () => undefined;
  private stopPing: () => void = () => undefined;
  private noteText: string | null = null;
  private readonly events: SocketEvents;
  private readonly world: SocketWorld;

  constructor(events: SocketEvents, world: SocketWorld = realWorld) {
    this.events = events;
    this.world = world;
  }

  /** Number of the latest socket; each has its own. */
  get serial(): number {
    return this.serialNow;
  }

  /** Port of the open socket. */
  get openPort(): number | null {
    return this.opened ? (this.ports[this.at] ?? null) : null;
  }

  /** What the owner noted when the handshake stood; null before. */
  get note(): string | null {
    return this.noteText;
  }

  /** Starts with these ports; drops what is open, even when they are the same (a pairing starts anew). */
  setPorts(ports: readonly number[]): void {
    this.ports = [...ports];
    this.at = 0;
    this.failedRounds = 0;
    this.absentSaid = false;
    this.letGo();
    this.dial();
  }

  /** Sends, or hands the text back. */
  send(socket: number, text: string): void {
    if (socket === this.serialNow && this.opened && this.socket?.readyState === 1) this.socket.send(text);
    else this.events.unsent(text);
  }

  /** The owner does not want this one: on to the next port. */
  drop(socket: number): void {
    if (this.socket === null || socket !== this.serialNow) return;
    this.letGo();
    this.next();
  }

  /** The handshake stands. */
  established(socket: number, note: string): void {
    if (!this.opened || socket !== this.serialNow) return;
    this.noteText = note;
    this.failedRounds = 0;
    this.ping();
  }

  /** Ends a wait between two rounds. */
  retry(): void {
    if (this.socket !== null || this.ports.length === 0) return;
    this.stopTimer();
    this.dial();
  }

  private dial(): void {
    const port = this.ports[this.at];
    if (port === undefined) return;
    const socket = this.world.socket(`ws://127.0.0.1:${port}/extension`);
    this.socket = socket;
    this.serialNow += 1;
    const serial = this.serialNow;
    this.stopTimer = this.world.after(OPEN_LIMIT_MS, () => { if (!this.opened) this.drop(serial); });
    socket.onopen = () => {
      this.stopTimer();
      this.opened = true;
      this.absentSaid = false;
      this.lastHeard = this.world.now();
      this.events.open(serial, port);
    };
    socket.onmessage = (event) => {
      this.lastHeard = this.world.now();
      // A binary frame is not ours; an empty text is malformed and treated as such by the owner.
      this.events.frame(serial, typeof event.data === "string" ? event.data : "");
    };
    socket.onclose = () => {
      const { opened, noteText } = this;
      this.letGo();
      if (opened) this.events.closed(serial);
      // The daemon that had been there comes back on its port; others were only tried.
      if (noteText !== null) this.wait();
      else this.next();
    };
  }

  private letGo(): void {
    this.stopTimer();
    this.stopPing();
    const { socket } = this;
    this.socket = null;
    this.opened = false;
    this.noteText = null;
    if (socket === null) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  private next(): void {
    this.at += 1;
    if (this.at < this.ports.length) { this.dial(); return; }
    this.at = 0;
    if (!this.absentSaid) {
      this.absentSaid = true;
      this.events.absent([...this.ports]);
    }
    this.wait();
  }

  private wait(): void {
    this.stopTimer();
    this.stopTimer = this.world.after(backOff(this.failedRounds), () => { this.dial(); });
    this.failedRounds += 1;
  }

  private ping(): void {
    this.stopPing();
    this.stopPing = this.world.after(PING_MS, () => {
      if (this.world.now() - this.lastHeard > SILENCE_MS) {
        this.letGo();
        this.events.closed(this.serialNow);
        this.dial();
        return;
      }
      this.send(this.serialNow, '{"kind":"ping"}');
      this.ping();
    });
  }
}
