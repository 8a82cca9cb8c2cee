// wait/*: which of several conditions holds now, over all frames.

import type { Condition, Probe } from "../../generated/protocol";
import type { PageCalls } from "../../shared/pageCalls";
import { cut } from "../../shared/text";
import type { Handlers } from "../dispatch";
import { Failure } from "../failure";
import { rethrowDialog } from "../pages";
import type { Doc } from "../pages";
import type { Parts } from "../parts";
import { sweep } from "../sweep";

const PROBE_MS = 1_000;
const QUIET_MS = 500;

type Answer = PageCalls["probe"]["result"];

/** What one document said, or nothing. */
export interface Probed {
  doc: Pick<Doc, "frame" | "ordinal" | "parent">;
  answer: Answer | null;
}

/** What the worker itself knows of the tab. */
export interface Around {
  url: string;
  loading: boolean;
  requestsQuietMs: number;
}

/** Whether one condition holds, and in which frame. */
export function holds(condition: Condition, index: number, probed: readonly Probed[], around: Around): { frame: number } | null {
  const saying = probed.find((one) => one.answer?.met.includes(index) === true);
  switch (condition.kind) {
    case "text": case "css": return saying === undefined ? null : { frame: saying.doc.frame };
    case "textGone": {
      // Gone is what no frame shows; a frame that does not answer may show it.
      const everywhere = probed.length > 0 && probed.every((one) => one.answer?.met.includes(index) === true);
      return everywhere ? { frame: 0 } : null;
    }
    case "ref": {
      const own = probed.find((one) => one.doc.ordinal === condition.doc);
      if (own === undefined) return condition.state === undefined ? { frame: 0 } : null;
      return own.answer?.met.includes(index) === true ? { frame: own.doc.frame } : null;
    }
    case "url": return around.url.includes(condition.part) ? { frame: 0 } : null;
    case "idle": {
      const still = probed.length > 0 && probed.every((one) => one.answer === null || one.answer.quietMs >= QUIET_MS);
      return still && !around.loading && around.requestsQuietMs >= QUIET_MS ? { frame: 0 } : null;
    }
  }
}

export function wait({ book, pages, requests }: Parts): Pick<Handlers, "wait/probe"> {
  return {
    "wait/probe": async ({ tab, conditions }): Promise<Probe> => {
      const docs = await pages.ready(tab, book.page(tab));
      for (const condition of conditions) if (condition.kind === "ref") pages.refuseForeign(tab, condition.doc);
      const probed = await sweep(docs, async (doc): Promise<Probed> => {
        if (pages.unreadable(doc) !== undefined) return { doc, answer: null };
        try {
          return { doc, answer: await pages.ask(doc, "probe", { conditions }, { limitMs: PROBE_MS }) };
        } catch (thrown) {
          rethrowDialog(thrown);
          if (thrown instanceof Failure && /not a valid selector/i.test(thrown.message)) throw new Failure("invalid_argument", `the selector is not valid CSS: ${cut(thrown.message, 200)}`);
          if (thrown instanceof Failure && thrown.code === "internal") throw thrown;
          return { doc, answer: null };
        }
      }, (doc) => ({ doc, answer: null }));
      const now = await book.get(tab);
      const around: Around = { url: now.url, loading: now.loading, requestsQuietMs: requests.quietMs(tab, Date.now()) };
      const there = cut(probed.find((one) => one.doc.parent === null)?.answer?.there ?? "", 300);
      const unread = probed.filter((one) => one.answer === null).length;
      for (const [index, condition] of conditions.entries()) {
        const met = holds(condition, index, probed, around);
        if (met !== null) return { met: index, frame: met.frame, tab: now, there, unread };
      }
      return { tab: now, there, unread };
    },
  };
}
