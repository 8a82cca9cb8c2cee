// File inputs: which one is meant, what it takes, and what it holds.

import * as dom from "../dom";
import { visibleText } from "../read/text";
import { liveRoots } from "../tree/composed";
import { fold } from "../words";
import { Asked } from "../watch/asked";

/** The file input that is meant: the element itself, what a label stands for, or the only one inside. */
export function fileInputOf(element: Element): HTMLInputElement | undefined {
  const control = element instanceof HTMLLabelElement ? element.control ?? element : element;
  if (control instanceof HTMLInputElement) return control.type === "file" ? control : undefined;
  const inside = dom.querySelectorAll(control, "input[type=file]");
  const only = inside[0];
  return inside.length === 1 && only instanceof HTMLInputElement ? only : undefined;
}

/** How files get to an element: into its input, or by a press or drop; or why not at all. */
export function whetherUpload(element: Element, count: number): "input" | "press" | { what: string; instead: string } {
  const input = fileInputOf(element);
  if (input === undefined) return "press";
  if (input.webkitdirectory) return { what: "takes a whole folder", instead: "the user's hand for that" };
  return count > 1 && !input.multiple ? { what: "takes one file only", instead: "one path" } : "input";
}

function namesIn(input: HTMLInputElement): string[] {
  return [...(input.files ?? [])].map((file) => file.name);
}

/** What is asked: the input holds these files, or, where the page takes them out of it, the page says their names. */
export function askFiles(element: Element, names: readonly string[]): Asked {
  const own = fileInputOf(element);
  const inputs = (): HTMLInputElement[] => (own === undefined
    ? liveRoots().flatMap((root) => [...root.querySelectorAll("input[type=file]")]).filter((input) => input instanceof HTMLInputElement)
    : [own]);
  const said = (): string => (document.body === null ? "" : fold(visibleText(document.body)));
  const saidBefore = said();
  const fresh = names.every((name) => !saidBefore.includes(name));
  return new Asked(element, () => {
    const held = inputs().map(namesIn);
    const mine = held.find((files) => files.length === names.length && names.every((name) => files.includes(name)));
    if (mine !== undefined) return { now: mine.join(", "), holds: true };
    const text = said();
    if (fresh && names.every((name) => text.includes(name))) return { now: `${names.join(", ")} (as the page says)`, holds: true };
    return { now: own === undefined ? "" : namesIn(own).join(", "), holds: false };
  });
}

/** Hears whether the page takes what is dragged over it: it prevents what the browser would do. */
export class DragWatch {
  #taken = false;
  readonly #events: Event[] = [];
  readonly #heard = (event: Event): void => { this.#events.push(event); };

  constructor() {
    for (const type of ["dragenter", "dragover"]) window.addEventListener(type, this.#heard, { capture: true, passive: true });
  }

  /** Asked once the events are over. */
  taken(): boolean {
    for (const type of ["dragenter", "dragover"]) window.removeEventListener(type, this.#heard, { capture: true });
    this.#taken ||= this.#events.some((event) => event.type === "dragover" && event.defaultPrevented);
    return this.#taken;
  }
}
