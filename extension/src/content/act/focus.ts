// Where keys go: what has the focus, and giving it to a target.

import type { Page } from "../page";
import { identity } from "../describe";
import { focusedElement, holds } from "../tree/composed";
import { editingHost, innerField } from "./editable";
import { focusOn } from "./pointer";

/** The element that gets keys now, numbered; the body when nothing has the focus. */
export function focusedHere(page: Page): { node: number; child?: number } {
  const element = focusedElement() ?? document.body ?? document.documentElement;
  const { role, name } = identity(element);
  const child = page.frames.frameOf(element);
  return { node: page.refs.number(element, role, name), ...(child === undefined ? {} : { child }) };
}

/** Gives the focus to the target (or the field it stands for); one that has it keeps its caret. False: it does not take it. */
export function giveFocus(target: Element): boolean {
  const place = innerField(target) ?? editingHost(target) ?? target;
  const has = (): boolean => {
    const focused = focusedElement();
    return focused !== undefined && holds(place, focused);
  };
  if (has() && document.hasFocus()) return true;
  if (place instanceof HTMLElement) focusOn(place);
  else if (place instanceof SVGElement) place.focus({ preventScroll: true });
  return has();
}
