// The page as it is rendered: shadow roots (open and closed), slots, and the way up.

import { anyShadowRoot } from "../chrome";
import * as dom from "../dom";
import { isOwn } from "../panel/own";

/** Plain elements that may carry a shadow root; custom elements may too. */
const HOSTS = new Set([
  "article", "aside", "blockquote", "body", "div", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "main", "nav", "p", "section", "span",
]);

/** Closed roots, by host. */
const closed = new WeakMap<Element, ShadowRoot>();
/** Hosts that had no closed root when asked: asking costs, and an element with children of its own hardly gets one later. */
const asked = new WeakSet<Element>();
const met = new Set<ShadowRoot>();
const wanting: ((root: ShadowRoot) => void)[] = [];

/** Calls back for every shadow root that is or will be met. */
export function onRoot(listener: (root: ShadowRoot) => void): void {
  wanting.push(listener);
  for (const root of met) listener(root);
}

function meet(root: ShadowRoot): ShadowRoot {
  if (!met.has(root)) {
    met.add(root);
    for (const listener of wanting) listener(root);
  }
  return root;
}

/** Whether elements of this tag can carry a shadow root: `custom` ones, and some plain ones. */
const hosting = new Map<string, "custom" | "plain" | "never">();

function hostingOf(tag: string): "custom" | "plain" | "never" {
  let word = hosting.get(tag);
  if (word === undefined) hosting.set(tag, (word = tag.includes("-") ? "custom" : HOSTS.has(tag) ? "plain" : "never"));
  return word;
}

/** By type number: `instanceof` asks the DOM's prototype chain, which is ten times as dear. */
export function isText(node: Node): node is Text {
  return dom.nodeType(node) === 3;
}

export function isElement(node: Node): node is Element {
  return dom.nodeType(node) === 1;
}

/** Shadow root of an element, open or closed. */
export function shadowOf(element: Element): ShadowRoot | undefined {
  if (isOwn(element)) return undefined;
  const kind = hostingOf(dom.localName(element));
  if (kind === "never") return undefined;
  const open = dom.shadowRoot(element);
  if (open !== null) return meet(open);
  const custom = kind === "custom";
  if (!custom && asked.has(element) && dom.firstChild(element) !== null) return undefined;
  const known = closed.get(element);
  if (known !== undefined) return known;
  if (!(element instanceof HTMLElement)) return undefined;
  const root = anyShadowRoot(element);
  if (root === null) {
    asked.add(element);
    return undefined;
  }
  closed.set(element, root);
  return meet(root);
}

/** Plain hosts without children: where a root can come from without a mutation that anybody sees. */
const BARE = `:is(${[...HOSTS].join()}):empty`;

/** Meets the roots that plain hosts got since they were asked. */
export function meetLate(): void {
  for (const root of liveRoots()) for (const element of dom.querySelectorAll(root, BARE)) shadowOf(element);
}

/** The document and every shadow root met that is still in it. */
export function liveRoots(): (Document | ShadowRoot)[] {
  const live: (Document | ShadowRoot)[] = [document];
  for (const root of met) {
    if (root.isConnected) live.push(root);
    else met.delete(root);
  }
  return live;
}

/** Looks for shadow roots in a subtree of one tree, and in what they hold. */
export function meetRoots(top: Document | ShadowRoot | Element): void {
  const open: (Document | ShadowRoot | Element)[] = [top];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next instanceof Element) {
      const own = shadowOf(next);
      if (own !== undefined) open.push(own);
    }
    for (const element of dom.querySelectorAll(next, "*")) {
      const root = shadowOf(element);
      if (root !== undefined) open.push(root);
    }
  }
}

/** Without children, and of a kind that may get a shadow root, of which no record tells. */
export function mayHost(element: Element): boolean {
  return dom.firstChild(element) === null && hostingOf(dom.localName(element)) !== "never";
}

/** Pushes the children as rendered, last first: of the shadow root, of the slot's assignment, or of the element. True: they are the element's own. */
export function pushChildren(element: Element, push: (child: Node) => void): boolean {
  const root = shadowOf(element);
  if (root === undefined && dom.localName(element) === "slot" && element instanceof HTMLSlotElement) {
    const assigned = element.assignedNodes();
    if (assigned.length > 0) {
      for (let i = assigned.length - 1; i >= 0; i--) {
        const child = assigned[i];
        if (child !== undefined) push(child);
      }
      return false;
    }
  }
  for (let child = dom.lastChild((root ?? element)); child !== null; child = dom.previousSibling(child)) if (!isOwn(child)) push(child);
  return root === undefined;
}

/** The rendered parent: the slot, the host of the root, or the parent element. */
export function composedParent(node: Node): Element | undefined {
  const slot = node instanceof Element || node instanceof Text ? slotOf(node) : undefined;
  if (slot !== undefined) return slot;
  const parent = dom.parentNode(node);
  if (parent instanceof ShadowRoot) return parent.host;
  return parent instanceof Element ? parent : undefined;
}

function slotOf(node: Element | Text): HTMLSlotElement | undefined {
  const open = dom.assignedSlot(node);
  if (open !== null) return open;
  // assignedSlot hides the slots of closed roots.
  const host = dom.parentNode(node);
  if (!(host instanceof Element)) return undefined;
  const root = closed.get(host);
  if (root === undefined) return undefined;
  for (const slot of root.querySelectorAll("slot")) {
    if (slot.assignedNodes().includes(node)) return slot;
  }
  return undefined;
}

/** Whether `inner` is `outer` or rendered inside it. */
export function holds(outer: Element, inner: Node): boolean {
  if (dom.contains(outer, inner)) return true;
  for (let at = composedParent(inner); at !== undefined; at = composedParent(at)) if (at === outer) return true;
  return false;
}

/** The nearest element upwards (itself first) that satisfies the test. */
export function nearest(start: Node | undefined, test: (element: Element) => boolean): Element | undefined {
  let at = start instanceof Element || start === undefined ? start : composedParent(start);
  for (; at !== undefined; at = composedParent(at)) if (test(at)) return at;
  return undefined;
}

/** Element with the focus, inside every shadow root. */
export function focusedElement(): Element | undefined {
  let at = document.activeElement;
  while (at !== null) {
    const inner: Element | null | undefined = shadowOf(at)?.activeElement;
    if (inner === null || inner === undefined) break;
    at = inner;
  }
  return at === null || at === document.body || at === document.documentElement ? undefined : at;
}

/** Element by id in the same tree. */
export function byId(near: Element, id: string): Element | undefined {
  const root = dom.getRootNode(near);
  if (root instanceof Document || root instanceof ShadowRoot) return root.getElementById(id) ?? undefined;
  return undefined;
}

/** Elements that an attribute of ids names. */
export function byIds(near: Element, attribute: string): Element[] {
  const ids = dom.getAttribute(near, attribute);
  if (ids === null) return [];
  const found: Element[] = [];
  for (const id of ids.split(/\s+/)) {
    const element = id === "" ? undefined : byId(near, id);
    if (element !== undefined) found.push(element);
  }
  return found;
}
