// MAIN world, before any script of the page: reports uncaught errors, and announces native dialogs before they block the page.
// The page can forge or silence all of this; it is only ever a hint.

import { ASK, OPEN, short, TOUCHED } from "../shared/channel";
import type { PageEvent } from "../shared/pageCalls";

/** How long a native dialog is held back, for the debugger to be attached in time to close it: time in which this thread ran. */
const HOLD_MS = 100;
/** The same by the clock, on a machine with other things to do. */
const MOST_HOLD_MS = 400;
/** A longer step of the clock than this was not ours: the debugger had to wait meanwhile, too. */
const STEP_MS = 1;

// Originals, bound before the page can change them.
const dispatch = window.dispatchEvent.bind(window);
const listen = window.addEventListener.bind(window);
const unlisten = window.removeEventListener.bind(window);
const now = performance.now.bind(performance);
const Custom = CustomEvent;
const toText = String;
const { stringify } = JSON;
const { apply, get } = Reflect;
/* eslint-disable @typescript-eslint/unbound-method -- taken to be applied to any event */
const { stopImmediatePropagation } = Event.prototype;
const detailOf = Object.getOwnPropertyDescriptor(CustomEvent.prototype, "detail")?.get;
/* eslint-enable @typescript-eslint/unbound-method */
const isCustom = Custom[Symbol.hasInstance].bind(Custom);

let name: string | undefined;
let touched = false;

function say(word: PageEvent): void {
  if (name === undefined || !touched) return;
  dispatch(new Custom(name, { detail: stringify(word) }));
}

function onTouched(): void {
  touched = true;
}

function connect(): void {
  listen(OPEN, (event) => {
    if (!isCustom(event) || detailOf === undefined) return;
    // By the natives of before the page: through its own it would learn the name.
    const detail: unknown = apply(detailOf, event, []);
    if (typeof detail !== "string") return;
    apply(stopImmediatePropagation, event, []);
    // A reloaded extension says a new name.
    if (name !== undefined) unlisten(`${name}:${TOUCHED}`, onTouched, true);
    name = detail;
    listen(`${name}:${TOUCHED}`, onTouched, true);
  }, true);
}

/** Messages of anything that can be thrown, without running code of the page where that can be helped. */
function messageOf(thrown: unknown): string {
  try {
    if (thrown instanceof Error) return short(`${thrown.name}: ${thrown.message}`);
    return short(toText(thrown));
  } catch {
    return "something that cannot be told";
  }
}

function reportErrors(): void {
  listen("error", (event) => {
    if (event instanceof ErrorEvent) say({ event: "exception", message: short(event.message) });
  }, true);
  listen("unhandledrejection", (event) => {
    say({ event: "exception", message: messageOf(event.reason) });
  }, true);
}

/** Native functions by what stands in their place: `toString` of those stays native. */
const originals = new WeakMap<object, object>();
const originalOf = originals.get.bind(originals);

function holdBack(): void {
  // Busy on purpose: no other way to keep a synchronous native call back.
  const start = now();
  let last = start;
  for (let ran = 0; ran < HOLD_MS && last - start < MOST_HOLD_MS;) {
    const at = now();
    ran += at - last < STEP_MS ? at - last : STEP_MS;
    last = at;
  }
}

function announce(kind: "alert" | "confirm" | "prompt"): void {
  const native: unknown = get(window, kind);
  if (typeof native !== "function") return;
  const wrapped = new Proxy(native, {
    apply(target, self, args: unknown[]): unknown {
      if (!touched) return apply(target, self, args);
      say({ event: "dialog", dialog: kind, text: args.length === 0 ? "" : messageOf(args[0]) });
      holdBack();
      try {
        return apply(target, self, args);
      } finally {
        say({ event: "dialogDone" });
      }
    },
  });
  originals.set(wrapped, native);
  const described = Object.getOwnPropertyDescriptor(window, kind);
  if (described !== undefined) Object.defineProperty(window, kind, { ...described, value: wrapped });
}

/** A proxy of a function prints as a nameless native one; this keeps the name. */
function keepNativeText(): void {
  const described = Object.getOwnPropertyDescriptor(Function.prototype, "toString");
  const native: unknown = described?.value;
  if (described === undefined || typeof native !== "function") return;
  const wrapped = new Proxy(native, {
    apply(target, self: unknown, args: unknown[]): unknown {
      const original = typeof self === "function" ? originalOf(self) : undefined;
      return apply(target, original ?? self, args);
    },
  });
  originals.set(wrapped, native);
  Object.defineProperty(Function.prototype, "toString", { ...described, value: wrapped });
}

// A second instance (injected again after an update) leaves the first one at work.
if (dispatch(new Custom(ASK, { cancelable: true }))) {
  connect();
  listen(ASK, (event) => { event.preventDefault(); }, true);
  reportErrors();
  for (const kind of ["alert", "confirm", "prompt"] as const) announce(kind);
  keepNativeText();
  // The isolated world, if it was first, has said the name to nobody: ask again, now that someone listens.
  dispatch(new Custom(ASK));
}
