// Accessible names by AccName 1.2 (https://w3c.github.io/accname/) and HTML-AAM 1.0 (https://w3c.github.io/html-aam/). Where the texts
// leave room, or Chrome's tree deviates from them, Chrome's tree decides; `lab axdiff` holds the two side by side.

import * as dom from "../dom";
import { cut, fold, isBlank } from "../words";
import { byIds, isElement, isText, liveRoots } from "./composed";
import { anyGenerated, generatedText } from "./generated";
import { Owns } from "./owns";
import { isEditingHost, NAME_PROHIBITED, NAMED_BY_CONTENT, NOT_READ, roleOf } from "./roles";
import { isSecret } from "./secret";
import { isAriaHidden, shownAs } from "./visibility";
import { spokenValue } from "./values";

/** Longest name. */
const LIMIT = 400;
/** Not text, or said by other means. `math` and the reading of a ruby say nothing to a name around them. */
const SILENT_TAGS = new Set((
  "script style noscript template head meta link datalist title desc defs metadata symbol rp rt math"
).split(" "));
const INLINE = new Set((
  "a abbr b bdi bdo big br cite code data del dfn em font i img ins kbd label mark math meter output q ruby s samp slot small span strong sub " +
  "sup svg time tt u var wbr"
).split(" "));
/** Read although their role is one that is not: tables for layout, and what unfolds. */
const READ_TAGS = new Set(["table", "tbody", "thead", "tfoot", "tr", "details"]);
const SVG = "http://www.w3.org/2000/svg";
const XLINK = "http://www.w3.org/1999/xlink";

export function isInlineTag(tag: string): boolean {
  return INLINE.has(tag);
}

/** A name and whether it was read from the content of the node (then the content is not said again). */
export interface Name {
  text: string;
  fromContent: boolean;
}

const NO_NAME: Name = { text: "", fromContent: false };

/** How a subtree is read. */
interface Reading {
  /** Read already, or the element whose name is being computed: neither is read again. */
  seen: Set<Element>;
  /** The start is hidden and was referenced: what is hidden inside speaks too (2A). */
  hidden: boolean;
  /** Named by `aria-labelledby`: every role is read, and no further reference is followed (2B). */
  referenced: boolean;
  /** The start is an item of a tree: its group of items is no part of its name. */
  item: boolean;
}

/** Stands on the stack of a reading where text becomes invisible, or visible again. */
const BLANK = Symbol("blank");
const CLEAR = Symbol("clear");

/** Computes names; one instance lasts for one walk, so that what is shared is looked up once. */
export class Names {
  readonly owns = new Owns();
  #generates: boolean | undefined;
  #labels: Map<Element, Element[]> | undefined;

  /** The name of an element with this role: the steps of AccName 4.3.2, in order. 2A (hidden) is the walk's: it asks only for what is shown. */
  of(element: Element, role: string): Name {
    const written = this.#written(element);
    if (written !== "") return { text: cut(written, LIMIT), fromContent: false };
    const native = this.#native(element);
    if (native !== undefined) return { text: cut(native, LIMIT), fromContent: false };
    if (NAMED_BY_CONTENT.has(role) && !isEditingHost(element) && element.localName !== "math") {
      const content = this.content(element, role);
      if (content !== "") return { text: cut(content, LIMIT), fromContent: true };
    }
    const hint = this.#tooltip(element, role);
    return hint === "" ? NO_NAME : { text: cut(hint, LIMIT), fromContent: false };
  }

