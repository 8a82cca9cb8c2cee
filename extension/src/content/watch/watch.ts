// One watch: what changed in this document since an action began, each change with its cause. The verdict is the daemon's.

import type { Cause, Evidence, Place, TargetFacts } from "../../generated/protocol";
import type { PageLook } from "../../shared/pageCalls";
import { factsOf } from "../describe";
import * as dom from "../dom";
import type { Page } from "../page";
import { focusedElement, meetLate, shadowOf } from "../tree/composed";
import { roleOf } from "../tree/roles";
import { isSecret, scrub, SECRET_FIELDS, secretsAmong } from "../tree/secret";
import { aroundOf, rawValue, statesOf } from "../tree/states";
import { isShown } from "../tree/visibility";
import { cut, quote, tame } from "../words";
import { Baseline, fadedIn, fieldState, openInTopLayer } from "./baseline";
import { caretChange, caretNow, sameCaret } from "./caret";
import type { Caret } from "./caret";
import { canvasesOf, pictureOf } from "./canvas";
import { countedStates, part, stateChange } from "./describe";
import { Item, kindOf } from "./items";
import { Surroundings } from "./place";
import { sameStand, standChange, standOf } from "./stand";
import type { Stand } from "./stand";
import type { Asked } from "./asked";
import { Polled } from "./polled";
import type { Moved } from "./recorder";

const MOST = 12;
const WHAT_LIMIT = 200;
/** A scroller near the target that starts to move within this was moved by the action; also smooth scrolling has begun by then. */
const SCROLL_MS = 300;
/** Focus and caret that move within this after a key were moved by it. */
const CARET_MS = 300;
const RANK: Readonly<Record<Cause, number>> = { sync: 0, linked: 1, window: 2 };
const NEARNESS: Readonly<Record<Place, number>> = { target: 0, section: 1, browser: 2, away: 3 };

/** What of an element counts as its own state and value. */
interface Own {
  states: string[];
  value: string | undefined;
}

/** What a watch looks at beyond the usual, where the action is meant for it. */
export interface Sees {
  /** Focus, caret and selection. */
  caret?: boolean;
  /** Where the target itself is scrolled to. */
  scroll?: boolean;
  /** Where the target stands. */
  place?: boolean;
  /** Tooltips and what styles show under the pointer. */
  hover?: boolean;
}

export class Watch {
  readonly id: number;
  readonly target: Element | undefined;
  readonly before: TargetFacts | undefined;
  readonly start: number;
  readonly historyMs: number;
  readonly #page: Page;
  readonly #around: Surroundings | undefined;
  readonly #baseline: Baseline;
  readonly #own = new Map<Element, Own>();
  readonly #items = new Map<Element, Item>();
  readonly #polled = new Polled();
  /** Custom elements without a definition: it may draw a root of its own without a mutation that anybody sees. */
  readonly #undefined: readonly Element[];
  /** Where keys went before; only for actions that are meant to move that. */
  readonly #caret: Caret | undefined;
  readonly #stand: Stand | undefined;
  readonly #hovers: boolean;
  /** Transparent before. */
  readonly #faded = new Set<Element>();
  readonly #pictures = new Map<HTMLCanvasElement, string | undefined>();
  readonly #asked = new Map<number, Asked>();
  /** What has been told, as it was told: a look says the same things again and again. */
  readonly #told = new Map<string, string>();
  #secrets: readonly string[] = [];
  /** Hidden by the page's own handlers without a record. */
  readonly #gone: Element[] = [];
  #sync = false;

