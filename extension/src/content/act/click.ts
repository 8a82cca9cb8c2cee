// The synthetic click, and the synthetic pointer over a thing.

import type { Described, Press } from "../../generated/protocol";
import type { Dispatched, Point } from "../../shared/pageCalls";
import { describe, meaningful } from "../describe";
import type { Page } from "../page";
import { holds } from "../tree/composed";
import type { Watch } from "../watch/watch";
import { elementAt, reaches } from "./hit";
import { drainMicrotasks, pause, tick } from "./pause";
import { hover, press, release } from "./pointer";
import type { Hand } from "./pointer";

/** Brings the pointer to the point, in a task of its own before the watch begins: what a page does on hover is no effect of the click. */
export async function approach(target: Element, point: Point): Promise<void> {
  const there = elementAt(point);
  hover(there !== undefined && reaches(there, target) ? there : target, point);
  await tick();
}

/** Clicks the target at the prepared point. */
export async function click(page: Page, watch: Watch, target: Element, point: Point, how: Press): Promise<Dispatched> {
  const version = (): number => {
    page.recorder.flush();
    return page.recorder.version;
  };
  let delivered: Described | undefined;
  watch.beginSync();
  for (let nth = 1; nth <= how.count; nth++) {
    const there = elementAt(point);
    // Between preparing and now something may have come over it: then the target itself is meant, never the cover.
    const hit = there !== undefined && reaches(there, target) ? there : target;
    // In words before the dispatch: afterwards it may be gone or another thing.
    delivered ??= received(page, target, hit);
    const hand: Hand = { point, how, version };
    const down = press(hit, hand, nth);
    if (how.holdMs > 0) {
      await drainMicrotasks();
      // What the page's timers do meanwhile is not the dispatch's own doing.
      watch.endSync();
      await pause(how.holdMs);
      watch.beginSync();
    }
    release(down, hand, nth);
    await drainMicrotasks();
  }
  watch.endSync();
  return { ...(delivered === undefined ? {} : { delivered }), startedAt: performance.timeOrigin + watch.start, look: watch.look(true) };
}

/** Brings the pointer over the target, as far as script can: listeners hear it, `:hover` does not. */
export async function hoverOver(page: Page, watch: Watch, target: Element, point: Point): Promise<Dispatched> {
  const there = elementAt(point);
  const hit = there !== undefined && reaches(there, target) ? there : target;
  const delivered = received(page, target, hit);
  watch.beginSync();
  hover(hit, point);
  await drainMicrotasks();
  watch.endSync();
  return { delivered, startedAt: performance.timeOrigin + watch.start, look: watch.look(true) };
}

function received(page: Page, target: Element, hit: Element): Described {
  return describe(holds(target, hit) ? target : meaningful(hit), page.refs, page.doc);
}
