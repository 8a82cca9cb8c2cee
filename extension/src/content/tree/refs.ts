// Numbers of nodes: they stay with a live node while it is the same thing, and are never used again.

/** What a number stands for. */
interface Entry {
  element: WeakRef<Element>;
  role: string;
  name: string;
}

/** From here on entries of dead nodes are dropped. */
const MANY = 20_000;

export class Refs {
  readonly #numbers = new WeakMap<Element, number>();
  readonly #entries = new Map<number, Entry>();
  #next: number;
  #sweep = MANY;

  /** A script that takes over from an earlier one in the same document goes on counting. */
  constructor(next = 1) {
    this.#next = next;
  }

  get next(): number {
    return this.#next;
  }

  /** Number of the element as this role and name: the old one if it still is that, else a new one. */
  number(element: Element, role: string, name: string): number {
    const old = this.#numbers.get(element);
    if (old !== undefined) {
      const entry = this.#entries.get(old);
      if (entry?.role === role && entry.name === name) return old;
    }
    const fresh = this.#next++;
    this.#numbers.set(element, fresh);
    this.#entries.set(fresh, { element: new WeakRef(element), role, name });
    if (this.#entries.size > this.#sweep) this.#drop();
    return fresh;
  }

  /** The number an element has as what it was last shown, if any. */
  known(element: Element): number | undefined {
    return this.#numbers.get(element);
  }

  /** What a number was given to. */
  entry(number: number): { element: Element | undefined; role: string; name: string } | undefined {
    const entry = this.#entries.get(number);
    return entry && { element: entry.element.deref(), role: entry.role, name: entry.name };
  }

  #drop(): void {
    for (const [number, entry] of this.#entries) if (entry.element.deref() === undefined) this.#entries.delete(number);
    this.#sweep = this.#entries.size + MANY;
  }
}
