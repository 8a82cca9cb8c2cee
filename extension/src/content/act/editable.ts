// What takes text, and how much of it.

import * as dom from "../dom";
import { nearest } from "../tree/composed";
import { isEditingHost, roleOf } from "../tree/roles";
import { isReadonly } from "../tree/states";
import { unitsUpTo } from "../words";

/** A native field that holds text. */
export type Field = HTMLInputElement | HTMLTextAreaElement;

const NOT_TEXT: Readonly<Record<string, string>> = {
  button: "click", checkbox: "check", file: "upload", image: "click", radio: "check", reset: "click", submit: "click",
};

/** The tool to use instead of typing, when this is no text field. */
export function notAField(element: Element): string | undefined {
  if (element instanceof HTMLInputElement) return NOT_TEXT[element.type];
  if (element instanceof HTMLSelectElement) return "select_option";
  if (element instanceof HTMLTextAreaElement || editingHost(element) !== undefined || innerField(element) !== undefined) return undefined;
  return "click";
}

const FORMS: Readonly<Record<string, string>> = {
  "date": "a date as 2026-11-30", "time": "a time as 14:30", "datetime-local": "a date and time as 2026-11-30T14:30", "month": "a month as 2026-11",
  "week": "a week as 2026-W48", "number": "a number as 3.5", "range": "a number as 3.5", "color": "a colour as #ff8800",
};

/** What a field of a kind takes, when this text is nothing of it: the browser would make it empty, or another value. */
export function badValue(element: Element, text: string): string | undefined {
  const field = innerField(element);
  if (!(field instanceof HTMLInputElement) || text === "") return undefined;
  const takes = FORMS[field.type];
  if (takes === undefined) return undefined;
  if (field.type === "color") return /^#[0-9a-f]{6}$/i.test(text) ? undefined : takes;
  const probe = document.createElement("input");
  probe.type = field.type === "range" ? "number" : field.type;
  probe.value = text;
  return probe.value === "" ? takes : undefined;
}

/** Why text cannot be put there now. */
export function notEditable(element: Element): string | undefined {
  const field = innerField(element) ?? element;
  if (isReadonly(field)) return "readonly";
  if (nearest(element, (at) => dom.getAttribute(at, "aria-readonly") === "true") !== undefined) return "aria-readonly";
  return undefined;
}

/** The field itself, or the one field inside a widget with a text role. */
export function innerField(element: Element): Field | undefined {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) return element;
  if (isEditingHost(element)) return undefined;
  const role = roleOf(element);
  if (role !== "combobox" && role !== "textbox" && role !== "searchbox" && role !== "spinbutton") return undefined;
  const inside = dom.querySelectorAll(element, "input:not([type=hidden]),textarea");
  const only = inside[0];
  return inside.length === 1 && (only instanceof HTMLInputElement || only instanceof HTMLTextAreaElement) && notAField(only) === undefined ? only : undefined;
}

/** The editing host at or around an element. */
export function editingHost(element: Element): HTMLElement | undefined {
  const host = nearest(element, isEditingHost);
  return host instanceof HTMLElement ? host : undefined;
}

/** The part of the text that the field's own limit lets a person put in. */
export function fitting(field: Field, kept: string, text: string): string {
  const single = field instanceof HTMLInputElement ? text.replace(/[\r\n]+/g, "") : text;
  return field.maxLength < 0 ? single : unitsUpTo(single, Math.max(0, field.maxLength - kept.length));
}
