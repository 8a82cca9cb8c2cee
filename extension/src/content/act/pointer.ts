// The events of presses and releases of the mouse, in a person's order, at one point.

import type { Press } from "../../generated/protocol";
import type { Point } from "../../shared/pageCalls";
import * as dom from "../dom";
import { composedParent, focusedElement, nearest } from "../tree/composed";
import { isFocusable } from "../tree/roles";
import { elementAt } from "./hit";

const HOVER = { pointerover: true, pointerenter: false, mouseover: true, mouseenter: false, pointermove: true, mousemove: true } as const;

/** One press that is down. */
interface Down {
  hit: Element;
  path: Element[];
  version: number;
}

/** What a press is made with; `version` counts the page's changes. */
export interface Hand {
  point: Point;
  how: Press;
  version: () => number;
}

const CODES: Readonly<Record<Press["button"], number>> = { left: 0, middle: 1, right: 2 };
const BITS: Readonly<Record<Press["button"], number>> = { left: 1, middle: 4, right: 2 };

/** The button goes down at the innermost element there, for the nth time in a row. */
export function press(hit: Element, { point, how, version }: Hand, nth: number): Down {
  const down: Down = { hit, path: pathOf(hit), version: version() };
  const held = { ...keysOf(how), button: CODES[how.button], buttons: BITS[how.button] };
  fire(hit, "pointerdown", point, { ...held, pressure: 0.5 });
  const prevented = !fire(hit, "mousedown", point, { ...held, detail: nth });
  if (!prevented) moveFocus(hit);
  if (how.button === "right") fire(elementAt(point) ?? hit, "contextmenu", point, { ...held, detail: 0 });
  return down;
}

/** It comes up again, which makes the click. */
export function release({ hit, path, version: before }: Down, { point, how, version }: Hand, nth: number): void {
  const held = { ...keysOf(how), button: CODES[how.button], buttons: 0 };
  // A page that rebuilds itself on mousedown gets the release on what is there now.
  const end = version() !== before || !dom.isConnected(hit) ? (elementAt(point) ?? hit) : hit;
  fire(end, "pointerup", point, held);
  fire(end, "mouseup", point, { ...held, detail: nth });
  const clicked = end === hit ? hit : common(path, end);
  if (clicked === undefined || !dom.isConnected(clicked)) return;
  fire(clicked, how.button === "left" ? "click" : "auxclick", point, { ...held, detail: nth });
  if (how.button === "left" && nth === 2 && dom.isConnected(clicked)) fire(clicked, "dblclick", point, { ...held, detail: nth });
}

function keysOf({ modifiers }: Press): Pick<Details, "altKey" | "ctrlKey" | "metaKey" | "shiftKey"> {
  return { altKey: modifiers.includes("alt"), ctrlKey: modifiers.includes("control"), metaKey: modifiers.includes("meta"), shiftKey: modifiers.includes("shift") };
}

/** The button goes down for a drag; false when the page prevented what the browser would make of it. */
export function lift(hit: Element, point: Point): boolean {
  fire(hit, "pointerdown", point, { buttons: 1, pressure: 0.5 });
  const allowed = fire(hit, "mousedown", point, { buttons: 1, detail: 1 });
  if (allowed) moveFocus(hit);
  return allowed;
}

/** One step of a drag, or its end. */
export function move(hit: Element, point: Point, ...types: readonly string[]): void {
  for (const type of types) fire(hit, type, point, { buttons: type.endsWith("up") ? 0 : 1, detail: type === "mouseup" ? 1 : 0 });
}

/** The pointer comes to the point, as it does before every press. */
export function hover(hit: Element, point: Point): void {
  for (const [type, bubbles] of Object.entries(HOVER)) {
    if (bubbles) {
      fire(hit, type, point, { buttons: 0 });
      continue;
    }
    // `enter` events do not bubble: each element from the outside in gets its own.
    for (const element of pathOf(hit).reverse()) fire(element, type, point, { buttons: 0, bubbles: false, cancelable: false });
  }
}

function pathOf(hit: Element): Element[] {
  const path: Element[] = [];
  for (let at: Element | undefined = hit; at !== undefined; at = composedParent(at)) path.push(at);
  return path;
}

/** Nearest element of the pressed path that also holds the released one: it gets the click. */
function common(path: readonly Element[], release: Element): Element | undefined {
  const released = new Set(pathOf(release));
  return path.find((element) => released.has(element));
}

function moveFocus(hit: Element): void {
  const focusable = nearest(hit, (at) => at instanceof HTMLElement && isFocusable(at) && !dom.matches(at, ":disabled"));
  const current = focusedElement();
  if (focusable instanceof HTMLElement) focusOn(focusable);
  else if (current instanceof HTMLElement && nearest(hit, (at) => at instanceof HTMLLabelElement) === undefined) dom.blur(current);
}

/** Focuses; where the window has no focus Chrome sends no events, so they are sent here. */
export function focusOn(element: HTMLElement): void {
  if (focusedElement() === element) return;
  let heard = false;
  const hear = (): void => { heard = true; };
  dom.listen(element, "focus", hear, { once: true, capture: true, passive: true });
  dom.focus(element, { preventScroll: true });
  dom.unlisten(element, "focus", hear, { capture: true });
  if (!heard && focusedElement() === element) {
    dom.dispatchEvent(element, new FocusEvent("focus", { composed: true }));
    dom.dispatchEvent(element, new FocusEvent("focusin", { bubbles: true, composed: true }));
  }
}

interface Details {
  buttons: number;
  button?: number;
  altKey?: boolean;
  ctrlKey?: boolean;
  metaKey?: boolean;
  shiftKey?: boolean;
  detail?: number;
  pressure?: number;
  bubbles?: boolean;
  cancelable?: boolean;
}

/** Dispatches one event; false when the page prevented it. */
function fire(element: Element, type: string, point: Point, details: Details): boolean {
  const common: MouseEventInit = {
    bubbles: details.bubbles ?? true, cancelable: details.cancelable ?? true, composed: details.bubbles ?? true, view: window,
    clientX: point.x, clientY: point.y, screenX: window.screenX + point.x, screenY: window.screenY + point.y,
    button: details.button ?? 0, buttons: details.buttons, detail: details.detail ?? 0,
    altKey: details.altKey ?? false, ctrlKey: details.ctrlKey ?? false, metaKey: details.metaKey ?? false, shiftKey: details.shiftKey ?? false,
  };
  if (type === "click" || type === "auxclick" || type === "contextmenu") {
    return dom.dispatchEvent(element, new PointerEvent(type, { ...common, pointerId: 1, pointerType: "mouse" }));
  }
  if (!type.startsWith("pointer")) return dom.dispatchEvent(element, new MouseEvent(type, common));
  const moves = type === "pointermove" || type === "pointerover" || type === "pointerenter";
  return dom.dispatchEvent(element, new PointerEvent(type, {
    ...common, button: moves ? -1 : common.button ?? 0, pointerId: 1, pointerType: "mouse", isPrimary: true, width: 1, height: 1, pressure: details.pressure ?? 0,
  }));
}
