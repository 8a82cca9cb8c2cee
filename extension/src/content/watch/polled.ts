// Things that are compared at every look because no mutation record tells them: states, values, visibility, focus, scrolling.

import type { EvidenceKind, Place } from "../../generated/protocol";

/** One compared thing that has differed at least once. */
export interface Differing {
  kind: EvidenceKind;
  place: Place;
  element: Element;
  linked: boolean;
  sync: boolean;
  what: string;
  firstAt: number;
  lastAt: number;
  times: number;
  reverted: boolean;
}

/** A comparison made now. */
export interface Compared {
  kind: EvidenceKind;
  place: Place;
  element: Element;
  linked: boolean;
  before: string;
  now: string;
  what: () => string;
}

/** Keeps what differed, under a key per thing. */
export class Polled {
  readonly #items = new Map<string, Differing & { now: string }>();
  readonly #keys = new WeakMap<Element, number>();
  #next = 0;

  compare(thing: string, compared: Compared, at: number, sync: boolean): void {
    const key = `${thing}:${this.#number(compared.element)}`;
    const item = this.#items.get(key);
    if (item === undefined) {
      if (compared.before === compared.now) return;
      const { kind, place, element, linked, now } = compared;
      this.#items.set(key, { kind, place, element, linked, sync, what: compared.what(), firstAt: at, lastAt: at, times: 1, reverted: false, now });
      return;
    }
    if (item.now === compared.now) return;
    item.now = compared.now;
    item.times++;
    item.lastAt = at;
    item.reverted = compared.now === compared.before;
    if (!item.reverted) item.what = compared.what();
  }

  /** Whether it has ever differed. */
  knows(thing: string, element: Element): boolean {
    const number = this.#keys.get(element);
    return number !== undefined && this.#items.has(`${thing}:${number}`);
  }

  items(): Iterable<Differing> {
    return this.#items.values();
  }

  #number(element: Element): number {
    let number = this.#keys.get(element);
    if (number === undefined) this.#keys.set(element, (number = this.#next++));
    return number;
  }
}
