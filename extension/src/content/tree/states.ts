// States and values of a node.

import type { State, Value } from "../../generated/protocol";
import * as dom from "../dom";
import { cut } from "../words";
import { byId, focusedElement, nearest } from "./composed";
import { isEditingHost } from "./roles";
import { isSecret } from "./secret";
import { inertBy } from "./visibility";

/** Longest value that leaves the page. */
const VALUE_LIMIT = 10_000;

/** What a walk knows already from the ancestors; without it the ancestors are asked. */
export interface Around {
  ariaDisabled: boolean;
  inert: boolean;
}

/** Roles that have each state: on others Chrome does not tell it (ARIA 1.2, 6.6 Supported States and Properties). */
const ALWAYS_CHECKABLE = new Set("checkbox menuitemcheckbox menuitemradio radio switch".split(" "));
const CHECKABLE = new Set([...ALWAYS_CHECKABLE, "option", "treeitem"]);
const MIXABLE = new Set(["checkbox", "menuitemcheckbox", "option", "treeitem"]);
const EXPANDABLE = new Set((
  "application button checkbox columnheader combobox generic gridcell link listbox menuitem menuitemcheckbox menuitemradio row rowheader switch tab treeitem"
).split(" "));
const SELECTABLE = new Set("columnheader gridcell option row rowheader tab treeitem".split(" "));
const REQUIRABLE = new Set("checkbox columnheader combobox gridcell listbox radiogroup rowheader searchbox spinbutton switch textbox tree treegrid".split(" "));
const READABLE_ONLY = new Set("combobox grid gridcell searchbox slider spinbutton textbox treegrid".split(" "));
const MODAL = new Set(["dialog", "alertdialog"]);
const MULTIPLE = new Set("grid listbox tablist tree treegrid".split(" "));
const EXPANDABLE_BY_TAG = new Set(["summary", "dialog"]);

/** States that hold, in the order of the protocol. */
export function statesOf(element: Element, role: string, around: Around, clickable: boolean, focused: Element | null = focusedElement() ?? null): State[] {
  const states: State[] = [];
  // Most nodes of a page carry no attributes, and are nothing that has states without one.
  if (!dom.hasAttributes(element) && !SPEAKING.has(dom.localName(element))) {
    if (around.ariaDisabled) states.push("disabled");
    if (focused === element) states.push("focused");
    if (around.inert) states.push("inert");
    if (clickable) states.push("clickable");
    return states;
  }
  const aria = (name: string): string | null => dom.getAttribute(element, `aria-${name}`);

  const checked = checkedOf(element, role, aria("checked"));
  if (checked !== undefined) states.push(checked);
  const pressed = role === "button" ? aria("pressed") : null;
  if (pressed === "mixed") states.push("mixed");
  else if (pressed === "false") states.push("unpressed");
  else if (pressed !== null && pressed !== "" && pressed !== "undefined") states.push("pressed");
  const expanded = EXPANDABLE.has(role) ? expandedOf(element, aria("expanded")) : undefined;
  if (expanded !== undefined) states.push(expanded ? "expanded" : "collapsed");
  if (element instanceof HTMLOptionElement ? element.selected : SELECTABLE.has(role) && aria("selected") === "true") states.push("selected");
  const current = aria("current");
  if (current !== null && current !== "" && current !== "false") states.push("current");
  if (around.ariaDisabled || aria("disabled") === "true" || natively(element, ":disabled")) states.push("disabled");
  if (READABLE_ONLY.has(role) && (aria("readonly") === "true" || isReadonly(element))) states.push("readonly");
  if ((REQUIRABLE.has(role) && aria("required") === "true") || natively(element, ":required")) states.push("required");
  if ((aria("invalid") ?? "false") !== "false" && aria("invalid") !== "") states.push("invalid");
  else if (natively(element, ":invalid") && (isWrong(element) || element.matches(":user-invalid"))) states.push("invalid");
  if (aria("busy") === "true") states.push("busy");
  if ((MODAL.has(role) && aria("modal") === "true") || (element instanceof HTMLDialogElement && element.open && element.matches(":modal"))) states.push("modal");
  if (focused === element) states.push("focused");
  if (around.inert) states.push("inert");
  if (clickable) states.push("clickable");
  if (element instanceof HTMLInputElement && element.type === "file") states.push("file");
  if ((MULTIPLE.has(role) && aria("multiselectable") === "true") || ("multiple" in element && element.multiple === true)) states.push("multiple");
  return states;
}

