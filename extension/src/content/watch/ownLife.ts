// Which movements of a part of the page are its own life, and which only the answer to an earlier action of ours.

/** How far back movements are remembered. */
export const HISTORY_MS = 10_000;
/** An action is answered within this. */
const ANSWER_MS = 1_500;
/** Movements so close to each other are one. */
const BURST_MS = 60;
/** An answer comes at once and once more, when what it waited for is there; what goes on moving then does so by itself. */
const BURSTS = 2;

/** How many of the movements in the time before a moment are the part's own. `times` and `dispatches` ascend. */
export function ownMovements(times: readonly number[], dispatches: readonly number[], moment: number): number {
  let count = 0;
  let window: number | undefined;
  let bursts = 0;
  let last = Number.NEGATIVE_INFINITY;
  for (const at of times) {
    if (at >= moment) break;
    const within = dispatches.findLast((start) => start <= at && at < start + ANSWER_MS);
    if (within !== window) bursts = 0;
    if (within !== window || at - last > BURST_MS) bursts++;
    window = within;
    last = at;
    if (at >= moment - HISTORY_MS && (within === undefined || bursts > BURSTS)) count++;
  }
  return count;
}
