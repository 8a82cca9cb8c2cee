// The link to the daemon above the socket: handshake, pairing, requests in, replies and events out.

import type { Event, Frame, Hello, Refused } from "../generated/protocol";
import { PROTOCOL_VERSION } from "../generated/protocol";
import type { FromSocket, LinkState, PairResult, ToSocket } from "../shared/messages";
import { messageOf } from "../shared/text";
import { eventText, frameText } from "./dispatch";
import type { Dispatcher } from "./dispatch";
import { Failure } from "./failure";
import { proofOf, randomHex, sameText, secretOf } from "./handshake";
import type { Outbox } from "./outbox";
import type { Pairing } from "./pairing";
import { parse } from "./wire";
import type { Inbound } from "./wire";

const HANDSHAKE_MS = 5_000;
const PAIRING_MS = 12_000;
/** Said of what an earlier life of the worker was asked: whether it was done is not known. */
const BROKE = "the link broke: the extension's worker started anew";

/** Who this installation says it is. */
export type Identity = Pick<Hello, "version" | "build" | "browser" | "headless">;

/** What is in the making between the socket's opening and `welcome`. */
interface Handshake {
  socket: number;
  port: number;
  nonce: string;
  code: string | null;
  stop: () => void;
  /** Set when the daemon has proved itself and our proof is out. */
  proved: { instance: string; version: string; secret: string } | null;
}

interface PendingPair {
  port: number;
  code: string;
  done: (result: PairResult) => void;
}

interface Note {
  port: number;
  instance: string;
  version: string;
}

function readNote(text: string): Note | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || !("port" in value && "instance" in value && "version" in value)) return null;
    const { port, instance, version } = value;
    return typeof port === "number" && typeof instance === "string" && typeof version === "string" ? { port, instance, version } : null;
  } catch {
    return null;
  }
}

/** See the file's head. */
export class Link {
  private handshake: Handshake | null = null;
  /** The socket that was told of last; words for an earlier one are of no use. */
  private socket = 0;
  private pending: PendingPair | null = null;
  private stateNow: LinkState = { kind: "searching" };
  /** Socket words are taken one after the other: a handshake step awaits its crypto. */
  private line: Promise<void> = Promise.resolve();
  /** Requests whose answers waited for this socket. */
  private readonly flushed = new Set<number>();

  private readonly pairing: Pairing;
  private readonly outbox: Outbox;
  private readonly identity: Promise<Identity>;
  private readonly generation: string;
  private readonly post: (message: ToSocket) => void;
  private readonly changed: (state: LinkState) => void;
  dispatcher: Dispatcher | null = null;

  constructor(parts: {
    pairing: Pairing; outbox: Outbox; identity: Promise<Identity>; generation: string;
    post: (message: ToSocket) => void; changed: (state: LinkState) => void;
  }) {
    this.pairing = parts.pairing;
    this.outbox = parts.outbox;
    this.identity = parts.identity;
    this.generation = parts.generation;
    this.post = parts.post;
    this.changed = parts.changed;
  }

  get state(): LinkState {
    return this.stateNow;
  }

  /** Sends a reply, or keeps it for the reconnect. */
  reply(text: string): void {
    if (this.stateNow.kind === "open") this.post({ do: "send", socket: this.socket, text });
    else this.outbox.add(text);
  }

  /** Sends an event; one that cannot be sent is not kept: the daemon asks anew after a reconnect. */
  tell(event: Event): void {
    if (this.stateNow.kind === "open") this.post({ do: "send", socket: this.socket, text: eventText(event) });
  }

  /** Pairs with the daemon on this port, and keeps to that port from now on. */
  async pair(port: number, code: string): Promise<PairResult> {
    this.pending?.done({ result: "refused", message: "Another pairing was started." });
    await this.pairing.givePort(port);
    return await new Promise<PairResult>((resolve) => {
      const timer = setTimeout(() => { this.endPairing({ result: "absent", message: `No Tegata daemon answered in time on port ${port}.` }); }, PAIRING_MS);
      this.pending = { port, code, done: (result) => { clearTimeout(timer); resolve(result); } };
      this.startOver();
    });
  }

