// Which listeners stand on the target's path, read through the debugger. Dispatches nothing, and is bounded: what could not
// be read in time is not claimed.

import type { Listeners } from "../generated/protocol";
import { field } from "./debug";
import type { Debug } from "./debug";
import { Failure } from "./failure";

const BOUND_MS = 500;
const CONTEXTS_MS = 150;
const MOST_NODES = 60;
const MOST_SCRIPTS = 8;

/** Events by which a page can notice a pointer or a key. */
const ACTING = /^(click|dblclick|auxclick|contextmenu|mouse(down|up|over|out|move|enter|leave)|pointer(down|up|over|out|move|enter|leave|cancel|rawupdate)|touch(start|end|move)|key(down|up|press)|beforeinput|input|change|focus|focusin|submit)$/;

/** Things that only trusted input can have, by the word that shows in a script. */
export const TRUST_WORDS = ["isTrusted", "userActivation", "window.open", "requestFullscreen", "clipboard", "showPicker", "requestPointerLock"] as const;
const WORDS = TRUST_WORDS.map((word) => word.replace(".", "\\.")).join("|");

/** The node and all above it, through shadow roots, to the window. */
const PATH = `function () {
  const path = [];
  for (let at = this; at && path.length < ${MOST_NODES}; at = at.parentNode || at.host) path.push(at);
  path.push(this.ownerDocument.defaultView);
  return path;
}`;

interface Place {
  sessionId: string | undefined;
  context: number;
}

/** Isolated worlds of this extension that the debugger announced since `begin`, and the sessions of frames in other processes. */
export class Contexts {
  private readonly places = new Map<number, Place[]>();
  private readonly sessions = new Map<number, string[]>();
  private readonly own: string;

  constructor(extensionId: string) {
    this.own = `chrome-extension://${extensionId}`;
  }

  debuggerEvent(tab: number, sessionId: string | undefined, method: string, params: unknown): void {
    if (method === "Target.attachedToTarget" || method === "Target.detachedFromTarget") {
      const session = field(params, "sessionId");
      if (typeof session !== "string") return;
      const others = (this.sessions.get(tab) ?? []).filter((known) => known !== session);
      this.sessions.set(tab, method === "Target.attachedToTarget" ? [...others, session] : others);
      return;
    }
    if (method !== "Runtime.executionContextCreated") return;
    const context = field(params, "context", "id");
    if (typeof context !== "number" || field(params, "context", "auxData", "type") !== "isolated") return;
    if (field(params, "context", "origin") !== this.own) return;
    this.places.set(tab, [...(this.places.get(tab) ?? []), { sessionId, context }]);
  }

  begin(tab: number): void {
    this.places.set(tab, []);
  }

  of(tab: number): readonly Place[] {
    return this.places.get(tab) ?? [];
  }

  children(tab: number): readonly string[] {
    return this.sessions.get(tab) ?? [];
  }

  end(tab: number): void {
    this.places.delete(tab);
  }

  /** The debugger is off the tab: its sessions are gone. */
  detached(tab: number): void {
    this.places.delete(tab);
    this.sessions.delete(tab);
  }
}

/** Reads them. */
export async function readListeners(debug: Debug, contexts: Contexts, tab: number, expression: string): Promise<Listeners> {
  await debug.attach(tab);
  const types = new Set<string>();
  const words = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const bound = new Promise<void>((resolve) => { timer = setTimeout(resolve, BOUND_MS); });
  contexts.begin(tab);
  try {
    await Promise.race([read(debug, contexts, tab, expression, types, words), bound]);
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    if (!debug.isAttached(tab)) throw thrown;
  } finally {
    clearTimeout(timer);
    contexts.end(tab);
  }
  return { types: [...types].sort(), trustWords: TRUST_WORDS.filter((word) => words.has(word)) };
}

