// What a page said on its console since its document began. Chrome keeps that itself and tells all of it when it is asked through the
// debugger: nothing in the page is wrapped, nothing is missing from before, and the page cannot silence it. It can say what it likes.

import type { ConsoleEntry } from "../generated/protocol";
import { cut, messageOf } from "../shared/text";
import type { Tap } from "./bodies";
import { field } from "./debug";
import type { Debug } from "./debug";
import type { Dialogs } from "./dialogs";
import type { Contexts } from "./listeners";

const CHILDREN_MS = 150;
const MOST_OBJECTS = 40;
const TEXT = 2_000;
const VALUES = 12;

interface Sources {
  debug: Debug;
  dialogs: Dialogs;
  contexts: Contexts;
  log: Tap;
}

type Heard = { method: string; params: unknown };

/** Reads it. */
export async function readConsole({ debug, dialogs, contexts, log }: Sources, tab: number): Promise<{ entries: ConsoleEntry[]; missing?: string }> {
  await debug.attach(tab);
  const heard: Heard[] = [];
  log.set(tab, (method, params) => { if (method.startsWith("Runtime.") || method === "Log.entryAdded") heard.push({ method, params }); });
  const asked = new Set<string | undefined>();
  const entries: ConsoleEntry[] = [];
  const objects = { left: MOST_OBJECTS };
  let missing: string | undefined;
  const ask = async (session: string | undefined) => {
    asked.add(session);
    heard.length = 0;
    const send = (method: string, params: Record<string, unknown> = {}) => dialogs.guard(tab, debug.send(tab, method, params, session));
    // All that was said comes before the answer; only to one who had not asked yet.
    await send("Runtime.disable");
    await send("Runtime.enable");
    await send("Log.enable");
    for (const one of heard.splice(0)) {
      const entry = await entryOf(one, send, objects);
      if (entry !== null) entries.push(entry);
    }
  };
  try {
    await ask(undefined);
    await debug.send(tab, "Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: false, flatten: true });
    const until = performance.now() + CHILDREN_MS;
    do {
      for (const session of contexts.children(tab)) {
        if (!asked.has(session)) await ask(session).catch((thrown: unknown) => { missing = `a frame of another site: ${messageOf(thrown)}`; });
      }
      await new Promise((resolve) => { setTimeout(resolve, 10); });
    } while (performance.now() < until);
  } finally {
    log.delete(tab);
    for (const session of asked) {
      debug.send(tab, "Runtime.disable", {}, session).catch(() => undefined);
      debug.send(tab, "Log.disable", {}, session).catch(() => undefined);
    }
  }
  return { entries, ...(missing === undefined ? {} : { missing }) };
}

/** A property's value, not looked into. */
function plainWord(value: unknown): string {
  const [description, raw] = [field(value, "description"), field(value, "value")];
  return typeof description === "string" ? description : raw === undefined ? "(computed)" : JSON.stringify(raw);
}

type Send = (method: string, params?: Record<string, unknown>) => Promise<unknown>;

async function entryOf({ method, params }: Heard, send: Send, objects: { left: number }): Promise<ConsoleEntry | null> {
  switch (method) {
    case "Runtime.consoleAPICalled": {
      const level = String(field(params, "type"));
      const args = field(params, "args");
      const words: string[] = [];
      for (const argument of Array.isArray(args) ? args : []) words.push(await wordOf(argument, send, objects));
      const said = formatted(words);
      return said === "" && level === "endGroup" ? null : made(level, said, field(params, "timestamp"), placeOf(field(params, "stackTrace", "callFrames", "0")), false);
    }
    case "Runtime.exceptionThrown": {
      const details = field(params, "exceptionDetails");
      const text = field(details, "exception", "description") ?? field(details, "exception", "value") ?? field(details, "text");
      const place = placeOf({ url: field(details, "url"), lineNumber: field(details, "lineNumber") });
      return made("error", String(text), field(params, "timestamp"), place, true);
    }
    case "Log.entryAdded": {
      const entry = field(params, "entry");
      const address = field(entry, "url");
      const text = `${String(field(entry, "text"))}${field(entry, "source") === "network" && typeof address === "string" ? ` (${cut(address, 300)})` : ""}`;
      return made(String(field(entry, "level")), text, field(entry, "timestamp"), undefined, false);
    }
    default: return null;
  }
}

function made(level: string, text: string, at: unknown, place: string | undefined, exception: boolean): ConsoleEntry {
  return { level: cut(level, 20), text: cut(text, TEXT), exception, at: typeof at === "number" ? at : 0, ...(place === undefined ? {} : { place }) };
}

function placeOf(frame: unknown): string | undefined {
  const [url, line] = [field(frame, "url"), field(frame, "lineNumber")];
  return typeof url !== "string" || url === "" ? undefined : `${cut(url, 200)}:${typeof line === "number" ? line + 1 : "?"}`;
}

/** `%s` and its like take the words that follow; `%c` takes one and shows nothing. */
export function formatted(words: readonly string[]): string {
  const [first = "", ...rest] = words;
  const text = first.replace(/%([sdifoOc%])/g, (whole, sign: string) => {
    if (sign === "%") return "%";
    const word = rest.shift();
    return word === undefined ? whole : sign === "c" ? "" : word;
  });
  return [text, ...rest].join(" ");
}

async function wordOf(argument: unknown, send: Send, objects: { left: number }): Promise<string> {
  const [type, subtype, id, description] = [field(argument, "type"), field(argument, "subtype"), field(argument, "objectId"), field(argument, "description")];
  if (type === "string") return String(field(argument, "value"));
  if (type === "undefined") return "undefined";
  if (typeof id !== "string" || type === "function" || subtype === "error" || subtype === "node" || objects.left <= 0) {
    return typeof description === "string" ? description : String(field(argument, "unserializableValue") ?? field(argument, "value"));
  }
  objects.left -= 1;
  // Own properties as they stand: no getter of the page runs.
  const answer = await send("Runtime.getProperties", { objectId: id, ownProperties: true }).catch(() => undefined);
  const list = field(answer, "result");
  const properties = (Array.isArray(list) ? list : []).filter((one: unknown) => field(one, "enumerable") === true);
  const words = properties.slice(0, VALUES).map((one: unknown) => {
    const value = field(one, "value");
    const word = field(value, "type") === "string" ? JSON.stringify(cut(String(field(value, "value")), 200)) : plainWord(value);
    return subtype === "array" ? word : `${String(field(one, "name"))}: ${word}`;
  });
  if (properties.length > VALUES) words.push("…");
  return subtype === "array" ? `[${words.join(", ")}]` : `${description === "Object" ? "" : `${String(description)} `}{${words.join(", ")}}`;
}