  /** Begins again on the ports that are to be tried now. */
  startOver(): void {
    this.endHandshake();
    this.set({ kind: "searching" });
    this.post({ do: "ports", ports: [...this.pairing.ports] });
  }

  /** One word of the socket. */
  hear(message: FromSocket): void {
    this.line = this.line.then(() => this.take(message)).catch((thrown: unknown) => {
      // A fault of ours in the handshake: the socket is of no use, say why and go on.
      console.error("link", messageOf(thrown));
      this.endHandshake();
      this.post({ do: "drop", socket: this.socket });
    });
  }

  private async take(message: FromSocket): Promise<void> {
    switch (message.is) {
      case "state":
        this.socket = message.socket;
        this.takeOver(message.open, message.note, message.orphans);
        return;
      case "open": await this.greet(message.socket, message.port); return;
      case "closed": case "gone":
        if (message.is === "closed" && message.socket !== this.socket) return;
        this.endHandshake();
        // A refusal is followed by a close: keep the reason for the popup.
        if (this.stateNow.kind === "open") this.set({ kind: "searching" });
        return;
      case "absent":
        // Said of ports that were tried before others were asked for, it is no answer any more.
        if (!this.pairing.ports.every((port) => message.ports.includes(port))) return;
        // What stood on a port is a better answer than that no port opened.
        if (this.stateNow.kind === "searching") this.set({ kind: "absent" });
        this.endPairing({ result: "absent", message: `No Tegata daemon answers on port ${this.pending?.port ?? 0}. Run "tegata extension --pair" again.` });
        return;
      case "unsent":
        if (message.text.startsWith('{"kind":"reply"')) this.outbox.add(message.text);
        return;
      case "frame": if (message.socket === this.socket) await this.read(message.text);
    }
  }

  /** The socket is older than this life of the worker. */
  private takeOver(open: number | null, note: string | null, orphans: readonly number[]): void {
    if (open === null) return;
    const known = note === null ? null : readNote(note);
    if (known === null || known.port !== open) {
      // It stood in the middle of a handshake whose nonce died with the worker.
      this.post({ do: "drop", socket: this.socket });
      return;
    }
    this.set({ kind: "open", ...known });
    // Before any answer: from here on the daemon hears another life.
    this.tell({ event: "worker/started", params: { generation: this.generation } });
    this.flush();
    // Those that were answered in the outbox have been answered; to the others nobody else will ever say a word.
    for (const id of orphans) if (!this.flushed.has(id)) this.dispatcher?.fail(id, new Failure("internal", BROKE));
  }

  private async greet(socket: number, port: number): Promise<void> {
    this.endHandshake();
    this.socket = socket;
    const code = this.pending?.port === port ? this.pending.code : null;
    const timer = setTimeout(() => { this.giveUp({ kind: "stranger", port }, null); }, HANDSHAKE_MS);
    const nonce = randomHex(32);
    this.handshake = { socket, port, nonce, code, stop: () => { clearTimeout(timer); }, proved: null };
    const hello: Hello = {
      protocol: PROTOCOL_VERSION, ...(await this.identity), instance: this.pairing.instance, nonce, key: code === null ? "secret" : "code",
    };
    this.sendFrame({ kind: "hello", hello });
  }

  private async read(text: string): Promise<void> {
    const parsed = parse(text);
    if (!parsed.ok) {
      if (this.handshake !== null) {
        this.giveUp({ kind: "stranger", port: this.handshake.port }, "Something that is not Tegata answers on this port.");
        return;
      }
      console.warn("link", parsed.why);
      if (parsed.id !== null) this.dispatcher?.fail(parsed.id, new Failure(parsed.unknownMethod ? "protocol_mismatch" : "invalid_argument", parsed.why));
      return;
    }
    if (this.handshake !== null) await this.shake(this.handshake, parsed.frame);
    else this.obey(parsed.frame);
  }

