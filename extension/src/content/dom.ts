// The DOM's own properties and methods, read through the prototypes. A form answers `form.parentNode` with a field of that name
// (HTML, 3.2.6.4 and 4.10.3), also in our world: whatever may be a form is asked from here. One constant per property: V8 inlines those.

type Parent = Document | DocumentFragment | Element;

/** The getter that a prototype has for a property. */
function getter<T extends object, K extends keyof T>(prototype: T, key: K): (this: T) => T[K] {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- it is taken to be called on any node
  const get: ((this: T) => T[K]) | undefined = Object.getOwnPropertyDescriptor(prototype, key)?.get;
  if (get === undefined) throw new Error(`no getter: ${String(key)}`);
  return get;
}

const ownNodeType = getter(Node.prototype, "nodeType");
const ownParentNode = getter(Node.prototype, "parentNode");
const ownParentElement = getter(Node.prototype, "parentElement");
const ownFirstChild = getter(Node.prototype, "firstChild");
const ownLastChild = getter(Node.prototype, "lastChild");
const ownPreviousSibling = getter(Node.prototype, "previousSibling");
const ownNextSibling = getter(Node.prototype, "nextSibling");
const ownChildNodes = getter(Node.prototype, "childNodes");
const ownIsConnected = getter(Node.prototype, "isConnected");
const ownOwnerDocument = getter(Node.prototype, "ownerDocument");
const ownTextContent = getter(Node.prototype, "textContent");
const ownLocalName = getter(Element.prototype, "localName");
const ownNamespaceURI = getter(Element.prototype, "namespaceURI");
const ownId = getter(Element.prototype, "id");
const ownAttributes = getter(Element.prototype, "attributes");
const ownShadowRoot = getter(Element.prototype, "shadowRoot");
const ownFirstElementChild = getter(Element.prototype, "firstElementChild");
const ownScrollTop = getter(Element.prototype, "scrollTop");
const ownScrollLeft = getter(Element.prototype, "scrollLeft");
const ownScrollWidth = getter(Element.prototype, "scrollWidth");
const ownScrollHeight = getter(Element.prototype, "scrollHeight");
const ownClientWidth = getter(Element.prototype, "clientWidth");
const ownClientHeight = getter(Element.prototype, "clientHeight");
const ownIsContentEditable = getter(HTMLElement.prototype, "isContentEditable");
const ownInnerText = getter(HTMLElement.prototype, "innerText");
const ownElements = getter(HTMLFormElement.prototype, "elements");
const elementChildren = getter(Element.prototype, "children");
const otherChildren = getter(DocumentFragment.prototype, "children");
const documentChildren = getter(Document.prototype, "children");
const elementSlot = getter(Element.prototype, "assignedSlot");
const textSlot = getter(Text.prototype, "assignedSlot");
const elementCount = getter(Element.prototype, "childElementCount");

export function nodeType(node: Node): Node["nodeType"] {
  return ownNodeType.call(node);
}

export function parentNode(node: Node): Node["parentNode"] {
  return ownParentNode.call(node);
}

export function parentElement(node: Node): Node["parentElement"] {
  return ownParentElement.call(node);
}

export function firstChild(node: Node): Node["firstChild"] {
  return ownFirstChild.call(node);
}

export function lastChild(node: Node): Node["lastChild"] {
  return ownLastChild.call(node);
}

export function previousSibling(node: Node): Node["previousSibling"] {
  return ownPreviousSibling.call(node);
}

export function nextSibling(node: Node): Node["nextSibling"] {
  return ownNextSibling.call(node);
}

export function childNodes(node: Node): Node["childNodes"] {
  return ownChildNodes.call(node);
}

export function isConnected(node: Node): Node["isConnected"] {
  return ownIsConnected.call(node);
}

export function ownerDocument(node: Node): Node["ownerDocument"] {
  return ownOwnerDocument.call(node);
}

export function textContent(node: Node): Node["textContent"] {
  return ownTextContent.call(node);
}

export function localName(element: Element): Element["localName"] {
  return ownLocalName.call(element);
}

export function namespaceURI(element: Element): Element["namespaceURI"] {
  return ownNamespaceURI.call(element);
}

export function id(element: Element): Element["id"] {
  return ownId.call(element);
}

export function attributes(element: Element): Element["attributes"] {
  return ownAttributes.call(element);
}

export function shadowRoot(element: Element): Element["shadowRoot"] {
  return ownShadowRoot.call(element);
}

export function firstElementChild(element: Element): Element["firstElementChild"] {
  return ownFirstElementChild.call(element);
}

export function scrollTop(element: Element): Element["scrollTop"] {
  return ownScrollTop.call(element);
}

