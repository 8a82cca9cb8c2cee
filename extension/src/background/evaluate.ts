// Code of an agent in the page's own world: as a script would run there, or, where the page's policy forbids that, through the debugger.

import type { Evaluated } from "../generated/protocol";
import { messageOf } from "../shared/text";
import type { MoneyHit } from "../shared/pageCalls";
import { field } from "./debug";
import { Failure, stopIfCancelled } from "./failure";
import type { Doc } from "./pages";
import type { Parts } from "./parts";
import { runInPage } from "./runInPage";
import type { Ran } from "./runInPage";

/** Behind the page's own limit: a page whose thread stands still answers nothing. */
const GRACE_MS = 1_500;
/** The debugger's own bound of a call, less a little. */
const DEBUGGER_MS = 4_000;
/** More than is told: what is masked may be longer than its mask. */
const SPARE = 2_000;

function isRan(value: unknown): value is Ran {
  return typeof value === "object" && value !== null && "end" in value && "text" in value && typeof value.text === "string" && "total" in value && typeof value.total === "number";
}

async function late(ms: number): Promise<Ran> {
  return await new Promise((resolve) => { setTimeout(() => { resolve({ end: "late", text: "", total: 0 }); }, ms); });
}

async function byDebugger({ debug, dialogs }: Parts, tab: number, code: string, limitMs: number, limit: number): Promise<Ran> {
  await debug.attach(tab);
  const args = [code, Math.min(limitMs, DEBUGGER_MS), limit].map((one) => JSON.stringify(one)).join(",");
  // Chrome lets the policy pass for what runs before the expression first waits.
  const expression = `(${runInPage.toString()})(${args})`;
  const answer = await dialogs.guard(tab, debug.send(tab, "Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true, allowUnsafeEvalBlockedByCSP: true }));
  const value = field(answer, "result", "value");
  if (!isRan(value)) throw new Failure("unsupported", "the page's policy forbids scripts of this kind, and the debugger gave no answer");
  return value;
}

/** Runs it in the main frame, the payment gate armed in all frames meanwhile. */
export async function evaluate(parts: Parts, { tab, code, limitMs, limit }: { tab: number; code: string; limitMs: number; limit: number }, signal: AbortSignal): Promise<Evaluated> {
  const { book, dialogs, money, pages } = parts;
  if (!parts.switches().eval) throw new Failure("unsupported", "scripts of agents are switched off in the extension's popup; nothing was run");
  const docs = (await pages.ready(tab, book.page(tab))).filter((doc) => pages.unreadable(doc) === undefined);
  const main = docs.find((doc) => doc.parent === null);
  if (main === undefined) throw new Failure("unsupported", "the tab shows no document now");
  stopIfCancelled(signal);
  // A frame that cannot be guarded is one whose script is gone: a page cannot refuse it.
  await Promise.all(docs.map((doc) => pages.ask(doc, "guard", { gate: money.gate(doc) }).catch(() => null)));
  let ran: Ran;
  let way: Evaluated["way"] = "script";
  let hits: (MoneyHit | null)[] = [];
  try {
    ran = await dialogs.guard(tab, Promise.race([run(parts, main, code, limitMs, limit + SPARE), late(limitMs + GRACE_MS)]));
    if (ran.end === "blocked") {
      way = "debugger";
      ran = await byDebugger(parts, tab, code, limitMs, limit + SPARE);
    }
  } finally {
    hits = dialogs.current(tab) === undefined ? await Promise.all(docs.map((doc) => pages.ask(doc, "guard", { gate: null }, { limitMs: 1_000 }).catch(() => null))) : [];
  }
  if (ran.end === "blocked") throw new Failure("unsupported", "the page's policy forbids scripts of this kind");
  const hit = hits.find((one) => one !== null);
  let { text } = ran;
  const cutInPage = ran.total - text.length;
  for (const doc of docs) text = await pages.ask(doc, "scrub", { text }, { limitMs: 1_000 }).catch(() => text);
  const shown = text.length > limit ? text.slice(0, limit).toWellFormed() : text;
  return {
    tab: await book.get(tab), end: ran.end, text: shown, total: text.length + cutInPage, way,
    ...(hit === undefined || hit === null ? {} : { stopped: { label: hit.label, ...(hit.amount === undefined ? {} : { amount: hit.amount }) } }),
  };
}

async function run({ browser, pages }: Parts, main: Doc, code: string, limitMs: number, limit: number): Promise<Ran> {
  try {
    const answer = await browser.pages.evaluate(main.tab, main.documentId, code, limitMs, limit);
    if (isRan(answer)) return answer;
  } catch (thrown) {
    if (await pages.alive(main)) throw new Failure("unsupported", `the page cannot run it: ${messageOf(thrown)}`);
  }
  if (await pages.alive(main)) throw new Failure("unsupported", "the page gave no answer that can be read");
  return { end: "gone", text: "", total: 0 };
}
