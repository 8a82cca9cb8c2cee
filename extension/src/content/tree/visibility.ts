// What is rendered. Style only: nothing here forces layout.

import * as dom from "../dom";
import { composedParent } from "./composed";

/** How an element is rendered: `bare` has no box of its own (display: contents) but its content is shown; `blank` is invisible, inner elements may not be. */
export type Shown = "shown" | "bare" | "blank" | "none";

const WITH_VISIBILITY = { visibilityProperty: true } as const;

/** Whether and how an element is rendered. */
export function shownAs(element: Element): Shown {
  if (dom.checkVisibility(element, WITH_VISIBILITY)) return "shown";
  const style = getComputedStyle(element);
  if (style.display === "none") return "none";
  if (style.display === "contents") return style.visibility === "visible" ? "bare" : "blank";
  if (style.visibility !== "visible" && dom.checkVisibility(element)) return "blank";
  return "none";
}

/** The same by the element's own style: right where all around it is rendered and can render what is inside. */
export function shownBy(style: CSSStyleDeclaration): Shown {
  const display = style.display;
  if (display === "none") return "none";
  if (style.visibility !== "visible") return "blank";
  return display === "contents" ? "bare" : "shown";
}

/** Rendered and visible, up to the top. */
export function isShown(element: Element): boolean {
  if (dom.checkVisibility(element, WITH_VISIBILITY)) return true;
  if (shownAs(element) !== "bare") return false;
  const parent = composedParent(element);
  return parent === undefined || isShown(parent);
}

/** Which rule hides the element. */
export function whyHidden(element: Element): string {
  for (let at: Element | undefined = element; at !== undefined; at = composedParent(at)) {
    const where = at === element ? "" : ` of ${dom.localName(at)} around it`;
    const style = getComputedStyle(at);
    if (style.display === "none") return dom.hasAttribute(at, "hidden") ? `hidden attribute${where}` : `display: none${where}`;
    if (at === element && style.visibility !== "visible") return `visibility: ${style.visibility}`;
    if (at instanceof HTMLDetailsElement && !at.open && at !== element && !inSummary(at, element)) return "inside closed details";
    if (at !== element && style.contentVisibility === "hidden") return `content-visibility: hidden${where}`;
  }
  return "not rendered";
}

function inSummary(details: HTMLDetailsElement, element: Element): boolean {
  const summary = dom.closest(element, "summary");
  return summary !== null && dom.parentElement(summary) === details;
}

/** Whether assistive technology is told to leave it out. */
export function isAriaHidden(element: Element): boolean {
  return dom.getAttribute(element, "aria-hidden") === "true";
}

/** What makes an element unusable although it is shown: `inert`, or a modal dialog over it. */
export function inertBy(element: Element): "inert" | "modal" | undefined {
  for (let at: Element | undefined = element; at !== undefined; at = composedParent(at)) {
    if (dom.hasAttribute(at, "inert")) return "inert";
    if (at instanceof HTMLDialogElement && at.matches(":modal")) return undefined;
  }
  return document.querySelector("dialog:modal") === null ? undefined : "modal";
}
