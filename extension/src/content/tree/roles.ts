// Roles by ARIA and HTML-AAM. `generic` stands for everything that is left out of the tree.

import * as dom from "../dom";
import { composedParent } from "./composed";

const KNOWN = new Set((
  "alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox comment complementary contentinfo " +
  "definition deletion dialog directory document emphasis feed figure form generic grid gridcell group heading img image insertion link list listbox " +
  "listitem log main mark marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation " +
  "progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong subscript " +
  "suggestion superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem"
).split(" "));

/** Named by what they contain. */
export const NAMED_BY_CONTENT = new Set((
  "button cell checkbox columnheader gridcell heading link math menuitem menuitemcheckbox menuitemradio option radio rowheader switch tab term tooltip treeitem"
).split(" "));

/** May have no name by ARIA (5.2.8.6): a tooltip describes them. A name that the author writes all the same is kept, as in Chrome. */
export const NAME_PROHIBITED = new Set((
  "caption code deletion emphasis generic insertion mark none paragraph presentation strong subscript suggestion superscript"
).split(" "));

/** Parts of their own: what they contain is not read into a name around them. */
export const NOT_READ = new Set((
  "alert alertdialog application article banner blockquote combobox comment complementary contentinfo dialog document feed figure form grid group img " +
  "listbox log main marquee menu menubar meter navigation note progressbar radiogroup row rowgroup scrollbar search separator slider spinbutton status " +
  "table tablist tabpanel timer toolbar tree treegrid"
).split(" "));

/** Something one acts on: always numbered. */
export const ACTIONABLE = new Set((
  "button checkbox combobox gridcell link listbox menuitem menuitemcheckbox menuitemradio option radio scrollbar searchbox slider spinbutton switch tab " +
  "textbox treeitem"
).split(" "));

/** Not acted on by itself, but a place to read by or to aim at. */
export const NUMBERED = new Set("alertdialog canvas dialog grid iframe tree treegrid".split(" "));

/** Roles that say nothing on their own: text flows through them. */
export const TRANSPARENT = new Set((
  "generic none presentation paragraph rowgroup blockquote caption code comment definition deletion directory document emphasis insertion mark " +
  "strong subscript suggestion superscript term time"
).split(" "));

/** Names come only from the author; without one these say nothing. */
export const ONLY_NAMED = new Set(["form", "region"]);

const SIMPLE: Readonly<Record<string, string>> = {
  address: "group", article: "article", aside: "complementary", blockquote: "blockquote", button: "button", canvas: "canvas", caption: "caption", code: "code",
  datalist: "listbox", del: "deletion", details: "group", dfn: "term", dialog: "dialog", dt: "term", dd: "definition", em: "emphasis",
  dl: "generic", embed: "embed", fieldset: "group", figcaption: "caption", figure: "figure", form: "form", h1: "heading", h2: "heading", h3: "heading", h4: "heading", h5: "heading",
  h6: "heading", hgroup: "group", hr: "separator", iframe: "iframe", image: "img", frame: "iframe", ins: "insertion", li: "listitem", main: "main", mark: "mark", math: "math",
  menu: "list", meter: "meter", nav: "navigation", object: "object", ol: "list", optgroup: "group", option: "option", output: "status",
  p: "paragraph", progress: "progressbar", s: "deletion", search: "search", strong: "strong", sub: "subscript", summary: "button", sup: "superscript",
  table: "table", tbody: "rowgroup", textarea: "textbox", tfoot: "rowgroup", thead: "rowgroup", time: "time", tr: "row", ul: "list",
  video: "video", audio: "audio", fencedframe: "iframe",
};

const INPUT: Readonly<Record<string, string>> = {
  button: "button", checkbox: "checkbox", color: "textbox", file: "button", image: "button", number: "spinbutton", radio: "radio", range: "slider",
  reset: "button", search: "searchbox", submit: "button",
};

