// The tree on its way out: as JSON text, one piece a node, and of a tree that the daemon holds already only what is different.

import type { Node as TreeNode } from "../../generated/protocol";
import { toJson } from "../words";

/** How far ahead the next node is looked for that both trees have; beyond, the rest is sent anew. */
const AHEAD = 200;

/** Text of a node, kept with it: nodes of sealed blocks live from walk to walk. */
const JSON_TEXT = Symbol("json");
type Told = TreeNode & { [JSON_TEXT]?: string };

function textOf(node: Told): string {
  return (node[JSON_TEXT] ??= toJson(node));
}

/** What was sent last of this document. */
export class Taken {
  #id = 0;
  #lines: readonly string[] = [];

  /** The fields of the tree that say its nodes; `base`: number of the tree that the daemon holds. */
  fields(nodes: readonly TreeNode[], base: number | null): string {
    const lines = nodes.map(textOf);
    const before = this.#lines;
    const splices = base !== null && base === this.#id ? difference(before, lines) : undefined;
    this.#lines = lines;
    this.#id++;
    const head = `"tree":${this.#id}`;
    if (splices === undefined) return `${head},"nodes":[${lines.join(",")}]`;
    const told = splices.map(({ at, drop, from, to }) => `{"at":${at},"drop":${drop},"nodes":[${lines.slice(from, to).join(",")}]}`);
    return `${head},"nodes":[],"since":${base},"splices":[${told.join(",")}]`;
  }
}

/** `drop` of the earlier lines at `at` are replaced by the later ones `from` up to `to`. */
export interface Splice {
  at: number;
  drop: number;
  from: number;
  to: number;
}

/** Splices that make one list of the other, in order; undefined: so much is different that the whole is shorter. */
export function difference(before: readonly string[], now: readonly string[]): Splice[] | undefined {
  const splices: Splice[] = [];
  let sent = 0;
  let i = 0;
  let j = 0;
  // What both end with needs no search.
  let end = 0;
  while (end < before.length && end < now.length && before[before.length - 1 - end] === now[now.length - 1 - end]) end++;
  const until = before.length - end;
  const till = now.length - end;
  while (i < until || j < till) {
    if (i < until && j < till && before[i] === now[j]) {
      i++;
      j++;
      continue;
    }
    const [skip, add] = meet(before, now, i, j, until, till);
    splices.push({ at: i, drop: skip, from: j, to: j + add });
    sent += add;
    if (sent > now.length / 2) return undefined;
    i += skip;
    j += add;
  }
  return splices;
}

/** The nearest place where both lists go on alike: how many of each come before it. */
function meet(before: readonly string[], now: readonly string[], i: number, j: number, until: number, till: number): [number, number] {
  const inNow = new Map<string, number>();
  const inBefore = new Map<string, number>();
  for (let k = 0; k < AHEAD; k++) {
    const later = j + k < till ? now[j + k] : undefined;
    if (later !== undefined && !inNow.has(later)) inNow.set(later, k);
    const earlier = i + k < until ? before[i + k] : undefined;
    if (earlier !== undefined && !inBefore.has(earlier)) inBefore.set(earlier, k);
    const add = earlier === undefined ? undefined : inNow.get(earlier);
    if (add !== undefined) return [k, add];
    const skip = later === undefined ? undefined : inBefore.get(later);
    if (skip !== undefined) return [skip, k];
  }
  return [until - i, till - j];
}
