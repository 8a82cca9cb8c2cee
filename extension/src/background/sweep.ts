// One question to all documents of a tab: at once where they are few; else the page itself first, then its frames by turns, within a bound.

import type { Doc } from "./pages";

/** So many are asked at once: a thousand at once would leave none of them time to answer. */
const AT_ONCE = 32;
/** Frames that were not asked by then are not asked any more. */
const SWEEP_MS = 6_000;

/** Asks each document, in their order; for a frame whose turn did not come in time `late` answers. */
export async function sweep<T>(docs: readonly Doc[], ask: (doc: Doc) => Promise<T>, late: (doc: Doc) => T): Promise<T[]> {
  const answers: Promise<T>[] = [];
  const until = Date.now() + SWEEP_MS;
  const running = new Set<Promise<unknown>>();
  for (const doc of docs) {
    while (doc.parent !== null && running.size >= AT_ONCE) await Promise.race(running);
    if (doc.parent !== null && Date.now() >= until) {
      answers.push(Promise.resolve(late(doc)));
      continue;
    }
    const answer = ask(doc);
    answers.push(answer);
    const done = answer.then(() => undefined, () => undefined).finally(() => running.delete(done));
    running.add(done);
    // Where the frames are many, what the page itself has to say does not wait behind them.
    if (doc.parent === null && docs.length > AT_ONCE) await done;
  }
  return await Promise.all(answers);
}
