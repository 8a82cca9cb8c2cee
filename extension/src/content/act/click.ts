// The synthetic click.

import type { Dispatched, Point } from "../../shared/pageCalls";
import { describe, meaningful } from "../describe";
import type { Page } from "../page";
import { holds } from "../tree/composed";
import type { Watch } from "../watch/watch";
import { elementAt, reaches } from "./hit";
import { drainMicrotasks } from "./pause";
import { press } from "./pointer";

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
  return { delivered, look: watch.look() };
}
