// Many fields of one document, each by the way that its kind needs, each with its own receipt.

import type { FillValue, Receipt } from "../../generated/protocol";
import type { Deed, PageField, Planned } from "../../shared/pageCalls";
import { describe, isRich } from "../describe";
import * as dom from "../dom";
import type { Page } from "../page";
import { rememberSecret } from "../tree/secret";
import type { Watch } from "../watch/watch";
import { askChecked, check } from "./check";
import { approach } from "./click";
import { editingHost, innerField } from "./editable";
import { isExcerpt } from "./excerpt";
import { prepare, resolve } from "./prepare";
import { askOptions, choose, isCustomList, nativeList } from "./select";
import { askText, held, put } from "./type";

/** How a value is put into an element. */
interface Way {
  action: Deed;
  options: string[];
  later: "list" | "editor" | null;
}

function wayOf(element: Element, value: FillValue): Way {
  switch (value.kind) {
    case "checked": return { action: value.checked ? "check" : "uncheck", options: [], later: null };
    case "options": return { action: "select", options: value.options, later: nativeList(element) === undefined ? "list" : null };
    case "text": {
      if (nativeList(element) !== undefined) return { action: "select", options: [value.text], later: null };
      if (isCustomList(element) && innerField(element) === undefined) return { action: "select", options: [value.text], later: "list" };
      return { action: "type", options: [value.text], later: isRich(element) ? "editor" : null };
    }
  }
}

/** What can be done with each field. Nothing is dispatched. */
export async function plan(page: Page, fields: readonly PageField[]): Promise<Planned[]> {
  const planned: Planned[] = [];
  for (const { node, value } of fields) planned.push(await planOne(page, node, value, false));
  return planned;
}

async function planOne(page: Page, node: number, value: FillValue, calm: boolean): Promise<Planned> {
  const element = resolve(page, node);
  if (!(element instanceof Element)) return { kind: "refused", refusal: element };
  const way = wayOf(element, value);
  const ready = await prepare(page, node, way.action, { options: way.options, calm });
  if (ready.kind !== "ready") return ready;
  if (value.kind === "text" && way.action === "type" && !ready.facts.secret && heldAsAWhole(element, value.text)) {
    return { kind: "already", facts: ready.facts };
  }
  return { kind: "ready", facts: ready.facts, point: ready.point, later: way.later };
}

function heldAsAWhole(element: Element, text: string): boolean {
  const field = innerField(element);
  const host = field === undefined ? editingHost(element) : undefined;
  return held(field ?? host) === text && (host === undefined || !isExcerpt(host));
}

/** Fills one after the other; what one of them changes counts for the next. */
export async function fill(page: Page, watch: Watch, fields: readonly PageField[]): Promise<Receipt[]> {
  const receipts: Receipt[] = [];
  for (const { field, node, value } of fields) receipts.push(await fillOne(page, watch, field, node, value));
  return receipts;
}

async function fillOne(page: Page, watch: Watch, field: number, node: number, value: FillValue): Promise<Receipt> {
  const planned = await planOne(page, node, value, true);
  if (planned.kind === "refused") return planned;
  if (planned.kind === "already") return { kind: "already", field: planned.facts.described };
  const element = resolve(page, node);
  if (!(element instanceof Element)) return { kind: "refused", refusal: element };
  const done: Receipt = { kind: "done", field: planned.facts.described };
  const way = wayOf(element, value);
  if (value.kind === "checked") {
    watch.ask(field, askChecked(element, value.checked));
    await approach(element, planned.point);
    if (!dom.isConnected(element)) return { kind: "refused", refusal: { reason: "removed", was: planned.facts.described } };
    await check(page, watch, element, planned.point, value.checked);
    return done;
  }
  if (way.action === "select") {
    watch.ask(field, askOptions(element, way.options));
    watch.beginSync();
    await choose(element, way.options);
    watch.endSync();
    return done;
  }
  const text = way.options[0] ?? "";
  rememberSecret(innerField(element) ?? editingHost(element) ?? element, text);
  watch.ask(field, askText(element, text));
  watch.beginSync();
  const { accepted } = await put(element, { text, append: false, submit: false });
  watch.endSync();
  return { ...done, accepted };
}

type Owned = { kind: "button"; button: ReturnType<typeof describe> } | { kind: "form" } | { kind: "none"; why: string };

/** By what fields are submitted together: one form that owns all of them, and its first submit button, wherever that stands. */
export function ownerOf(page: Page, nodes: readonly number[]): Owned {
  let form: HTMLFormElement | undefined;
  for (const node of nodes) {
    const element = resolve(page, node);
    if (!(element instanceof Element)) return { kind: "none", why: "a field left the page while the fields were filled" };
    const own = formOf(element);
    if (own === undefined) return { kind: "none", why: `${words(element)} belongs to no form` };
    if (form !== undefined && own !== form) return { kind: "none", why: "the fields belong to different forms" };
    form = own;
  }
  if (form === undefined) return { kind: "none", why: "no field was given" };
  const button = submitButton(form);
  if (button === undefined) return { kind: "form" };
  const { role, name } = describe(button);
  page.refs.number(button, role, name);
  return { kind: "button", button: describe(button, page.refs, page.doc) };
}

function words(element: Element): string {
  const { role, name } = describe(element);
  return name === "" ? role : `${role} "${name}"`;
}

/** The form that owns a field: by the browser's word for native controls; for an editing host the one around it; other elements have none. */
export function formOf(element: Element): HTMLFormElement | undefined {
  const at = innerField(element) ?? nativeList(element) ?? element;
  if (at instanceof HTMLInputElement || at instanceof HTMLTextAreaElement || at instanceof HTMLSelectElement || at instanceof HTMLButtonElement) return at.form ?? undefined;
  if (at instanceof HTMLLabelElement) return at.form ?? undefined;
  // A custom element may be a form control of its own kind: what it belongs to cannot be known.
  if (dom.localName(at).includes("-") || dom.hasAttribute(at, "is")) return undefined;
  const around = dom.closest(at, "form");
  return around instanceof HTMLFormElement ? around : undefined;
}

function submitButton(form: HTMLFormElement): Element | undefined {
  const root = dom.getRootNode(form);
  if (!(root instanceof Document) && !(root instanceof ShadowRoot)) return undefined;
  for (const button of root.querySelectorAll("button,input[type=submit],input[type=image]")) {
    if ((button instanceof HTMLButtonElement || button instanceof HTMLInputElement) && button.form === form && (button.type === "submit" || button.type === "image")) return button;
  }
  return undefined;
}

/** Submits the form of a field that has no button for it. */
export function submitFormOf(element: Element): void {
  const form = formOf(element);
  if (form === undefined) throw new Error("the field belongs to no form any more");
  dom.requestSubmit(form);
}
