// Before a press: does what is pressed move money? The answer is a fact of this document; the worker knows what the person allowed.

import type { MoneyHit, MoneyGate } from "../../shared/pageCalls";
import { moneyIn } from "../../shared/money";
import { identity } from "../describe";
import * as dom from "../dom";
import type { Page } from "../page";
import { visibleText } from "../read/text";
import { composedParent, focusedElement } from "../tree/composed";
import { controlAt, PRESSED } from "../tree/pressed";
import { roleOf } from "../tree/roles";
import { innerField } from "./editable";

/** Longest text of something pressed that has no role. */
const PLAIN = 80;
/** Longest text around a control that is read as a whole. */
const AROUND = 300;
const MUCH = 3_000;

/** The control that a press there activates. */
function pressedAt(start: Element): Element | undefined {
  const control = controlAt(start);
  return control === null ? undefined : control ?? start;
}

function labelsOf(element: Element): string[] {
  const labels = [identity(element).name];
  for (const attribute of ["aria-label", "title", "alt"]) {
    const text = dom.getAttribute(element, attribute);
    if (text !== null) labels.push(text);
  }
  if (element instanceof HTMLInputElement) labels.push(element.value);
  else if ((dom.textContent(element) ?? "").length <= MUCH) labels.push(visibleText(element));
  const plain = !PRESSED.has(roleOf(element));
  return plain ? labels.filter((label) => label.length <= PLAIN) : labels;
}

function textOf(element: Element | null | undefined, limit: number): string {
  if (element === null || element === undefined || (dom.textContent(element) ?? "").length > MUCH) return "";
  const text = visibleText(element);
  return text.length <= limit ? text : "";
}

/** The text of the parent, or only of its nearest parts when that is long. */
function around(element: Element): string {
  const parent = composedParent(element);
  if (parent === undefined) return "";
  const whole = textOf(parent, AROUND);
  return whole !== "" ? whole : `${textOf(element.previousElementSibling, AROUND / 2)}\n${textOf(element.nextElementSibling, AROUND / 2)}`;
}

/** What a press on these elements would move; nothing when it is what the person allowed. */
export function moneyAt(page: Page, gate: MoneyGate | undefined, pressed: readonly (Element | undefined)[]): MoneyHit | undefined {
  if (gate === undefined) return undefined;
  const controls = new Set(pressed.map((element) => (element === undefined ? undefined : pressedAt(element))));
  for (const control of controls) {
    if (control === undefined) continue;
    const money = moneyIn(gate.by, labelsOf(control), () => around(control));
    if (money === undefined) continue;
    const { role, name } = identity(control);
    const hit: MoneyHit = { ...money, node: page.refs.number(control, role, name) };
    const { granted } = gate;
    if (granted?.node === hit.node && granted.label === hit.label && granted.amount === hit.amount) continue;
    return hit;
  }
  return undefined;
}

/** The button by which Enter in this element submits its form. */
export function submitterOf(element: Element): Element | undefined {
  const field = innerField(element) ?? element;
  const form = field instanceof HTMLFormElement ? field
    : field instanceof HTMLInputElement || field instanceof HTMLSelectElement || field instanceof HTMLButtonElement ? field.form : null;
  if (form === null) return undefined;
  return [...dom.elements(form)].find((one) => (one instanceof HTMLButtonElement || one instanceof HTMLInputElement) && (one.type === "submit" || one.type === "image"));
}

const TYPED = new Set(["text", "search", "url", "tel", "email", "password", "number", "date", "datetime-local", "month", "time", "week", "checkbox", "radio", "color", "range", "file"]);

/** What pressing this key now would activate: the focused control, its form's button, what an access key stands for. */
export function activatedBy(key: string, withAlt: boolean): (Element | undefined)[] {
  const focused = focusedElement();
  if (withAlt && key.length === 1) {
    const wanted = key.toLowerCase();
    return [...dom.querySelectorAll(document, "[accesskey]")].filter((one) => (dom.getAttribute(one, "accesskey") ?? "").toLowerCase().split(/\s+/).includes(wanted));
  }
  if (focused === undefined || (key !== "Enter" && key !== " ")) return [];
  if (focused instanceof HTMLInputElement && TYPED.has(focused.type)) return key === "Enter" ? [submitterOf(focused)] : [];
  if (focused instanceof HTMLTextAreaElement) return [];
  return [focused];
}
