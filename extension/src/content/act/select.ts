// Lists with options: native ones are chosen from here, those made by the page are read here and pressed by the worker.

import type { Described, Refusal } from "../../generated/protocol";
import type { Dispatched, Listed, ListedOption } from "../../shared/pageCalls";
import { describe, identity } from "../describe";
import * as dom from "../dom";
import type { Page } from "../page";
import { numbered } from "../read/find";
import { byIds, liveRoots, nearest } from "../tree/composed";
import { roleOf } from "../tree/roles";
import { isShown } from "../tree/visibility";
import { cut, fold } from "../words";
import { Asked } from "../watch/asked";
import type { Watch } from "../watch/watch";
import { innerField } from "./editable";
import { drainMicrotasks } from "./pause";
import { focusOn } from "./pointer";

const SHOWN = 20;
const MANY = 500;
const LISTS = "[role=listbox],[role=menu],[role=tree],[role=grid],datalist";
const OPTIONS = new Set(["option", "menuitem", "menuitemradio", "menuitemcheckbox", "treeitem"]);

/** The native list at an element: itself, or what a label stands for. */
export function nativeList(element: Element): HTMLSelectElement | undefined {
  if (element instanceof HTMLSelectElement) return element;
  return element instanceof HTMLLabelElement && element.control instanceof HTMLSelectElement ? element.control : undefined;
}

/** A list made by the page: a listbox, a combobox, or a button that opens one. */
export function isCustomList(element: Element): boolean {
  const role = roleOf(element);
  if (role === "combobox") return !(element instanceof HTMLInputElement && element.list !== null);
  if (role === "listbox") return !(element instanceof HTMLDataListElement);
  const popup = dom.getAttribute(element, "aria-haspopup");
  return role === "button" && (popup === "listbox" || popup === "menu" || popup === "true");
}

/** What has to be done to a list so that exactly these options are chosen. */
export function whetherSelect(element: Element, wanted: readonly string[], target: Described): "already" | "choose" | Refusal {
  const list = nativeList(element);
  if (list !== undefined) {
    const found = chosenOf(list, wanted, target);
    if (!Array.isArray(found)) return found;
    return [...list.options].every((option) => option.selected === found.includes(option)) ? "already" : "choose";
  }
  if (element instanceof HTMLInputElement && element.list !== null) {
    return { reason: "wrongKind", target, what: "is a text field with suggestions", instead: "type" };
  }
  if (!isCustomList(element)) return { reason: "wrongKind", target, what: "is no list to choose from", instead: element instanceof HTMLOptionElement ? "select_option with the list as its target" : "click" };
  return isChosen(element, wanted) ? "already" : "choose";
}

/** The options of a native list that are meant, or why they cannot be chosen. */
function chosenOf(list: HTMLSelectElement, wanted: readonly string[], target: Described): HTMLOptionElement[] | Refusal {
  const all = [...list.options];
  const found: HTMLOptionElement[] = [];
  for (const word of wanted) {
    const matching = matches(all, word, (option) => option.label, (option) => option.value);
    const [first, second] = matching;
    if (first === undefined) return noOption(target, word, all.map((option) => option.label));
    if (second !== undefined) {
      const candidates = matching.slice(0, 8).map((option) => ({ role: "option", name: cut(`${option.label} (value ${option.value})`, 80) }));
      return { reason: "ambiguous", count: matching.length, candidates };
    }
    if (isDisabled(first)) return { reason: "disabled", target: { role: "option", name: cut(first.label, 80) }, how: first.disabled ? "itself" : "its group" };
    if (!found.includes(first)) found.push(first);
  }
  if (!list.multiple && found.length !== 1) return { reason: "wrongKind", target, what: "takes one option only", instead: "one option" };
  return found;
}

function isDisabled(option: HTMLOptionElement): boolean {
  const group = dom.parentElement(option);
  return option.disabled || (group instanceof HTMLOptGroupElement && group.disabled);
}

/** Exactly by label, else by value, else by label whatever its case. */
function matches<T>(all: readonly T[], word: string, label: (one: T) => string, value: (one: T) => string | undefined): T[] {
  const folded = fold(word);
  const exact = all.filter((one) => fold(label(one)) === folded);
  if (exact.length > 1) {
    // Several read the same: a value that is written as asked decides.
    const byValue = exact.filter((one) => value(one) === word);
    if (byValue.length === 1) return byValue;
  }
  if (exact.length > 0) return exact;
  const values = all.filter((one) => value(one) === word);
  return values.length > 0 ? values : all.filter((one) => fold(label(one)).toLowerCase() === folded.toLowerCase());
}

export function noOption(target: Described, wanted: string, labels: readonly string[]): Refusal {
  return { reason: "noOption", target, wanted: cut(wanted, 200), options: labels.slice(0, SHOWN).map((label) => cut(fold(label), 80)), count: labels.length };
}

/** What is asked of a list, to be read back. */
export function askOptions(element: Element, wanted: readonly string[]): Asked {
  const list = nativeList(element);
  if (list === undefined) {
    return new Asked(element, () => {
      if (!dom.isConnected(element)) return undefined;
      return { now: shownChoice(element), holds: isChosen(element, wanted) };
    });
  }
  const target = describe(list);
  return new Asked(list, () => {
    if (!dom.isConnected(list)) return undefined;
    const found = chosenOf(list, wanted, target);
    const now = [...list.selectedOptions].map((option) => fold(option.label)).join(", ");
    return { now, holds: Array.isArray(found) && [...list.options].every((option) => option.selected === found.includes(option)) };
  });
}

