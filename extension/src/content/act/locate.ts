// A point of a child frame in this document: mapped through its iframe element, and hit-tested here.

import type { Located, Point, Pointed } from "../../shared/pageCalls";
import { describe, identity, meaningful } from "../describe";
import * as dom from "../dom";
import type { Page } from "../page";
import { holds } from "../tree/composed";
import { isShown, whyHidden } from "../tree/visibility";
import { elementAt } from "./hit";

export function locate(page: Page, child: number, point: Point, scroll: boolean): Located {
  const frame = page.frames.elementOf(child);
  if (!(frame instanceof HTMLElement)) {
    return { kind: "refused", refusal: { reason: "notVisible", target: { role: "iframe", name: "" }, how: "its frame is not found in the parent document" } };
  }
  const target = describe(frame, page.refs, page.doc);
  if (!isShown(frame)) return { kind: "refused", refusal: { reason: "notVisible", target, how: `its frame is not shown: ${whyHidden(frame)}` } };
  let at = mapped(frame, point);
  if (scroll && !inViewport(at)) {
    dom.scrollIntoView(frame, { block: "nearest", inline: "nearest", behavior: "instant" });
    at = mapped(frame, point);
    // A frame bigger than the window: bring the point itself to the middle.
    if (!inViewport(at)) window.scrollBy({ left: at.x - window.innerWidth / 2, top: at.y - window.innerHeight / 2, behavior: "instant" });
    at = mapped(frame, point);
  }
  let hit = elementAt(at);
  if (scroll && hit !== undefined && !holds(frame, hit)) {
    dom.scrollIntoView(frame, { block: "center", inline: "center", behavior: "instant" });
    at = mapped(frame, point);
    hit = elementAt(at);
  }
  if (hit === undefined) return { kind: "refused", refusal: { reason: "notVisible", target, how: "the point lies outside the window" } };
  if (!holds(frame, hit)) return { kind: "refused", refusal: { reason: "covered", target, by: describe(meaningful(hit), page.refs, page.doc), inParent: true } };
  return { kind: "at", point: at };
}

/** What lies at a point of this document's viewport. */
export function pointed(page: Page, point: Point): Pointed {
  const hit = inViewport(point) ? elementAt(point) : undefined;
  if (hit === undefined) return { kind: "refused", refusal: { reason: "outside", width: window.innerWidth, height: window.innerHeight } };
  const element = meaningful(hit);
  const { role, name } = identity(element);
  const node = page.refs.number(element, role, name);
  const child = page.frames.frameOf(hit);
  if (child === undefined || !(hit instanceof HTMLElement)) return { kind: "node", node };
  const origin = mapped(hit, { x: 0, y: 0 });
  const unit = mapped(hit, { x: 1, y: 1 });
  return { kind: "node", node, child, inner: { x: (point.x - origin.x) / (unit.x - origin.x), y: (point.y - origin.y) / (unit.y - origin.y) } };
}

/** From the frame's content box, scaled as the frame is. */
function mapped(frame: HTMLElement, point: Point): Point {
  const box = dom.getBoundingClientRect(frame);
  const style = getComputedStyle(frame);
  const scaleX = frame.offsetWidth > 0 ? box.width / frame.offsetWidth : 1;
  const scaleY = frame.offsetHeight > 0 ? box.height / frame.offsetHeight : 1;
  return {
    x: box.left + (frame.clientLeft + Number.parseFloat(style.paddingLeft) + point.x) * scaleX,
    y: box.top + (frame.clientTop + Number.parseFloat(style.paddingTop) + point.y) * scaleY,
  };
}

function inViewport(point: Point): boolean {
  return point.x >= 0 && point.y >= 0 && point.x < window.innerWidth && point.y < window.innerHeight;
}
