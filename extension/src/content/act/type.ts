// Putting text in: by the native setter for fields, by the editing command for editing hosts.

import type { Dispatched, MoneyGate, MoneyHit } from "../../shared/pageCalls";
import { describe } from "../describe";
import * as dom from "../dom";
import type { Page } from "../page";
import { focusedElement, holds } from "../tree/composed";
import { editedText, rawValue } from "../tree/states";
import { roleOf } from "../tree/roles";
import { Asked } from "../watch/asked";
import type { Watch } from "../watch/watch";
import { editingHost, fitting, innerField } from "./editable";
import type { Field } from "./editable";
import { excerptAt, isExcerpt } from "./excerpt";
import { moneyAt, submitterOf } from "./money";
import { isComposed } from "../../shared/text";
import { drainMicrotasks } from "./pause";
import { focusOn } from "./pointer";

/** What to type and how. */
export interface Wish {
  text: string;
  append: boolean;
  submit: boolean;
  /** Enter presses a form's button. */
  gate?: MoneyGate;
}

/** Types into the target and reads back. */
export async function type(page: Page, watch: Watch, target: Element, wish: Wish): Promise<Dispatched> {
  const delivered = describe(target, page.refs, page.doc);
  const field = innerField(target);
  const host = field === undefined ? editingHost(target) : undefined;
  if (host !== undefined && isExcerpt(host)) throw new Error("this editor shows a part of its document only, and events made by script reach no more than that; nothing was typed");
  watch.beginSync();
  // Read before the Enter: it may empty the field, and that is its work.
  const { accepted, holds: holdsNow } = await put(target, wish);
  let stopped: MoneyHit | undefined;
  if (wish.submit) {
    const place = field ?? host ?? target;
    // What was typed may have made another button of it.
    stopped = moneyAt(page, wish.gate, [submitterOf(place)]);
    if (stopped === undefined) enter(place);
    await drainMicrotasks();
  }
  watch.endSync();
  return { delivered, accepted, holds: holdsNow, look: watch.look(), ...(stopped === undefined ? {} : { stopped }) };
}

/** Puts the text in: how much of it the field's own limits let through, and whether the field holds it now. */
export async function put(target: Element, wish: Wish): Promise<{ accepted: number; holds: boolean }> {
  const field = innerField(target);
  const host = field === undefined ? editingHost(target) : undefined;
  const wanted = (field ?? host) === undefined ? undefined : `${wish.append ? held(field ?? host) : ""}${wish.text}`;
  let accepted = 0;
  if (field !== undefined) accepted = fill(field, wish);
  else if (host !== undefined) accepted = edit(host, wish);
  await drainMicrotasks();
  return { accepted, holds: wanted !== undefined && holdsText(field ?? host, wanted) };
}

/** Whether it holds this text; an editing host shows its lines as blocks, with as many breaks between them as their margins make. */
export function holdsText(place: Element | undefined, wanted: string): boolean {
  const now = held(place);
  if (place instanceof HTMLInputElement || place instanceof HTMLTextAreaElement) return now === wanted;
  const lines = (text: string): string => text.replace(/\n+/g, "\n").trimEnd();
  return lines(now) === lines(wanted);
}

/** What is asked of a text field, to be read back. */
export function askText(target: Element, text: string): Asked {
  const place = innerField(target) ?? editingHost(target) ?? target;
  return new Asked(place, () => {
    if (!dom.isConnected(place)) return undefined;
    const now = held(place);
    const listOpen = roleOf(place) === "combobox" && dom.getAttribute(place, "aria-expanded") === "true";
    const excerpt = excerptAt(place)?.read();
    if (excerpt !== undefined) return { now, ...excerpt, listOpen };
    const same = place instanceof HTMLInputElement && place.type === "color" ? now === text.toLowerCase() : now === text;
    return { now, holds: same, listOpen };
  });
}

/** Text of a field or host now. */
export function held(place: Element | undefined): string {
  return place === undefined ? "" : (rawValue(place) ?? "");
}

/** Fields whose value is set as a whole and cleaned by the browser. */
const WHOLE = new Set(["color", "date", "datetime-local", "month", "number", "range", "time", "week"]);

function fill(field: Field, { text, append }: Wish): number {
  focusOn(field);
  const old = field.value;
  const kept = append ? old : "";
  const fits = fitting(field, kept, text);
  const inputType = append || old === "" ? "insertText" : "insertReplacementText";
  selectIn(field, append);
  if (isComposed(fits) && COMPOSES.has(field.type)) return compose(field, kept, fits, old);
  const allowed = field.dispatchEvent(new InputEvent("beforeinput", { bubbles: true, cancelable: true, composed: true, inputType, data: fits, view: window }));
  if (!allowed) return text === "" ? 0 : takenOver(field, old) ? fits.length : 0;
  setNatively(field, kept + fits);
  if (field.value === old && kept + fits === old) return fits.length;
  moveCaret(field);
  field.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true, inputType, data: fits, view: window }));
  field.dispatchEvent(new Event("change", { bubbles: true }));
  return WHOLE.has(field.type) && field.value === "" && fits !== "" ? 0 : fits.length;
}

/** Kinds of fields that input methods work in. */
const COMPOSES = new Set(["search", "text", "textarea"]);

