// What can be clicked although no role says so.

import * as dom from "../dom";

/** Handlers written in the markup; those added by scripts cannot be seen from here. */
const HANDLERS = ["onclick", "onmousedown", "onmouseup", "onpointerdown", "onpointerup", "ondblclick"];

/** A handler attribute or a place in the tab order. */
export function marked(element: Element): boolean {
  for (const handler of HANDLERS) if (dom.hasAttribute(element, handler)) return true;
  const order = dom.getAttribute(element, "tabindex");
  return order !== null && Number.parseInt(order, 10) >= 0;
}

/** The cursor says so, and it is not merely inherited. */
export function pointed(element: Element, style: CSSStyleDeclaration): boolean {
  if (style.cursor !== "pointer") return false;
  return element !== document.body && element !== document.documentElement;
}
