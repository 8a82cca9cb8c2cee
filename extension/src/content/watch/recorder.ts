// The one mutation observer: passive from first contact on, it feeds the history and the watch that is open.

import { tick } from "../act/pause";
import * as dom from "../dom";
import { meetRoots, shadowOf } from "../tree/composed";
import { Movements, regionOf } from "./regions";

/** One mutation with the region it belongs to. */
export interface Moved {
  record: MutationRecord;
  region: Element;
}

const OBSERVED: MutationObserverInit = {
  subtree: true, childList: true, attributes: true, characterData: true, attributeOldValue: true, characterDataOldValue: true,
};
function inStyle(target: Node): boolean {
  const holder = target instanceof Element ? target : target.parentElement;
  return holder instanceof HTMLStyleElement;
}

function reshapes(record: MutationRecord): boolean {
  const { target } = record;
  if (record.type === "attributes" || inStyle(target)) return true;
  const element = (node: Node): boolean => node.nodeType === Node.ELEMENT_NODE;
  return [...record.addedNodes].some(element) || [...record.removedNodes].some(element);
}

/** Records looked at in one go; a page that makes more has rebuilt itself. */
const MANY = 5_000;

export class Recorder {
  readonly movements = new Movements();
  /** Grows with every change. */
  version = 0;
  /** Grows with every change but that of text alone, by which nothing is hidden. What it can show by that (`:empty`) is a text of its own. */
  shape = 0;
  lastChange = performance.now();
  /** Changes now are the answer to our own dispatch, no movement of the page's own. */
  answering = false;
  /** When the latest changes of the page's own came, few. */
  readonly #recent: number[] = [];
  /** Called with what moved. */
  listener: ((moved: readonly Moved[], at: number) => void) | undefined;
  /** Called with all records, wherever they are of. */
  reader: ((records: readonly MutationRecord[]) => void) | undefined;
  /** Called with all records, right after they happened, when some are of a part of the page that is seen. */
  witness: ((records: readonly MutationRecord[]) => void) | undefined;
  readonly #observer = new MutationObserver((records) => { this.#take(records); });
  /** Region that an element was inserted into, while the same watch is open: what goes on inside belongs to the insertion. */
  #born = new WeakMap<Element, Element>();

  /** Handlers of a resize run: what they change is no answer to an action, least of all where our own debugger's bar took the room. */
  #resizing = false;
  readonly #resized = (event: Event): void => {
    this.shape++;
    if (!event.isTrusted || this.#resizing) return;
    this.flush();
    this.#resizing = true;
    void tick().then(() => {
      this.flush();
      this.#resizing = false;
    });
  };

  /** Styles can show and hide by what is checked. */
  readonly #changed = (): void => { this.shape++; };

  constructor() {
    // Before any script of the page: what is fired at the window itself is heard in the order of the listeners, capturing or not.
    window.addEventListener("resize", this.#resized, { capture: true, passive: true });
    window.addEventListener("change", this.#changed, { capture: true, passive: true });
  }

  observe(root: Document | ShadowRoot): void {
    this.#observer.observe(root, OBSERVED);
  }

  stop(): void {
    this.#observer.disconnect();
    window.removeEventListener("resize", this.#resized, { capture: true });
    window.removeEventListener("change", this.#changed, { capture: true });
  }

  /** Takes in what is recorded and not yet delivered. */
  flush(): void {
    const records = this.#observer.takeRecords();
    if (records.length > 0) this.#take(records);
  }

  /** Separate changes of the page's own, of at most 8, in the last milliseconds. */
  changesWithin(ms: number): number {
    const from = performance.now() - ms;
    return this.#recent.filter((at) => at >= from).length;
  }

  /** A new watch begins: elements there are regions of their own. */
  forgetBirths(): void {
    this.#born = new WeakMap();
  }

  #take(records: readonly MutationRecord[]): void {
    this.reader?.(records);
    const at = performance.now();
    const moved: Moved[] = [];
    if (records.some(reshapes)) this.shape++;
    for (const record of records.length > MANY ? records.slice(0, MANY) : records) {
      const region = regionOf(record);
      if (region === undefined) continue;
      this.movements.note(region, at);
      const home = this.#home(region);
      if (home !== region) this.movements.note(home, at);
      moved.push({ record, region: home });
      for (const node of record.addedNodes) {
        if (!(node instanceof Element)) continue;
        this.#born.set(node, home);
        if (dom.localName(node).includes("-") || dom.childElementCount(node) > 0) meetRoots(node);
        else shadowOf(node);
      }
    }
    if (moved.length === 0) return;
    this.witness?.(records);
    this.version++;
    this.lastChange = at;
    if (!this.answering) this.#recent.push(at);
    if (this.#recent.length > 8) this.#recent.shift();
    if (!this.#resizing) this.listener?.(moved, at);
  }

  #home(region: Element): Element {
    let at: Element | null = region;
    for (let i = 0; i < 12 && at !== null; i++, at = dom.parentElement(at)) {
      const home = this.#born.get(at);
      if (home !== undefined) return home;
    }
    return region;
  }
}
