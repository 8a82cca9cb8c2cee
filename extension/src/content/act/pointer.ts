// The events of a press and release of the main button, in a person's order, at one point.

import type { Point } from "../../shared/pageCalls";
import * as dom from "../dom";
import { composedParent, focusedElement, nearest } from "../tree/composed";
import { isFocusable } from "../tree/roles";
import { elementAt } from "./hit";

const HOVER = { pointerover: true, pointerenter: false, mouseover: true, mouseenter: false, pointermove: true, mousemove: true } as const;

/** Dispatches the press and release of a click at the innermost element there. `mutated` tells whether the page changed anything meanwhile. */
export function press(hit: Element, point: Point, mutated: () => boolean): void {
  const path = pathOf(hit);
  fire(hit, "pointerdown", point, { buttons: 1, pressure: 0.5 });
  const prevented = !fire(hit, "mousedown", point, { buttons: 1, detail: 1 });
  if (!prevented) moveFocus(hit);
  // A page that rebuilds itself on mousedown gets the release on what is there now.
  const release = mutated() || !dom.isConnected(hit) ? (elementAt(point) ?? hit) : hit;
  fire(release, "pointerup", point, { buttons: 0 });
  fire(release, "mouseup", point, { buttons: 0, detail: 1 });
  const clicked = release === hit ? hit : common(path, release);
  if (clicked !== undefined && dom.isConnected(clicked)) fire(clicked, "click", point, { buttons: 0, detail: 1 });
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
    button: 0, buttons: details.buttons, detail: details.detail ?? 0,
  };
  if (type === "click") {
    return dom.dispatchEvent(element, new PointerEvent(type, { ...common, pointerId: 1, pointerType: "mouse" }));
  }
  if (!type.startsWith("pointer")) return dom.dispatchEvent(element, new MouseEvent(type, common));
  const moves = type === "pointermove" || type === "pointerover" || type === "pointerenter";
  return dom.dispatchEvent(element, new PointerEvent(type, {
    ...common, button: moves ? -1 : 0, pointerId: 1, pointerType: "mouse", isPrimary: true, width: 1, height: 1, pressure: details.pressure ?? 0,
  }));
}
