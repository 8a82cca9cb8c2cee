// Alerts and status lines that are shown for a while: what they said is kept until a snapshot tells it.

import type { Vanished } from "../../generated/protocol";
import * as dom from "../dom";
import { isElement } from "../tree/composed";
import { liveRole, roleOf } from "../tree/roles";
import { isShown } from "../tree/visibility";
import { cut, fold } from "../words";

const SPOKEN = new Set(["alert", "alertdialog", "log", "status"]);
const REGIONS = "[role],[aria-live],output";
const TEXT_LIMIT = 200;
/** Most texts kept, and told at once. */
const MANY = 8;
/** Most added elements searched for live regions at a time: a page that adds more is being built. */
const SEARCHED = 400;

interface Said {
  role: string;
  text: string;
  region: Element;
  at: number;
}

export class Passing {
  #said: Said[] = [];

  /** Looks at what moved: records of mutations, right after they happened. */
  note(records: readonly MutationRecord[]): void {
    const regions = new Set<Element>();
    for (const record of records) {
      const target = isElement(record.target) ? record.target : dom.parentElement(record.target);
      const around = target === null ? undefined : regionAround(target);
      if (around !== undefined) regions.add(around);
      if (records.length > SEARCHED) continue;
      for (const added of record.addedNodes) {
        if (!isElement(added) || !dom.isConnected(added)) continue;
        if (roleHere(added) !== undefined) regions.add(added);
        if (dom.childElementCount(added) > 0) for (const inner of dom.querySelectorAll(added, REGIONS)) if (roleHere(inner) !== undefined) regions.add(inner);
      }
    }
    for (const region of regions) this.#hear(region);
  }

  #hear(region: Element): void {
    const role = roleHere(region);
    const text = textOf(region);
    if (role === undefined || text === "" || !dom.isConnected(region) || !isShown(region)) return;
    if (this.#said.some((one) => one.region === region && one.text === text)) return;
    this.#said.push({ role, text, region, at: performance.now() });
    if (this.#said.length > MANY) this.#said.shift();
  }

  /** What was said since the last call and is not there any more. What still stands is in the tree that is taken now. */
  takeVanished(): Vanished[] {
    const now = performance.now();
    const gone: Vanished[] = [];
    for (const one of this.#said) {
      const stands = dom.isConnected(one.region) && isShown(one.region) && textOf(one.region).includes(one.text);
      if (!stands) gone.push({ role: one.role, text: one.text, agoMs: Math.round(now - one.at) });
    }
    this.#said = [];
    return gone;
  }
}

/** Role of a live region, if the element is one. */
function roleHere(element: Element): string | undefined {
  if (!dom.hasAttributes(element) && dom.localName(element) !== "output") return undefined;
  const role = liveRole(element) ?? roleOf(element);
  return SPOKEN.has(role) ? role : undefined;
}

function regionAround(start: Element): Element | undefined {
  let at: Element | null = start;
  for (let i = 0; i < 12 && at !== null; i++, at = dom.parentElement(at)) if (roleHere(at) !== undefined) return at;
  return undefined;
}

function textOf(region: Element): string {
  return cut(fold(dom.textContent(region) ?? ""), TEXT_LIMIT);
}
