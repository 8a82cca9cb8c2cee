// Nodes in words, and what is known of a target.

import type { Described, Surrounding, TargetFacts } from "../generated/protocol";
import * as dom from "./dom";
import { cut, fold } from "./words";
import { composedParent, isElement, nearest } from "./tree/composed";
import { marked } from "./tree/clickable";
import { Names } from "./tree/names";
import { controlAt } from "./tree/pressed";
import type { Refs } from "./tree/refs";
import { ACTIONABLE, isEditingHost, liveRole, roleOf, TRANSPARENT } from "./tree/roles";
import { isSecret } from "./tree/secret";
import { aroundOf, statesOf, valueOf } from "./tree/states";

const NAME_LIMIT = 80;

/** Role and name as a walk shows them. */
export function identity(element: Element, shownAs?: string): { role: string; name: string; clickable: boolean } {
  const names = new Names();
  let role = roleOf(element);
  if (TRANSPARENT.has(role)) role = liveRole(element) ?? role;
  // Whether the cursor made it clickable is not asked again: it was a target, so it is one.
  const clickable = !ACTIONABLE.has(role) && (shownAs === role || marked(element));
  let name = names.of(element, role).text;
  if (name === "" && (TRANSPARENT.has(role) || clickable)) {
    const text = cut(names.content(element), 400);
    if (text.length < 200) name = text;
  }
  return { role, name, clickable };
}

/** An element in words. */
export function describe(element: Element, refs?: Refs, doc?: number): Described {
  const number = refs?.known(element);
  const { role, name } = identity(element, number === undefined ? undefined : refs?.entry(number)?.role);
  const plain = number === undefined && TRANSPARENT.has(role);
  const described: Described = { role: plain ? dom.localName(element) : role, name: cut(name === "" && plain ? fold(shortText(element)) : name, NAME_LIMIT) };
  if (number !== undefined && doc !== undefined) {
    described.doc = doc;
    described.node = number;
  }
  return described;
}

/** A target in words; the document's own elements are the page. */
export function describeTarget(element: Element, refs: Refs, doc: number): Described {
  const isPage = element === document.body || element === document.documentElement;
  return isPage ? { role: "page", name: cut(fold(document.title), NAME_LIMIT) } : describe(element, refs, doc);
}

/** Parts of a page that are told by what they say, and those that are told by their name only. */
const SPOKEN = new Set(["row", "listitem", "article", "option", "treeitem"]);
const NAMED = new Set("alertdialog banner cell complementary contentinfo dialog form group main menu navigation radiogroup region search tabpanel table toolbar".split(" "));
const PLACE_LIMIT = 60;

/** Where an element stands: the nearest named part around it, or the heading before it. */
export function surroundingOf(element: Element): Surrounding | undefined {
  const names = new Names();
  for (let at: Element = element, around = composedParent(at); around !== undefined; at = around, around = composedParent(at)) {
    for (let before = dom.previousSibling(at); before !== null; before = dom.previousSibling(before)) {
      if (!isElement(before) || roleOf(before) !== "heading") continue;
      const name = names.of(before, "heading").text;
      if (name !== "") return { role: "heading", name: cut(name, PLACE_LIMIT) };
    }
    const role = roleOf(around);
    if (!SPOKEN.has(role) && !NAMED.has(role)) continue;
    const own = names.of(around, role).text;
    const name = own === "" && SPOKEN.has(role) ? names.content(around) : own;
    if (name !== "") return { role, name: cut(name, PLACE_LIMIT) };
  }
  return undefined;
}

function shortText(element: Element): string {
  return (dom.textContent(element) ?? "").slice(0, 400);
}

/** The nearest element upwards that means something: has a role of its own or can be acted on. */
export function meaningful(element: Element): Element {
  return nearest(element, (at) => !TRANSPARENT.has(roleOf(at)) || marked(at) || isEditingHost(at)) ?? element;
}

/** Everything known of a target now. `hit`: what lies at the point that would be pressed. */
export function factsOf(element: Element, refs: Refs, doc: number, hit?: Element): TargetFacts {
  const pressed = [...new Set([controlAt(element), hit === undefined ? undefined : controlAt(hit)])].filter((control) => control instanceof Element);
  const number = refs.known(element);
  const { role, name, clickable } = identity(element, number === undefined ? undefined : refs.entry(number)?.role);
  const described: Described = { role, name: cut(name, NAME_LIMIT) };
  if (number !== undefined) {
    described.doc = doc;
    described.node = number;
  }
  const facts: TargetFacts = {
    described,
    tag: dom.localName(element),
    states: statesOf(element, role, aroundOf(element), clickable),
    connected: dom.isConnected(element),
    submits: submits(element) || pressed.some(submits),
    opensTab: opensTab(element),
    rich: isRich(element),
    ...(isOpaque(element) ? { opaque: true } : {}),
    secret: isSecret(element),
    marks: marksOf(element, pressed),
  };
  const value = valueOf(element, true);
  if (value !== undefined) facts.value = value;
  return facts;
}

