// The synthetic click.

import type { Dispatched, Point } from "../../shared/pageCalls";
import { describe, meaningful } from "../describe";
import type { Page } from "../page";
import { holds } from "../tree/composed";
import type { Watch } from "../watch/watch";
import { elementAt, reaches } from "./hit";
import { drainMicrotasks, tick } from "./pause";
import { hover, press } from "./pointer";

/** Brings the pointer to the point, in a task of its own before the watch begins: what a page does on hover is no effect of the click. */
export async function approach(target: Element, point: Point): Promise<void> {
  const there = elementAt(point);
  hover(there !== undefined && reaches(there, target) ? there : target, point);
  await tick();
}

/** Clicks the target at the prepared point. */
export async function click(page: Page, watch: Watch, target: Element, point: Point): Promise<Dispatched> {
  const there = elementAt(point);
  // Between preparing and now something may have come over it: then the target itself is meant, never the cover.
  const hit = there !== undefined && reaches(there, target) ? there : target;
  // In words before the dispatch: afterwards it may be gone or another thing.
  const delivered = describe(holds(target, hit) ? target : meaningful(hit), page.refs, page.doc);
  watch.beginSync();
  const version = page.recorder.version;
  press(hit, point, () => {
    page.recorder.flush();
    return page.recorder.version !== version;
  });
  await drainMicrotasks();
  watch.endSync();
  return { delivered, startedAt: performance.timeOrigin + watch.start, look: watch.look() };
}
