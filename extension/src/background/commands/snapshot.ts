// snapshot/*: trees and texts of all frames. Trees are JSON text already: they are joined, never parsed.

import type { FrameText, FrameTree, Refusal } from "../../generated/protocol";
import { cut, messageOf } from "../../shared/text";
import { resolve } from "../aim";
import { Raw } from "../dispatch";
import type { Handlers } from "../dispatch";
import { Failure } from "../failure";
import { LATE, PageLost, rethrowDialog } from "../pages";
import type { Doc } from "../pages";
import type { Parts } from "../parts";
import { sweep } from "../sweep";

type Rows = "snapshot/take" | "snapshot/text";

const CHILD_MS = 3_000;
/** A page of 100,000 nodes takes its time to tell them. */
const MAIN_MS = 12_000;
const NO_DOCUMENT = "the tab has no document that can be read: its page crashed, or is being replaced; reload it";

/** A frame without content, with the reason. */
function unreadableTree(doc: Doc, why: string): string {
  const tree: FrameTree = {
    frame: doc.frame, ...(doc.parent === null ? {} : { parent: doc.parent }), doc: doc.ordinal, url: cut(doc.url, 2_000), nodes: [], unreadable: cut(why, 200),
  };
  return JSON.stringify(tree);
}

export function snapshot({ book, pages }: Parts): Pick<Handlers, Rows> {
  const limit = (doc: Doc) => ({ limitMs: doc.parent === null ? MAIN_MS : CHILD_MS });

  return {
    "snapshot/take": async ({ tab, target, viewport = false, known = [], ahead = false }) => {
      const docs = await pages.ready(tab, book.page(tab));
      const top = target === undefined ? undefined : await resolve(pages, docs, target);
      if (top?.kind === "refused") return { tab: await book.get(tab), frames: [], refused: top.refusal };
      let refused: Refusal | undefined;
      const trees = await sweep(docs, async (doc) => {
        const why = pages.unreadable(doc);
        if (why !== undefined) return unreadableTree(doc, why);
        try {
          const node = top?.doc === doc ? top.node : null;
          const base = known.find((one) => one.doc === doc.ordinal)?.tree ?? null;
          const answer = await pages.ask(doc, "take", { node, viewport, base, ahead }, limit(doc));
          if (answer.kind === "read") return answer.tree;
          refused = answer.refusal;
          return "";
        } catch (thrown) {
          rethrowDialog(thrown);
          if (top?.doc === doc && thrown instanceof PageLost) {
            refused = { reason: "navigated" };
            return "";
          }
          if (doc.parent === null && thrown instanceof Failure) throw thrown;
          return unreadableTree(doc, thrown instanceof PageLost ? thrown.message : `it does not answer: ${messageOf(thrown)}`);
        }
      }, (doc) => unreadableTree(doc, LATE));
      if (refused !== undefined) return { tab: await book.get(tab), frames: [], refused };
      if (docs.length === 0) trees.push(unreadableTree({ tab, frame: 0, parent: null, documentId: "", ordinal: 0, url: (await book.get(tab)).url, error: true }, NO_DOCUMENT));
      // Described after the trees: the title belongs to what was read.
      return new Raw(`{"tab":${JSON.stringify(await book.get(tab))},"frames":[${trees.join(",")}]}`);
    },

    "snapshot/text": async ({ tab, target }) => {
      const docs = await pages.ready(tab, book.page(tab));
      if (target !== undefined) {
        const resolved = await resolve(pages, docs, target);
        if (resolved.kind === "refused") return resolved;
        const { doc, node } = resolved;
        try {
          const answer = await pages.ask(doc, "text", { node }, limit(doc));
          if (answer.kind === "refused") return answer;
          return { kind: "read", tab: await book.get(tab), frames: [{ frame: doc.frame, url: doc.url, text: answer.text, lone: answer.lone }] };
        } catch (thrown) {
          if (thrown instanceof PageLost) return { kind: "refused", refusal: { reason: "navigated" } };
          throw thrown;
        }
      }
      const none = (doc: Doc, why: string): FrameText => ({ frame: doc.frame, url: doc.url, text: "", unreadable: cut(why, 200) });
      const frames = await sweep(docs, async (doc): Promise<FrameText> => {
        const why = pages.unreadable(doc);
        if (why !== undefined) return none(doc, why);
        try {
          const answer = await pages.ask(doc, "text", { node: null }, limit(doc));
          return answer.kind === "read" ? { frame: doc.frame, url: doc.url, text: answer.text, lone: answer.lone } : none(doc, answer.refusal.reason);
        } catch (thrown) {
          rethrowDialog(thrown);
          if (doc.parent === null && thrown instanceof Failure) throw thrown;
          return none(doc, messageOf(thrown));
        }
      }, (doc) => none(doc, LATE));
      return { kind: "read", tab: await book.get(tab), frames };
    },
  };
}

