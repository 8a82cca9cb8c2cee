// From a target to one node in one document, and from there to a point that is really free to be hit.

import type { Described, Refusal, Scroll, Target, TargetFacts } from "../generated/protocol";
import type { Deed, Found, MoneyGate, Point, Prepared } from "../shared/pageCalls";
import { askAll } from "./askAll";
import { Failure } from "./failure";
import { PageLost, rethrowDialog } from "./pages";
import type { Doc, Pages } from "./pages";

const SEEN = 12;
const SHOWN = 8;

/** A node, or why there is none. */
export type Resolved = { kind: "node"; doc: Doc; node: number; /** the point that was asked for, in its document */ at?: Point } | { kind: "refused"; refusal: Refusal };

/** A node ready to be acted on; `top` is the point in the main frame's viewport. */
export type Aimed =
  | { kind: "already"; facts: TargetFacts }
  | { kind: "aimed"; ready: Extract<Prepared, { kind: "ready" }>; top: Point | null; goal?: Goal }
  | { kind: "refused"; refusal: Refusal };

/** Where the second node of an action is. */
export interface Goal {
  doc: Doc;
  point: Point;
  top: Point;
}

/** How a node is made ready. */
interface AimOptions {
  /** The point that was asked for. */
  at?: Point;
  /** Nothing may be scrolled. */
  still?: boolean;
  /** What is to be chosen, or the text to be typed. */
  options?: string[];
  gate?: MoneyGate;
  /** Enter follows. */
  submit?: boolean;
}

interface Candidate {
  doc: Doc;
  node: number;
  described: Described;
}

function refused(refusal: Refusal): { kind: "refused"; refusal: Refusal } {
  return { kind: "refused", refusal };
}

/** What all frames found, joined: the exact tier of any frame comes before the containing tier of every frame. */
export function choose(found: readonly { doc: Doc; found: Found }[], nth: number | undefined): Resolved {
  for (const { found: one } of found) if (one.badSelector !== undefined) return refused({ reason: "badSelector", message: one.badSelector });
  const ofTier = (tier: Found["tier"]): Candidate[] => found.filter((one) => one.found.tier === tier).flatMap(({ doc, found: one }) =>
    one.candidates.flatMap((described) => (described.node === undefined ? [] : [{ doc, node: described.node, described: { ...described, doc: doc.ordinal } }])));
  const exact = ofTier("exact");
  const candidates = exact.length > 0 ? exact : ofTier("contains");
  const only = candidates[nth ?? 0];
  if (only !== undefined && (nth !== undefined || candidates.length === 1)) return { kind: "node", doc: only.doc, node: only.node };
  if (candidates.length > 1 && nth === undefined) {
    return refused({ reason: "ambiguous", count: candidates.length, candidates: candidates.slice(0, SHOWN).map((one) => one.described) });
  }
  // Asked for the nth of fewer: those that are there are the best hint.
  const seen = candidates.length > 0 ? candidates.map((one) => one.described) : found.flatMap(({ doc, found: one }) =>
    one.seen.map((described) => (described.node === undefined ? described : { ...described, doc: doc.ordinal })));
  return refused({ reason: "notFound", seen: seen.slice(0, SEEN) });
}

/** Finds the node in the documents of the tab. */
export async function resolve(pages: Pages, docs: readonly Doc[], target: Target): Promise<Resolved> {
  switch (target.by) {
    case "ref": {
      const doc = docs.find((one) => one.ordinal === target.doc);
      if (doc === undefined && docs[0] !== undefined) pages.refuseForeign(docs[0].tab, target.doc);
      return doc === undefined ? refused({ reason: "navigated" }) : { kind: "node", doc, node: target.node };
    }
    case "name": return choose(await ask(pages, docs, { by: "name", role: target.role, name: target.name }), target.nth);
    case "point": return await pointed(pages, docs, { x: target.x, y: target.y });
    case "css": return choose(await ask(pages, docs, { by: "css", selector: target.selector }), undefined);
  }
}

/** What lies at a point of the tab's viewport, followed into frames. */
async function pointed(pages: Pages, docs: readonly Doc[], from: Point): Promise<Resolved> {
  let doc = docs[0];
  let at = from;
  for (let depth = 0; doc !== undefined && depth < docs.length; depth++) {
    const found = await pages.ask(doc, "pointed", { point: at });
    if (found.kind === "refused") return found;
    const { node, child, inner } = found;
    const below = child === undefined ? undefined : docs.find((one) => one.frame === child);
    if (below === undefined || inner === undefined || pages.unreadable(below) !== undefined) return { kind: "node", doc, node, at };
    doc = below;
    at = inner;
  }
  return refused({ reason: "navigated" });
}

/** What has the focus, in whatever frame. */
export async function resolveFocus(pages: Pages, docs: readonly Doc[]): Promise<Resolved> {
  let doc = docs[0];
  for (let depth = 0; doc !== undefined && depth < docs.length; depth++) {
    const { node, child } = await pages.ask(doc, "focused", null);
    const inner = child === undefined ? undefined : docs.find((one) => one.frame === child);
    // A frame that cannot be entered is itself what is known of the focus.
    if (inner === undefined || pages.unreadable(inner) !== undefined) return { kind: "node", doc, node };
    doc = inner;
  }
  return refused({ reason: "navigated" });
}

