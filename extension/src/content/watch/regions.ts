// Which part of the page a mutation belongs to, and when each part has moved.

import * as dom from "../dom";
import { isOwn } from "../panel/own";
import { composedParent } from "../tree/composed";
import { HISTORY_MS, ownMovements } from "./ownLife";

const REMEMBERED = 64;
const SILENT = new Set(["script", "style", "link", "meta", "title", "head", "base", "template", "noscript"]);

/** Element whose children, text or attributes a record is about; nothing for what is never rendered. */
export function regionOf(record: MutationRecord): Element | undefined {
  const node = record.target;
  if (isOwn(node)) return undefined;
  const region = node instanceof Element ? node : node instanceof ShadowRoot ? node.host : composedParent(node);
  if (region === undefined || SILENT.has(dom.localName(region))) return undefined;
  if (record.type === "childList" && isSilent(record.addedNodes) && isSilent(record.removedNodes)) return undefined;
  return region;
}

/** Scripts, styles, comments: nothing a person could see. */
export function isSilentNode(node: Node): boolean {
  if (isOwn(node)) return true;
  if (node instanceof Element) return SILENT.has(dom.localName(node)) || isPixel(node);
  return !(node instanceof Text);
}

function isSilent(nodes: NodeList): boolean {
  for (const node of nodes) if (!isSilentNode(node)) return false;
  return true;
}

/** Images and frames of no size: counters, not content. */
function isPixel(element: Element): boolean {
  if (!(element instanceof HTMLImageElement) && !(element instanceof HTMLIFrameElement)) return false;
  if (!element.isConnected) return false;
  const small = (size: string | null): boolean => size !== null && Number.parseInt(size, 10) <= 1;
  if (small(element.getAttribute("width")) && small(element.getAttribute("height"))) return true;
  return !element.checkVisibility();
}

/** Movement times per region. */
export class Movements {
  readonly #times = new WeakMap<Element, number[]>();
  readonly #dispatches: number[] = [];

  /** Notes that a region moved; once for all records that came together. */
  note(region: Element, at: number): void {
    const times = this.#times.get(region);
    if (times === undefined) {
      this.#times.set(region, [at]);
      return;
    }
    if (times[times.length - 1] === at) return;
    times.push(at);
    if (times.length > REMEMBERED) times.splice(0, times.length - REMEMBERED);
  }

  /** We act now: what moves next may be the answer. */
  dispatched(at: number): void {
    while (this.#dispatches[0] !== undefined && this.#dispatches[0] < at - HISTORY_MS * 2) this.#dispatches.shift();
    this.#dispatches.push(at);
  }

  /** How often a region moved by itself in the time before a moment. */
  before(region: Element, moment: number): number {
    const times = this.#times.get(region);
    return times === undefined ? 0 : ownMovements(times, this.#dispatches, moment);
  }
}
