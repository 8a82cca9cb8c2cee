// Narrows what comes over the link. Nothing that has not passed here reaches a handler.

import type { Command, Commands, Frame } from "../generated/protocol";

type Check = (value: unknown) => boolean;
type Fields = Record<string, Check>;

/** Frames a daemon may send. */
export type Inbound = Extract<Frame, { kind: "challenge" | "welcome" | "refused" | "request" | "cancel" | "ping" | "pong" | "reply" }>;

/** A frame, or why it is none; with the id when it was a request that can be answered. */
export type Parsed = { ok: true; frame: Inbound } | { ok: false; why: string; id: number | null; unknownMethod: boolean };

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const text: Check = (value) => typeof value === "string";
const truth: Check = (value) => typeof value === "boolean";
const whole: Check = (value) => typeof value === "number" && Number.isInteger(value);
const count: Check = (value) => typeof value === "number" && Number.isInteger(value) && value >= 0;
const time: Check = (value) => typeof value === "number" && Number.isFinite(value);
const maybe = (check: Check): Check => (value) => value === undefined || check(value);
const word = (...words: string[]): Check => (value) => typeof value === "string" && words.includes(value);
const list = (check: Check): Check => (value) => Array.isArray(value) && value.every(check);
const shape = (fields: Fields): Check => (value) => isRecord(value) && Object.entries(fields).every(([key, check]) => check(value[key]));
const tagged = (tag: string, shapes: Record<string, Fields>): Check => (value) => {
  if (!isRecord(value)) return false;
  const kind = value[tag];
  if (typeof kind !== "string" || !Object.hasOwn(shapes, kind)) return false;
  const fields = shapes[kind];
  return fields !== undefined && shape(fields)(value);
};

const target = tagged("by", {
  ref: { doc: count, node: count },
  name: { role: text, name: text, nth: maybe(count) },
  css: { selector: text },
  point: { x: count, y: count },
});
const condition = tagged("kind", {
  text: { text }, textGone: { text }, css: { selector: text }, url: { part: text },
  ref: { doc: count, node: count, state: maybe(text) }, idle: {},
});
const key = shape({ key: text, code: text, number: count, text: maybe(text) });
const chord = shape({ held: list(key), key });
const press = shape({ button: word("left", "right", "middle"), count, modifiers: list(word("alt", "control", "meta", "shift")), holdMs: count });
const offset = shape({ x: whole, y: whole });
const scroll = tagged("to", { pixels: { x: whole, y: whole }, pages: { x: time, y: time }, start: {}, end: {}, view: {} });
const input = word("synthetic", "trusted");
const fillValue = tagged("kind", { text: { text }, checked: { checked: truth }, options: { options: list(text) } });