/** Finds the nodes of many targets: those by name in one walk of each document. */
export async function resolveAll(pages: Pages, docs: readonly Doc[], targets: readonly Target[]): Promise<Resolved[]> {
  const named = targets.flatMap((target) => (target.by === "name" ? [target] : []));
  const names = named.map(({ role, name }) => ({ role, name }));
  const found = names.length === 0 ? [] : (await askAll(pages, docs, "findAll", { names })).answers;
  return await Promise.all(targets.map(async (target) => {
    if (target.by !== "name") return await resolve(pages, docs, target);
    const at = named.indexOf(target);
    return choose(found.flatMap(({ doc, answer: all }) => { const one = all[at]; return one === undefined ? [] : [{ doc, found: one }]; }), target.nth);
  }));
}

async function ask(pages: Pages, docs: readonly Doc[], query: { by: "name"; role: string; name: string } | { by: "css"; selector: string }) {
  const { answers } = await askAll(pages, docs, "find", query);
  return answers.map(({ doc, answer }) => ({ doc, found: answer }));
}

/** Makes the node ready in its document and follows its point up to the main frame; a cover in any parent counts. */
export async function aim(pages: Pages, docs: readonly Doc[], doc: Doc, node: number, action: Deed, options: AimOptions = {}): Promise<Aimed> {
  let ready: Prepared;
  try {
    ready = await pages.ask(doc, "prepare", { node, action, ...options });
  } catch (thrown) {
    if (thrown instanceof PageLost && thrown.why === "gone") return refused({ reason: "navigated" });
    if (thrown instanceof PageLost) throw new Failure("unsupported", `the frame cannot be entered: ${thrown.message}`);
    throw thrown;
  }
  if (ready.kind !== "ready") return ready;
  // Keys go where the focus is, and scrolling needs no point.
  if (action === "press" || action === "keys" || action === "scroll") return { kind: "aimed", ready, top: null };
  let { point } = ready;
  let child = doc;
  while (child.parent !== null) {
    const { parent, frame } = child;
    const above = docs.find((one) => one.frame === parent);
    if (above === undefined || pages.unreadable(above) !== undefined) return { kind: "aimed", ready, top: null };
    try {
      const located = await pages.ask(above, "locate", { child: frame, point, scroll: options.still !== true });
      if (located.kind === "refused") {
        const { refusal } = located;
        return refused(refusal.reason === "covered" ? { ...refusal, target: ready.facts.described, inParent: true } : refusal);
      }
      ({ point } = located);
    } catch (thrown) {
      rethrowDialog(thrown);
      if (thrown instanceof PageLost && thrown.why === "gone") return refused({ reason: "navigated" });
      // The frame's place in its parent is not known (its announcement was lost): the point stays unknown above it.
      return { kind: "aimed", ready, top: null };
    }
    child = above;
  }
  return { kind: "aimed", ready, top: point };
}

/** Makes two nodes ready that must be in view together: the first is dragged onto the second. */
export async function aimPair(pages: Pages, docs: readonly Doc[], first: { doc: Doc; node: number }, second: { doc: Doc; node: number }, options: AimOptions): Promise<Aimed> {
  const brought = await aim(pages, docs, second.doc, second.node, "drop");
  if (brought.kind !== "aimed") return brought;
  const aimed = await aim(pages, docs, first.doc, first.node, "drag", options);
  if (aimed.kind !== "aimed") return aimed;
  // Bringing the first into view may have taken the second out of it.
  const goal = await aim(pages, docs, second.doc, second.node, "drop", { still: true });
  if (goal.kind !== "aimed") return goal;
  if (goal.top === null) throw new Failure("unsupported", "where the frame lies in its page is not known");
  return { ...aimed, goal: { doc: second.doc, point: goal.ready.point, top: goal.top } };
}

/** What scrolls that way: around the target, in its frame or the frames around that; of the page, or of any frame that is big enough. */
export async function resolveScroller(pages: Pages, docs: readonly Doc[], target: Target | undefined, scroll: Scroll): Promise<{ resolved: Resolved; found: boolean }> {
  if (target === undefined) {
    for (const doc of docs) {
      if (pages.unreadable(doc) !== undefined) continue;
      const { node } = await pages.ask(doc, "scroller", { node: null, scroll });
      if (node !== undefined) return { resolved: { kind: "node", doc, node }, found: true };
    }
    return { resolved: await resolveFocus(pages, docs.slice(0, 1)), found: false };
  }
  const resolved = await resolve(pages, docs, target);
  if (resolved.kind === "refused" || scroll.to === "view") return { resolved, found: resolved.kind === "node" };
  let { node } = await pages.ask(resolved.doc, "scroller", { node: resolved.node, scroll });
  let { doc } = resolved;
  while (node === undefined && doc.parent !== null) {
    const { frame, parent } = doc;
    const above = docs.find((one) => one.frame === parent);
    if (above === undefined || pages.unreadable(above) !== undefined) break;
    ({ node } = await pages.ask(above, "scroller", { node: null, child: frame, scroll }));
    doc = above;
  }
  return node === undefined ? { resolved, found: false } : { resolved: { kind: "node", doc, node }, found: true };
}