  /** What an element says by its content (2F to 2H). */
  content(element: Element, role?: string): string {
    const only = dom.firstChild(element);
    if (only !== null && isText(only) && only.nextSibling === null && !this.mayGenerate() && dom.localName(element) !== "q" && !dom.hasAttribute(element, "aria-owns")) return fold(only.data);
    return fold(this.#read(element, { seen: new Set(), hidden: false, referenced: false, item: role === "treeitem" }));
  }

  /** Whether style sheets write text. */
  mayGenerate(): boolean {
    return (this.#generates ??= anyGenerated(liveRoots()));
  }

  /** 2B LabelledBy, then 2D AriaLabel: what the author wrote. Whitespace alone is nothing. */
  #written(element: Element): string {
    if (!dom.hasAttributes(element)) return "";
    if (dom.hasAttribute(element, "aria-labelledby")) {
      const text = this.#byReference(element);
      if (text !== "") return text;
    }
    const label = dom.getAttribute(element, "aria-label");
    return label === null ? "" : fold(label);
  }

  /** 2B: the texts of all referenced elements in the order of the attribute, each as often as it is named. */
  #byReference(element: Element): string {
    return fold(byIds(element, "aria-labelledby").map((source) => this.#referenced(source, element)).join(" "));
  }

  /** 2B.ii: one referenced element. References of its own are not followed (a cycle ends here); an element may name itself. */
  #referenced(source: Element, from: Element): string {
    if (source !== from) {
      const value = this.#value(source, roleOf(source));
      if (value !== undefined && !isBlank(value)) return value;
    }
    const label = dom.getAttribute(source, "aria-label");
    if (label !== null && !isBlank(label)) return label;
    const native = this.#native(source);
    if (native !== undefined && native !== "") return native;
    const shown = shownAs(source);
    const hidden = shown === "none" || shown === "blank" || isAriaHidden(source);
    const content = this.#read(source, { seen: new Set(source === from ? [] : [from]), hidden, referenced: true, item: false });
    return isBlank(content) ? (dom.getAttribute(source, "title") ?? "") : content;
  }

  /**
   * 2C Embedded Control: what a control inside a label or a heading says is its value. `undefined`: it is no such control. Secrets
   * are never said.
   */
  #value(element: Element, role: string): string | undefined {
    switch (role) {
      case "textbox": case "searchbox":
        if (isSecret(element)) return "";
        return spokenValue(element) ?? this.#read(element, { seen: new Set(), hidden: false, referenced: true, item: false });
      case "combobox": case "listbox":
        return spokenValue(element) ?? this.#chosen(element);
      case "spinbutton": case "slider": case "scrollbar": case "meter": case "progressbar":
        return isSecret(element) ? "" : spokenValue(element);
      default: return undefined;
    }
  }