/** One row a command: a new command without a row does not compile. */
const params: { [M in keyof Commands]: Check } = {
  "tabs/list": shape({}),
  "tabs/create": shape({ url: maybe(text), active: truth, limitMs: count }),
  "tabs/activate": shape({ tab: count }),
  "tabs/close": shape({ tab: count }),
  "tabs/hold": shape({ held: list(shape({ tab: count, label: text })) }),
  "navigate/go": shape({ tab: count, url: text, limitMs: count }),
  "navigate/history": shape({ tab: count, delta: whole, limitMs: count }),
  "navigate/reload": shape({ tab: count, limitMs: count }),
  "snapshot/take": shape({ tab: count }),
  "snapshot/text": shape({ tab: count, target: maybe(target) }),
  "pointer/facts": shape({ tab: count, target: maybe(target) }),
  "pointer/click": shape({ tab: count, target, press, input, watch: count, spare: maybe(list(text)) }),
  "pointer/hover": shape({ tab: count, target, input, watch: count }),
  "pointer/scroll": shape({ tab: count, target: maybe(target), scroll, watch: count }),
  "pointer/drag": shape({ tab: count, target, onto: maybe(target), offset, input, watch: count }),
  "pointer/listeners": shape({ tab: count, target }),
  "keyboard/type": shape({ tab: count, target, text, append: truth, submit: truth, input, watch: count }),
  "keyboard/press": shape({ tab: count, target: maybe(target), chords: list(chord), watch: count }),
  "form/check": shape({ tab: count, target, checked: truth, input, watch: count }),
  "form/select": shape({ tab: count, target, options: list(text), input, watch: count }),
  "form/fill": shape({ tab: count, fields: list(shape({ target, value: fillValue })), watch: count }),
  "form/owner": shape({ tab: count, targets: list(target) }),
  "form/submit": shape({ tab: count, target, watch: count }),
  "form/upload": shape({ tab: count, target, paths: list(text), watch: count }),
  "dialog/answer": shape({ tab: count, accept: truth, text: maybe(text), watch: count }),
  "watch/look": shape({ tab: count, watch: count }),
  "wait/probe": shape({ tab: count, conditions: list(condition) }),
  "capture/screenshot": shape({ tab: count, format: word("jpeg", "png"), quality: count, maxSide: count, target: maybe(target), full: truth, refs: truth }),
  "snapshot/html": shape({ tab: count, target: maybe(target), shown: truth, limit: count }),
  "snapshot/find": shape({ tab: count, role: maybe(text), name: maybe(text), text: maybe(text), limit: count }),
  "data/query": shape({ tab: count, selector: maybe(text), contains: maybe(text), fields: list(shape({ name: text, selector: text, attribute: maybe(text) })), limit: count }),
  "data/console": shape({ tab: count, since: maybe(time), limit: count }),
  "data/requests": shape({ tab: count, recording: word("keep", "start", "stop") }),
  "data/body": shape({ tab: count, number: count, limit: count }),
  "data/fetch": shape({ tab: count, url: text, method: text, headers: list(shape({ name: text, value: text })), body: maybe(text), limit: count, limitMs: count }),
  "data/download": shape({ tab: count, url: text, limitMs: count }),
  "human/words": shape({ words: shape({ pay: list(text), generic: list(text), currencies: list(text), harmless: maybe(list(text)) }) }),
  "data/eval": shape({ tab: count, code: text, limitMs: count, limit: count }),
  "link/reload": shape({}),
  "human/panel": shape({ tab: count, panel: tagged("kind", { ask: { id: count, text }, close: { id: count }, status: { text } }) }),
  "human/confirm": shape({ tab: count, limitMs: count }),
  "link/echo": shape({ tab: maybe(count) }),
};

function isMethod(method: unknown): method is keyof Commands {
  return typeof method === "string" && Object.hasOwn(params, method);
}

function isCommand(value: unknown): value is Command {
  return isRecord(value) && isMethod(value["method"]) && params[value["method"]](value["params"]);
}

const frames: Fields = {
  challenge: shape({ challenge: shape({ version: text, instance: text, nonce: text, proof: text }) }),
  welcome: shape({}),
  refused: shape({ refused: shape({ why: text, message: text }) }),
  request: shape({ id: count, command: isCommand }),
  cancel: shape({ id: count }),
  ping: shape({}),
  pong: shape({}),
  reply: shape({ id: count }),
};

function isInbound(value: unknown): value is Inbound {
  return isRecord(value) && typeof value["kind"] === "string" && Object.hasOwn(frames, value["kind"]) && frames[value["kind"]]?.(value) === true;
}

/** Narrows one value to a frame. */
export function narrow(value: unknown): Parsed {
  if (isInbound(value)) return { ok: true, frame: value };
  if (!isRecord(value)) return { ok: false, why: "the frame is no object", id: null, unknownMethod: false };
  const id = value["kind"] === "request" && typeof value["id"] === "number" && count(value["id"]) ? value["id"] : null;
  const command = value["command"];
  if (id !== null && isRecord(command) && !isMethod(command["method"])) {
    return { ok: false, why: `unknown method ${JSON.stringify(command["method"])}`, id, unknownMethod: true };
  }
  return { ok: false, why: `malformed frame of kind ${JSON.stringify(value["kind"])}`, id, unknownMethod: false };
}

/** Reads one frame of text. */
export function parse(frame: string): Parsed {
  let value: unknown;
  try {
    value = JSON.parse(frame);
  } catch {
    return { ok: false, why: "the frame is no JSON", id: null, unknownMethod: false };
  }
  return narrow(value);
}
