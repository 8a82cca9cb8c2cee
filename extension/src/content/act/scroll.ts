// What scrolls, and scrolling it.

import type { Offset, Scroll, Scrolled } from "../../generated/protocol";
import type { Dispatched } from "../../shared/pageCalls";
import { describeTarget, identity } from "../describe";
import * as dom from "../dom";
import type { Page } from "../page";
import { composedParent, liveRoots } from "../tree/composed";
import { isShown } from "../tree/visibility";
import type { Watch } from "../watch/watch";
import { drainMicrotasks } from "./pause";

/** What may be scrolled by a person, by its overflow. */
const SCROLLS = new Set(["auto", "scroll", "overlay"]);
/** Elements looked at for a scroller of a page that does not scroll itself. */
const MANY = 5_000;

/** Which ways a scroll goes. */
function axes(scroll: Scroll): { x: boolean; y: boolean } {
  if (scroll.to === "pixels" || scroll.to === "pages") return { x: scroll.x !== 0, y: scroll.y !== 0 };
  return { x: false, y: true };
}

function canScroll(element: Element, scroll: Scroll): boolean {
  const { x, y } = axes(scroll);
  const { x: right, y: down } = endOf(element);
  if ((y && down < 1) || (x && right < 1) || (!x && !y)) return false;
  const style = getComputedStyle(element);
  if (element !== document.scrollingElement) return (!y || SCROLLS.has(style.overflowY)) && (!x || SCROLLS.has(style.overflowX));
  // What is clipped on the root, or on the body that stands for it, is the page's own wish not to scroll.
  const styles = [style, ...(document.body === null || style.overflowY !== "visible" ? [] : [getComputedStyle(document.body)])];
  return styles.every((one) => (!y || (one.overflowY !== "hidden" && one.overflowY !== "clip")) && (!x || (one.overflowX !== "hidden" && one.overflowX !== "clip")));
}

function endOf(element: Element): Offset {
  return { x: Math.round(dom.scrollWidth(element) - dom.clientWidth(element)), y: Math.round(dom.scrollHeight(element) - dom.clientHeight(element)) };
}

function placeOf(element: Element): Offset {
  return { x: Math.round(dom.scrollLeft(element)), y: Math.round(dom.scrollTop(element)) };
}

/** The nearest scroller at or around an element that goes that way. */
function around(element: Element, scroll: Scroll): Element | undefined {
  for (let at: Element | undefined = element; at !== undefined; at = composedParent(at)) {
    if (at !== document.body && at !== document.documentElement && canScroll(at, scroll)) return at;
  }
  const page = document.scrollingElement;
  return page !== null && canScroll(page, scroll) ? page : undefined;
}

/** The page's own scroller, or the biggest part of it that scrolls. */
function ofPage(scroll: Scroll): Element | undefined {
  const page = document.scrollingElement;
  if (page !== null && canScroll(page, scroll)) return page;
  let best: Element | undefined;
  let most = 0;
  let count = 0;
  for (const root of liveRoots()) {
    for (const element of root.querySelectorAll("*")) {
      if (++count > MANY) return best;
      if (element === document.body || !canScroll(element, scroll) || !isShown(element)) continue;
      const size = dom.clientWidth(element) * dom.clientHeight(element);
      if (size > most) {
        most = size;
        best = element;
      }
    }
  }
  return best;
}

/** The scroller of a target, of a child frame's surroundings or of the page, numbered. */
export function scrollerOf(page: Page, element: Element | undefined, scroll: Scroll): { node?: number } {
  const scroller = element === undefined ? ofPage(scroll) : around(element, scroll);
  if (scroller === undefined) return {};
  const { role, name } = identity(scroller);
  return { node: page.refs.number(scroller, role, name) };
}

/** Scrolls; where nothing scrolls that way the wheel is turned over it, for pages that scroll by script. */
export async function scrollBy(page: Page, watch: Watch, element: Element, scroll: Scroll, found: boolean): Promise<Dispatched> {
  const delivered = describeTarget(element, page.refs, page.doc);
  const movers = scroll.to === "view" ? scrollersAround(element) : [element];
  const before = movers.map(placeOf);
  watch.beginSync();
  if (!found) wheel(element, scroll);
  else if (scroll.to === "view") bringIntoView(element);
  else goTo(element, scroll);
  await drainMicrotasks();
  watch.endSync();
  const at = Math.max(0, movers.findIndex((mover, index) => !same(placeOf(mover), before[index])));
  const mover = movers[at];
  const from = before[at];
  const scrolled: Scrolled | undefined = found && mover !== undefined && from !== undefined ? { from, now: placeOf(mover), end: endOf(mover) } : undefined;
  // A hidden tab draws nothing, and scroll events come with drawing: what listens for them would hear nothing.
  if (document.hidden && mover !== undefined && !same(placeOf(mover), from)) {
    dom.dispatchEvent(mover === document.scrollingElement ? document : mover, new Event("scroll", { bubbles: mover === document.scrollingElement }));
  }
  return { delivered, startedAt: performance.timeOrigin + watch.start, ...(scrolled === undefined ? {} : { scrolled }), look: watch.look() };
}

function same(a: Offset, b: Offset | undefined): boolean {
  return a.x === b?.x && a.y === b.y;
}

function scrollersAround(element: Element): Element[] {
  const found: Element[] = [];
  for (let at = composedParent(element); at !== undefined; at = composedParent(at)) {
    const { x, y } = endOf(at);
    if (at !== document.body && at !== document.documentElement && (x > 0 || y > 0)) found.push(at);
  }
  if (document.scrollingElement !== null) found.push(document.scrollingElement);
  return found;
}

/** Into the middle of the window, unless all of it can be seen. */
function bringIntoView(element: Element): void {
  const box = dom.getBoundingClientRect(element);
  const seen = box.top >= 0 && box.left >= 0 && box.bottom <= window.innerHeight && box.right <= window.innerWidth;
  dom.scrollIntoView(element, { block: seen ? "nearest" : "center", inline: "nearest", behavior: "instant" });
}

function goTo(element: Element, scroll: Scroll): void {
  const by = (x: number, y: number): void => { dom.scrollBy(element, { left: x, top: y, behavior: "instant" }); };
  switch (scroll.to) {
    case "pixels": by(scroll.x, scroll.y); return;
    case "pages": by(scroll.x * dom.clientWidth(element), scroll.y * dom.clientHeight(element)); return;
    case "start": by(0, -dom.scrollHeight(element)); return;
    case "end": by(0, dom.scrollHeight(element)); return;
    case "view": bringIntoView(element);
  }
}

function wheel(element: Element, scroll: Scroll): void {
  const far = window.innerHeight;
  const [x, y] = scroll.to === "pixels" ? [scroll.x, scroll.y] : scroll.to === "pages" ? [scroll.x * far, scroll.y * far] : [0, scroll.to === "start" ? -far * 10 : far * 10];
  const box = dom.getBoundingClientRect(element);
  dom.dispatchEvent(element, new WheelEvent("wheel", {
    bubbles: true, cancelable: true, composed: true, view: window, deltaX: x, deltaY: y,
    clientX: (Math.max(box.left, 0) + Math.min(box.right, window.innerWidth)) / 2, clientY: (Math.max(box.top, 0) + Math.min(box.bottom, window.innerHeight)) / 2,
  }));
}
