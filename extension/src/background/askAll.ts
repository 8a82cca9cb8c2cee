// The same question to every readable document of a tab.

import type { PageCalls } from "../shared/pageCalls";
import { PageLost, rethrowDialog } from "./pages";
import type { Doc, Pages } from "./pages";
import { sweep } from "./sweep";

const CHILD_MS = 3_000;

/** Asks them all; frames that do not answer are counted. Without the page itself nothing can be said. */
export async function askAll<K extends keyof PageCalls>(
  pages: Pages, docs: readonly Doc[], call: K, params: PageCalls[K]["params"],
): Promise<{ answers: { doc: Doc; answer: PageCalls[K]["result"] }[]; unread: number }> {
  const all = await sweep(docs, async (doc) => {
    if (pages.unreadable(doc) !== undefined) return null;
    try {
      return { doc, answer: await pages.ask(doc, call, params, doc.parent === null ? {} : { limitMs: CHILD_MS }) };
    } catch (thrown) {
      rethrowDialog(thrown);
      if (doc.parent === null && !(thrown instanceof PageLost)) throw thrown;
      // A frame that went away holds nothing any more.
      return null;
    }
  }, () => null);
  const answers = all.filter((one) => one !== null);
  return { answers, unread: all.length - answers.length };
}
