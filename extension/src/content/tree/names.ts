// Accessible names by AccName and HTML-AAM.

import { cut, fold, isBlank } from "../words";
import { byIds, isElement, isText, liveRoots, pushChildren } from "./composed";
import { anyGenerated, generatedText } from "./generated";
import { NAMED_BY_CONTENT, roleOf } from "./roles";
import { isSecret } from "./secret";
import { isAriaHidden, shownAs } from "./visibility";

/** Longest name. */
const LIMIT = 400;
const SILENT_TAGS = new Set(["script", "style", "noscript", "template", "head", "meta", "link", "datalist"]);
const INLINE = new Set((
  "a abbr b bdi bdo big br cite code data del dfn em font i img ins kbd label mark math meter output q ruby s samp slot small span strong sub " +
  "sup svg time tt u var wbr"
).split(" "));

export function isInlineTag(tag: string): boolean {
  return INLINE.has(tag);
}

/** A name and whether it was read from the content of the node (then the content is not said again). */
export interface Name {
  text: string;
  fromContent: boolean;
}

const NO_NAME: Name = { text: "", fromContent: false };

/** Computes names; one instance lasts for one walk, so that what is shared is looked up once. */
export class Names {
  #generates: boolean | undefined;
  #labels: Map<Element, Element[]> | undefined;

  /** Accessible name of an element with this role. */
  of(element: Element, role: string): Name {
    const written = this.#written(element);
    if (written !== "") return { text: cut(written, LIMIT), fromContent: false };
    const native = this.#native(element, role);
    if (native !== undefined) return { text: cut(native, LIMIT), fromContent: false };
    if (NAMED_BY_CONTENT.has(role)) {
      const content = this.content(element);
      if (content !== "") return { text: cut(content, LIMIT), fromContent: true };
    }
    const hint = element.getAttribute("title") ?? element.getAttribute("placeholder") ?? element.getAttribute("aria-placeholder");
    return hint === null || isBlank(hint) ? NO_NAME : { text: cut(fold(hint), LIMIT), fromContent: false };
  }

  /** What an element says by its content. */
  content(element: Element): string {
    const only = element.firstChild;
    if (only !== null && isText(only) && only.nextSibling === null && !this.#mayGenerate()) return fold(only.data);
    return fold(this.#inside(element, new Set(), false));
  }

  #mayGenerate(): boolean {
    return (this.#generates ??= anyGenerated(liveRoots()));
  }

  /** `aria-labelledby`, then `aria-label`. */
  #written(element: Element): string {
    if (element.hasAttribute("aria-labelledby")) {
      const parts: string[] = [];
      for (const source of byIds(element, "aria-labelledby")) parts.push(this.#referenced(source, element));
      const text = fold(parts.join(" "));
      if (text !== "") return text;
    }
    const label = element.getAttribute("aria-label");
    return label === null ? "" : fold(label);
  }

  /** Text of an element that another one names as its label: hidden ones speak too, and labels of labels are not followed. */
  #referenced(source: Element, from: Element): string {
    const label = source.getAttribute("aria-label");
    if (label !== null && !isBlank(label)) return label;
    const native = source === from ? undefined : this.#native(source, roleOf(source));
    if (native !== undefined && native !== "") return native;
    const hidden = shownAs(source) === "none" || isAriaHidden(source);
    return this.#inside(source, new Set([from]), hidden);
  }

  /** What HTML says: labels, alt, legend, caption … `undefined`: HTML has nothing to say. */
  #native(element: Element, role: string): string | undefined {
    switch (element.localName) {
      case "input": case "textarea": case "select": case "meter": case "progress": case "output": case "button":
        return this.#field(element);
      case "img": case "area": {
        const alt = element.getAttribute("alt");
        return alt === null || isBlank(alt) ? undefined : fold(alt);
      }
      case "fieldset": return this.#child(element, "legend");
      case "table": return this.#child(element, "caption");
      case "figure": return this.#child(element, "figcaption");
      case "optgroup": return element.getAttribute("label") ?? undefined;
      case "option": return element.getAttribute("label") ?? undefined;
      case "svg": return this.#child(element, "title");
      case "iframe": case "frame": return element.getAttribute("title") ?? element.getAttribute("name") ?? undefined;
      default: return role === "textbox" ? this.#byLabels(element) : undefined;
    }
  }

