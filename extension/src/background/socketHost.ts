// Sees to it that somebody holds the socket: the offscreen document, or the worker itself where Chrome gives none.

import type { FromSocket, ToSocket } from "../shared/messages";
import { SocketLoop } from "../shared/socketLoop";
import { messageOf } from "../shared/text";
import type { Browser, SocketPort } from "./chrome";

/** See the file's head. */
export class SocketHost {
  private port: SocketPort | null = null;
  private own: SocketLoop | null = null;
  private making: Promise<void> | null = null;
  /** Words from before the offscreen document reached this life of the worker. */
  private waiting: ToSocket[] = [];
  private readonly offscreen: Browser["offscreen"];
  private readonly ports: () => readonly number[];
  private readonly hear: (message: FromSocket) => void;

  constructor(offscreen: Browser["offscreen"], ports: () => readonly number[], hear: (message: FromSocket) => void) {
    this.offscreen = offscreen;
    this.ports = ports;
    this.hear = hear;
  }

  /** Who holds the socket. */
  get holder(): "offscreen" | "worker" {
    return this.own === null ? "offscreen" : "worker";
  }

  /** The offscreen document reached the worker. */
  connected(port: SocketPort): void {
    this.own?.setPorts([]);
    this.own = null;
    this.port = port;
    port.onMessage((message) => { if (this.port === port) this.hear(message); });
    port.onGone(() => {
      if (this.port !== port) return;
      this.port = null;
      this.hear({ is: "gone" });
      void this.ensure();
    });
    for (const message of this.waiting.splice(0)) port.post(message);
  }

  post(message: ToSocket): void {
    if (this.own !== null) this.toOwn(this.own, message);
    else if (this.port !== null) this.port.post(message);
    else if (message.do === "send") this.hear({ is: "unsent", text: message.text });
    else if (message.do === "ports" || message.do === "retry") {
      this.waiting.push(message);
      void this.ensure();
    }
  }

  /** Makes or finds the holder; one attempt at a time. */
  ensure(): Promise<void> {
    if (this.port !== null || this.own !== null) return Promise.resolve();
    this.making ??= this.make().finally(() => { this.making = null; });
    return this.making;
  }

  private async make(): Promise<void> {
    try {
      if (await this.offscreen.exists()) await this.offscreen.summon();
      else await this.offscreen.create(this.ports());
    } catch (thrown) {
      // Another life of the worker, or a second wake, was quicker: then it exists and can be called.
      if (await this.offscreen.exists().catch(() => false)) {
        await this.offscreen.summon().catch(() => undefined);
        return;
      }
      console.warn("no offscreen document, the worker holds the socket:", messageOf(thrown));
      this.holdMyself();
    }
  }

  private holdMyself(): void {
    this.own = new SocketLoop({
      open: (socket, port) => { this.hear({ is: "open", socket, port }); },
      frame: (socket, text) => { this.hear({ is: "frame", socket, text }); },
      closed: (socket) => { this.hear({ is: "closed", socket }); },
      absent: (ports) => { this.hear({ is: "absent", ports }); },
      unsent: (text) => { this.hear({ is: "unsent", text }); },
    });
    this.waiting = [];
    this.own.setPorts(this.ports());
  }

  private toOwn(loop: SocketLoop, message: ToSocket): void {
    switch (message.do) {
      case "send": loop.send(message.socket, message.text); return;
      case "drop": loop.drop(message.socket); return;
      case "established": loop.established(message.socket, message.note); return;
      case "retry": loop.retry(); return;
      case "ports": loop.setPorts(message.ports);
    }
  }
}
