// What mutation records say about one region since the action began.

import type { Evidence, EvidenceKind } from "../../generated/protocol";
import * as dom from "../dom";
import { holds, nearest } from "../tree/composed";
import { liveRole, roleOf } from "../tree/roles";
import { isSecret } from "../tree/secret";
import { isShown } from "../tree/visibility";
import { fold, quote } from "../words";
import { isDecoration, mirrorsInput, part } from "./describe";
import { isSilentNode } from "./regions";
import { oldTexts, textBefore, textNow } from "./text";

const SHORT = 90;
const ATTRIBUTES_TOLD = 3;
/** Written by the browser or the page at every step of an animation; never told by themselves. */
const NOISE = new Set(["nonce", "data-reactid"]);

/** Facts of one evidence item, without cause and place. */
export type Told = Pick<Evidence, "kind" | "what"> & { reverted: boolean };

/** No class or style and an empty one look the same: what a press put on and took off again leaves the empty one. */
function sameAttribute(name: string, now: string | null, old: string | null): boolean {
  return now === old || ((name === "class" || name === "style") && (now ?? "").trim() === (old ?? "").trim());
}

/** One region that moved. */
export class Item {
  readonly region: Element;
  readonly firstAt: number;
  lastAt: number;
  times = 0;
  sync = false;
  #before: string | undefined;
  /** It said something else than before at some time. */
  #differed = false;
  #content = false;
  readonly #added = new Set<Node>();
  readonly #removed = new Map<Node, string>();
  readonly #attributes = new Map<Element, Map<string, { old: string | null; differed: boolean }>>();

  constructor(region: Element, at: number) {
    this.region = region;
    this.firstAt = at;
    this.lastAt = at;
  }