async function read(debug: Debug, contexts: Contexts, tab: number, expression: string, types: Set<string>, words: Set<string>): Promise<void> {
  const found = await find(debug, contexts, tab, expression);
  if (found === null) return;
  const { place: { sessionId }, objectId } = found;
  const send = (method: string, params: Record<string, unknown>) => debug.send(tab, method, params, sessionId);
  try {
    // The node as the page's own world knows it: that is where its listeners are.
    const described = await send("DOM.describeNode", { objectId });
    const resolved = await send("DOM.resolveNode", { backendNodeId: field(described, "node", "backendNodeId"), objectGroup: "tegata" });
    const path = await send("Runtime.callFunctionOn", { objectId: field(resolved, "object", "objectId"), functionDeclaration: PATH, objectGroup: "tegata" });
    const properties = await send("Runtime.getProperties", { objectId: field(path, "result", "objectId"), ownProperties: true });
    const entries = field(properties, "result");
    const nodes = (Array.isArray(entries) ? entries : []).flatMap((entry: unknown) => {
      const id = field(entry, "value", "objectId");
      return /^\d+$/.test(String(field(entry, "name"))) && typeof id === "string" ? [id] : [];
    });
    const scripts = new Set<string>();
    await Promise.all(nodes.map(async (id) => {
      const listeners = field(await send("DOMDebugger.getEventListeners", { objectId: id }), "listeners");
      for (const listener of Array.isArray(listeners) ? listeners : []) {
        const type = field(listener, "type");
        // A passive listener cannot act on what it sees: it is an observer.
        if (typeof type !== "string" || !ACTING.test(type) || field(listener, "passive") === true) continue;
        types.add(type);
        const script = field(listener, "scriptId");
        if (typeof script === "string" && script !== "0") scripts.add(script);
      }
    }));
    if (scripts.size > 0) await search(send, [...scripts].slice(0, MOST_SCRIPTS), words);
  } finally {
    send("Runtime.releaseObjectGroup", { objectGroup: "tegata" }).catch(() => undefined);
  }
}

async function search(send: (method: string, params: Record<string, unknown>) => Promise<unknown>, scripts: readonly string[], words: Set<string>): Promise<void> {
  await send("Debugger.enable", {});
  try {
    // Enabling it must not stop the page at a `debugger` statement.
    await send("Debugger.setSkipAllPauses", { skip: true });
    await Promise.all(scripts.map(async (scriptId) => {
      const lines = field(await send("Debugger.searchInContent", { scriptId, query: WORDS, isRegex: true, caseSensitive: true }), "result");
      for (const line of Array.isArray(lines) ? lines : []) {
        const content = String(field(line, "lineContent"));
        for (const word of TRUST_WORDS) if (content.includes(word)) words.add(word);
      }
    }));
  } finally {
    send("Debugger.disable", {}).catch(() => undefined);
  }
}

/** The content script marked the node in its own world; the world in which the mark is found is the right one. */
async function find(debug: Debug, contexts: Contexts, tab: number, expression: string): Promise<{ place: Place; objectId: string } | null> {
  const enabled = new Set<string | undefined>();
  const look = async (session: string | undefined) => {
    enabled.add(session);
    await debug.send(tab, "Runtime.enable", {}, session);
    return await among(debug, tab, contexts.of(tab).filter((place) => place.sessionId === session), expression);
  };
  try {
    const top = await look(undefined);
    if (top !== null) return top;
    // Frames of other sites live in other processes: each is a target of its own.
    await debug.send(tab, "Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: false, flatten: true });
    const until = performance.now() + CONTEXTS_MS;
    while (performance.now() < until) {
      for (const session of contexts.children(tab)) {
        if (enabled.has(session)) continue;
        const found = await look(session).catch(() => null);
        if (found !== null) return found;
      }
      await new Promise((resolve) => { setTimeout(resolve, 10); });
    }
    return null;
  } finally {
    // Enabled anew it announces all worlds anew: that is how the next reading gets them.
    for (const session of enabled) debug.send(tab, "Runtime.disable", {}, session).catch(() => undefined);
  }
}

async function among(debug: Debug, tab: number, places: readonly Place[], expression: string): Promise<{ place: Place; objectId: string } | null> {
  // The mark is taken away as it is read: one left by an earlier reading in another frame must not be found.
  const take = `(() => { const node = ${expression}; ${expression} = undefined; return node; })()`;
  for (const place of places) {
    const answer = await debug.send(tab, "Runtime.evaluate", { expression: take, contextId: place.context, objectGroup: "tegata", silent: true }, place.sessionId).catch(() => undefined);
    const objectId = field(answer, "result", "objectId");
    if (typeof objectId === "string" && field(answer, "result", "subtype") === "node") return { place, objectId };
  }
  return null;
}
