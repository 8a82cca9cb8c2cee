// What the extension's own pages (offscreen, popup, connect) and the worker say to each other. Web pages never see these.

import type { Held, Switches } from "../generated/protocol";

/** Ports the daemon of the default instance may have. */
export const DEFAULT_PORTS: readonly number[] = [8787, 8788, 8789, 8790, 8791];

/** Name of the port by which the offscreen document reaches the worker. */
export const SOCKET_PORT = "tegata-socket";

/** Worker → offscreen document. A word for one socket names it: one that was replaced in between is not meant. */
export type ToSocket =
  | { do: "send"; socket: number; text: string }
  /** The handshake failed: close and go on with the next port. */
  | { do: "drop"; socket: number }
  /** Only these ports from now on; the socket starts anew. */
  | { do: "ports"; ports: number[] }
  /** The handshake stands. The note is given back to a worker that starts anew. */
  | { do: "established"; socket: number; note: string }
  | { do: "retry" };

/** Offscreen document → worker. */
export type FromSocket =
  /** First word after the document reached the worker. `orphans`: requests that an earlier life of the worker was given and never answered. */
  | { is: "state"; socket: number; open: number | null; note: string | null; orphans: number[] }
  | { is: "open"; socket: number; port: number }
  | { is: "frame"; socket: number; text: string }
  | { is: "closed"; socket: number }
  /** The document itself is gone, and its socket with it; said by the worker's own end of the port. */
  | { is: "gone" }
  /** Every port was tried and none was opened; said once until something else happens. */
  | { is: "absent"; ports: number[] }
  | { is: "unsent"; text: string };

/** Worker → offscreen document, when it exists but holds no port to this life of the worker. */
export interface Summon {
  summon: "socket";
}

/** Popup and connect page → worker. */
export type Ask =
  | { ask: "state" }
  | { ask: "switches"; switches: Switches }
  /** Whether secret fields may be seen on pictures. */
  | { ask: "pictures"; showSecrets: boolean }
  | { ask: "pair"; port: number; code: string }
  /** What a card of the payment gate is about, and what the person says to it. */
  | { ask: "card"; id: string }
  | { ask: "answer"; id: string; allow: boolean }
  /** Forget the port given by the connect page and look on the default ports. */
  | { ask: "anyPort" };

/** What a card of the payment gate shows. */
export interface CardState {
  label: string;
  amount: string | null;
  url: string;
  title: string;
}

/** How a pairing ended. */
export interface PairResult {
  result: "paired" | "code" | "absent" | "stranger" | "refused";
  message: string;
}

/** Where the link stands. */
export type LinkState =
  | { kind: "searching" }
  | { kind: "absent" }
  | { kind: "stranger"; port: number }
  | { kind: "unpaired"; port: number; message: string }
  | { kind: "refused"; port: number; why: string; message: string }
  | { kind: "open"; port: number; instance: string; version: string };

/** Everything the popup shows. */
export interface PopupState {
  version: string;
  link: LinkState;
  ports: number[];
  givenPort: number | null;
  paired: boolean;
  switches: Switches;
  showSecrets: boolean;
  held: (Held & { title: string })[];
}
