// What this installation remembers: its own id, the secret of each daemon it was paired with, the port it was given, the switches.

import type { Switches } from "../generated/protocol";
import { DEFAULT_PORTS } from "../shared/messages";
import type { Browser } from "./chrome";
import { randomHex } from "./handshake";

const INSTANCE = "instance";
const PAIRINGS = "pairings";
const PORT = "givenPort";
const SWITCHES = "switches";

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** See the file's head. `load` comes first. */
export class Pairing {
  private readonly store: Browser["store"];
  private secrets = new Map<string, string>();
  /** Random id of this installation. */
  instance = "";
  /** Port from the connect page: no other is tried. */
  givenPort: number | null = null;
  switches: Switches = { paused: false, trustedInput: true, eval: true };

  constructor(store: Browser["store"]) {
    this.store = store;
  }

  async load(): Promise<void> {
    const [instance, pairings, port, switches] = await Promise.all([
      this.store.local(INSTANCE), this.store.local(PAIRINGS), this.store.local(PORT), this.store.local(SWITCHES), this.store.keepFromPages(),
    ]);
    if (typeof instance === "string") this.instance = instance;
    else {
      this.instance = randomHex(16);
      await this.store.setLocal(INSTANCE, this.instance);
    }
    for (const [daemon, secret] of Object.entries(record(pairings))) if (typeof secret === "string") this.secrets.set(daemon, secret);
    if (typeof port === "number") this.givenPort = port;
    const { paused, trustedInput, eval: scripts } = record(switches);
    this.switches = { paused: paused === true, trustedInput: trustedInput !== false, eval: scripts !== false };
  }

  get paired(): boolean {
    return this.secrets.size > 0;
  }

  get ports(): readonly number[] {
    return this.givenPort === null ? DEFAULT_PORTS : [this.givenPort];
  }

  secret(daemon: string): string | undefined {
    return this.secrets.get(daemon);
  }

  async keep(daemon: string, secret: string): Promise<void> {
    this.secrets.set(daemon, secret);
    await this.store.setLocal(PAIRINGS, Object.fromEntries(this.secrets));
  }

  async givePort(port: number | null): Promise<void> {
    this.givenPort = port;
    await this.store.setLocal(PORT, port);
  }

  async setSwitches(switches: Switches): Promise<void> {
    this.switches = switches;
    await this.store.setLocal(SWITCHES, switches);
  }
}
