// Trusted input is dispatched by the worker through the debugger; here it is made ready and its receiver is noted.

import type { Described } from "../../generated/protocol";
import type { Deed, Dispatched } from "../../shared/pageCalls";
import { describe, describeTarget, meaningful } from "../describe";
import * as dom from "../dom";
import type { Page } from "../page";
import { holds } from "../tree/composed";
import type { Watch } from "../watch/watch";
import { editingHost, fitting, innerField } from "./editable";
import { beginExcerpt } from "./excerpt";
import type { Excerpt } from "./excerpt";
import { drainMicrotasks, tick } from "./pause";
import { held, holdsText, ready } from "./type";

const KEYS = ["keydown", "keypress", "beforeinput", "input", "change", "click", "submit", "keyup"] as const;
const CLICKS = ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick", "contextmenu", "dblclick"] as const;
const HOVERS = ["pointerout", "pointerleave", "pointerover", "pointerenter", "pointermove", "mouseout", "mouseleave", "mouseover", "mouseenter", "mousemove"] as const;
const DRAGS = ["pointerdown", "mousedown", "dragstart", "pointermove", "mousemove", "dragenter", "dragover", "dragleave", "drop", "dragend", "pointerup", "mouseup"] as const;
const EVENTS: Readonly<Record<Deed, readonly string[]>> = {
  click: CLICKS, check: CLICKS, uncheck: CLICKS, hover: HOVERS, drag: DRAGS, drop: [], scroll: [], type: ["keydown", "beforeinput", "input"], press: KEYS, keys: KEYS,
  select: [], submit: [], upload: CLICKS,
};

/** One trusted input that is waited for. */
export class Armed {
  readonly #target: Element;
  readonly #types: readonly string[];
  readonly #heard: (event: Event) => void;
  /** What the field should hold afterwards, to be compared here and never sent. */
  readonly #kept: string;
  /** In words before the input: afterwards it may be another thing. */
  readonly #described: Described;
  /** Whether it held the text when the Enter after it came: that may empty it, and that is its work. */
  #atEnter: boolean | undefined;
  #receiver: Element | undefined;
  #dropped: Element | undefined;
  /** The page let the browser make a drag of its own of it. */
  #dragging = false;
  readonly #answered: (event: Event) => void;
  /** Typing into an editing host. */
  readonly #excerpt: Excerpt | undefined;

