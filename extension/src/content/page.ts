// The state of this document that all parts share.

import * as dom from "./dom";
import { Frames } from "./frames";
import { Passing } from "./read/passing";
import { liveRoots, meetRoots, onRoot } from "./tree/composed";
import { Refs } from "./tree/refs";
import { Seals } from "./tree/seals";
import { Taken } from "./tree/taken";
import { walk } from "./tree/walk";
import type { Walked } from "./tree/walk";
import { scanHidden } from "./watch/baseline";
import { Recorder } from "./watch/recorder";

/** What was not rendered is taken to be so for this long at most. */
const HIDDEN_MS = 250;

/** What was not rendered at some time. */
interface Hidden {
  tops: readonly Element[];
  shape: number;
  at: number;
  /** Whether something was rendered then, as far as that is certain: for what is not among the tops. */
  before: (element: Element) => boolean;
}

/** One document: who it is, its numbers, what was recorded of it. */
export class Page {
  doc = 0;
  frame = 0;
  parent: number | null = null;
  readonly refs: Refs;
  readonly frames = new Frames();
  readonly recorder = new Recorder();
  readonly passing = new Passing();
  readonly seals = new Seals();
  readonly taken = new Taken();
  /** Tops of what was not rendered at the latest walk or scan, the recorder's count then, and when that was. */
  #hidden: Hidden | undefined;
  readonly #queries = new Map<string, { shape: number; roots: readonly (Document | ShadowRoot)[]; found: readonly Element[] }>();
  #touchedAt: number | undefined;

  constructor(firstNumber: number) {
    this.refs = new Refs(firstNumber);
  }

  /** First contact: from here on changes are recorded. */
  touch(doc: number, frame: number, parent: number | null, children: Readonly<Record<string, number>>): number {
    this.doc = doc;
    this.frame = frame;
    this.parent = parent;
    this.frames.expect(children);
    this.watch();
    return this.historyMs();
  }

  /** Starts recording, once. */
  watch(): void {
    if (this.#touchedAt !== undefined) return;
    this.#touchedAt = performance.now();
    onRoot((root) => { this.recorder.observe(root); });
    this.recorder.observe(document);
    this.recorder.reader = (records) => { this.seals.note(records); };
    this.recorder.witness = (records) => { this.passing.note(records); };
    meetRoots(document);
  }

  get touched(): boolean {
    return this.#touchedAt !== undefined;
  }

  historyMs(): number {
    return this.#touchedAt === undefined ? 0 : performance.now() - this.#touchedAt;
  }

  /** Milliseconds since anything in the document changed. */
  quietMs(): number {
    this.recorder.flush();
    return performance.now() - this.recorder.lastChange;
  }

  walk(withHidden = false): Walked {
    this.recorder.flush();
    const walked = walk({ refs: this.refs, frameOf: (element) => this.frames.frameOf(element), withHidden, met: this.touched, ...(this.touched ? { seals: this.seals } : {}) });
    if (!withHidden) {
      const { sources } = walked;
      this.#hidden = { tops: walked.hidden, shape: this.recorder.shape, at: performance.now(), before: (element) => sources.some((source) => source !== undefined && dom.contains(element, source)) };
    }
    return walked;
  }

  /** Tops of what is not rendered: looked for anew when something but text changed since, and after a while, as style sheets change without a record. */
  hiddenTops(): Hidden {
    if (this.#hidden?.shape !== this.recorder.shape || performance.now() - this.#hidden.at > HIDDEN_MS) return this.scanHidden();
    return this.#hidden;
  }

  /** The same, looked for now. */
  scanHidden(): Hidden {
    const { tops, whole } = scanHidden();
    this.#hidden = { tops, shape: this.recorder.shape, at: performance.now(), before: () => whole };
    return this.#hidden;
  }

  /** Handlers ran: what was rendered before may have been hidden by them. */
  acted(): void {
    if (this.#hidden !== undefined) this.#hidden = { ...this.#hidden, before: () => false };
  }

  /** What matches in all roots, looked for anew only when something but text changed since: for selectors that tags and attributes decide. */
  all(selector: string): readonly Element[] {
    this.recorder.flush();
    const { shape } = this.recorder;
    const roots = liveRoots();
    const known = this.#queries.get(selector);
    if (known?.shape === shape && known.roots.length === roots.length && known.roots.every((root, at) => root === roots[at])) return known.found;
    const found = roots.flatMap((root) => [...dom.querySelectorAll(root, selector)]);
    // Before first contact nobody tells of changes.
    if (this.touched) this.#queries.set(selector, { shape, roots, found });
    return found;
  }

  stop(): void {
    this.recorder.stop();
  }
}
