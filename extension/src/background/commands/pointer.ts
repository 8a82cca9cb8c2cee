// pointer/*: clicking, and reading which listeners stand on the way.

import { act } from "../act";
import { resolve } from "../aim";
import type { Handlers } from "../dispatch";
import { Failure } from "../failure";
import { readListeners } from "../listeners";
import { PageLost } from "../pages";
import type { Parts } from "../parts";

type Rows = "pointer/click" | "pointer/facts" | "pointer/listeners";

export function pointer(parts: Parts): Pick<Handlers, Rows> {
  const { pages, trusted, book, debug, dialogs, contexts } = parts;
  return {
    "pointer/click": ({ tab, target, input, watch }, signal) => act(parts, {
      kind: "click", tab, target, input, watch,
      synthetic: ({ doc, node, point }) => pages.ask(doc, "click", { node, watch, point }),
      trusted: async ({ doc, node, top }) => {
        if (top === null) throw new Failure("unsupported", "where the frame lies in its page is not known");
        await pages.ask(doc, "arm", { node, watch, action: "click", append: false, text: null });
        await trusted.click(tab, top);
        return await pages.ask(doc, "received", { watch, text: null });
      },
    }, signal),

    "pointer/facts": async ({ tab, target }) => {
      await book.page(tab);
      const resolved = await resolve(pages, await pages.ready(tab), target);
      if (resolved.kind === "refused") return resolved;
      try {
        return await pages.ask(resolved.doc, "facts", { node: resolved.node });
      } catch (thrown) {
        if (thrown instanceof PageLost) return { kind: "refused", refusal: { reason: "navigated" } };
        throw thrown;
      }
    },

    "pointer/listeners": async ({ tab, target }) => {
      await book.page(tab);
      const docs = await pages.ready(tab);
      const resolved = await resolve(pages, docs, target);
      if (resolved.kind === "refused") throw new Failure(resolved.refusal.reason === "navigated" ? "stale_ref" : "not_found", "the target is not there any more");
      const { doc, node } = resolved;
      const mark = await pages.ask(doc, "listeners", { node });
      const read = await dialogs.guard(tab, readListeners(debug, contexts, tab, mark.expression));
      return { ...read, ...(mark.defaultAction === undefined ? {} : { defaultAction: mark.defaultAction }) };
    },
  };
}
