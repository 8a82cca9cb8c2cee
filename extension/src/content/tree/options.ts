// Parts of a walked tree: what is inside a target, what is in the viewport. Pairs of first index and index after the last.

import * as dom from "../dom";
import { holds, isText } from "./composed";
import type { Walked } from "./walk";

/** Which part of the tree is asked for; nothing: all of it. */
export interface Part {
  inside?: Element;
  viewport: boolean;
}

/** The pairs of a part. */
export function within(walked: Walked, part: Part): number[] | undefined {
  if (part.inside !== undefined) return insideOf(walked, part.inside);
  if (part.viewport) return inViewport(walked);
  return undefined;
}

/** Nodes of the element and of what is rendered inside it; text belongs to the element it stands in. */
function insideOf({ nodes, sources }: Walked, top: Element): number[] {
  const pairs = new Pairs();
  // Nodes are in rendered order: once the element is left, it does not come back.
  let entered = false;
  for (let at = 0; at < nodes.length; at++) {
    const source = sources[at];
    const inside = source !== undefined && holds(top, source);
    if (inside) pairs.add(at);
    else if (entered) break;
    entered ||= inside;
  }
  return pairs.list;
}

/** Nodes whose box meets the viewport. Texts are measured by their own lines. */
function inViewport({ nodes, sources }: Walked): number[] {
  const pairs = new Pairs();
  const range = document.createRange();
  const width = innerWidth;
  const height = innerHeight;
  for (let at = 0; at < nodes.length; at++) {
    const source = sources[at];
    if (source === undefined) continue;
    let box: DOMRect;
    if (isText(source)) {
      range.selectNodeContents(source);
      box = range.getBoundingClientRect();
    } else if (source instanceof HTMLOptionElement) {
      box = (source.closest("select") ?? source).getBoundingClientRect();
    } else if (source instanceof Element) box = dom.getBoundingClientRect(source);
    else continue;
    if (box.bottom > 0 && box.top < height && box.right > 0 && box.left < width && box.width + box.height > 0) pairs.add(at);
  }
  return pairs.list;
}

class Pairs {
  readonly list: number[] = [];

  add(at: number): void {
    const last = this.list.length - 1;
    if (this.list[last] === at) this.list[last] = at + 1;
    else this.list.push(at, at + 1);
  }
}
