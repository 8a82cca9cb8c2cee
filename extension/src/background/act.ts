// The way every action goes: resolve, aim, begin the watch, dispatch, look. Clicking and typing differ only in the dispatch.

import type { Act, Input, Target, TargetFacts } from "../generated/protocol";
import type { Dispatched, Point } from "../shared/pageCalls";
import { aim, resolve } from "./aim";
import { DialogOpened } from "./dialogs";
import { Failure, stopIfCancelled } from "./failure";
import { PageLost } from "./pages";
import type { Doc } from "./pages";
import type { Parts } from "./parts";
import type { Watch } from "./watch";

/** A node that is ready. */
export interface Aim {
  doc: Doc;
  node: number;
  facts: TargetFacts;
  point: Point;
  top: Point | null;
}

/** One kind of action. */
export interface Action {
  kind: "click" | "type";
  tab: number;
  target: Target;
  input: Input;
  /** What is typed. */
  text?: string;
  watch: number;
  synthetic(aim: Aim): Promise<Dispatched>;
  /** Everything after `Trusted.ready`: arm, input, received. */
  trusted(aim: Aim): Promise<Dispatched>;
}

/** Performs it. */
export async function act(parts: Parts, action: Action, signal: AbortSignal): Promise<Act> {
  const { book, pages, trusted } = parts;
  await book.page(action.tab);
  const docs = await pages.ready(action.tab);
  const resolved = await resolve(pages, docs, action.target);
  if (resolved.kind === "refused") return resolved;
  const { doc, node } = resolved;
  const aimed = await aim(pages, docs, doc, node, action.kind);
  if (aimed.kind === "refused") return aimed;
  stopIfCancelled(signal);
  if (action.text !== undefined && aimed.ready.facts.secret) parts.secrets.note(action.tab, action.text);
  const first: Aim = { doc, node, facts: aimed.ready.facts, point: aimed.ready.point, top: aimed.top };

  if (action.input === "trusted" || aimed.ready.trustedOnly) {
    let ready = true;
    try {
      await trusted.ready(action.tab);
    } catch (thrown) {
      // Asked for by name it must be said that it cannot be had; where only the page's kind prefers it, the plain way is tried.
      if (action.input === "trusted" || !(thrown instanceof Failure) || thrown.code !== "unsupported") throw thrown;
      ready = false;
    }
    if (ready) {
      // The viewport may have moved under the bar of the debugger: where the target was does not count any more.
      const again = await aim(pages, docs, doc, node, action.kind);
      if (again.kind === "refused") return again;
      stopIfCancelled(signal);
      const second: Aim = { ...first, facts: again.ready.facts, point: again.ready.point, top: again.top };
      return await dispatch(parts, action, docs, second, "trusted", () => action.trusted(second));
    }
  }
  return await dispatch(parts, action, docs, first, "synthetic", () => action.synthetic(first));
}

async function dispatch(parts: Parts, action: Action, docs: readonly Doc[], aimed: Aim, input: Input, run: () => Promise<Dispatched>): Promise<Act> {
  const { watches } = parts;
  const watch = await watches.begin(action.watch, aimed.doc, docs);
  let done: Dispatched | null = null;
  let stuck = false;
  try {
    done = await run();
  } catch (thrown) {
    if (!(await isAnswer(parts, watch, thrown))) throw thrown;
    stuck = thrown instanceof Failure && thrown.code === "timeout";
  }
  watches.dispatched(watch, done?.startedAt);
  const look = await watches.firstLook(watch, stuck ? "stuck" : (done?.look ?? null));
  const before = aimed.facts;
  if (done === null) {
    // The input went out; the page could not tell any more who received it, because of what the look names.
    return { kind: "done", input, before, delivered: before.described, look };
  }
  return {
    kind: "done", input, before, look,
    ...(done.delivered === undefined ? {} : { delivered: done.delivered }),
    ...(done.accepted === undefined ? {} : { accepted: done.accepted }),
    ...(done.holds === undefined ? {} : { holds: done.holds }),
  };
}

/** A dialog, the end of the document, or a page that is busy since, is itself what came of the action. */
async function isAnswer(parts: Parts, watch: Watch, thrown: unknown): Promise<boolean> {
  if (thrown instanceof DialogOpened) return true;
  if (thrown instanceof PageLost) return true;
  if (!(thrown instanceof Failure)) return false;
  // The input is with the page, whose handler has not come back: an error would say that nothing was done.
  if (thrown.code === "timeout") return true;
  // The debugger goes when its tab does.
  return thrown.code === "unsupported" && !(await parts.pages.alive(watch.target));
}
