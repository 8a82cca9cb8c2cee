// The way every action goes: resolve, aim, begin the watch, dispatch, look. Clicking and typing differ only in the dispatch.

import type { Act, Input, Target, TargetFacts } from "../generated/protocol";
import type { Deed, Dispatched, Point } from "../shared/pageCalls";
import { aim, aimPair, resolve, resolveFocus } from "./aim";
import type { Goal, Resolved } from "./aim";
import { DebuggerLost } from "./debug";
import { DialogOpened } from "./dialogs";
import { Failure, stopIfCancelled } from "./failure";
import { PageLost } from "./pages";
import type { Doc } from "./pages";
import type { Parts } from "./parts";
import { isSensitive } from "./sensitive";
import type { Watch } from "./watch";

const SHORT = 64;

/** A node that is ready. */
export interface Aim {
  doc: Doc;
  node: number;
  facts: TargetFacts;
  point: Point;
  top: Point | null;
  /** Of the second node: its document, its point there, and in the main frame's viewport. */
  goal?: Goal;
}

/** One kind of action. */
export interface Action {
  kind: Deed;
  tab: number;
  /** None: what has the focus. */
  target: Target | undefined;
  input: Input;
  /** What is typed. */
  text?: string;
  /** What is chosen. */
  options?: string[];
  /** Enter follows the text. */
  submit?: boolean;
  watch: number;
  /** Words of what must not be pressed. */
  spare?: readonly string[] | undefined;
  /** Events made by script are not enough here: trusted where it can be had. */
  prefersTrust?: boolean;
  /** What must be done before the watch begins. */
  approach?(aim: Aim): Promise<void>;
  /** The document of what was not pressed, when it is another one. */
  stoppedIn?(): Doc | undefined;
  /** Chords pressed so far. */
  pressed?(): number;
  /** Finds its node in another way than by its target's name. */
  resolve?(docs: readonly Doc[]): Promise<Resolved>;
  /** A second node that takes part: it is found and made ready before anything is done. */
  second?: Target | undefined;
  synthetic(aim: Aim): Promise<Dispatched>;
  /** Everything after `Trusted.ready`: arm, input, received. */
  trusted(aim: Aim): Promise<Dispatched>;
}

/** Performs it. A document that went with its tab is no navigation: that the tab is gone is the answer. */
export async function act(parts: Parts, action: Action, signal: AbortSignal): Promise<Act> {
  const done = await carryOut(parts, action, signal);
  if (done.kind === "refused" && done.refusal.reason === "navigated") await parts.book.get(action.tab);
  return done;
}

async function carryOut(parts: Parts, action: Action, signal: AbortSignal): Promise<Act> {
  const { book, pages, trusted } = parts;
  const docs = await pages.ready(action.tab, book.page(action.tab));
  const resolved = action.resolve !== undefined ? await action.resolve(docs) : action.target === undefined ? await resolveFocus(pages, docs) : await resolve(pages, docs, action.target);
  if (resolved.kind === "refused") return resolved;
  const { doc, node, at } = resolved;
  const other = action.second === undefined ? undefined : await resolve(pages, docs, action.second);
  if (other?.kind === "refused") return other;
  // A long text is none that a date field would refuse.
  const options = action.options ?? (action.text === undefined || action.text.length > SHORT ? undefined : [action.text]);
  const how = () => ({ gate: parts.money.gate(doc), submit: action.submit === true });
  const more = { ...(at === undefined ? {} : { at }), ...(options === undefined ? {} : { options }) };
  const take = async () => (other === undefined ? await aim(pages, docs, doc, node, action.kind, { ...more, ...how() }) : await aimPair(pages, docs, { doc, node }, other, how()));
  const aimed = await take();
  if (aimed.kind === "refused") return aimed;
  if (aimed.kind === "already") return { kind: "already", before: aimed.facts };
  if (action.spare !== undefined && isSensitive(aimed.ready.facts, action.spare)) return spared(aimed.ready.facts);
  if (aimed.ready.money !== undefined) return parts.money.refuse(doc, aimed.ready.money);
  stopIfCancelled(signal);
  if (action.text !== undefined && aimed.ready.facts.secret) parts.secrets.note(action.tab, action.text);
  const first: Aim = { doc, node, facts: aimed.ready.facts, point: aimed.ready.point, top: aimed.top, ...(aimed.goal === undefined ? {} : { goal: aimed.goal }) };

  if (action.input === "trusted" || aimed.ready.trustedOnly || action.prefersTrust === true) {
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
      const again = await take();
      if (again.kind === "refused") return again;
      if (again.kind === "already") return { kind: "already", before: again.facts };
      if (action.spare !== undefined && isSensitive(again.ready.facts, action.spare)) return spared(again.ready.facts);
      if (again.ready.money !== undefined) return parts.money.refuse(doc, again.ready.money);
      stopIfCancelled(signal);
      const second: Aim = { ...first, facts: again.ready.facts, point: again.ready.point, top: again.top, ...(again.goal === undefined ? {} : { goal: again.goal }) };
      return await dispatch(parts, action, docs, second, "trusted", () => action.trusted(second));
    }
  }
  return await dispatch(parts, action, docs, first, "synthetic", () => action.synthetic(first));
}

function spared({ described }: TargetFacts): Act {
  return { kind: "refused", refusal: { reason: "sensitive", target: described } };
}

async function dispatch(parts: Parts, action: Action, docs: readonly Doc[], aimed: Aim, input: Input, run: () => Promise<Dispatched>): Promise<Act> {
  const { watches } = parts;
  await action.approach?.(aimed);
  const watch = await watches.begin(action.watch, aimed.doc, docs);
  let done: Dispatched | null = null;
  let stuck = false;
  try {
    done = await run();
  } catch (thrown) {
    if (!(await isAnswer(parts, watch, thrown))) throw thrown instanceof DebuggerLost ? new Failure("internal", `the link broke: ${thrown.message}`) : thrown;
    stuck = thrown instanceof Failure && thrown.code === "timeout";
  }
  // Pressed: how much of it the daemon need not ask for again.
  if (done?.stopped !== undefined) return parts.money.refuse(action.stoppedIn?.() ?? aimed.doc, done.stopped, action.pressed?.() ?? (action.kind === "type" ? 1 : 0));
  if (done?.refused !== undefined) return { kind: "refused", refusal: done.refused };
  watches.dispatched(watch, done?.startedAt);
  const look = await watches.firstLook(watch, stuck ? "stuck" : (done?.look ?? null));
  const before = aimed.facts;
  const accepted = action.pressed?.() ?? done?.accepted;
  const counted = accepted === undefined ? {} : { accepted };
  if (done === null) {
    // The input went out; the page could not tell any more who received it, because of what the look names.
    return { kind: "done", input, before, delivered: before.described, ...counted, look };
  }
  return {
    kind: "done", input, before, look, ...counted,
    ...(done.delivered === undefined ? {} : { delivered: done.delivered }),
    ...(done.scrolled === undefined ? {} : { scrolled: done.scrolled }),
    ...(done.dropped === undefined ? {} : { dropped: done.dropped }),
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