  constructor(page: Page, watch: Watch, target: Element, action: Deed, { append, text }: { append: boolean; text: string | null }) {
    this.#target = target;
    this.#described = describeTarget(target, page.refs, page.doc);
    this.#types = EVENTS[action];
    const place = innerField(target) ?? editingHost(target);
    this.#kept = append ? held(place) : "";
    const wanted = this.#kept + (text ?? "");
    this.#excerpt = action === "type" && place instanceof HTMLElement && innerField(target) === undefined ? beginExcerpt(place, text ?? "", append) : undefined;
    this.#heard = (event) => {
      const first = event.composedPath()[0];
      if (!event.isTrusted || !(first instanceof Element)) return;
      if (event.type === "drop" || event.type === "mouseup") this.#dropped = first;
      if (action === "type" && event instanceof KeyboardEvent && event.type === "keydown" && event.key === "Enter") this.#atEnter ??= this.#holds(place, wanted);
      // Known when all listeners have been asked.
      if (event.type === "dragstart") void tick().then(() => { this.#dragging = !event.defaultPrevented; });
      // The pointer crosses others on its way: where it comes to rest counts.
      if (action === "hover" && event.type === "mousemove") this.#receiver = first;
      else if (action !== "hover") this.#receiver ??= first;
      // From here to the end of the dispatch only the page's own handlers run: what they change is proof, as after a synthetic dispatch.
      watch.beginSync();
      // Where a handler stops the propagation, the next task ends it.
      void tick().then(() => { watch.endSync(); });
    };
    this.#answered = (event) => {
      if (event.isTrusted) watch.endSync();
    };
    // Passive on window: an observer, first and last in line.
    for (const type of this.#types) {
      window.addEventListener(type, this.#heard, { capture: true, passive: true });
      // What is entered is told after what is moved over, in the same task, and inside a shadow root window never hears of it.
      if (action !== "hover") window.addEventListener(type, this.#answered, { passive: true });
    }
  }

  #holds(place: Element | undefined, wanted: string): boolean {
    return this.#excerpt?.read()?.holds ?? holdsText(place, wanted);
  }

  /** The keys that brought the caret to its place have been pressed; what comes now is the input. */
  placed(): void {
    this.#receiver = undefined;
    this.#excerpt?.placed();
  }

  /** The editor shows a part of its document only. */
  get excerpt(): boolean {
    return this.#excerpt?.ever ?? false;
  }

  /** Only by its end or its beginning what was typed can be read back. */
  get beginUnseen(): boolean {
    return this.#excerpt?.beginUnseen ?? false;
  }

  get dragging(): boolean {
    return this.#dragging;
  }

  disarm(): void {
    for (const type of this.#types) {
      window.removeEventListener(type, this.#heard, { capture: true });
      window.removeEventListener(type, this.#answered);
    }
  }

  /** Who received it, and what the field holds. */
  async received(page: Page, watch: Watch, text: string | null): Promise<Dispatched> {
    await drainMicrotasks();
    this.disarm();
    const dispatched: Dispatched = { look: watch.look() };
    const receiver = this.#receiver;
    if (receiver !== undefined) {
      // A closed shadow root shows its host as the receiver.
      const own = holds(this.#target, receiver) || holds(receiver, this.#target);
      dispatched.delivered = own ? this.#described : describe(meaningful(receiver), page.refs, page.doc);
    }
    if (this.#dropped !== undefined && this.#types === DRAGS) dispatched.dropped = describe(meaningful(this.#dropped), page.refs, page.doc);
    if (text !== null) {
      const field = innerField(this.#target);
      dispatched.accepted = receiver === undefined ? 0 : field === undefined ? text.length : fitting(field, this.#kept, text).length;
      dispatched.holds = this.#atEnter ?? this.#holds(field ?? editingHost(this.#target), this.#kept + text);
    }
    return dispatched;
  }
}

/** Focus and selection for trusted typing. */
export async function armTyping(target: Element, append: boolean, text: string | null): Promise<{ focused: boolean; accepted?: number }> {
  const focused = await selecting(() => ready(target, append));
  const field = innerField(target);
  if (text === null || field === undefined) return { focused };
  return { focused, accepted: fitting(field, append ? field.value : "", text).length };
}

/** Most turns of the event loop until a page has heard of a selection. */
const TURNS = 200;

/** Selects, and lets the page hear of it: an editor with a selection of its own would else delete at its old caret. */
async function selecting(select: () => boolean): Promise<boolean> {
  const ends = (): readonly unknown[] => {
    const selection = document.getSelection();
    return [selection?.anchorNode, selection?.anchorOffset, selection?.focusNode, selection?.focusOffset];
  };
  const before = ends();
  let told = false;
  const heard = (): void => { told = true; };
  document.addEventListener("selectionchange", heard, { capture: true });
  try {
    const focused = select();
    if (ends().every((end, at) => end === before[at])) return focused;
    for (let turn = 0; turn < TURNS && !told; turn++) await tick();
    return focused;
  } finally {
    document.removeEventListener("selectionchange", heard, { capture: true });
  }
}

/** What activation of an element does by itself. */
export function defaultAction(element: Element): string | undefined {
  for (let at: Element | null = element; at !== null; at = dom.parentElement(at)) {
    const word = ownAction(at);
    if (word !== undefined) return word;
  }
  return undefined;
}

function ownAction(element: Element): string | undefined {
  if ((dom.localName(element) === "a" || dom.localName(element) === "area") && dom.hasAttribute(element, "href")) return "link";
  if (dom.localName(element) === "summary") return "summary";
  if (element instanceof HTMLLabelElement && element.control !== null) return "label";
  if (element instanceof HTMLSelectElement) return "select";
  if (dom.hasAttribute(element, "popovertarget")) return "popover";
  if (dom.hasAttribute(element, "commandfor")) return "command";
  if (element instanceof HTMLButtonElement) return element.form === null || element.type === "button" ? undefined : element.type;
  if (element instanceof HTMLInputElement) {
    switch (element.type) {
      case "checkbox": case "radio": return "toggle";
      case "file": return "file";
      case "color": return "picker";
      case "submit": case "image": return element.form === null ? undefined : "submit";
      case "reset": return element.form === null ? undefined : "reset";
      case "button": return undefined;
      default: return "edit";
    }
  }
  if (element instanceof HTMLTextAreaElement || (element instanceof HTMLElement && dom.isContentEditable(element))) return "edit";
  return element instanceof HTMLMediaElement && element.controls ? "media" : undefined;
}