/** The same, asking the ancestors. */
export function aroundOf(element: Element): Around {
  return {
    ariaDisabled: nearest(element, (at) => dom.getAttribute(at, "aria-disabled") === "true") !== undefined,
    inert: inertBy(element) !== undefined,
  };
}

/** `checked`, `unchecked` or `mixed` of what can be checked. */
export function checkedOf(element: Element, role: string, written: string | null): State | undefined {
  if (element instanceof HTMLInputElement && (element.type === "checkbox" || element.type === "radio")) {
    if (element.indeterminate && element.type === "checkbox") return "mixed";
    return element.checked ? "checked" : "unchecked";
  }
  if (!CHECKABLE.has(role) || (written === null && !ALWAYS_CHECKABLE.has(role))) return undefined;
  return written === "true" ? "checked" : written === "mixed" && MIXABLE.has(role) ? "mixed" : "unchecked";
}

/** Chrome before 133 cannot tell an open select; asked once, when there is one. */
let knowsOpen: boolean | undefined;

function isOpen(select: HTMLSelectElement): boolean | undefined {
  if (select.multiple || select.size > 1) return undefined;
  knowsOpen ??= CSS.supports("selector(:open)");
  return knowsOpen ? select.matches(":open") : undefined;
}

function expandedOf(element: Element, written: string | null): boolean | undefined {
  const parent = EXPANDABLE_BY_TAG.has(dom.localName(element)) ? dom.parentElement(element) : null;
  if (parent instanceof HTMLDetailsElement) return parent.open;
  if (written === "true") return true;
  if (written === "false") return false;
  if (element instanceof HTMLSelectElement) return isOpen(element);
  const popover = dom.getAttribute(element, "popovertarget");
  const shown = popover === null ? undefined : byId(element, popover);
  return shown === undefined ? undefined : dom.matches(shown, ":popover-open");
}

const CONTROLS = new Set(["button", "input", "optgroup", "option", "select", "textarea"]);
/** Tags that have states without an attribute. */
const SPEAKING = new Set([...CONTROLS, ...EXPANDABLE_BY_TAG]);

function natively(element: Element, rule: ":disabled" | ":required" | ":invalid"): boolean {
  if (rule === ":disabled") return CONTROLS.has(dom.localName(element)) && dom.matches(element, rule);
  const tag = dom.localName(element);
  return (tag === "input" || tag === "select" || tag === "textarea") && dom.matches(element, rule);
}

/** Holds something that its type or pattern does not allow; merely empty is not wrong yet. */
function isWrong(element: Element): boolean {
  if (!(element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)) return false;
  return element.value !== "" && !element.validity.valueMissing;
}

export function isReadonly(element: Element): boolean {
  return (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) && element.readOnly;
}

const NO_VALUE = new Set(["button", "checkbox", "hidden", "image", "radio", "reset", "submit"]);

/** The text a field holds, whole; for comparing inside the page only. */
export function rawValue(element: Element): string | undefined {
  if (element instanceof HTMLInputElement) {
    if (element.type === "file") return [...(element.files ?? [])].map((file) => file.name).join(", ");
    return NO_VALUE.has(element.type) ? undefined : element.value;
  }
  if (element instanceof HTMLTextAreaElement) return element.value;
  if (element instanceof HTMLSelectElement) return [...element.selectedOptions].map((option) => option.label).join(", ");
  if (element instanceof HTMLProgressElement) return element.hasAttribute("value") ? String(element.value) : undefined;
  if (element instanceof HTMLMeterElement) return String(element.value);
  if (isEditingHost(element) && element instanceof HTMLElement) return editedText(element);
  return dom.getAttribute(element, "aria-valuetext") ?? dom.getAttribute(element, "aria-valuenow") ?? undefined;
}

/** Text of an editing host: lines as shown, without the line break that keeps its last block open. */
export function editedText(host: HTMLElement): string {
  return dom.innerText(host).replace(/\n$/, "");
}

/** Value as it may leave the page. */
export function valueOf(element: Element, always: boolean): Value | undefined {
  const raw = rawValue(element);
  if (raw === undefined || (raw === "" && !always)) return undefined;
  return isSecret(element) ? { kind: "secret", length: raw.length } : { kind: "plain", text: cut(raw, VALUE_LIMIT) };
}