const GLOBAL_ARIA = [
  "aria-atomic", "aria-busy", "aria-controls", "aria-current", "aria-describedby", "aria-details", "aria-dropeffect", "aria-flowto", "aria-grabbed",
  "aria-keyshortcuts", "aria-label", "aria-labelledby", "aria-live", "aria-owns", "aria-relevant", "aria-roledescription",
];

/** Role of an element. */
export function roleOf(element: Element): string {
  const written = dom.getAttribute(element, "role");
  if (written === null || written === "") return implicitRole(element);
  for (const token of written.toLowerCase().split(/\s+/)) {
    if (!KNOWN.has(token)) continue;
    if (token === "none" || token === "presentation") {
      // A focusable element, or one with global ARIA, cannot be made presentational.
      if (!isFocusable(element) && !GLOBAL_ARIA.some((name) => dom.hasAttribute(element, name))) return "none";
      continue;
    }
    if (!hasContext(element, token)) continue;
    return SYNONYMS[token] ?? token;
  }
  return implicitRole(element);
}

const SYNONYMS: Readonly<Record<string, string>> = { directory: "list", image: "img" };

/** Roles that are nothing outside the one around them (ARIA 1.2, 5.2.6 Required Accessibility Parent Role, as Chrome asks it). */
const CONTEXT: Readonly<Record<string, ReadonlySet<string>>> = {
  listitem: new Set(["list"]), option: new Set(["listbox", "combobox"]), treeitem: new Set(["tree"]),
};
/** Between the two these do not count. */
const BETWEEN = new Set(["generic", "none", "group", "treeitem"]);

function hasContext(element: Element, token: string): boolean {
  const wanted = CONTEXT[token];
  if (wanted === undefined || dom.localName(element) === "li") return true;
  for (let at = composedParent(element); at !== undefined; at = composedParent(at)) {
    const role = roleOf(at);
    if (wanted.has(role)) return true;
    if (!BETWEEN.has(role)) break;
  }
  // Moved there by its id.
  const root = dom.getRootNode(element);
  const named = dom.closest(element, "[id]");
  const id = named === null ? "" : dom.id(named);
  return id !== "" && (root instanceof Document || root instanceof ShadowRoot) && root.querySelector(`[aria-owns~="${CSS.escape(id)}"]`) !== null;
}

function implicitRole(element: Element): string {
  const tag = dom.localName(element);
  switch (tag) {
    case "div": case "span": return editable(element, "generic");
    case "a": case "area": return dom.hasAttribute(element, "href") ? "link" : "generic";
    case "input": return inputRole(element);
    case "select": return element instanceof HTMLSelectElement && (element.multiple || element.size > 1) ? "listbox" : "combobox";
    case "li": return isPresentational(dom.parentElement(element)) ? "none" : "listitem";
    case "img": return dom.getAttribute(element, "alt") === "" && !dom.hasAttribute(element, "aria-label") && !dom.hasAttribute(element, "title") ? "none" : "img";
    case "svg": return "img";
    case "g": return element.firstElementChild?.localName === "title" ? "group" : "generic";
    case "header": return isInside(element, SECTIONS) ? "generic" : "banner";
    case "footer": return isInside(element, SECTIONS) ? "generic" : "contentinfo";
    case "section": return isNamed(element) ? "region" : "generic";
    case "aside": return isNamed(element) || !isInside(element, "article,aside,nav,section,[role=article]") ? "complementary" : "generic";
    case "tr": return isPresentational(dom.closest(element, "table")) ? "none" : "row";
    case "td": return isPresentational(dom.closest(element, "table")) ? "none" : inGrid(element) ? "gridcell" : "cell";
    case "th": return isPresentational(dom.closest(element, "table")) ? "none" : headerRole(element);
    case "summary": return isTag(dom.parentElement(element), "details") ? "button" : "generic";
    default: return editable(element, SIMPLE[tag] ?? "generic");
  }
}

