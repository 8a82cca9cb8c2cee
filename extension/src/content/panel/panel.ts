// The panel at the bottom right: what an agent asks the person, or what it is doing. It stands in a closed shadow root that no page script
// enters, and only a hand on mouse or keyboard counts.

import type { Panel, PanelAnswer, PanelState } from "../../generated/protocol";
import * as dom from "../dom";
import { liveRoots } from "../tree/composed";
import { claim } from "./own";

const STYLE = `
:host { all: initial; }
.box { position: fixed; right: 16px; bottom: 16px; z-index: 2147483647; box-sizing: border-box; width: min(340px, calc(100vw - 32px));
  padding: 12px 14px; border-radius: 10px; border: 1px solid light-dark(#d5d6da, #4a4b50); color-scheme: light dark; text-align: left;
  background: light-dark(#fff, #202124); color: light-dark(#1f1f21, #eceded); font: 14px/1.45 system-ui, sans-serif; box-shadow: 0 4px 18px #0004; }
.ask { pointer-events: auto; }
.head { display: flex; gap: 8px; align-items: center; margin: 0 0 6px; font-size: 12px; color: light-dark(#b3261e, #e5867f); font-weight: 600; }
.text { margin: 0 0 10px; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 40vh; overflow: auto; }
.status { width: auto; max-width: min(340px, calc(100vw - 32px)); padding: 6px 12px; font-size: 13px; }
.status .text { margin: 0; }
input { box-sizing: border-box; width: 100%; margin: 0 0 10px; padding: 6px 8px; font: inherit; color: inherit; background: transparent;
  border: 1px solid light-dark(#c9cbd0, #5a5b60); border-radius: 6px; }
.row { display: flex; gap: 8px; justify-content: flex-end; }
button { padding: 6px 14px; font: inherit; color: inherit; background: transparent; border: 1px solid light-dark(#c9cbd0, #5a5b60); border-radius: 6px; cursor: pointer; }
button.done { background: #b3261e; border-color: #b3261e; color: #fff; }
:focus-visible { outline: 2px solid light-dark(#b3261e, #e5675c); outline-offset: 1px; }
`;
const NOTE_LIMIT = 500;
const KEYS = ["keydown", "keypress", "keyup", "beforeinput", "input", "paste", "copy", "cut"];

interface Shown {
  host: HTMLElement;
  /** What can be pressed of it. */
  box: HTMLElement;
  kind: Panel["kind"];
  id: number;
  answer: PanelAnswer | undefined;
}

/** The panel of one document. */
export class PanelHost {
  #shown: Shown | undefined;
  #status: HTMLElement | undefined;

  /** Shows, asks after or takes away; the same question is not shown twice. */
  set(panel: Panel): PanelState {
    switch (panel.kind) {
      case "ask": {
        const known = this.#shown;
        if (known?.id === panel.id && (known.answer !== undefined || dom.isConnected(known.host))) {
          // A dialog of the page may have come over it, or the one that it stood in may have closed.
          if (known.answer === undefined) raise(known.host, known.box);
          return known.answer === undefined ? { shown: true } : { shown: true, answer: known.answer };
        }
        this.#close();
        this.#shown = this.#ask(panel.id, panel.text);
        return { shown: true };
      }
      case "close":
        if (this.#shown?.id === panel.id) this.#close();
        return { shown: false };
      case "status":
        this.#status?.remove();
        this.#status = undefined;
        if (panel.text === "") return { shown: false };
        this.#status = this.#host((root) => { root.append(box("box status", paragraph("text", panel.text))); });
        return { shown: true };
    }
  }

  /** For a picture nothing of ours is in the way. */
  veil(on: boolean): void {
    for (const host of [this.#shown?.host, this.#status]) if (host !== undefined) host.style.display = on ? "none" : "block";
  }

  #close(): void {
    this.#shown?.host.remove();
    this.#shown = undefined;
  }

  #ask(id: number, text: string): Shown {
    const note = document.createElement("input");
    note.maxLength = NOTE_LIMIT;
    note.placeholder = "A note for the agent (optional)";
    note.setAttribute("aria-label", "A note for the agent");
    const button = (className: string, words: string, word: PanelAnswer["word"]): HTMLButtonElement => {
      const made = document.createElement("button");
      made.type = "button";
      made.className = className;
      made.textContent = words;
      made.addEventListener("click", (event) => {
        if (!event.isTrusted) return;
        shown.answer = note.value === "" ? { word } : { word, note: note.value.toWellFormed() };
        shown.host.remove();
      });
      return made;
    };
    const inside = box("box ask", paragraph("head", "An agent asks you"), paragraph("text", text), note);
    const host = this.#host((root) => {
      const row = document.createElement("div");
      row.className = "row";
      row.append(button("cancel", "Cancel", "cancel"), button("done", "Done", "done"));
      inside.append(row);
      inside.setAttribute("role", "dialog");
      inside.setAttribute("aria-label", "An agent asks you");
      // What is written here is not for the page's shortcuts.
      for (const type of KEYS) inside.addEventListener(type, (event) => { event.stopPropagation(); });
      root.append(inside);
    });
    raise(host, inside);
    const shown: Shown = { host, box: inside, kind: "ask", id, answer: undefined };
    return shown;
  }

  #host(fill: (root: ShadowRoot) => void): HTMLElement {
    const host = document.createElement("tegata-panel");
    claim(host);
    // Of no size, and nothing of it is hit but the question itself.
    host.style.cssText = "all: initial; display: block; position: fixed; right: 0; bottom: 0; width: 0; height: 0; pointer-events: none; z-index: 2147483647;";
    const root = host.attachShadow({ mode: "closed" });
    claim(root);
    const style = new CSSStyleSheet();
    style.replaceSync(STYLE);
    root.adoptedStyleSheets = [style];
    fill(root);
    document.documentElement.append(host);
    // The top layer: no z-index of the page is above it.
    host.popover = "manual";
    host.showPopover();
    return host;
  }
}

/** Brings it above what came later. Outside of a modal dialog everything is inert, in the top layer too: then it must stand inside. */
function raise(host: HTMLElement, inside: HTMLElement): void {
  if (isReachable(host, inside)) return;
  const modals = liveRoots().flatMap((root) => [...dom.querySelectorAll(root, ":modal")]);
  for (const place of [document.documentElement, ...modals.toReversed()]) {
    place.append(host);
    if (host.matches(":popover-open")) host.hidePopover();
    host.showPopover();
    if (isReachable(host, inside)) return;
  }
}

/** A press in the middle of it comes to it. */
function isReachable(host: HTMLElement, inside: HTMLElement): boolean {
  const { left, top, width, height } = inside.getBoundingClientRect();
  const root = dom.getRootNode(host);
  const hit = (root instanceof ShadowRoot ? root : document).elementFromPoint(left + width / 2, top + height / 2);
  return hit === host;
}

function box(className: string, ...inside: Node[]): HTMLElement {
  const made = document.createElement("div");
  made.className = className;
  made.append(...inside);
  return made;
}

function paragraph(className: string, text: string): HTMLElement {
  const made = document.createElement("p");
  made.className = className;
  made.textContent = text;
  return made;
}