  /** Begins now: what is recorded from here on belongs to the watch. */
  constructor(page: Page, id: number, target: Element | undefined, sees: Sees = {}) {
    page.recorder.flush();
    page.recorder.forgetBirths();
    this.#page = page;
    this.id = id;
    this.target = target;
    this.historyMs = page.historyMs();
    this.#undefined = page.all(":not(:defined)").filter((element) => !dom.matches(element, ":defined"));
    this.#around = target && new Surroundings(target);
    this.#baseline = new Baseline(page, target, this.#around?.section);
    if (target !== undefined) {
      this.before = factsOf(target, page.refs, page.doc);
      for (const element of [target, ...(this.#around?.linked ?? [])]) this.#own.set(element, ownOf(element));
    }
    if (target !== undefined && sees.scroll === true) this.#baseline.scroll.set(target, { left: dom.scrollLeft(target), top: dom.scrollTop(target) });
    if (target !== undefined && sees.place === true) this.#stand = standOf(target);
    this.#hovers = sees.hover === true;
    if (sees.caret === true) this.#caret = caretNow();
    if (sees.hover === true) for (const element of fadedIn(this.#around?.section)) this.#faded.add(element);
    if (target !== undefined) for (const canvas of canvasesOf(target)) this.#pictures.set(canvas, pictureOf(canvas));
    page.recorder.listener = (moved, at) => { this.#take(moved, at); };
    this.start = performance.now();
  }

  /** From here on every look reads back what this is about. */
  ask(field: number, asked: Asked): void {
    this.#asked.set(field, asked);
  }

  /** What is recorded between these two was done by the page's own handlers, in the task of the dispatch. */
  beginSync(): void {
    this.#page.recorder.flush();
    this.#page.recorder.movements.dispatched(performance.now());
    this.#pollPictures(performance.now());
    this.#page.recorder.answering = true;
    this.#sync = true;
  }

  endSync(): void {
    if (!this.#sync) return;
    this.#page.recorder.flush();
    const at = performance.now();
    this.#poll(at);
    this.#page.acted();
    this.#pollGone(at);
    this.#page.recorder.answering = false;
    this.#sync = false;
  }

  #take(moved: readonly Moved[], at: number): void {
    const together = new Map<Element, MutationRecord[]>();
    for (const { record, region } of moved) {
      const records = together.get(region);
      if (records === undefined) together.set(region, [record]);
      else records.push(record);
    }
    for (const [region, records] of together) {
      let item = this.#items.get(region);
      if (item === undefined) this.#items.set(region, (item = new Item(region, at)));
      item.add(records, at, this.#sync);
    }
  }

  #placeOf(element: Element): Place {
    return this.#around?.placeOf(element) ?? "away";
  }

  #isLinked(element: Element): boolean {
    return this.#around?.isLinked(element) ?? false;
  }

  #poll(at: number): void {
    const sync = this.#sync;
    const polled = this.#polled;
    for (const [element, before] of this.#own) {
      if (!dom.isConnected(element)) continue;
      const place = element === this.target || (this.target instanceof HTMLLabelElement && this.target.control === element) ? "target" : "section";
      const now = ownOf(element);
      polled.compare("states", { kind: "state", place, element, linked: true, before: before.states.join(" "), now: now.states.join(" "), what: () => this.#named(element, stateChange(before.states, now.states)) }, at, sync);
      polled.compare("value", { kind: "value", place, element, linked: true, before: before.value ?? "", now: now.value ?? "", what: () => this.#named(element, valueChange(element, before.value ?? "", now.value ?? "")) }, at, sync);
    }
    if (this.target !== undefined && this.before !== undefined) {
      const { role, name } = this.before.described;
      polled.compare("connected", { kind: "removed", place: "target", element: this.target, linked: true, before: "here", now: dom.isConnected(this.target) ? "here" : "gone", what: () => `removed ${role} ${quote(name)}` }, at, sync);
    }
    for (const [field, before] of this.#baseline.fields) {
      if (this.#own.has(field) || !dom.isConnected(field)) continue;
      const now = fieldState(field);
      if (now === before) {
        if (polled.knows("field", field)) polled.compare("field", { kind: "value", place: "away", element: field, linked: false, before, now, what: () => "" }, at, sync);
        continue;
      }
      const [wasChecked = "", was = ""] = before.split("\u0000");
      const [isChecked = "", is = ""] = now.split("\u0000");
      const what = (): string => `${part(field)}: ${wasChecked !== isChecked ? `${wasChecked} → ${isChecked}` : valueChange(field, was, is)}`;
      polled.compare("field", { kind: wasChecked !== isChecked ? "state" : "value", place: this.#placeOf(field), element: field, linked: this.#isLinked(field), before, now, what }, at, sync);
    }
    this.#pollShown(at, sync);
    const focus = focusedElement();
    const place = focus ?? this.#baseline.focus;
    if (place !== undefined) {
      polled.compare("focus", { kind: "focus", place: this.#placeOf(place), element: document.documentElement, linked: false, before: String(focus === this.#baseline.focus), now: "true", what: () => (focus === undefined ? "focus left" : `focus → ${part(focus)}`) }, at, sync);
    }
    this.#pollCaret(at, sync);
    this.#pollPictures(at);
    this.#pollStand(at, sync);
    if (this.#page.frame === 0) {
      const was = this.#baseline.title;
      const is = document.title;
      polled.compare("title", { kind: "title", place: "browser", element: document.documentElement, linked: false, before: was, now: is, what: () => `${quote(was, 80)} → ${quote(is, 80)}` }, at, sync);
    }
    for (const [scroller, from] of this.#baseline.scroll) {
      const moved = Math.abs(dom.scrollTop(scroller) - from.top) >= 1 || Math.abs(dom.scrollLeft(scroller) - from.left) >= 1;
      polled.compare("scroll", { kind: "scroll", place: this.#placeOf(scroller), element: scroller, linked: at - this.start <= SCROLL_MS && this.#placeOf(scroller) !== "away", before: "", now: moved ? `${dom.scrollLeft(scroller)},${dom.scrollTop(scroller)}` : "", what: () => `scrolled from ${Math.round(from.left)},${Math.round(from.top)} to ${Math.round(dom.scrollLeft(scroller))},${Math.round(dom.scrollTop(scroller))}` }, at, sync);
    }
  }

  /** A picture that was drawn anew before our own handlers ran moves by itself. */
  #pollPictures(at: number): void {
    for (const [canvas, before] of this.#pictures) {
      const now = before === undefined ? undefined : pictureOf(canvas);
      if (before === undefined || now === undefined) continue;
      this.#polled.compare("picture", { kind: "picture", place: this.#placeOf(canvas), element: canvas, linked: false, before, now, what: () => "the picture on the canvas changed" }, at, this.#sync);
    }
  }

  #pollStand(at: number, sync: boolean): void {
    const [was, target] = [this.#stand, this.target];
    if (was === undefined || target === undefined || !dom.isConnected(target)) return;
    const is = standOf(target);
    this.#polled.compare("stand", { kind: "moved", place: "target", element: target, linked: true, before: "as it was", now: sameStand(was, is) ? "as it was" : standChange(was, is), what: () => standChange(was, is) }, at, sync);
  }

  /** A tooltip is what hovering is for; after a click it only mirrors the pointer. */
  #kindOf(element: Element): Evidence["kind"] {
    const kind = kindOf(element) ?? "content";
    return this.#hovers && kind === "focus" ? "content" : kind;
  }

  #pollCaret(at: number, sync: boolean): void {
    const was = this.#caret;
    if (was === undefined) return;
    const is = caretNow();
    const place = is.focus ?? was.focus;
    // A page that puts the focus elsewhere much later does so by itself.
    const linked = at - this.start <= CARET_MS;
    this.#polled.compare("caret", { kind: "caret", place: place === undefined ? "section" : this.#placeOf(place), element: document.documentElement, linked, before: "as it was", now: sameCaret(was, is) ? "as it was" : caretChange(was, is), what: () => caretChange(was, is) }, at, sync);
  }

  /** What became visible or invisible without being inserted or removed; what opened in the top layer. */
  #pollShown(at: number, sync: boolean): void {
    const open = openInTopLayer(this.#page);
    for (const element of open) {
      if (!this.#baseline.topLayer.has(element)) this.#polled.compare("top", { kind: "topLayer", place: this.#placeOf(element), element, linked: this.#isLinked(element), before: "closed", now: "open", what: () => `+ ${part(element)}` }, at, sync);
    }
    for (const element of this.#baseline.topLayer) {
      const now = open.includes(element) ? "open" : "closed";
      this.#polled.compare("top", { kind: "topLayer", place: this.#placeOf(element), element, linked: this.#isLinked(element), before: "open", now, what: () => `- ${part(element)}` }, at, sync);
    }
    for (const element of this.#baseline.hidden) {
      if (open.includes(element)) continue;
      const now = dom.isConnected(element) && isShown(element) ? "shown" : "hidden";
      this.#polled.compare("shown", { kind: this.#kindOf(element), place: this.#placeOf(element), element, linked: this.#isLinked(element), before: "hidden", now, what: () => `+ ${part(element)}` }, at, sync);
    }
    for (const element of this.#faded) {
      const now = dom.isConnected(element) && getComputedStyle(element).opacity !== "0" ? "shown" : "transparent";
      this.#polled.compare("faded", { kind: this.#kindOf(element), place: this.#placeOf(element), element, linked: this.#isLinked(element), before: "transparent", now, what: () => `+ ${part(element)}` }, at, sync);
    }
    for (const element of this.#undefined) {
      const now = dom.isConnected(element) && shadowOf(element) !== undefined ? "drawn" : "undefined";
      this.#polled.compare("defined", { kind: "content", place: this.#placeOf(element), element, linked: this.#isLinked(element), before: "undefined", now, what: () => `+ ${part(element)}` }, at, sync);
    }
    this.#compareGone(at, sync);
    for (const item of this.#items.values()) {
      for (const element of item.restyled()) {
        if (!dom.isConnected(element) || this.#wasHidden(element) || item.arrived().includes(element)) continue;
        const now = isShown(element) ? "shown" : "hidden";
        this.#polled.compare("vanished", { kind: this.#kindOf(element), place: this.#placeOf(element), element, linked: this.#isLinked(element), before: "shown", now, what: () => `- ${part(element)}` }, at, sync);
      }
    }
  }

  /** Where nothing else tells of the handlers: what a style sheet alone has hidden, of which there is no record. */
  #pollGone(at: number): void {
    if (this.#items.size > 0 || [...this.#polled.items()].some((item) => item.kind !== "focus" && item.kind !== "caret")) return;
    for (const element of this.#baseline.goneNow()) if (!this.#wasHidden(element)) this.#gone.push(element);
    this.#compareGone(at, true);
  }

  #compareGone(at: number, sync: boolean): void {
    for (const element of this.#gone) {
      const now = dom.isConnected(element) && isShown(element) ? "shown" : "hidden";
      this.#polled.compare("gone", { kind: this.#kindOf(element), place: this.#placeOf(element), element, linked: this.#isLinked(element), before: "shown", now, what: () => `- ${part(element)}` }, at, sync);
    }
  }

  #wasHidden(element: Element): boolean {
    for (let at: Element | null = element; at !== null; at = dom.parentElement(at)) if (this.#baseline.hidden.has(at)) return true;
    return false;
  }

  #named(element: Element, change: string): string {
    return element === this.target ? change : `${part(element)}: ${change}`;
  }

  /** Evidence since the watch began. `compared`: everything was compared just now, in the same task. */
  look(compared = false): PageLook {
    if (!compared) {
      this.#page.recorder.flush();
      this.#poll(performance.now());
    }
    let secrets: readonly string[] | undefined;
    const clean = (what: string): string => {
      secrets ??= this.#secretsNow();
      let told = this.#told.get(what);
      if (told === undefined) this.#told.set(what, (told = cut(tame(scrub(what, secrets)), WHAT_LIMIT)));
      return told;
    };
    const evidence: Evidence[] = [];
    const told = new Set<Element>();
    for (const item of this.#polled.items()) {
      if (item.kind !== "focus" && item.kind !== "caret" && item.kind !== "moved" && item.kind !== "scroll" && item.kind !== "title" && !item.reverted) told.add(item.element);
      evidence.push(this.#evidence(item.sync ? "sync" : item.linked ? "linked" : "window", item.place, item.kind, item.what, item.element, item, item.reverted, clean));
    }
    for (const item of this.#items.values()) {
      const said = item.tell(this.target, told, this.#hovers);
      if (said === undefined) continue;
      // A region that was taken out is told by the region it stood in.
      if (!dom.isConnected(item.region) && !item.sync) continue;
      // A field's own attributes while it is typed into or clicked are told by its state.
      const cause = item.sync ? "sync" : this.#isLinked(item.region) ? "linked" : "window";
      evidence.push(this.#evidence(cause, this.#placeOf(item.region), said.kind, said.what, item.region, item, said.reverted, clean));
    }
    evidence.sort((a, b) => RANK[a.cause] - RANK[b.cause] || NEARNESS[a.place] - NEARNESS[b.place] || a.firstMs - b.firstMs);
    const look: PageLook = { historyMs: this.historyMs, evidence: evidence.slice(0, MOST), hidden: document.hidden, missing: this.#missing() };
    const facts = this.#targetNow();
    if (facts !== undefined) look.target = facts;
    if (this.#asked.size > 0) look.held = [...this.#asked].map(([field, asked]) => asked.read(field));
    return look;
  }

  /** What must not be told. What was told before a field held it is worded anew. */
  #secretsNow(): readonly string[] {
    meetLate();
    const secrets = secretsAmong(this.#page.all(SECRET_FIELDS));
    if (secrets.join("\u0000") !== this.#secrets.join("\u0000")) this.#told.clear();
    this.#secrets = secrets;
    return secrets;
  }

  #evidence(cause: Cause, place: Place, kind: Evidence["kind"], what: string, region: Element, moved: { firstAt: number; lastAt: number; times: number }, reverted: boolean, clean: (what: string) => string): Evidence {
    const movements = this.#page.recorder.movements;
    const before = kind === "state" || kind === "value" || kind === "removed" || kind === "focus" || kind === "caret" || kind === "picture" || kind === "moved" || kind === "title" || kind === "scroll" ? 0 : movements.before(region, this.start);
    const item: Evidence = {
      cause, place, kind, what: clean(what), firstMs: since(moved.firstAt, this.start), lastMs: since(moved.lastAt, this.start), times: moved.times, before,
    };
    if (reverted) item.reverted = true;
    return item;
  }

  #targetNow(): TargetFacts | undefined {
    if (this.target === undefined || this.before === undefined) return undefined;
    if (!dom.isConnected(this.target)) return { ...this.before, connected: false };
    return factsOf(this.target, this.#page.refs, this.#page.doc);
  }

  #missing(): string[] {
    const target = this.target;
    if (target === undefined) return [];
    if (dom.localName(target) === "canvas" || dom.querySelector(target, "canvas") !== null) return ["what the canvas shows"];
    return roleOf(target) === "embed" || dom.localName(target) === "object" || dom.localName(target) === "embed" ? ["what the embedded object shows"] : [];
  }
}

function since(at: number, start: number): number {
  return Math.max(0, Math.round((at - start) * 10) / 10);
}

function ownOf(element: Element): Own {
  const states = statesOf(element, roleOf(element), aroundOf(element), false);
  return { states: countedStates(states).split(" ").filter(Boolean), value: rawValue(element) };
}

function valueChange(field: Element, was: string, is: string): string {
  return isSecret(field) ? `value of ${was.length} → ${is.length} characters` : `value ${quote(was)} → ${quote(is)}`;
}
