// What was asked of one control, compared at every look with what it holds.

import type { ReadBack, Seen, Value } from "../../generated/protocol";
import { isSecret } from "../tree/secret";
import { cut } from "../words";

const SHOWN = 2_000;

/** Reads a control: what it holds in words, and whether that is what was asked for; nothing when it is gone. */
export type Reading = () => { now: string; holds: boolean; listOpen?: boolean; part?: Seen } | undefined;

/** See the file's head. */
export class Asked {
  readonly #control: Element;
  readonly #read: Reading;
  readonly #before: Value;
  #once = false;

  constructor(control: Element, read: Reading) {
    this.#control = control;
    this.#read = read;
    this.#before = this.#value(read()?.now ?? "");
  }

  /** It holds what was asked for now. */
  holds(): boolean {
    const holds = this.#read()?.holds ?? false;
    this.#once ||= holds;
    return holds;
  }

  read(field: number): ReadBack {
    const read = this.#read();
    const holds = read?.holds ?? false;
    this.#once ||= holds;
    return {
      field, holds, once: this.#once, before: this.#before,
      ...(read === undefined ? {} : { now: this.#value(read.now) }), ...(read?.listOpen === true ? { listOpen: true } : {}),
      ...(read?.part === undefined ? {} : { part: read.part }),
    };
  }

  #value(text: string): Value {
    return isSecret(this.#control) ? { kind: "secret", length: text.length } : { kind: "plain", text: cut(text, SHOWN) };
  }
}
