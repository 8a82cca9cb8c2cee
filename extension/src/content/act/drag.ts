// The synthetic drag, for where no trusted input can be had: HTML drag and drop with a DataTransfer of ours, else the pointer's moves.

import type { Dispatched, Point } from "../../shared/pageCalls";
import { describe, meaningful } from "../describe";
import * as dom from "../dom";
import type { Page } from "../page";
import { nearest } from "../tree/composed";
import type { Watch } from "../watch/watch";
import { elementAt } from "./hit";
import { drainMicrotasks, tick } from "./pause";
import { lift, move } from "./pointer";

const STEPS = 6;

/** Drags what is at one point to another. */
export async function drag(page: Page, watch: Watch, target: Element, from: Point, to: Point): Promise<Dispatched> {
  const delivered = describe(target, page.refs, page.doc);
  const source = nearest(target, (at) => at instanceof HTMLElement && at.draggable);
  watch.beginSync();
  const hit = elementAt(from) ?? target;
  const carried = new DataTransfer();
  const down = lift(hit, from);
  const native = source !== undefined && down && event(source, "dragstart", from, carried);
  let over: Element | undefined;
  for (let step = 1; step <= STEPS; step++) {
    const point = { x: from.x + ((to.x - from.x) * step) / STEPS, y: from.y + ((to.y - from.y) * step) / STEPS };
    const there = elementAt(point) ?? hit;
    if (!native) move(there, point, "pointermove", "mousemove");
    else {
      if (there !== over) {
        event(there, "dragenter", point, carried);
        if (over !== undefined) event(over, "dragleave", point, carried);
      }
      over = there;
      event(there, "dragover", point, carried);
    }
    await drainMicrotasks();
    // Pages follow a drag from one event to the next, some of them in a task of their own.
    watch.endSync();
    await tick();
    watch.beginSync();
  }
  const end = elementAt(to) ?? hit;
  const dropped = describe(meaningful(end), page.refs, page.doc);
  if (native && source !== undefined) {
    // Where nothing prevents the dragover nothing is dropped, as with a person's drag.
    if (!event(end, "dragover", to, carried)) event(end, "drop", to, carried);
    event(source, "dragend", to, carried);
  } else move(end, to, "pointerup", "mouseup");
  await drainMicrotasks();
  watch.endSync();
  return { delivered, dropped, startedAt: performance.timeOrigin + watch.start, look: watch.look() };
}

/** False when the page prevented it. */
function event(element: Element, type: string, point: Point, dataTransfer: DataTransfer): boolean {
  const cancelable = type !== "dragleave" && type !== "dragend";
  return dom.dispatchEvent(element, new DragEvent(type, {
    bubbles: true, cancelable, composed: true, view: window, clientX: point.x, clientY: point.y, screenX: window.screenX + point.x, screenY: window.screenY + point.y, dataTransfer,
  }));
}
