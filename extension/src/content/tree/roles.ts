// Roles by ARIA and HTML-AAM. `generic` stands for everything that is left out of the tree.

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
  const written = element.getAttribute("role");
  if (written === null || written === "") return implicitRole(element);
  for (const token of written.toLowerCase().split(/\s+/)) {
    if (!KNOWN.has(token)) continue;
    if (token === "none" || token === "presentation") {
      // A focusable element, or one with global ARIA, cannot be made presentational.
      if (!isFocusable(element) && !GLOBAL_ARIA.some((name) => element.hasAttribute(name))) return "none";
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
  if (wanted === undefined || element.localName === "li") return true;
  for (let at = composedParent(element); at !== undefined; at = composedParent(at)) {
    const role = roleOf(at);
    if (wanted.has(role)) return true;
    if (!BETWEEN.has(role)) break;
  }
  // Moved there by its id.
  const root = element.getRootNode();
  const id = element.closest("[id]")?.id ?? "";
  return id !== "" && (root instanceof Document || root instanceof ShadowRoot) && root.querySelector(`[aria-owns~="${CSS.escape(id)}"]`) !== null;
}

function implicitRole(element: Element): string {
  const tag = element.localName;
  switch (tag) {
    case "div": case "span": return editable(element, "generic");
    case "a": case "area": return element.hasAttribute("href") ? "link" : "generic";
    case "input": return inputRole(element);
    case "select": return element instanceof HTMLSelectElement && (element.multiple || element.size > 1) ? "listbox" : "combobox";
    case "li": return isPresentational(element.parentElement) ? "none" : "listitem";
    case "img": return element.getAttribute("alt") === "" && !element.hasAttribute("aria-label") && !element.hasAttribute("title") ? "none" : "img";
    case "svg": return "img";
    case "g": return element.firstElementChild?.localName === "title" ? "group" : "generic";
    case "header": return isInside(element, SECTIONS) ? "generic" : "banner";
    case "footer": return isInside(element, SECTIONS) ? "generic" : "contentinfo";
    case "section": return isNamed(element) ? "region" : "generic";
    case "aside": return isNamed(element) || !isInside(element, "article,aside,nav,section,[role=article]") ? "complementary" : "generic";
    case "tr": return isPresentational(element.closest("table")) ? "none" : "row";
    case "td": return isPresentational(element.closest("table")) ? "none" : inGrid(element) ? "gridcell" : "cell";
    case "th": return isPresentational(element.closest("table")) ? "none" : headerRole(element);
    case "summary": return element.parentElement?.localName === "details" ? "button" : "generic";
    default: return editable(element, SIMPLE[tag] ?? "generic");
  }
}

/** An editing host without a role is a text box. */
function editable(element: Element, role: string): string {
  return isEditingHost(element) ? "textbox" : role;
}

export function isEditingHost(element: Element): boolean {
  const mode = element.getAttribute("contenteditable");
  return mode !== null && mode.toLowerCase() !== "false" && element instanceof HTMLElement && element.isContentEditable;
}

function inputRole(element: Element): string {
  if (!(element instanceof HTMLInputElement)) return "textbox";
  const role = INPUT[element.type] ?? "textbox";
  if (element.type === "checkbox" && element.hasAttribute("switch")) return "switch";
  return (role === "textbox" || role === "searchbox") && element.hasAttribute("list") ? "combobox" : role;
}

/** The parts of a list or a table without a role have none either (ARIA 1.2, 5.5.2 Presentational Role Inheritance). */
function isPresentational(owner: Element | null): boolean {
  const role = owner?.getAttribute("role");
  return (role === "none" || role === "presentation") && owner !== null && roleOf(owner) === "none";
}

/** Named by its author: HTML-AAM gives some elements a role only then. */
function isNamed(element: Element): boolean {
  return element.hasAttribute("aria-label") || element.hasAttribute("aria-labelledby") || element.hasAttribute("title");
}

const SECTIONS = "article,aside,main,nav,section,[role=article],[role=complementary],[role=main],[role=navigation],[role=region]";

function isInside(element: Element, selector: string): boolean {
  return element.parentElement !== null && element.parentElement.closest(selector) !== null;
}

function inGrid(element: Element): boolean {
  const role = element.closest("table")?.getAttribute("role");
  return role === "grid" || role === "treegrid";
}

function headerRole(element: Element): string {
  const scope = element.getAttribute("scope");
  if (scope === "row" || scope === "rowgroup") return "rowheader";
  if (scope === "col" || scope === "colgroup") return "columnheader";
  const row = element.parentElement;
  if (row === null || row.parentElement?.localName === "thead") return "columnheader";
  return row.firstElementChild === element && row.querySelector("td") !== null ? "rowheader" : "columnheader";
}

const FOCUSABLE_TAGS = new Set(["button", "select", "textarea", "summary", "iframe"]);

export function isFocusable(element: Element): boolean {
  const tag = element.localName;
  if (tag === "input") return !element.hasAttribute("disabled") && element.getAttribute("type") !== "hidden";
  if (FOCUSABLE_TAGS.has(tag)) return !element.hasAttribute("disabled");
  if ((tag === "a" || tag === "area") && element.hasAttribute("href")) return true;
  return element.hasAttribute("tabindex") || isEditingHost(element);
}

/** Live regions without a role of their own speak like the role of their politeness. */
export function liveRole(element: Element): string | undefined {
  switch (element.getAttribute("aria-live")) {
    case "assertive": return "alert";
    case "polite": return "status";
    default: return undefined;
  }
}

/** Level of a heading. */
export function levelOf(element: Element): number {
  const written = Number.parseInt(element.getAttribute("aria-level") ?? "", 10);
  if (!Number.isNaN(written)) return Math.max(written, 1);
  const native = /^h([1-6])$/.exec(element.localName)?.[1];
  return native === undefined ? 2 : Number(native);
}

/** The control a label stands for. */
export function labelled(element: Element): Element | undefined {
  for (let at: Element | undefined = element; at !== undefined; at = composedParent(at)) {
    if (at instanceof HTMLLabelElement) return at.control ?? undefined;
  }
  return undefined;
}
