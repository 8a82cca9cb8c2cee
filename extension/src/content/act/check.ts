// Boxes, radios and switches: what they are, and pressing them until they are what is asked for.

import type { State } from "../../generated/protocol";
import type { Dispatched, Point } from "../../shared/pageCalls";
import { PLAIN } from "../../shared/press";
import * as dom from "../dom";
import type { Page } from "../page";
import { roleOf } from "../tree/roles";
import { checkedOf } from "../tree/states";
import { Asked } from "../watch/asked";
import type { Watch } from "../watch/watch";
import { approach, click } from "./click";
import { tick } from "./pause";

/** The control that holds the state: the element itself, or what a label stands for. */
function controlOf(element: Element): Element {
  return element instanceof HTMLLabelElement && element.control !== null ? element.control : element;
}

/** `checked`, `unchecked`, `mixed`; nothing for what has no such state. A pressed toggle button is a checked one. */
function stateOf(control: Element): State | undefined {
  const role = roleOf(control);
  const checked = checkedOf(control, role, dom.getAttribute(control, "aria-checked"));
  if (checked !== undefined) return checked;
  const pressed = role === "button" ? dom.getAttribute(control, "aria-pressed") : null;
  if (pressed === "true") return "checked";
  return pressed === "false" ? "unchecked" : pressed === "mixed" ? "mixed" : undefined;
}

/** What has to be done to an element so that it is checked or not. */
export function whetherCheck(element: Element, checked: boolean): "already" | "press" | { what: string; instead: string } {
  const control = controlOf(element);
  const state = stateOf(control);
  if (state === undefined) return { what: "has no checked state", instead: "click" };
  if (state === (checked ? "checked" : "unchecked")) return "already";
  const role = roleOf(control);
  if (!checked && (role === "radio" || role === "menuitemradio")) {
    return { what: "is a radio, which cannot be unchecked", instead: "check on another one of its group" };
  }
  return "press";
}

/** What is asked of it, to be read back. */
export function askChecked(element: Element, checked: boolean): Asked {
  const control = controlOf(element);
  return new Asked(control, () => {
    const now = dom.isConnected(control) ? stateOf(control) : undefined;
    return now === undefined ? undefined : { now, holds: now === (checked ? "checked" : "unchecked") };
  });
}

/** Presses it. From the mixed state the first press may lead to the other one: then it is pressed once more. */
export async function check(page: Page, watch: Watch, target: Element, point: Point, checked: boolean): Promise<Dispatched> {
  const control = controlOf(target);
  const before = stateOf(control);
  const done = await click(page, watch, target, point, PLAIN);
  if (before === "mixed") {
    await tick();
    const now = dom.isConnected(control) ? stateOf(control) : undefined;
    if (now === (checked ? "unchecked" : "checked")) {
      await approach(target, point);
      await click(page, watch, target, point, PLAIN);
    }
  }
  return { ...done, look: watch.look() };
}
