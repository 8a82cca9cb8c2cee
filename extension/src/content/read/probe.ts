// Which conditions of a wait hold in this document.

import type { Condition } from "../../generated/protocol";
import * as dom from "../dom";
import type { Page } from "../page";
import { liveRoots } from "../tree/composed";
import { roleOf } from "../tree/roles";
import { scrub, secretsIn } from "../tree/secret";
import { aroundOf, statesOf } from "../tree/states";
import { isShown } from "../tree/visibility";
import { cut, readable } from "../words";
import { visibleText } from "./text";

const THERE = 300;

/** Visible text, kept while nothing changes. */
let cached: { text: string; version: number; at: number } | undefined;
/** Style can change what is shown without a mutation: the text is read again after this. */
const STALE_MS = 1_000;

export function probe(page: Page, conditions: readonly Condition[]): { met: number[]; there: string; quietMs: number } {
  const quietMs = page.quietMs();
  const met: number[] = [];
  const text = documentText(page);
  for (const [index, condition] of conditions.entries()) if (isMet(page, condition, text)) met.push(index);
  return { met, there: cut(scrub(text.slice(0, THERE * 2), secretsIn(liveRoots())), THERE), quietMs };
}

function documentText(page: Page): string {
  const now = performance.now();
  if (cached === undefined || cached.version !== page.recorder.version || now - cached.at > STALE_MS) {
    cached = { text: document.body === null ? "" : readable(visibleText(document.body)), version: page.recorder.version, at: now };
  }
  return cached.text;
}

function isMet(page: Page, condition: Condition, text: string): boolean {
  switch (condition.kind) {
    case "text": return text.includes(readable(condition.text));
    case "textGone": return !text.includes(readable(condition.text));
    case "css": return liveRoots().some((root) => [...root.querySelectorAll(condition.selector)].some(isShown));
    case "ref": {
      if (condition.doc !== page.doc) return false;
      const element = page.refs.entry(condition.node)?.element;
      const gone = element === undefined || !dom.isConnected(element) || !isShown(element);
      if (condition.state === undefined) return gone;
      return !gone && statesOf(element, roleOf(element), aroundOf(element), false).includes(condition.state);
    }
    case "url": case "idle": return false;
  }
}