function submits(element: Element): boolean {
  const control = nearest(element, (at) => at instanceof HTMLButtonElement || at instanceof HTMLInputElement);
  if (control instanceof HTMLButtonElement) return control.type === "submit" && control.form !== null;
  if (control instanceof HTMLInputElement) return (control.type === "submit" || control.type === "image") && control.form !== null;
  return false;
}

/** A link or form control that opens a new browsing context by itself. */
export function opensTab(element: Element): boolean {
  return elsewhere(contextOf(element));
}

/** One that leads the page around its frame elsewhere: Chrome wants a person's input for that, too. */
export function leavesFrame(element: Element): boolean {
  const word = contextOf(element)?.toLowerCase();
  return window.parent !== window && (word === "_top" || word === "_parent");
}

/** The browsing context that a link or form control names. */
function contextOf(element: Element): string | null {
  const link = nearest(element, (at) => (dom.localName(at) === "a" || dom.localName(at) === "area") && dom.hasAttribute(at, "href"));
  if (link !== undefined) return dom.getAttribute(link, "target") ?? dom.querySelector(document, "base[target]")?.getAttribute("target") ?? null;
  const button = nearest(element, (at) => at instanceof HTMLButtonElement || at instanceof HTMLInputElement);
  if (!(button instanceof HTMLButtonElement || button instanceof HTMLInputElement) || !submits(element)) return null;
  return dom.getAttribute(button, "formtarget") ?? (button.form === null ? null : dom.getAttribute(button.form, "target"));
}

function elsewhere(target: string | null): boolean {
  if (target === null || target === "") return false;
  const word = target.toLowerCase();
  if (word === "_self" || word === "_top" || word === "_parent") return false;
  if (word === "_blank") return true;
  return document.querySelector(`iframe[name="${CSS.escape(target)}"]`) === null;
}

/** Editors that keep a model of their own and take only what a person types. */
const RICH = "[data-lexical-editor],[data-slate-editor],.ProseMirror,.ql-editor,.cm-content,.CodeMirror,.monaco-editor,.DraftEditor-root,.public-DraftEditor-content,.ck-editor__editable,.mce-content-body,.trix-editor,trix-editor";

/** An editing host that is not a plain field. */
export function isRich(element: Element): boolean {
  if (nearest(element, (at) => dom.matches(at, RICH)) !== undefined) return true;
  return "editContext" in element && element.editContext !== null && element.editContext !== undefined;
}

/** What it shows is no part of the document. */
function isOpaque(element: Element): boolean {
  const tag = dom.localName(element);
  return tag === "canvas" || tag === "object" || tag === "embed" || roleOf(element) === "embed" || dom.querySelector(element, "canvas") !== null && (dom.textContent(element) ?? "").trim() === "";
}

/** So much of what a control says of itself counts. */
const SAID_LIMIT = 40;

/** What the controls that a press activates say of themselves, to whoever sees or hears them; class tokens and test ids, of them, of the element and
 * of the control around it. */
function marksOf(element: Element, pressed: readonly Element[]): string {
  const words: string[] = [];
  for (const control of pressed) {
    const said = [dom.getAttribute(control, "title") ?? "", shortText(control), ...(control === element ? [] : [identity(control).name])];
    for (const text of said) if (text !== "") words.push([...fold(text)].slice(0, SAID_LIMIT).join(""));
  }
  const control = nearest(element, (at) => ACTIONABLE.has(roleOf(at))) ?? element;
  for (const source of new Set([element, control, ...pressed])) {
    for (const attribute of ["class", "data-testid", "data-test", "data-test-id", "data-cy", "data-qa"]) {
      const text = dom.getAttribute(source, attribute);
      if (text !== null && text !== "") words.push(text.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2"));
    }
  }
  return cut(fold(words.join(" ")).toLowerCase(), 400);
}

/** Nearest editing host or text field at or around an element. */
export function editorAt(element: Element): Element | undefined {
  for (let at: Element | undefined = element; at !== undefined; at = composedParent(at)) {
    if (at instanceof HTMLInputElement || at instanceof HTMLTextAreaElement || at instanceof HTMLSelectElement || isEditingHost(at)) return at;
  }
  return undefined;
}
