// One question to all documents of a tab: the page itself first, its frames a few at a time, and no longer than a bound.

import type { Doc } from "./pages";

/** So many frames are asked at once: a thousand at once would leave none of them time to answer. */
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
    // What the page itself has to say does not wait behind its frames.
    if (doc.parent === null) await done;
  }
  return await Promise.all(answers);
}
