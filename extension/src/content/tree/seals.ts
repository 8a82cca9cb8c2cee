// What the latest walk found in blocks that are plain through and through: the next walk takes it over where no record tells of a change and
// every element inside is still rendered as it was. Nothing is taken on trust: what can change without a record is looked at again.

import type { Node as TreeNode } from "../../generated/protocol";
import * as dom from "../dom";
import { isElement, shadowOf } from "./composed";
import type { Names } from "./names";
import { statesOf, valueOf } from "./states";
import type { Around } from "./states";
import { isBlank } from "../words";

/** Smaller blocks are walked again. */
const LEAST = 12;
/** Of larger blocks the blocks inside are kept too: a change breaks all that stand around it. */
const LARGE = 600;
/** So many records at once are a page that rebuilds itself. */
const MANY = 400;

/** What an element's style told; asked again before a block is taken over. */
export interface Look {
  element: Element;
  /** Its computed style: the object is live, and making it anew costs a third of the asking. */
  style: CSSStyleDeclaration;
  display: string;
  visibility: string;
  /** Only where it was asked for. */
  cursor?: string;
  contents?: string;
  size?: string;
  overflow?: string;
  /** Without children, of a kind that may get a shadow root. */
  empty?: true;
  field?: Field;
}

/** What a form field said of itself: all of it can change without a record. */
interface Field {
  role: string;
  around: Around;
  clickable: boolean;
  /** Absent: the author wrote it on the field, and a record tells when it changes. */
  name?: string;
  says: string;
}

/** One block. */
export interface Seal {
  /** What it inherited. */
  around: object;
  nodes: TreeNode[];
  elements: (Element | undefined)[];
  sources: (Element | Text | undefined)[];
  hidden: Element[];
  looks: Look[];
}

/** Attributes that change how things look, or what one node says of itself: no other block is named or ordered by them. */
const OWN = new Set([
  "class", "style", "hidden", "title", "src", "href", "value", "open", "alt", "aria-expanded", "aria-pressed", "aria-selected", "aria-checked", "aria-current",
  "aria-valuenow", "aria-valuetext", "aria-busy", "aria-live", "aria-label", "aria-describedby", "aria-controls", "aria-activedescendant", "aria-disabled", "tabindex",
]);

/** All sealed blocks of a document. */
export class Seals {
  #kept = new Map<Element, Seal>();
  #focused: Element | null = null;
  #generates = false;