  #child(element: Element, tag: string): string | undefined {
    for (const child of element.children) {
      if (child.localName !== tag) continue;
      const text = tag === "title" ? fold(child.textContent) : this.content(child);
      return text === "" ? undefined : text;
    }
    return undefined;
  }

  #field(element: Element): string | undefined {
    const labels = this.#byLabels(element);
    if (labels !== undefined) return labels;
    if (!(element instanceof HTMLInputElement)) return undefined;
    const type = element.type;
    if (type === "submit" || type === "reset" || type === "button") {
      const value = element.hasAttribute("value") ? element.value : "";
      if (!isBlank(value)) return fold(value);
      return type === "submit" ? "Submit" : type === "reset" ? "Reset" : undefined;
    }
    if (type === "image") {
      for (const said of [element.alt, element.title]) if (!isBlank(said)) return fold(said);
      return "Submit";
    }
    return undefined;
  }

  #byLabels(element: Element): string | undefined {
    const labels = this.#labelsOf(element);
    if (labels === undefined) return undefined;
    const text = fold(labels.map((label) => this.#written(label) || this.#inside(label, new Set([element]), false)).join(" "));
    return text === "" ? undefined : text;
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

  /** Text of the content in rendered order. `hidden`: the root itself is hidden, so its hidden parts speak too. */
  #inside(top: Element, seen: Set<Element>, hidden: boolean): string {
    const generates = this.#mayGenerate();
    let said = "";
    // Explicit stack: pages nest deeper than the call stack.
    const open: (Node | string)[] = [];
    const enter = (element: Element): void => {
      if (generates) open.push(generatedText(element, "::after"));
      pushChildren(element, (child) => { open.push(child); });
      if (generates) open.push(generatedText(element, "::before"));
    };
    seen.add(top);
    enter(top);
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (said.length > LIMIT * 4) break;
      if (typeof next === "string") said += next;
      else if (isText(next)) said += next.data;
      else if (isElement(next) && !seen.has(next)) {
        seen.add(next);
        const tag = next.localName;
        if (SILENT_TAGS.has(tag)) continue;
        if (!hidden) {
          const shown = shownAs(next);
          if (shown === "none" || shown === "blank" || isAriaHidden(next)) continue;
        }
        const word = this.#embedded(next);
        const apart = word !== undefined ? true : !isInlineTag(tag) || (needsSpace(said) && setsApart(next));
        if (apart) {
          said += " ";
          open.push(" ");
        }
        if (word !== undefined) said += word;
        else enter(next);
      }
    }
    return said;
  }

  /** A part that speaks for itself: labelled, an image, or a control standing in a label. */
  #embedded(element: Element): string | undefined {
    const written = element.getAttribute("aria-label");
    if (written !== null && !isBlank(written)) return written;
    if (element.localName === "br") return " ";
    const role = roleOf(element);
    if (element.hasAttribute("aria-labelledby")) {
      const text = this.#written(element);
      if (text !== "") return text;
    }
    switch (role) {
      case "img": return this.#native(element, role) ?? element.getAttribute("title") ?? "";
      case "textbox": case "searchbox": case "spinbutton": case "combobox": case "slider": return isSecret(element) ? "" : spokenValue(element);
      case "listbox": return element instanceof HTMLSelectElement ? spokenValue(element) : "";
      case "none": return element.localName === "img" ? "" : undefined;
      default: return undefined;
    }
  }
}

function needsSpace(said: string): boolean {
  return said !== "" && !/\s$/.test(said);
}

/** A span or the like that style makes a block of its own. */
function setsApart(element: Element): boolean {
  const tag = element.localName;
  if (tag !== "span" && tag !== "a" && tag !== "label" && tag !== "slot") return false;
  const display = getComputedStyle(element).display;
  return display !== "inline" && display !== "contents" && !display.startsWith("inline");
}

function spokenValue(element: Element): string {
  if (element instanceof HTMLSelectElement) return [...element.selectedOptions].map((option) => option.label).join(" ");
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) return element.value;
  return element.getAttribute("aria-valuetext") ?? element.getAttribute("aria-valuenow") ?? element.textContent;
}