  /** Takes in records of this region that came together. */
  add(records: readonly MutationRecord[], at: number, sync: boolean): void {
    this.times++;
    this.lastAt = at;
    this.sync ||= sync;
    const content = records.filter((record) => record.type !== "attributes");
    if (content.length > 0) {
      if (!this.#content) this.#before = textBefore(this.region, content.filter((record) => record.target === this.region || record.type === "characterData"), oldTexts(content));
      this.#content = true;
      for (const record of content) this.#addNodes(record);
      if (this.#before !== undefined && textNow(this.region) !== this.#before) this.#differed = true;
    }
    for (const record of records) if (record.type === "attributes") this.#addAttribute(record);
  }

  #addNodes(record: MutationRecord): void {
    for (const node of record.addedNodes) {
      if (isSilentNode(node)) continue;
      if (!this.#removed.delete(node)) this.#added.add(node);
    }
    for (const node of record.removedNodes) {
      if (isSilentNode(node)) continue;
      if (!this.#added.delete(node)) this.#removed.set(node, node instanceof Element ? part(node) : fold(dom.textContent(node) ?? ""));
      else this.#differed = true;
    }
  }

  #addAttribute(record: MutationRecord): void {
    const name = record.attributeName;
    if (!(record.target instanceof Element) || name === null || NOISE.has(name)) return;
    const known = this.#attributes.get(record.target) ?? new Map<string, { old: string | null; differed: boolean }>();
    this.#attributes.set(record.target, known);
    const entry = known.get(name) ?? { old: record.oldValue, differed: false };
    known.set(name, entry);
    entry.differed ||= !sameAttribute(name, dom.getAttribute(record.target, name), entry.old);
  }

  /** Elements whose attributes changed: they may have become hidden. */
  restyled(): Iterable<Element> {
    return this.#attributes.keys();
  }

  /** Elements that came and are still there. */
  arrived(): Element[] {
    const found: Element[] = [];
    for (const node of this.#added) if (node instanceof Element && dom.isConnected(node)) found.push(node);
    return found;
  }

  /** The change in words; nothing when there is none to tell. */
  tell(target: Element | undefined, toldElsewhere: ReadonlySet<Element>, hovers = false): Told | undefined {
    const content = this.#content ? this.#tellContent(toldElsewhere) : undefined;
    if (hovers && content?.kind === "focus") content.kind = "content";
    if (content !== undefined && !content.reverted) return content;
    return this.#tellAttributes(target, toldElsewhere) ?? content;
  }

  #tellContent(toldElsewhere: ReadonlySet<Element>): Told | undefined {
    const region = this.region;
    const shown = dom.isConnected(region) && isShown(region);
    const arrived = [...this.#added].filter((node) => dom.isConnected(node) && !(node instanceof Element && toldElsewhere.has(node)));
    const came = arrived.filter((node) => node instanceof Element);
    const loud = came.map(alertIn).find((element) => element !== undefined);
    if (loud !== undefined) return { kind: kindOf(loud) ?? "content", what: `+ ${part(loud)}`, reverted: false };
    if (came.length > 0 && this.#removed.size === 0 && arrived.length === came.length && came.every(isDecoration)) return { kind: "focus", what: `+ ${listed(came.map(part))}`, reverted: false };
    const kind = kindOf(region) ?? "content";
    const now = textNow(region);
    const before = this.#before;
    const nodesMoved = arrived.length > 0 || this.#removed.size > 0;
    if (before !== undefined && before === now && (now !== "" || !nodesMoved)) {
      if (this.#differed) return { kind, what: `${quote(now, SHORT)}, after having changed`, reverted: true };
      // Made anew, saying the same.
      if (!nodesMoved) return undefined;
      return { kind: "attribute", what: `redrawn: ${now === "" ? dom.localName(region) : quote(now, SHORT)}`, reverted: false };
    }
    if (!nodesMoved && before === undefined && !this.#differed && now === "") return undefined;
    if (!shown && dom.isConnected(region)) return { kind: "attribute", what: `in a hidden part (${dom.localName(region)})`, reverted: false };
    const gone = [...this.#removed].filter(([node]) => node instanceof Element).map(([, words]) => words);
    if (came.length > 0 && gone.length === 0) return { kind, what: `+ ${listed(came.map(part))}`, reverted: false };
    if (gone.length > 0 && came.length === 0 && arrived.length === 0) return { kind, what: `- ${listed(gone)}`, reverted: false };
    if (before !== undefined && (before.length <= SHORT || now.length <= SHORT)) return { kind, what: `${quote(before, SHORT)} → ${quote(now, SHORT)}`, reverted: false };
    if (came.length > 0 || gone.length > 0) return { kind, what: [came.length > 0 ? `+ ${listed(came.map(part))}` : "", gone.length > 0 ? `- ${listed(gone)}` : ""].filter(Boolean).join(", "), reverted: false };
    return { kind, what: `now ${quote(now, SHORT)}`, reverted: false };
  }

  #tellAttributes(target: Element | undefined, toldElsewhere: ReadonlySet<Element>): Told | undefined {
    const said: string[] = [];
    let reverted = true;
    let mirrors = true;
    for (const [element, names] of this.#attributes) {
      if (toldElsewhere.has(element)) continue;
      for (const [name, { old, differed }] of names) {
        const now = dom.getAttribute(element, name);
        if (sameAttribute(name, now, old) && !differed) continue;
        const isMirror = mirrorsInput(name, old, now);
        if (sameAttribute(name, now, old)) {
          // On the target itself a class that came and went is the press of our own pointer.
          if (isMirror || element === target || name === "class" || name === "style") continue;
        } else {
          reverted = false;
          if (isMirror && !mirrors) continue;
          if (!isMirror && mirrors) said.length = 0;
          mirrors &&= isMirror;
        }
        const hide = isSecret(element) && name === "value";
        const show = (value: string | null): string => (value === null ? "(none)" : hide ? "(secret)" : quote(value, 50));
        said.push(`${name} ${show(old)} → ${show(now)}`);
      }
    }
    if (said.length === 0) return undefined;
    const rest = said.length > ATTRIBUTES_TOLD ? ` and ${said.length - ATTRIBUTES_TOLD} more` : "";
    return { kind: mirrors && !reverted ? "focus" : "attribute", what: said.slice(0, ATTRIBUTES_TOLD).join(", ") + rest, reverted };
  }
}

function listed(words: readonly string[]): string {
  const rest = words.length > 3 ? ` and ${words.length - 3} more` : "";
  return words.slice(0, 3).join(", ") + rest;
}

/** What kind of part this is: an alert, a live region, a dialog. */
export function kindOf(element: Element): EvidenceKind | undefined {
  const own = roleOf(element);
  if (own === "tooltip") return "focus";
  if (own === "dialog" || own === "alertdialog") return "topLayer";
  const live = nearest(element, (at) => liveKind(at) !== undefined);
  return live && liveKind(live);
}

function liveKind(element: Element): EvidenceKind | undefined {
  const role = liveRole(element) ?? roleOf(element);
  if (role === "alert") return "alert";
  return role === "status" || role === "log" ? "live" : undefined;
}

const LOUD = "[role=alert],[role=alertdialog],[role=dialog],[role=status],[aria-live=assertive],[aria-live=polite],dialog[open]";

/** The alert, dialog or live region that an element is or brings along, if it is shown. */
export function alertIn(element: Element): Element | undefined {
  const found = dom.matches(element, LOUD) ? element : dom.querySelector(element, LOUD);
  return found !== null && isShown(found) && textNow(found) !== "" && holds(element, found) ? found : undefined;
}