export function scrollLeft(element: Element): Element["scrollLeft"] {
  return ownScrollLeft.call(element);
}

export function scrollWidth(element: Element): Element["scrollWidth"] {
  return ownScrollWidth.call(element);
}

export function scrollHeight(element: Element): Element["scrollHeight"] {
  return ownScrollHeight.call(element);
}

export function clientWidth(element: Element): Element["clientWidth"] {
  return ownClientWidth.call(element);
}

export function clientHeight(element: Element): Element["clientHeight"] {
  return ownClientHeight.call(element);
}

export function scrollBy(element: Element, options: ScrollToOptions): void {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- `call` knows its other form only
  Reflect.apply(Element.prototype.scrollBy, element, [options]);
}

export function isContentEditable(element: HTMLElement): HTMLElement["isContentEditable"] {
  return ownIsContentEditable.call(element);
}

export function innerText(element: HTMLElement): HTMLElement["innerText"] {
  return ownInnerText.call(element);
}

export function elements(form: HTMLFormElement): HTMLFormElement["elements"] {
  return ownElements.call(form);
}

export function assignedSlot(node: Element | Text): HTMLSlotElement | null {
  return node instanceof Text ? textSlot.call(node) : elementSlot.call(node);
}

export function childElementCount(element: Element): number {
  return elementCount.call(element);
}

export function children(parent: Parent): HTMLCollection {
  if (parent instanceof Element) return elementChildren.call(parent);
  return parent instanceof Document ? documentChildren.call(parent) : otherChildren.call(parent);
}

export function contains(node: Node, other: Node | null): boolean {
  return Node.prototype.contains.call(node, other);
}

export function hasChildNodes(node: Node): boolean {
  return Node.prototype.hasChildNodes.call(node);
}

export function getRootNode(node: Node): Node {
  return Node.prototype.getRootNode.call(node);
}

export function dispatchEvent(target: EventTarget, event: Event): boolean {
  return EventTarget.prototype.dispatchEvent.call(target, event);
}

export function matches(element: Element, selector: string): boolean {
  return Element.prototype.matches.call(element, selector);
}

export function closest(element: Element, selector: string): Element | null {
  return Element.prototype.closest.call(element, selector);
}

export function getAttribute(element: Element, name: string): string | null {
  return Element.prototype.getAttribute.call(element, name);
}

export function getAttributeNS(element: Element, space: string, name: string): string | null {
  return Element.prototype.getAttributeNS.call(element, space, name);
}

export function hasAttribute(element: Element, name: string): boolean {
  return Element.prototype.hasAttribute.call(element, name);
}

export function hasAttributes(element: Element): boolean {
  return Element.prototype.hasAttributes.call(element);
}

export function getClientRects(element: Element): DOMRectList {
  return Element.prototype.getClientRects.call(element);
}

export function getBoundingClientRect(element: Element): DOMRect {
  return Element.prototype.getBoundingClientRect.call(element);
}

export function checkVisibility(element: Element, options?: CheckVisibilityOptions): boolean {
  return Element.prototype.checkVisibility.call(element, options);
}

export function scrollIntoView(element: Element, options: ScrollIntoViewOptions): void {
  Element.prototype.scrollIntoView.call(element, options);
}

export function focus(element: HTMLElement, options?: FocusOptions): void {
  HTMLElement.prototype.focus.call(element, options);
}

export function blur(element: HTMLElement): void {
  HTMLElement.prototype.blur.call(element);
}

export function requestSubmit(form: HTMLFormElement): void {
  HTMLFormElement.prototype.requestSubmit.call(form);
}

export function querySelector(parent: Parent, selector: string): Element | null {
  if (parent instanceof Element) return Element.prototype.querySelector.call(parent, selector);
  return parent instanceof Document ? Document.prototype.querySelector.call(parent, selector) : DocumentFragment.prototype.querySelector.call(parent, selector);
}

export function querySelectorAll(parent: Parent, selector: string): NodeListOf<Element> {
  if (parent instanceof Element) return Element.prototype.querySelectorAll.call(parent, selector);
  return parent instanceof Document ? Document.prototype.querySelectorAll.call(parent, selector) : DocumentFragment.prototype.querySelectorAll.call(parent, selector);
}

export function listen(target: EventTarget, type: string, heard: (event: Event) => void, options: AddEventListenerOptions): void {
  EventTarget.prototype.addEventListener.call(target, type, heard, options);
}

export function unlisten(target: EventTarget, type: string, heard: (event: Event) => void, options: EventListenerOptions): void {
  EventTarget.prototype.removeEventListener.call(target, type, heard, options);
}
