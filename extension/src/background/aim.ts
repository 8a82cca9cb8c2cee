// From a target to one node in one document, and from there to a point that is really free to be hit.

import type { Described, Refusal, Target } from "../generated/protocol";
import type { Found, Point, Prepared } from "../shared/pageCalls";
import { Failure } from "./failure";
import { PageLost, rethrowDialog } from "./pages";
import type { Doc, Pages } from "./pages";

const SEEN = 12;
const SHOWN = 8;
const FIND_MS = 2_000;

/** A node, or why there is none. */
export type Resolved = { kind: "node"; doc: Doc; node: number } | { kind: "refused"; refusal: Refusal };

/** A node ready to be acted on; `top` is the point in the main frame's viewport. */
export type Aimed =
  | { kind: "aimed"; ready: Extract<Prepared, { kind: "ready" }>; top: Point | null }
  | { kind: "refused"; refusal: Refusal };

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
    case "css": return choose(await ask(pages, docs, { by: "css", selector: target.selector }), undefined);
  }
}

async function ask(pages: Pages, docs: readonly Doc[], query: { by: "name"; role: string; name: string } | { by: "css"; selector: string }) {
  const answers = await Promise.all(docs.map(async (doc) => {
    if (pages.unreadable(doc) !== undefined) return null;
    try {
      return { doc, found: await pages.ask(doc, "find", query, doc.parent === null ? {} : { limitMs: FIND_MS }) };
    } catch (thrown) {
      rethrowDialog(thrown);
      // Without the main frame nothing can be said; a child frame that went away holds nothing any more.
      if (doc.parent === null && !(thrown instanceof PageLost)) throw thrown;
      return null;
    }
  }));
  return answers.filter((answer) => answer !== null);
}

/** Makes the node ready in its document and follows its point up to the main frame; a cover in any parent counts. */
export async function aim(pages: Pages, docs: readonly Doc[], doc: Doc, node: number, action: "click" | "type"): Promise<Aimed> {
  let ready: Prepared;
  try {
    ready = await pages.ask(doc, "prepare", { node, action });
  } catch (thrown) {
    if (thrown instanceof PageLost && thrown.why === "gone") return refused({ reason: "navigated" });
    if (thrown instanceof PageLost) throw new Failure("unsupported", `the frame cannot be entered: ${thrown.message}`);
    throw thrown;
  }
  if (ready.kind === "refused") return ready;
  let { point } = ready;
  let child = doc;
  while (child.parent !== null) {
    const { parent, frame } = child;
    const above = docs.find((one) => one.frame === parent);
    if (above === undefined || pages.unreadable(above) !== undefined) return { kind: "aimed", ready, top: null };
    try {
      const located = await pages.ask(above, "locate", { child: frame, point, scroll: true });
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