/** As an input method does: pages take such text from the events of a composition, or at its end. */
function compose(field: Field, kept: string, fits: string, old: string): number {
  const say = (type: "compositionstart" | "compositionupdate" | "compositionend", data: string): boolean =>
    field.dispatchEvent(new CompositionEvent(type, { bubbles: true, cancelable: type === "compositionstart", composed: true, data, view: window }));
  const input = (type: "beforeinput" | "input"): boolean =>
    field.dispatchEvent(new InputEvent(type, { bubbles: true, composed: true, inputType: "insertCompositionText", isComposing: true, data: fits, view: window }));
  say("compositionstart", kept === "" ? old : "");
  say("compositionupdate", fits);
  input("beforeinput");
  setNatively(field, kept + fits);
  moveCaret(field);
  input("input");
  say("compositionend", fits);
  field.dispatchEvent(new Event("change", { bubbles: true }));
  return fits.length;
}

/** The page prevented the insertion and put in something itself. */
function takenOver(field: Field, old: string): boolean {
  return field.value !== old;
}

/** The setter of the prototype: views that keep track of `value` shadow it on the element. */
function setNatively(field: Field, value: string): void {
  const prototype: object = field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype;
  Reflect.set(prototype, "value", value, field);
}

function selectIn(field: Field, append: boolean): boolean {
  if (WHOLE.has(field.type) || field.type === "email") return false;
  const end = field.value.length;
  field.setSelectionRange(append ? end : 0, end);
  return true;
}

function moveCaret(field: Field): void {
  if (WHOLE.has(field.type) || field.type === "email") return;
  field.setSelectionRange(field.value.length, field.value.length);
}

/** Through the editing command, so that the page hears beforeinput and input as from a keyboard. */
function edit(host: HTMLElement, { text, append }: Wish): number {
  focusOn(host);
  selectHost(host, append);
  const before = editedText(host);
  // The editing command fires no beforeinput in Chrome; editors with a model of their own take the text from it and prevent the rest.
  const asked = (inputType: string, data: string | null): boolean =>
    dom.dispatchEvent(host, new InputEvent("beforeinput", { bubbles: true, cancelable: true, composed: true, inputType, data, view: window }));
  if (text === "") {
    if (!append && before !== "" && asked("deleteContentBackward", null)) document.execCommand("delete");
    return 0;
  }
  const allowed = asked("insertText", text);
  if (!allowed) return editedText(host) === before ? 0 : text.length;
  const done = document.execCommand("insertText", false, text);
  dom.dispatchEvent(host, new Event("change", { bubbles: true }));
  return done || editedText(host) !== before ? text.length : 0;
}

/** Selects all of the host, or puts the caret to its end. */
export function selectHost(host: HTMLElement, append: boolean): void {
  const range = document.createRange();
  range.selectNodeContents(host);
  if (append) range.collapse(false);
  const selection = document.getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
}

/** Focuses the field or host and selects what trusted input is to replace. */
export function ready(target: Element, append: boolean): boolean {
  const field = innerField(target);
  const host = field === undefined ? editingHost(target) : undefined;
  const place = field ?? host ?? (target instanceof HTMLElement ? target : undefined);
  if (place === undefined) return false;
  focusOn(place);
  if (field !== undefined) {
    if (!selectIn(field, append)) field.select();
  } else if (host !== undefined) {
    selectHost(host, append);
  }
  const focused = focusedElement();
  return focused !== undefined && holds(place, focused);
}

/** Enter: the keys, and what the browser does on them for a one-line field. */
function enter(place: Element): void {
  const focused = focusedElement();
  const at = focused !== undefined && holds(place, focused) ? focused : place;
  const key = (name: string): boolean => dom.dispatchEvent(at, new KeyboardEvent(name, {
    bubbles: true, cancelable: true, composed: true, key: "Enter", code: "Enter", keyCode: 13, which: 13, charCode: name === "keypress" ? 13 : 0, view: window,
  }));
  const allowed = key("keydown") && key("keypress");
  if (allowed && at instanceof HTMLInputElement && at.form !== null) submitByEnter(at.form);
  else if (allowed && at instanceof HTMLTextAreaElement) insertBreak(at);
  key("keyup");
}

/** Implicit submission: through the default button; without one only when a single field would block it. */
function submitByEnter(form: HTMLFormElement): void {
  const button = [...dom.elements(form)].find((element) => (element instanceof HTMLButtonElement || element instanceof HTMLInputElement) && (element.type === "submit" || element.type === "image"));
  if (button instanceof HTMLButtonElement || button instanceof HTMLInputElement) {
    // A disabled default button blocks the submission, as for a person.
    if (!button.disabled) button.click();
    return;
  }
  const blocking = [...dom.elements(form)].filter((element) => element instanceof HTMLInputElement && BLOCKS.has(element.type));
  if (blocking.length <= 1) dom.requestSubmit(form);
}

const BLOCKS = new Set(["date", "datetime-local", "email", "month", "number", "password", "search", "tel", "text", "time", "url", "week"]);

function insertBreak(area: HTMLTextAreaElement): void {
  setNatively(area, `${area.value}\n`);
  area.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true, inputType: "insertLineBreak", view: window }));
}
