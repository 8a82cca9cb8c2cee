// What was there before the action and is not told by mutation records: values, hidden parts, the top layer, focus, scroll positions.

import * as dom from "../dom";
import type { Page } from "../page";
import { composedParent, focusedElement, liveRoots } from "../tree/composed";
import { rawValue } from "../tree/states";
import { isShown, shownAs } from "../tree/visibility";

const FIELDS = "input:not([type=hidden]),select,textarea";
const MANY_FIELDS = 500;
/** A section with more in it is no section any more. */
const MANY_INSIDE = 300;
/** A look for hidden parts ends here on huge pages. */
const SCAN_MS = 6;

/** What a field holds: checked and text. */
export function fieldState(field: Element): string {
  const checked = field instanceof HTMLInputElement && (field.type === "checkbox" || field.type === "radio") ? (field.checked ? "checked" : "unchecked") : "";
  return `${checked}\u0000${rawValue(field) ?? ""}`;
}

/** State of the document right before an action. */
export class Baseline {
  readonly fields = new Map<Element, string>();
  readonly hidden: ReadonlySet<Element>;
  /** What is not rendered now and was, as far as that is certain. */
  readonly goneNow: () => Element[];
  readonly topLayer: ReadonlySet<Element>;
  readonly focus: Element | undefined;
  readonly title = document.title;
  readonly scroll = new Map<Element, { left: number; top: number }>();

  constructor(page: Page, target: Element | undefined, section: Element | undefined) {
    this.#readFields(page, section);
    const { tops, before } = page.hiddenTops();
    this.hidden = new Set(tops.filter((element) => dom.isConnected(element) && !isShown(element)));
    this.goneNow = () => page.scanHidden().tops.filter((element) => before(element) && !this.hidden.has(element));
    this.topLayer = new Set(openInTopLayer(page));
    this.focus = focusedElement();
    const top = document.scrollingElement;
    if (top !== null) this.scroll.set(top, { left: dom.scrollLeft(top), top: dom.scrollTop(top) });
    for (let at = target && composedParent(target); at !== undefined; at = composedParent(at)) {
      if (dom.scrollTop(at) !== 0 || dom.scrollLeft(at) !== 0 || at === section) this.scroll.set(at, { left: dom.scrollLeft(at), top: dom.scrollTop(at) });
    }
    if (section !== undefined && section !== document.body) this.#readScrollers(section);
  }

  /** What can scroll in the target's own section: a carousel beside its arrow. */
  #readScrollers(section: Element): void {
    const inside = dom.querySelectorAll(section, "*");
    if (inside.length > MANY_INSIDE) return;
    for (const element of inside) {
      if (!(element instanceof HTMLElement) || element instanceof HTMLFormElement || element.matches(FIELDS) || element.scrollWidth <= element.clientWidth && element.scrollHeight <= element.clientHeight) continue;
      if (!this.scroll.has(element)) this.scroll.set(element, { left: element.scrollLeft, top: element.scrollTop });
    }
  }

  #readFields(page: Page, section: Element | undefined): void {
    const places = [section === undefined ? [] : dom.querySelectorAll(section, FIELDS), page.all(FIELDS)];
    for (const fields of places) {
      for (const field of fields) {
        if (this.fields.size >= MANY_FIELDS) return;
        if (!this.fields.has(field)) this.fields.set(field, fieldState(field));
      }
    }
  }
}

/** What stands transparent in a section: menus that fade in under the pointer. */
export function fadedIn(section: Element | undefined): Element[] {
  if (section === undefined) return [];
  const inside = dom.querySelectorAll(section, "*");
  if (inside.length > MANY_INSIDE) return [];
  return [...inside].filter((element) => getComputedStyle(element).opacity === "0" && isShown(element));
}

/** Open dialogs and popovers. */
export function openInTopLayer(page: Page): Element[] {
  return page.all("dialog,[popover]").filter((element) => dom.matches(element, "dialog[open],[popover]:popover-open"));
}

/** Tops of what is not rendered. `whole`: there was time for all. */
export function scanHidden(): { tops: Element[]; whole: boolean } {
  const end = performance.now() + SCAN_MS;
  const found: Element[] = [];
  const open: Element[] = [];
  for (const root of liveRoots()) for (const child of root.children) open.push(child);
  let count = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (++count % 256 === 0 && performance.now() > end) return { tops: found, whole: false };
    const tag = dom.localName(at);
    if (tag === "head" || tag === "script" || tag === "style" || tag === "select") continue;
    if (!dom.checkVisibility(at, { visibilityProperty: true }) && shownAs(at) === "none") {
      found.push(at);
      continue;
    }
    for (const child of dom.children(at)) open.push(child);
  }
  return { tops: found, whole: true };
}