  /** 2C.ii: the chosen options of a list that the author made. */
  #chosen(element: Element): string {
    return [...dom.querySelectorAll(element, '[role="option"][aria-selected="true"]')].map((option) => this.content(option)).join(" ");
  }

  /** 2E Host Language Label (HTML-AAM 4.1, SVG-AAM 5): `undefined` when the language has nothing to say; an empty label is a label. */
  #native(element: Element): string | undefined {
    switch (dom.localName(element)) {
      case "input": case "textarea": case "select": case "meter": case "progress": case "output": case "button": return this.#field(element);
      case "img": case "area": {
        const alt = dom.getAttribute(element, "alt");
        return alt === null ? undefined : fold(alt);
      }
      case "fieldset": return this.#child(element, "legend");
      case "table": return this.#child(element, "caption") ?? said(dom.getAttribute(element, "summary"));
      case "optgroup": case "option": return said(dom.getAttribute(element, "label"));
      case "div": case "span": return undefined;
      default:
        if (dom.namespaceURI(element) === SVG) return this.#child(element, "title") ?? said(dom.getAttributeNS(element, XLINK, "title"));
        return dom.localName(element).includes("-") ? this.#byLabels(element) : undefined;
    }
  }

  #child(element: Element, tag: string): string | undefined {
    for (const child of dom.children(element)) if (dom.localName(child) === tag) return tag === "title" ? fold(dom.textContent(child) ?? "") : isAriaHidden(child) || shownAs(child) === "none" ? "" : this.content(child);
    return undefined;
  }

  /** HTML-AAM 4.1.1 to 4.1.6: labels, then what a button of the browser's says by itself. */
  #field(element: Element): string | undefined {
    const labels = this.#byLabels(element);
    if (labels !== undefined) return labels;
    if (!(element instanceof HTMLInputElement)) return undefined;
    const value = element.getAttribute("value");
    switch (element.type) {
      case "submit": return value === null ? "Submit" : fold(value);
      case "reset": return value === null ? "Reset" : fold(value);
      case "button": return said(value);
      case "image": return said(element.getAttribute("alt")) ?? said(value) ?? said(element.getAttribute("title")) ?? "Submit";
      default: return undefined;
    }
  }

  #byLabels(element: Element): string | undefined {
    const labels = this.#labelsOf(element);
    if (labels === undefined) return undefined;
    const seen = new Set([element]);
    const texts = labels.map((label) => {
      if (seen.has(label) || shownAs(label) === "none" || isAriaHidden(label)) return "";
      return this.#written(label) || this.#read(label, { seen, hidden: false, referenced: false, item: false });
    });
    return fold(texts.join(" "));
  }

  /** All labels at once: `labels` of one control searches the whole tree, and again for the next. */
  #labelsOf(element: Element): Element[] | undefined {
    if (this.#labels === undefined) {
      this.#labels = new Map();
      for (const root of liveRoots()) {
        for (const label of root.querySelectorAll("label")) {
          const control = label.control;
          if (control === null) continue;
          const known = this.#labels.get(control);
          if (known === undefined) this.#labels.set(control, [label]);
          else known.push(label);
        }
      }
    }
    return this.#labels.get(element);
  }

  /** 2I Tooltip, with the placeholder after it (HTML-AAM 4.1.1). What may have no name is described by a tooltip, not named. */
  #tooltip(element: Element, role: string): string {
    if (!dom.hasAttributes(element)) return "";
    if (!NAME_PROHIBITED.has(role) || dom.localName(element) === "abbr") {
      const title = said(dom.getAttribute(element, "title"));
      if (title !== undefined) return title;
    }
    const tag = dom.localName(element);
    return (tag === "input" || tag === "textarea" ? said(dom.getAttribute(element, "placeholder")) : undefined) ?? said(dom.getAttribute(element, "aria-placeholder")) ?? "";
  }

  /**
   * 2F Name From Content with 2G (its recursion) and 2H (text nodes): the text of everything inside, in rendered order. What is no
   * plain inline text stands apart by spaces (2F.ii, CSS boxes).
   */
  #read(top: Element, reading: Reading): string {
    const generates = this.mayGenerate();
    let text = "";
    let blank = 0;
    // Explicit stack: pages nest deeper than the call stack.
    const open: (Node | string | symbol)[] = [];
    const enter = (element: Element): void => {
      const quotes = dom.localName(element) === "q";
      if (generates || quotes) open.push(generatedText(element, "::after"));
      this.owns.pushChildren(element, (child) => { open.push(child); });
      if (generates || quotes) open.push(generatedText(element, "::before"));
    };
    reading.seen.add(top);
    enter(top);
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (text.length > LIMIT * 4) break;
      if (typeof next === "string") text += next;
      else if (typeof next === "symbol") blank += next === BLANK ? 1 : -1;
      else if (isText(next)) text += blank > 0 ? "" : next.data;
      else if (isElement(next) && !reading.seen.has(next) && !SILENT_TAGS.has(dom.localName(next))) {
        reading.seen.add(next);
        const shown = reading.hidden ? "shown" : shownAs(next);
        if (shown === "none" || (!reading.hidden && dom.hasAttributes(next) && isSilenced(next))) continue;
        const word = this.#part(next, reading);
        if (word !== undefined || setsApart(next, text)) {
          text += " ";
          open.push(" ");
        }
        if (word !== undefined) text += shown === "blank" ? "" : word;
        else {
          // Invisible text is not read, but what is visible again inside it is.
          const turned = shown === "blank" ? BLANK : shown === "shown" && blank > 0 ? CLEAR : undefined;
          if (turned !== undefined) {
            open.push(turned === BLANK ? CLEAR : BLANK);
            blank += turned === BLANK ? 1 : -1;
          }
          enter(next);
        }
      }
    }
    return text;
  }

  /** 2F.iii: a part that speaks otherwise than by its content. `undefined`: its content is read. */
  #part(element: Element, reading: Reading): string | undefined {
    const tag = dom.localName(element);
    if (tag === "br" || tag === "wbr" || tag === "hr") return "";
    const role = roleOf(element);
    const value = this.#value(element, role);
    if (value !== undefined && !isBlank(value)) return value;
    const written = reading.referenced ? fold(dom.getAttribute(element, "aria-label") ?? "") : this.#written(element);
    if (written !== "") return written;
    const native = this.#native(element);
    if (native !== undefined && native !== "") return native;
    if (tag === "iframe" || tag === "img") return dom.getAttribute(element, "title") ?? "";
    if (tag === "svg" || reading.referenced) return value;
    if (NOT_READ.has(role) && !READ_TAGS.has(tag) && !(reading.item && role !== "group")) return this.#tooltip(element, role);
    if (!dom.hasChildNodes(element) && !NAME_PROHIBITED.has(role)) return this.#tooltip(element, role);
    return value;
  }
}

/** Text that is more than white space, folded. */
function said(text: string | null): string | undefined {
  return text === null || isBlank(text) ? undefined : fold(text);
}

/** Left out of every name around it: by ARIA, or because nobody can use it. */
function isSilenced(element: Element): boolean {
  return isAriaHidden(element) || dom.hasAttribute(element, "inert") || (dom.hasAttribute(element, "style") && getComputedStyle(element).contentVisibility === "hidden");
}

/** Whether an element has a box of its own, or none: its text does not join the text before it. */
function setsApart(element: Element, before: string): boolean {
  // At the beginning, and with nothing after it, white space makes no difference.
  if (before === "" && dom.nextSibling(element) === null) return false;
  const display = getComputedStyle(element).display;
  return display !== "inline" && display !== "ruby";
}
