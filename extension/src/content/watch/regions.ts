// Which part of the page a mutation belongs to, and when each part has moved.

import { composedParent } from "../tree/composed";

/** How far back movements are remembered. */
export const HISTORY_MS = 10_000;
const REMEMBERED = 64;
const SILENT = new Set(["script", "style", "link", "meta", "title", "head", "base", "template", "noscript"]);

/** Element whose children, text or attributes a record is about; nothing for what is never rendered. */
export function regionOf(record: MutationRecord): Element | undefined {
  const node = record.target;
  const region = node instanceof Element ? node : node instanceof ShadowRoot ? node.host : composedParent(node);
  if (region === undefined || SILENT.has(region.localName)) return undefined;
  if (record.type === "childList" && isSilent(record.addedNodes) && isSilent(record.removedNodes)) return undefined;
  return region;
}

/** Scripts, styles, comments: nothing a person could see. */
export function isSilentNode(node: Node): boolean {
  if (node instanceof Element) return SILENT.has(node.localName) || isPixel(node);
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

  /** How often a region moved in the time before a moment. */
  before(region: Element, moment: number): number {
    const times = this.#times.get(region);
    if (times === undefined) return 0;
    let count = 0;
    for (const at of times) if (at < moment && at >= moment - HISTORY_MS) count++;
    return count;
  }
}
