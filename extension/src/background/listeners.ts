// Which listeners stand on the target's path, read through the debugger. Dispatches nothing, and is bounded: what could not
// be read in time is not claimed.

import type { Listeners } from "../generated/protocol";
import { field } from "./debug";
import type { Debug } from "./debug";
import { Failure } from "./failure";
import { isGated } from "./gate";

const BOUND_MS = 500;
const CONTEXTS_MS = 150;
const MOST_NODES = 60;
const MOST_LISTENERS = 12;

/** Events by which a page can notice a pointer or a key. */
const ACTING = /^(click|dblclick|auxclick|contextmenu|mouse(down|up|over|out|move|enter|leave)|pointer(down|up|over|out|move|enter|leave|cancel|rawupdate)|touch(start|end|move)|key(down|up|press)|beforeinput|input|change|focus|focusin|submit)$/;

/** Events that a click is made of: what a listener for one of them does with an untrusted event decides about a retry. */
const PRESSING = /^(click|(mouse|pointer)(down|up))$/;

/** Calls that Chrome refuses without user activation, by what shows in a listener's own source. */
export const ACTIVATION_CALLS = ["window.open", "requestFullscreen", "showPicker", "showOpenFilePicker", "requestPointerLock"] as const;

/** An untrusted event as the first dispatch made it, told to be at its target. */
const EVENT = `function (type, target) {
  const init = { bubbles: true, cancelable: true, composed: true, view: target.ownerDocument.defaultView, detail: 1 };
  const event = type.startsWith("pointer") ? new PointerEvent(type, { ...init, pointerId: 1, isPrimary: true }) : new MouseEvent(type, init);
  for (const key of ["target", "srcElement"]) Object.defineProperty(event, key, { value: target });
  Object.defineProperty(event, "currentTarget", { value: this });
  return event;
}`;

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

/** One listener on the path that can act. */
interface Heard {
  type: string;
  /** The node it stands on, and the function; absent for objects with `handleEvent`. */
  node: string;
  handler: string | undefined;
}

/** Reads them. */
export async function readListeners(debug: Debug, contexts: Contexts, tab: number, expression: string): Promise<Listeners> {
  await debug.attach(tab);
  const found: Listeners = { types: [], inert: false, needsActivation: [] };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let late = false;
  const bound = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      late = true;
      resolve();
    }, BOUND_MS);
  });
  contexts.begin(tab);
  try {
    await Promise.race([read(debug, contexts, tab, expression, found), bound]);
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    if (!debug.isAttached(tab)) throw thrown;
  } finally {
    clearTimeout(timer);
    contexts.end(tab);
  }
  // Half a list must not be taken for "nothing listens".
  if (late) throw new Failure("timeout", "the listeners could not be read in time");
  return found;
}

async function read(debug: Debug, contexts: Contexts, tab: number, expression: string, found: Listeners): Promise<void> {
  const marked = await find(debug, contexts, tab, expression);
  if (marked === null) throw new Failure("timeout", "the node could not be found through the debugger");
  const { place: { sessionId }, objectId } = marked;
  const send = (method: string, params: Record<string, unknown>) => debug.send(tab, method, params, sessionId);
  try {
    // The node as the page's own world knows it: that is where its listeners are.
    const described = await send("DOM.describeNode", { objectId });
    const resolved = await send("DOM.resolveNode", { backendNodeId: field(described, "node", "backendNodeId"), objectGroup: "tegata" });
    const target = field(resolved, "object", "objectId");
    const path = await send("Runtime.callFunctionOn", { objectId: target, functionDeclaration: PATH, objectGroup: "tegata" });
    const properties = await send("Runtime.getProperties", { objectId: field(path, "result", "objectId"), ownProperties: true });
    const entries = field(properties, "result");
    const nodes = (Array.isArray(entries) ? entries : []).flatMap((entry: unknown) => {
      const id = field(entry, "value", "objectId");
      return /^\d+$/.test(String(field(entry, "name"))) && typeof id === "string" ? [{ id, wide: isWide(entry) }] : [];
    });
    const heard: Heard[] = (await Promise.all(nodes.map(async ({ id, wide }) => {
      const listeners = field(await send("DOMDebugger.getEventListeners", { objectId: id }), "listeners");
      return (Array.isArray(listeners) ? listeners : []).flatMap((listener: unknown): Heard[] => {
        const type = field(listener, "type");
        if (typeof type !== "string" || !ACTING.test(type)) return [];
        // Passive, first in line, over the whole document: it only watches.
        if (wide && field(listener, "passive") === true && field(listener, "useCapture") === true) return [];
        const handler = field(listener, "handler", "objectId");
        return [{ type, node: id, handler: typeof handler === "string" ? handler : undefined }];
      });
    }))).flat();
    found.types = [...new Set(heard.map((one) => one.type))].sort();
    const pressing = heard.filter((one) => PRESSING.test(one.type));
    const judged = await Promise.all(pressing.slice(0, MOST_LISTENERS).map((one) => judge(send, one, target)));
    found.inert = pressing.length > 0 && pressing.length <= MOST_LISTENERS && judged.every((one) => one.inert);
    found.needsActivation = ACTIVATION_CALLS.filter((call) => judged.some((one) => one.source.includes(call)));
  } finally {
    send("Runtime.releaseObjectGroup", { objectGroup: "tegata" }).catch(() => undefined);
  }
}

function isWide(entry: unknown): boolean {
  const name = String(field(entry, "value", "className"));
  return name === "Window" || name === "HTMLDocument" || name === "Document" || name === "XMLDocument";
}

type Send = (method: string, params: Record<string, unknown>) => Promise<unknown>;

/** Whether the listener did nothing with the untrusted event it got. Its source may plainly say so; else it is run once more with such
 * an event in V8's side-effect-free mode, from which it comes back only when it does nothing (what it would do is stopped before it
 * is done). V8 also refuses functions that merely could assign a variable around them: those count as not inert. */
async function judge(send: Send, { type, node, handler }: Heard, target: unknown): Promise<{ inert: boolean; source: string }> {
  if (handler === undefined) return { inert: false, source: "" };
  const text = await send("Runtime.callFunctionOn", { objectId: handler, functionDeclaration: "function () { return Function.prototype.toString.call(this).slice(0, 20000); }", returnByValue: true });
  const value = field(text, "result", "value");
  const source = typeof value === "string" ? value : "";
  if (isGated(source)) return { inert: true, source };
  const event = await send("Runtime.callFunctionOn", { objectId: node, functionDeclaration: EVENT, arguments: [{ value: type }, { objectId: target }], objectGroup: "tegata" });
  const eventId = field(event, "result", "objectId");
  if (typeof eventId !== "string" || field(event, "exceptionDetails") !== undefined) return { inert: false, source };
  const ran = await send("Runtime.callFunctionOn", {
    objectId: handler, functionDeclaration: "function (node, event) { return void this.call(node, event); }",
    arguments: [{ objectId: node }, { objectId: eventId }], throwOnSideEffect: true, silent: true,
  });
  return { inert: field(ran, "exceptionDetails") === undefined, source };
}

/** Does something with the node that the content script marked, by its id for the debugger. */
export async function withNode<T>(debug: Debug, contexts: Contexts, tab: number, expression: string, run: (node: { objectId: string; sessionId: string | undefined }) => Promise<T>): Promise<T> {
  contexts.begin(tab);
  try {
    const marked = await find(debug, contexts, tab, expression);
    if (marked === null) throw new Failure("timeout", "the node could not be found through the debugger");
    return await run({ objectId: marked.objectId, sessionId: marked.place.sessionId });
  } finally {
    contexts.end(tab);
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