/** An editing host without a role is a text box. */
function editable(element: Element, role: string): string {
  return isEditingHost(element) ? "textbox" : role;
}

export function isEditingHost(element: Element): boolean {
  const mode = dom.getAttribute(element, "contenteditable");
  return mode !== null && mode.toLowerCase() !== "false" && element instanceof HTMLElement && dom.isContentEditable(element);
}

function inputRole(element: Element): string {
  if (!(element instanceof HTMLInputElement)) return "textbox";
  const role = INPUT[element.type] ?? "textbox";
  if (element.type === "checkbox" && element.hasAttribute("switch")) return "switch";
  return (role === "textbox" || role === "searchbox") && element.hasAttribute("list") ? "combobox" : role;
}

/** The parts of a list or a table without a role have none either (ARIA 1.2, 5.5.2 Presentational Role Inheritance). */
function isPresentational(owner: Element | null): boolean {
  const role = owner === null ? null : dom.getAttribute(owner, "role");
  return (role === "none" || role === "presentation") && owner !== null && roleOf(owner) === "none";
}

/** Named by its author: HTML-AAM gives some elements a role only then. */
function isNamed(element: Element): boolean {
  return dom.hasAttribute(element, "aria-label") || dom.hasAttribute(element, "aria-labelledby") || dom.hasAttribute(element, "title");
}

const SECTIONS = "article,aside,main,nav,section,[role=article],[role=complementary],[role=main],[role=navigation],[role=region]";

function isInside(element: Element, selector: string): boolean {
  const parent = dom.parentElement(element);
  return parent !== null && dom.closest(parent, selector) !== null;
}

function isTag(element: Element | null, tag: string): boolean {
  return element !== null && dom.localName(element) === tag;
}

function inGrid(element: Element): boolean {
  const table = dom.closest(element, "table");
  const role = table === null ? null : dom.getAttribute(table, "role");
  return role === "grid" || role === "treegrid";
}

function headerRole(element: Element): string {
  const scope = dom.getAttribute(element, "scope");
  if (scope === "row" || scope === "rowgroup") return "rowheader";
  if (scope === "col" || scope === "colgroup") return "columnheader";
  const row = dom.parentElement(element);
  if (row === null || isTag(dom.parentElement(row), "thead")) return "columnheader";
  return dom.firstElementChild(row) === element && dom.querySelector(row, "td") !== null ? "rowheader" : "columnheader";
}

const FOCUSABLE_TAGS = new Set(["button", "select", "textarea", "summary", "iframe"]);

export function isFocusable(element: Element): boolean {
  const tag = dom.localName(element);
  if (tag === "input") return !dom.hasAttribute(element, "disabled") && dom.getAttribute(element, "type") !== "hidden";
  if (FOCUSABLE_TAGS.has(tag)) return !dom.hasAttribute(element, "disabled");
  if ((tag === "a" || tag === "area") && dom.hasAttribute(element, "href")) return true;
  return dom.hasAttribute(element, "tabindex") || isEditingHost(element);
}

/** Live regions without a role of their own speak like the role of their politeness. */
export function liveRole(element: Element): string | undefined {
  switch (dom.getAttribute(element, "aria-live")) {
    case "assertive": return "alert";
    case "polite": return "status";
    default: return undefined;
  }
}

/** Level of a heading. */
export function levelOf(element: Element): number {
  const written = Number.parseInt(dom.getAttribute(element, "aria-level") ?? "", 10);
  if (!Number.isNaN(written)) return Math.max(written, 1);
  const native = /^h([1-6])$/.exec(dom.localName(element))?.[1];
  return native === undefined ? 2 : Number(native);
}

/** The control a label stands for. */
export function labelled(element: Element): Element | undefined {
  for (let at: Element | undefined = element; at !== undefined; at = composedParent(at)) {
    if (at instanceof HTMLLabelElement) return at.control ?? undefined;
  }
  return undefined;
}