  private async shake(now: Handshake, frame: Inbound): Promise<void> {
    if (frame.kind === "refused") { this.refused(now, frame.refused); return; }
    if (frame.kind === "challenge" && now.proved === null) {
      const { challenge } = frame;
      const key = now.code ?? this.pairing.secret(challenge.instance);
      if (key === undefined) {
        this.giveUp({ kind: "unpaired", port: now.port, message: "This browser is not paired with the daemon on this port." }, "Not paired.");
        return;
      }
      // The daemon proves itself first: a squatter on the port gets no proof of ours.
      if (!sameText(challenge.proof.toLowerCase(), await proofOf("daemon", key, now.nonce, challenge.nonce))) {
        this.giveUp({ kind: "stranger", port: now.port }, "Something else answers on this port: it does not know the pairing.");
        return;
      }
      const secret = now.code === null ? key : await secretOf(now.code, now.nonce, challenge.nonce);
      const proof = await proofOf("extension", key, now.nonce, challenge.nonce);
      if (this.handshake !== now) return;
      now.proved = { instance: challenge.instance, version: challenge.version, secret };
      this.sendFrame({ kind: "proof", proof, switches: this.pairing.switches, generation: this.generation });
      return;
    }
    if (frame.kind === "welcome" && now.proved !== null) {
      const { instance, version, secret } = now.proved;
      if (now.code !== null) await this.pairing.keep(instance, secret);
      if (this.handshake !== now) return;
      this.endHandshake();
      const note: Note = { port: now.port, instance, version };
      this.post({ do: "established", socket: now.socket, note: JSON.stringify(note) });
      this.set({ kind: "open", ...note });
      if (now.code !== null) this.endPairing({ result: "paired", message: `Paired with Tegata ${version} on port ${now.port}.` });
      this.flush();
      return;
    }
    if (frame.kind === "ping") { this.sendFrame({ kind: "pong" }); return; }
    if (frame.kind === "pong") return;
    this.giveUp({ kind: "stranger", port: now.port }, `The handshake came out of order (${frame.kind}).`);
  }

  private obey(frame: Inbound): void {
    if (this.stateNow.kind !== "open") return;
    switch (frame.kind) {
      case "request": this.dispatcher?.request(frame.id, frame.command); return;
      case "cancel": this.dispatcher?.cancel(frame.id); return;
      case "ping": this.sendFrame({ kind: "pong" }); return;
      case "refused":
        this.set({ kind: "refused", port: this.stateNow.port, why: frame.refused.why, message: frame.refused.message });
        this.post({ do: "drop", socket: this.socket });
        return;
      case "pong": case "reply": case "welcome": case "challenge": return;
    }
  }

  private refused(now: Handshake, { why, message }: Refused): void {
    switch (why) {
      case "unpaired": this.giveUp({ kind: "unpaired", port: now.port, message }, message); return;
      case "code":
        this.endPairing({ result: "code", message });
        this.giveUp({ kind: "unpaired", port: now.port, message }, message);
        return;
      case "protocol": case "proof": case "taken": case "malformed":
        this.giveUp({ kind: "refused", port: now.port, why, message }, message);
    }
  }

  /** Ends a handshake that failed; the socket goes on with the next port. Without a message a pairing goes on too, until its own limit. */
  private giveUp(state: LinkState, message: string | null): void {
    this.endHandshake();
    // On several ports the more telling answer stays: ours but refused, before some stranger.
    if (state.kind !== "stranger" || this.stateNow.kind !== "refused") this.set(state);
    if (this.pending !== null && message !== null) this.endPairing({ result: state.kind === "stranger" ? "stranger" : "refused", message });
    this.post({ do: "drop", socket: this.socket });
  }

  private endHandshake(): void {
    this.handshake?.stop();
    this.handshake = null;
  }

  private endPairing(result: PairResult): void {
    const { pending } = this;
    this.pending = null;
    pending?.done(result);
  }

  private flush(): void {
    this.flushed.clear();
    for (const text of this.outbox.take()) {
      const id = /^\{"kind":"reply","id":(\d+)/.exec(text)?.[1];
      if (id !== undefined) this.flushed.add(Number(id));
      this.post({ do: "send", socket: this.socket, text });
    }
  }

  private sendFrame(frame: Frame): void {
    this.post({ do: "send", socket: this.socket, text: frameText(frame) });
  }

  private set(state: LinkState): void {
    this.stateNow = state;
    this.changed(state);
  }
}