  /** Records of mutations, all of them, in order. */
  note(records: readonly MutationRecord[]): void {
    if (this.#kept.size === 0) return;
    if (records.length > MANY) {
      this.clear();
      return;
    }
    for (const record of records) {
      const inside = this.#open(record.target);
      if (record.type === "attributes" && !inside && !isOwn(record.attributeName ?? "")) this.clear();
      if (record.type === "attributes" && (record.attributeName === "id" || record.attributeName === "for")) this.clear();
      // What was moved keeps no seal of its earlier place.
      for (const node of record.addedNodes) if (isElement(node)) this.#openInside(node);
    }
  }

  /** A walk begins. What is named by other parts of the page, or by style sheets, cannot be kept. */
  begin(focused: Element | null, generates: boolean, owned: boolean): void {
    if (generates || owned || generates !== this.#generates) this.clear();
    this.#generates = generates;
    if (focused !== this.#focused) for (const one of [focused, this.#focused]) if (one !== null) this.#open(one);
    this.#focused = focused;
  }

  /** Whether a block of so many nodes is worth keeping beside the blocks `inside` it: one that is mostly another is not. */
  fits(nodes: number, inside: readonly Element[]): boolean {
    return nodes >= LEAST && (nodes <= LARGE || inside.every((inner) => (this.#kept.get(inner)?.nodes.length ?? 0) * 2 <= nodes));
  }

  /** Keeps a block; a large one keeps the blocks inside it too. */
  keep(element: Element, seal: Seal, inside: readonly Element[]): void {
    if (seal.nodes.length <= LARGE) for (const inner of inside) this.#kept.delete(inner);
    this.#kept.set(element, seal);
  }

  /** What stands under this element, if it is certain to be what a walk would find. */
  take(element: Element, around: object, names: Names): Seal | undefined {
    const seal = this.#kept.get(element);
    if (seal === undefined) return undefined;
    if (same(seal.around, around) && seal.looks.every((look) => holds(look, names, this.#focused))) return seal;
    this.#kept.delete(element);
    return undefined;
  }

  clear(): void {
    this.#kept.clear();
  }

  /** Breaks the seals around a node; false: there were none. */
  #open(node: Node): boolean {
    let broken = false;
    for (let at: Node | null = node; at !== null; at = at instanceof ShadowRoot ? at.host : dom.parentNode(at)) {
      if (isElement(at) && this.#kept.delete(at)) broken = true;
    }
    return broken;
  }

  #openInside(node: Element): void {
    this.#kept.delete(node);
    if (dom.childElementCount(node) === 0) return;
    for (const element of this.#kept.keys()) if (dom.contains(node, element)) this.#kept.delete(element);
  }
}

function isOwn(attribute: string): boolean {
  return OWN.has(attribute) || attribute.startsWith("data-");
}

function same(one: object, other: object): boolean {
  const before = Object.entries(one);
  const now: Readonly<Record<string, unknown>> = { ...other };
  return before.every(([key, value]) => now[key] === value);
}

/** What a field says now. A list says its options by their nodes, and by which of them are chosen. */
function says(element: Element, role: string, around: Around, clickable: boolean, focused: Element | null): string {
  const states = statesOf(element, role, around, clickable, focused).join(" ");
  const chosen = element instanceof HTMLSelectElement ? [...element.selectedOptions].map((option) => option.index).join(" ") : "";
  const value = valueOf(element, false);
  return value === undefined ? `${states}|${chosen}` : `${states}|${chosen}|${value.kind}|${value.kind === "secret" ? value.length : value.text}`;
}

/** What is to be asked of a field again before its block is taken over. */
export function fieldOf(element: Element, role: string, { ariaDisabled, inert }: Around, clickable: boolean, name: string, focused: Element | null): Field {
  const around = { ariaDisabled, inert };
  const field = { role, around, clickable, says: says(element, role, around, clickable, focused) };
  return isBlank(dom.getAttribute(element, "aria-label") ?? "") ? { ...field, name } : field;
}

function stays(element: Element, { role, around, clickable, name, says: before }: Field, names: Names, focused: Element | null): boolean {
  return says(element, role, around, clickable, focused) === before && (name === undefined || names.of(element, role).text === name);
}

function holds(look: Look, names: Names, focused: Element | null): boolean {
  const { style } = look;
  return style.display === look.display && style.visibility === look.visibility
    && (look.cursor === undefined || style.cursor === look.cursor)
    && (look.contents === undefined || style.contentVisibility === look.contents)
    && (look.size === undefined || style.fontSize === look.size)
    && (look.overflow === undefined || overflowOf(style) === look.overflow)
    && (look.empty === undefined || shadowOf(look.element) === undefined)
    && (look.field === undefined || stays(look.element, look.field, names, focused));
}

/** Kinds whose content or state changes without a record, is named by or names another place, or is rendered by rules of its own. */
const CHANGEABLE = new Set((
  "area audio canvas caption details dialog embed fencedframe figcaption frame iframe legend map math object option q ruby slot summary td th video"
).split(" "));
/** Asked again for what they say, instead of walked. */
export const FIELDS = new Set(["input", "meter", "progress", "select", "textarea"]);
const CHANGEABLE_BY = ["aria-labelledby", "aria-owns", "contenteditable", "popover", "popovertarget", "role"];

/** Whether an element has to be walked each time, with all that stands around it. */
export function isChangeable(element: Element, tag: string): boolean {
  if (tag === "label" && !holdsControl(element)) return true;
  if (CHANGEABLE.has(tag) || tag.includes("-")) return true;
  return dom.hasAttributes(element) && CHANGEABLE_BY.some((name) => dom.hasAttribute(element, name) && (name !== "role" || !PLAIN_ROLES.has(dom.getAttribute(element, name) ?? "")));
}

/** A label that holds its own control changes with what is inside it only. */
function holdsControl(element: Element): boolean {
  const control = element instanceof HTMLLabelElement ? element.control : null;
  return control !== null && dom.contains(element, control);
}

/** Written roles that are what they are wherever they stand. */
const PLAIN_ROLES = new Set("alert article banner button complementary contentinfo group heading img link list log main menuitem navigation note paragraph region search separator status tab toolbar".split(" "));

/** How an element scrolls, both ways. */
export function overflowOf(style: CSSStyleDeclaration): string {
  return `${style.overflowX} ${style.overflowY}`;
}

export function scrollsByStyle(overflow: string): boolean {
  return overflow.includes("auto") || overflow.includes("scroll");
}
