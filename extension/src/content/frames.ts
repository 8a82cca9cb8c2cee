// Which iframe element holds which of Chrome's frames: the child posts a nonce that the worker issued, the event's source tells the element.

import { liveRoots } from "./tree/composed";

const MARK = "tegata:";

export class Frames {
  readonly #wanted = new Map<string, number>();
  readonly #byElement = new WeakMap<Element, { frame: number; inside: unknown }>();

  /** Registered at document start, in capture: ours are stopped before any listener of the page. */
  constructor() {
    window.addEventListener("message", (event) => { this.#hear(event); }, true);
  }

  /** Nonces that child frames will announce. */
  expect(children: Readonly<Record<string, number>>): void {
    for (const [nonce, frame] of Object.entries(children)) this.#wanted.set(nonce, frame);
  }

  #hear(event: MessageEvent): void {
    const data: unknown = event.data;
    if (typeof data !== "string" || !data.startsWith(MARK)) return;
    const nonce = data.slice(MARK.length);
    const frame = this.#wanted.get(nonce);
    if (frame === undefined) return;
    event.stopImmediatePropagation();
    this.#wanted.delete(nonce);
    for (const element of frameElements()) {
      if (element.contentWindow !== null && element.contentWindow === event.source) this.#byElement.set(element, { frame, inside: event.source });
    }
  }

  /** Chrome's frame id of the document inside an iframe. */
  frameOf(element: Element): number | undefined {
    const known = this.#byElement.get(element);
    return known !== undefined && "contentWindow" in element && element.contentWindow === known.inside ? known.frame : undefined;
  }

  /** The iframe element that holds a frame. */
  elementOf(frame: number): Element | undefined {
    for (const element of frameElements()) if (this.frameOf(element) === frame) return element;
    return undefined;
  }

  /** All elements that may hold a frame. */
  elements(): Iterable<Element> {
    return frameElements();
  }

  /** Tells the parent document where this one sits. */
  announce(nonce: string): void {
    window.parent.postMessage(MARK + nonce, "*");
  }
}

function* frameElements(): Iterable<HTMLIFrameElement | HTMLFrameElement | HTMLObjectElement> {
  for (const root of liveRoots()) {
    for (const element of root.querySelectorAll("iframe,frame,object")) {
      if (element instanceof HTMLIFrameElement || element instanceof HTMLFrameElement || element instanceof HTMLObjectElement) yield element;
    }
  }
}
