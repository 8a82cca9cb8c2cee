// An editor that shows an excerpt of its document: lines out of view have no nodes, only room that is kept for them. What is selected
// or read by nodes is then a part of what the editor holds, so the editor's own keys select, and its two ends are read.

import type { Seen } from "../../generated/protocol";
import * as dom from "../dom";

/** No line is lower than this. */
const LEAST_ROOM = 8;
/** Elements that show something without having anything inside. */
const SHOWS = "img,picture,video,audio,canvas,svg,iframe,object,embed,input,textarea,select,button,hr,br";

/** Lines that are shown one after the other, between rooms for those that are not. */
interface Shown {
  runs: string[][];
  /** Lines are missing before the first run, after the last one, anywhere. */
  before: boolean;
  after: boolean;
  missing: boolean;
}

function isRoom(element: Element): boolean {
  // An empty line holds at least a break.
  if (dom.firstChild(element) !== null || dom.matches(element, SHOWS)) return false;
  return element.getBoundingClientRect().height >= LEAST_ROOM;
}

function blocksOf(host: HTMLElement): readonly ChildNode[] {
  let blocks = [...dom.childNodes(host)];
  // Wrappers around all of it.
  for (let only = blocks[0]; blocks.length === 1 && only instanceof HTMLElement && only.childElementCount > 1; only = blocks[0]) blocks = [...dom.childNodes(only)];
  return blocks;
}

/** Whether it keeps room for lines that it does not show. */
export function isExcerpt(host: HTMLElement): boolean {
  return blocksOf(host).some((block) => block instanceof Element && isRoom(block));
}

function shownOf(host: HTMLElement): Shown {
  const runs: string[][] = [];
  let run: string[] = [];
  let rooms = 0;
  let before = false;
  let after = false;
  for (const block of blocksOf(host)) {
    if (block instanceof Element && isRoom(block)) {
      rooms++;
      after = true;
      if (runs.length === 0 && run.length === 0) before = true;
      if (run.length > 0) runs.push(run);
      run = [];
      continue;
    }
    after = false;
    const text = block instanceof HTMLElement ? dom.innerText(block) : (dom.textContent(block) ?? "");
    run.push(...linesOf(text.replace(/\n$/, "")));
  }
  if (run.length > 0) runs.push(run);
  return { runs, before, after, missing: rooms > 0 };
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/);
}

/** The two are the same line for line, from their beginnings on (or, backwards, from their ends), as far as the shorter one goes. */
function agree(one: readonly string[], other: readonly string[], backwards: boolean): boolean {
  const most = Math.min(one.length, other.length);
  for (let at = 1; at <= most; at++) if (one.at(backwards ? -at : at - 1) !== other.at(backwards ? -at : at - 1)) return false;
  return true;
}

function isWithin(run: readonly string[], lines: readonly string[]): boolean {
  return lines.some((_, from) => from + run.length <= lines.length && run.every((line, at) => lines[from + at] === line));
}

/** What was read of a document that is not shown as a whole. */
export interface ReadOfExcerpt {
  /** All that was seen is as it was asked for, both ends among it. */
  holds: boolean;
  part: Seen;
}

/** Text that is put into an editing host, read back through what the host shows at several places. */
export class Excerpt {
  readonly #host: HTMLElement;
  readonly #wanted: string[];
  readonly #append: boolean;
  #ever = false;
  /** Appending: what stood at the end, as far as it was shown. */
  #tail: string[] | undefined;
  #begin = false;
  #end = false;

  constructor(host: HTMLElement, text: string, append: boolean) {
    this.#host = host;
    this.#wanted = linesOf(text);
    this.#append = append;
    this.#ever = isExcerpt(host);
  }

  /** It showed only a part, at some time. */
  get ever(): boolean {
    return this.#ever;
  }

  /** The caret stands where the text will go: what is shown of the end now is what it is added to. */
  placed(): void {
    const { runs, after } = shownOf(this.#host);
    const last = runs.at(-1);
    if (this.#append && !after && last !== undefined) this.#tail = last;
  }

  /** Whether the beginning must still be looked at. */
  get beginUnseen(): boolean {
    this.read();
    return this.#ever && !this.#append && !this.#begin;
  }

  /** What is shown now against what was asked for; nothing for a document that was always shown as a whole. */
  read(): ReadOfExcerpt | undefined {
    const { runs, before, after, missing } = shownOf(this.#host);
    if (missing) this.#ever = true;
    if (!this.#ever) return undefined;
    const first = runs[0] ?? [""];
    const last = runs.at(-1) ?? [""];
    const expected = this.#expected();
    if (this.#append) {
      if (expected === undefined || after) return { holds: false, part: "some" };
      this.#end = agree(last, expected, true);
      return { holds: this.#end, part: "ends" };
    }
    const wanted = this.#wanted;
    if (!missing) {
      const same = first.length === wanted.length && agree(first, wanted, false);
      this.#begin = this.#end = same;
      return { holds: same, part: "ends" };
    }
    const wrong = runs.some((run) => !isWithin(run, wanted)) || (!before && !agree(first, wanted, false)) || (!after && !agree(last, wanted, true));
    if (wrong) {
      this.#begin = this.#end = false;
      return { holds: false, part: "ends" };
    }
    this.#begin ||= !before;
    this.#end ||= !after;
    const both = this.#begin && this.#end;
    return { holds: both, part: both ? "ends" : "some" };
  }

  #expected(): string[] | undefined {
    const tail = this.#tail;
    if (tail === undefined) return undefined;
    const [line = "", ...rest] = this.#wanted;
    return [...tail.slice(0, -1), `${tail.at(-1) ?? ""}${line}`, ...rest];
  }
}

const excerpts = new WeakMap<Element, Excerpt>();

/** Begins to read back what is put into a host. */
export function beginExcerpt(host: HTMLElement, text: string, append: boolean): Excerpt {
  const excerpt = new Excerpt(host, text, append);
  excerpts.set(host, excerpt);
  return excerpt;
}

/** What is being read back of a host. */
export function excerptAt(host: Element | undefined): Excerpt | undefined {
  return host === undefined ? undefined : excerpts.get(host);
}
