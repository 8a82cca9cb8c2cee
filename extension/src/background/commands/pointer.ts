// pointer/*: clicking, hovering, scrolling, dragging, and reading which listeners stand on the way.

import type { Offset } from "../../generated/protocol";
import type { Point } from "../../shared/pageCalls";
import { act } from "../act";
import { resolve, resolveFocus, resolveScroller } from "../aim";
import type { Handlers } from "../dispatch";
import { Failure } from "../failure";
import { readListeners } from "../listeners";
import { PageLost } from "../pages";
import type { Parts } from "../parts";

/** Longest wait for the page to take a press, its hold not counted. */
const ASK_MS = 5_000;

type Rows = "pointer/click" | "pointer/facts" | "pointer/hover" | "pointer/scroll" | "pointer/drag" | "pointer/listeners";

/** Where the frame of a target lies is only known while its announcement holds. */
function placed(top: Point | null): Point {
  if (top === null) throw new Failure("unsupported", "where the frame lies in its page is not known");
  return top;
}

function moved(point: Point, { x, y }: Offset): Point {
  return { x: point.x + x, y: point.y + y };
}

export function pointer(parts: Parts): Pick<Handlers, Rows> {
  const { pages, trusted, book, debug, dialogs, contexts, money } = parts;
  return {
    "pointer/click": ({ tab, target, press, input, watch, spare }, signal) => act(parts, {
      kind: "click", tab, target, input, watch, spare,
      // Selecting by clicks, opening in a new tab and drawing are the browser's own doing on real input.
      prefersTrust: press.count > 1 || press.button === "middle" || target.by === "point",
      synthetic: ({ doc, node, point }) => pages.ask(doc, "click", { node, watch, point, press, gate: money.take(doc) }, { limitMs: ASK_MS + press.holdMs }),
      trusted: async ({ doc, node, top, point: inner }) => {
        const point = placed(top);
        const { stopped } = await pages.ask(doc, "arm", { node, watch, action: "click", append: false, text: null, caret: press.count > 1, gate: money.take(doc), point: inner });
        if (stopped !== undefined) return { stopped, look: await pages.ask(doc, "look", { watch }) };
        await trusted.click(tab, point, press);
        return await pages.ask(doc, "received", { watch, text: null });
      },
    }, signal),

    "pointer/hover": ({ tab, target, input, watch }, signal) => act(parts, {
      kind: "hover", tab, target, input, watch,
      synthetic: ({ doc, node, point }) => pages.ask(doc, "hover", { node, watch, point }),
      trusted: async ({ doc, node, top }) => {
        const point = placed(top);
        const behind = await book.hidden(await book.get(tab));
        await pages.ask(doc, "arm", { node, watch, action: "hover", append: false, text: null });
        await trusted.hover(tab, point, behind);
        return await pages.ask(doc, "received", { watch, text: null });
      },
    }, signal),

    "pointer/scroll": ({ tab, target, scroll, watch }, signal) => {
      let found = false;
      return act(parts, {
        kind: "scroll", tab, target, input: "synthetic", watch,
        resolve: async (docs) => {
          const scroller = await resolveScroller(pages, docs, target, scroll);
          ({ found } = scroller);
          return scroller.resolved;
        },
        synthetic: ({ doc, node }) => pages.ask(doc, "scroll", { node, watch, scroll, found }),
        trusted: () => Promise.reject(new Failure("unsupported", "scrolling needs no trusted input")),
      }, signal);
    },

    "pointer/drag": ({ tab, target, onto, offset, input, watch }, signal) => act(parts, {
      kind: "drag", tab, target, input, watch, second: onto,
      synthetic: ({ doc, node, point, goal }) => {
        if (goal !== undefined && goal.doc.documentId !== doc.documentId) throw new Failure("unsupported", "between frames only trusted input can drag; nothing was done");
        return pages.ask(doc, "drag", { node, watch, from: point, to: moved(goal?.point ?? point, offset), gate: money.take(doc) });
      },
      trusted: async ({ doc, node, top, point, goal }) => {
        const from = placed(top);
        const { stopped } = await pages.ask(doc, "arm", { node, watch, action: "drag", append: false, text: null, gate: money.take(doc), point });
        if (stopped !== undefined) return { stopped, look: await pages.ask(doc, "look", { watch }) };
        const started = async () => (await pages.ask(doc, "dragging", { watch })).started;
        await trusted.drag(tab, from, moved(goal?.top ?? from, offset), started);
        return await pages.ask(doc, "received", { watch, text: null });
      },
    }, signal),

    "pointer/facts": async ({ tab, target }) => {
      const docs = await pages.ready(tab, book.page(tab));
      const resolved = target === undefined ? await resolveFocus(pages, docs) : await resolve(pages, docs, target);
      if (resolved.kind === "refused") return resolved;
      try {
        return await pages.ask(resolved.doc, "facts", { node: resolved.node });
      } catch (thrown) {
        if (thrown instanceof PageLost) return { kind: "refused", refusal: { reason: "navigated" } };
        throw thrown;
      }
    },

    "pointer/listeners": async ({ tab, target }) => {
      const docs = await pages.ready(tab, book.page(tab));
      const resolved = await resolve(pages, docs, target);
      if (resolved.kind === "refused") throw new Failure(resolved.refusal.reason === "navigated" ? "stale_ref" : "not_found", "the target is not there any more");
      const { doc, node } = resolved;
      const mark = await pages.ask(doc, "listeners", { node });
      const read = await dialogs.guard(tab, readListeners(debug, contexts, tab, mark.expression));
      return { ...read, ...(mark.defaultAction === undefined ? {} : { defaultAction: mark.defaultAction }) };
    },
  };
}
