// While an agent's script runs, presses made by script and submissions reach nothing that moves money.

import type { MoneyGate, MoneyHit } from "../../shared/pageCalls";
import type { Page } from "../page";
import { moneyAt, submitterOf } from "./money";

const TYPES = ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "dblclick", "keydown", "keypress", "keyup", "submit"];
/** A script may have put its press off for a moment. */
const AFTER_MS = 2_000;
/** A submission so soon after a hand's press is the hand's. */
const HAND_MS = 1_000;

/** Listens from the document's start, first of all listeners; it does nothing until it is armed. */
export class PayGuard {
  readonly #page: Page;
  #gate: MoneyGate | undefined;
  #until = 0;
  #hand = Number.NEGATIVE_INFINITY;
  #hit: MoneyHit | null = null;

  constructor(page: Page) {
    this.#page = page;
    for (const type of TYPES) window.addEventListener(type, this.#heard, { capture: true });
  }

  stop(): void {
    for (const type of TYPES) window.removeEventListener(type, this.#heard, { capture: true });
  }

  arm(gate: MoneyGate): void {
    this.#gate = gate;
    this.#until = Number.POSITIVE_INFINITY;
    this.#hit = null;
  }

  /** The script has ended: what it pressed. */
  rest(): MoneyHit | null {
    this.#until = performance.now() + AFTER_MS;
    return this.#hit;
  }

  /** An action of ours begins: its own events are made by script too. */
  clear(): void {
    this.#gate = undefined;
  }

  readonly #heard = (event: Event): void => {
    if (this.#gate === undefined) return;
    if (performance.now() > this.#until) {
      this.#gate = undefined;
      return;
    }
    if (event.isTrusted && event.type !== "submit") {
      this.#hand = performance.now();
      return;
    }
    if (event.type === "submit" && performance.now() - this.#hand < HAND_MS) return;
    if (event instanceof KeyboardEvent && event.key !== "Enter" && event.key !== " ") return;
    const [first] = event.composedPath();
    if (!(first instanceof Element)) return;
    const pressed = event instanceof SubmitEvent ? (event.submitter ?? submitterOf(first)) : first instanceof HTMLFormElement ? submitterOf(first) : first;
    const hit = moneyAt(this.#page, this.#gate, [pressed]);
    if (hit === undefined) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.#hit ??= hit;
  };
}
