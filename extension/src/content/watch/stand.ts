// Where a thing stands: among which others, as which of them, and where in the document. Told of what is dragged.

import * as dom from "../dom";
import { composedParent } from "../tree/composed";
import { part } from "./describe";

/** Nearer than this it stands where it stood. */
const SAME_PX = 3;

/** As of one moment. */
export interface Stand {
  parent: Element | undefined;
  index: number;
  count: number;
  left: number;
  top: number;
}

export function standOf(element: Element): Stand {
  const parent = composedParent(element);
  const box = dom.getBoundingClientRect(element);
  const others = parent === undefined ? [] : [...dom.children(parent)];
  return { parent, index: others.indexOf(element), count: others.length, left: box.left + window.scrollX, top: box.top + window.scrollY };
}

/** The same place of the same list, or nothing of a list and hardly another place. */
export function sameStand(a: Stand, b: Stand): boolean {
  return a.parent === b.parent && a.index === b.index && Math.abs(a.left - b.left) < SAME_PX && Math.abs(a.top - b.top) < SAME_PX;
}

/** `moved from place 1 to 3 of 3 in list "Tasks"`, `moved from 10,20 to 210,20`. */
export function standChange(was: Stand, is: Stand): string {
  const home = is.parent === undefined ? "" : ` in ${part(is.parent)}`;
  if (was.parent !== is.parent) return `moved to place ${is.index + 1} of ${is.count}${home}`;
  if (was.index !== is.index) return `moved from place ${was.index + 1} to ${is.index + 1} of ${is.count}${home}`;
  return `moved from ${Math.round(was.left)},${Math.round(was.top)} to ${Math.round(is.left)},${Math.round(is.top)}`;
}
