// Where an element can be hit, and what is hit there.

import * as dom from "../dom";
import { composedParent, holds, nearest, shadowOf } from "../tree/composed";
import { roleOf } from "../tree/roles";
import type { Point } from "../../shared/pageCalls";

/** Innermost element at a point, through open and closed shadow roots. */
export function elementAt(point: Point): Element | undefined {
  let found = document.elementFromPoint(point.x, point.y) ?? undefined;
  while (found !== undefined) {
    const inner: Element | null = shadowOf(found)?.elementFromPoint(point.x, point.y) ?? null;
    if (inner === null || inner === found || !holds(found, inner)) break;
    found = inner;
  }
  return found;
}

/** A rectangle of the element, in CSS pixels of the viewport. */
export interface Rect {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Boxes of an element; of its content when it has none of its own. */
export function boxesOf(element: Element): Rect[] {
  const own = sized(dom.getClientRects(element));
  if (own.length > 0) return own;
  const range = document.createRange();
  range.selectNodeContents(element);
  const inside = sized(range.getClientRects());
  if (inside.length > 0) return inside;
  const root = shadowOf(element);
  if (root === undefined) return [];
  const found: Rect[] = [];
  for (const child of root.children) found.push(...sized(dom.getClientRects(child)));
  return found;
}

function sized(rects: DOMRectList): Rect[] {
  const found: Rect[] = [];
  for (const rect of rects) if (rect.width > 0 && rect.height > 0) found.push({ left: rect.left, top: rect.top, right: rect.right, bottom: rect.bottom });
  return found;
}

/** The part of a box inside the viewport, if any. */
function inView(box: Rect): Rect | undefined {
  const part = { left: Math.max(box.left, 0), top: Math.max(box.top, 0), right: Math.min(box.right, window.innerWidth), bottom: Math.min(box.bottom, window.innerHeight) };
  return part.right - part.left >= 0.5 && part.bottom - part.top >= 0.5 ? part : undefined;
}

/** Points to try: centres of the boxes in view, biggest first, then points off the centre. */
export function pointsOf(boxes: readonly Rect[]): Point[] {
  const parts = boxes.map(inView).filter((part) => part !== undefined);
  parts.sort((a, b) => area(b) - area(a));
  const centres = parts.slice(0, 4).map((part) => within(part, 0.5, 0.5));
  const biggest = parts[0];
  if (biggest === undefined) return [];
  return [...centres, within(biggest, 0.25, 0.5), within(biggest, 0.75, 0.5), within(biggest, 0.5, 0.2), within(biggest, 0.5, 0.8)];
}

/** Whether the centre of the first box is in view: else the element is scrolled. */
export function centreInView(boxes: readonly Rect[]): boolean {
  const first = boxes[0];
  if (first === undefined) return false;
  const x = (first.left + first.right) / 2;
  const y = (first.top + first.bottom) / 2;
  return x >= 0 && y >= 0 && x < window.innerWidth && y < window.innerHeight;
}

function area(part: Rect): number {
  return (part.right - part.left) * (part.bottom - part.top);
}

function within(part: Rect, across: number, down: number): Point {
  return { x: part.left + (part.right - part.left) * across, y: part.top + (part.bottom - part.top) * down };
}

const ACTING_TAGS = new Set(["a", "button", "label", "summary"]);
const ACTING_ROLES = new Set(["button", "link", "option", "tab", "menuitem", "checkbox", "radio", "switch"]);

/** Whether hitting this element is hitting the target. */
export function reaches(hit: Element, target: Element): boolean {
  if (hit === target || holds(target, hit)) return true;
  // The label of the target, or the control of a target label.
  const label = nearest(hit, (at) => at instanceof HTMLLabelElement);
  if (label instanceof HTMLLabelElement && label.control === target) return true;
  if (target instanceof HTMLLabelElement && target.control !== null && holds(target.control, hit)) return true;
  if (dom.localName(target) === "area") return hit instanceof HTMLImageElement && hit.useMap !== "";
  // A part of a link or button that lets clicks through to it.
  if (!holds(hit, target)) return false;
  for (let at = composedParent(target); at !== undefined; at = composedParent(at)) {
    if (ACTING_TAGS.has(dom.localName(at)) || ACTING_ROLES.has(roleOf(at))) return holds(at, hit);
  }
  return false;
}
