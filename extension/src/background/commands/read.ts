// snapshot/html and snapshot/find: the HTML of a part, and nodes by role, name and text over all frames.

import type { Described, Match } from "../../generated/protocol";
import { cut } from "../../shared/text";
import { resolve } from "../aim";
import { askAll } from "../askAll";
import type { Handlers } from "../dispatch";
import { Failure } from "../failure";
import { PageLost } from "../pages";
import type { Doc } from "../pages";
import type { Parts } from "../parts";

type Rows = "snapshot/html" | "snapshot/find";

/** A large page takes its time to be written out. */
const HTML_MS = 15_000;

/** A node of one document as the daemon knows it. */
export function placed(doc: Doc, node: Described): Described {
  return node.node === undefined ? node : { ...node, doc: doc.ordinal };
}

export function read({ book, pages }: Parts): Pick<Handlers, Rows> {
  return {
    "snapshot/html": async ({ tab, target, shown, limit }) => {
      const docs = await pages.ready(tab, book.page(tab));
      const main = docs.find((doc) => doc.parent === null);
      if (main === undefined) throw new Failure("unsupported", "the tab shows no document now");
      const resolved = target === undefined ? { kind: "node" as const, doc: main, node: null } : await resolve(pages, docs, target);
      if (resolved.kind === "refused") return resolved;
      const { doc, node } = resolved;
      const why = pages.unreadable(doc);
      if (why !== undefined) throw new Failure("unsupported", `the document cannot be read: ${why}`);
      try {
        const answer = await pages.ask(doc, "html", { node, shown, limit }, { limitMs: HTML_MS });
        if (answer.kind === "refused") return answer;
        const { title, html, total, masked } = answer;
        const frames = docs.filter((other) => other.parent === doc.frame).length;
        return { kind: "read", tab: await book.get(tab), frame: { frame: doc.frame, url: cut(doc.url, 2_000), title, html, total, masked }, frames };
      } catch (thrown) {
        if (thrown instanceof PageLost) return { kind: "refused", refusal: { reason: "navigated" } };
        throw thrown;
      }
    },

    "snapshot/find": async ({ tab, limit, ...wanted }) => {
      await book.page(tab);
      const { role, name, text } = wanted;
      const params = { ...(role === undefined ? {} : { role }), ...(name === undefined ? {} : { name }), ...(text === undefined ? {} : { text }), limit };
      const { answers, unread } = await askAll(pages, await pages.ready(tab), "search", params);
      const exact = answers.filter(({ answer }) => answer.tier === "exact");
      const loose = answers.filter(({ answer }) => answer.tier === "contains");
      const chosen = exact.length > 0 ? exact : loose;
      const matches = chosen.flatMap(({ doc, answer }) => answer.matches.map((one): Match => ({ ...one, node: placed(doc, one.node), frame: doc.frame })));
      return {
        tab: await book.get(tab), tier: exact.length > 0 ? "exact" : loose.length > 0 ? "contains" : "none",
        count: chosen.reduce((sum, { answer }) => sum + answer.count, 0), matches: matches.slice(0, limit),
        seen: answers.flatMap(({ answer }) => answer.seen).slice(0, 12), unread,
      };
    },
  };
}