/** Chooses in a native list, as its popup would: the options, then `input` and `change`. */
export async function select(page: Page, watch: Watch, target: Element, wanted: readonly string[]): Promise<Dispatched> {
  const delivered = describe(nativeList(target) ?? target, page.refs, page.doc);
  watch.beginSync();
  await choose(target, wanted);
  watch.endSync();
  return { delivered, look: watch.look() };
}

/** The same without the look. */
export async function choose(target: Element, wanted: readonly string[]): Promise<void> {
  const list = nativeList(target);
  const found = list === undefined ? undefined : chosenOf(list, wanted, describe(list));
  if (list === undefined || !Array.isArray(found)) throw new Error("the list has changed");
  focusOn(list);
  if (list.multiple) for (const option of list.options) option.selected = found.includes(option);
  else list.selectedIndex = [...list.options].findIndex((option) => option === found[0]);
  dom.dispatchEvent(list, new Event("input", { bubbles: true, composed: true }));
  dom.dispatchEvent(list, new Event("change", { bubbles: true }));
  await drainMicrotasks();
}

/** The list of a control as it is now. Lists that were shown before the control was pressed are not its own, unless it names them. */
export function listOf(page: Page, element: Element, known: ReadonlySet<Element>): Listed {
  if (nativeList(element) !== undefined) return { kind: "native" };
  const field = innerField(element);
  const typed = field !== undefined && !field.readOnly;
  const list = shownList(element, known);
  if (list === undefined) return { kind: "closed", typed };
  const options = optionsIn(list).map((option): ListedOption => ({
    node: numbered(page, option).node ?? 0, label: labelOf(option), selected: isSelected(option),
    disabled: dom.getAttribute(option, "aria-disabled") === "true",
  }));
  return { kind: "open", options, multiple: dom.getAttribute(list, "aria-multiselectable") === "true", typed };
}

/** Lists that are shown now. */
export function shownLists(): Set<Element> {
  return new Set(liveRoots().flatMap((root) => [...root.querySelectorAll(LISTS)]).filter((list) => isShown(list)));
}

function shownList(element: Element, known: ReadonlySet<Element>): Element | undefined {
  if (roleOf(element) === "listbox") return element;
  for (const named of [...byIds(element, "aria-controls"), ...byIds(element, "aria-owns")]) {
    const list = dom.matches(named, LISTS) ? named : dom.querySelector(named, LISTS);
    if (list !== null && isShown(list)) return list;
  }
  const inside = dom.querySelector(element, LISTS);
  if (inside !== null && isShown(inside)) return inside;
  for (const list of shownLists()) if (!known.has(list)) return list;
  return undefined;
}

function optionsIn(list: Element): Element[] {
  const inside = [...dom.querySelectorAll(list, "*"), ...byIds(list, "aria-owns")];
  return inside.filter((one) => OPTIONS.has(roleOf(one)) && isShown(one)).slice(0, MANY);
}

function labelOf(option: Element): string {
  return fold(identity(option).name);
}

function isSelected(option: Element): boolean {
  return dom.getAttribute(option, "aria-selected") === "true" || dom.getAttribute(option, "aria-checked") === "true";
}

/** What a control made by the page shows as chosen: its text or value, or the marked options of its list. */
function shownChoice(element: Element): string {
  if (roleOf(element) === "listbox") return optionsIn(element).filter(isSelected).map(labelOf).join(", ");
  const field = innerField(element);
  if (field !== undefined) return field.value;
  return fold(dom.getAttribute(element, "aria-valuetext") ?? (element instanceof HTMLElement ? dom.innerText(element) : ""));
}

/** Exactly these are chosen, as far as the control shows it. */
function isChosen(element: Element, wanted: readonly string[]): boolean {
  const words = wanted.map((word) => fold(word).toLowerCase());
  const same = (labels: readonly string[]): boolean => labels.length === words.length && labels.every((label) => words.includes(label.toLowerCase()));
  if (roleOf(element) === "listbox") return same(optionsIn(element).filter(isSelected).map(labelOf));
  const shown = shownChoice(element).toLowerCase();
  if (words.length === 1 && shown === words[0]) return !isExpanded(element);
  const pieces = piecesOf(element).map((piece) => piece.toLowerCase());
  return words.length > 0 && words.every((word) => pieces.includes(word));
}

function isExpanded(element: Element): boolean {
  return innerField(element) !== undefined && dom.getAttribute(element, "aria-expanded") === "true";
}

/** Its texts one by one: "Size" and "Large" of a button that shows both. */
function piecesOf(element: Element): string[] {
  const pieces: string[] = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let at = walker.nextNode(); at !== null; at = walker.nextNode()) {
    const parent = at.parentElement;
    if (parent === null || !isShown(parent) || nearest(parent, (at) => at !== element && OPTIONS.has(roleOf(at))) !== undefined) continue;
    const text = fold(at.textContent ?? "");
    if (text !== "") pieces.push(text);
  }
  return pieces;
}
