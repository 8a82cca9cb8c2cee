// Input through the debugger: what the browser itself would make of a hand on mouse and keyboard.

import type { Chord, Modifier, Press, PressedKey } from "../generated/protocol";
import type { Point } from "../shared/pageCalls";
import { field } from "./debug";
import type { Debug } from "./debug";
import type { Dialogs } from "./dialogs";

const SETTLE_READS = 12;
const SETTLE_MS = 40;
/** So long after the debugger was attached Chrome's bar may begin to come down over a page. */
const BAR_MS = 700;
/** So often in a row the height is the same once the bar has come to rest. */
const STILL = 3;

/** Bits of `Input` events (DevTools protocol). */
const BITS: Readonly<Record<string, number>> = { Alt: 1, Control: 2, Meta: 4, Shift: 8 };

const BUTTONS: Readonly<Record<Press["button"], number>> = { left: 1, right: 2, middle: 4 };
const STEPS = 8;
const STEP_PX = 25;

function named(modifier: Modifier): string {
  return modifier.charAt(0).toUpperCase() + modifier.slice(1);
}

/** Points on the way, the last one the goal. Nobody knows where an unseen pointer stood: it comes from close by. */
export function wayTo(from: Point | undefined, to: Point): Point[] {
  const start = from ?? { x: Math.max(0, to.x - 2), y: Math.max(0, to.y - 2) };
  const distance = Math.hypot(to.x - start.x, to.y - start.y);
  const steps = Math.max(1, Math.min(STEPS, Math.ceil(distance / STEP_PX)));
  const points = Array.from({ length: steps }, (_, at) => ({ x: start.x + ((to.x - start.x) * (at + 1)) / steps, y: start.y + ((to.y - start.y) * (at + 1)) / steps }));
  // A pointer that is there already moves a little, so that the page hears of it.
  return distance < 1 ? [{ x: to.x + 1, y: to.y }, to] : points;
}

/** How frames of other sites are attached to. */
const CHILDREN = { autoAttach: true, waitForDebuggerOnStart: false, flatten: true };

/** Longest wait for a drag that has begun to be handed over, from the press on. */
const TAKE_MS = 2_000;

/** So many pixels on the way. */
function nudged(from: Point, to: Point, distance: number): Point {
  const whole = Math.max(1, Math.hypot(to.x - from.x, to.y - from.y));
  const part = Math.min(1, distance / whole);
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => { setTimeout(resolve, ms); });
}

/** See the file's head. */
export class Trusted {
  private readonly debug: Debug;
  private readonly dialogs: Dialogs;
  /** Tabs whose page has had real input from here: only such a page can ask whether it may be left. */
  private readonly used = new Set<number>();

  /** Frames of other sites that are being told that they have the focus. */
  private readonly focusing = new Map<number, Set<Promise<unknown>>>();
  /** Who waits for a drag that is taken over. */
  private readonly drags = new Map<number, (data: unknown) => void>();
  /** Whether this Chrome shows a bar while a debugger is attached: a switch of its own can keep it away. */
  private bars: "unknown" | "none" | "come" = "unknown";
  /** Where the pointer was left, in each tab. */
  private readonly pointers = new Map<number, Point>();

  constructor(debug: Debug, dialogs: Dialogs) {
    this.debug = debug;
    this.dialogs = dialogs;
  }

  /** Attaches and waits until the page stands still: in a window Chrome's bar shrinks the viewport. */
  async ready(tab: number): Promise<void> {
    this.used.add(tab);
    const fresh = await this.dialogs.guard(tab, this.debug.attach(tab));
    // Without this a tab in the background gets a third of the events, none of them useful.
    await this.send(tab, "Emulation.setFocusEmulationEnabled", { enabled: true });
    // Frames of other sites are pages of their own to Chrome: each must be told.
    await this.send(tab, "Target.setAutoAttach", CHILDREN);
    await Promise.all([...(this.focusing.get(tab) ?? [])]);
    if (!fresh) return;
    await this.settled(tab);
  }

  /** Waits for Chrome's bar where one can come: not without a window, not behind other tabs, and not where none came the first time. */
  private async settled(tab: number): Promise<void> {
    const first = await this.height(tab);
    if (this.bars === "none" || navigator.userAgent.includes("Headless") || !(await this.isShown(tab))) return;
    const end = performance.now() + BAR_MS;
    let last = first;
    while (last === first) {
      if (performance.now() > end) {
        if (this.bars === "unknown") this.bars = "none";
        return;
      }
      await pause(SETTLE_MS);
      last = await this.height(tab);
    }
    this.bars = "come";
    let still = 0;
    for (let read = 0; read < SETTLE_READS && still < STILL; read++) {
      await pause(SETTLE_MS);
      const now = await this.height(tab);
      still = now === last ? still + 1 : 0;
      last = now;
    }
  }

  hasUsed(tab: number): boolean {
    return this.used.has(tab);
  }

  async click(tab: number, point: Point, { button, count, modifiers, holdMs }: Press): Promise<void> {
    const keys = modifiers.reduce((bits, modifier) => bits | (BITS[named(modifier)] ?? 0), 0);
    const mouse = (type: string, more: Record<string, unknown>) => this.mouse(tab, type, point, { modifiers: keys, ...more });
    // Sent in one go: a move alone waits for the next frame, and a tab in the background draws one a second. The press flushes it.
    const sent = [mouse("mouseMoved", { button: "none", buttons: 0 })];
    for (let clickCount = 1; clickCount <= count; clickCount++) {
      sent.push(mouse("mousePressed", { button, buttons: BUTTONS[button], clickCount }));
      if (holdMs > 0) {
        await Promise.all(sent);
        await pause(holdMs);
      }
      sent.push(mouse("mouseReleased", { button, buttons: 0, clickCount }));
    }
    await Promise.all(sent);
  }

  /** Moves along the way from where it is: a menu must not be left through a gap. In the background all moves go in one go, see `click`. */
  async hover(tab: number, to: Point, behind: boolean): Promise<void> {
    const sent: Promise<unknown>[] = [];
    for (const point of wayTo(this.pointers.get(tab), to)) {
      const move = this.mouse(tab, "mouseMoved", point, { button: "none", buttons: 0 });
      if (behind) sent.push(move);
      else await move;
    }
    await Promise.all(sent);
  }

  /** Presses, moves along the way and lets go. `started` tells whether the page made it a drag of the browser's own: that one is taken over
   * (it would else be the system's), and goes on as drag events with the same data. */
  async drag(tab: number, from: Point, to: Point, started: () => Promise<boolean>): Promise<void> {
    await this.send(tab, "Input.setInterceptDrags", { enabled: true });
    const taken = this.takeDrag(tab);
    let down = false;
    try {
      const held = { button: "left", buttons: 1 };
      await Promise.all([
        this.mouse(tab, "mouseMoved", from, { button: "none", buttons: 0 }),
        this.mouse(tab, "mousePressed", from, { ...held, clickCount: 1 }),
      ]);
      // A browser starts a drag only after some distance.
      const way = [nudged(from, to, 4), nudged(from, to, 12), ...wayTo(from, to), to];
      let data: unknown;
      let over = false;
      down = true;
      for (const [at, point] of way.entries()) {
        if (data === undefined) await this.mouse(tab, "mouseMoved", point, held);
        if (data === undefined && at < 3 && await started()) data = await taken.data;
        if (data === undefined) continue;
        await this.dragEvent(tab, over ? "dragOver" : "dragEnter", point, data);
        over = true;
      }
      if (data !== undefined) {
        await this.dragEvent(tab, "dragOver", to, data);
        await this.dragEvent(tab, "drop", to, data);
      } else await this.mouse(tab, "mouseReleased", to, { ...held, buttons: 0, clickCount: 1 });
      down = false;
    } finally {
      // What broke off halfway must not leave the button pressed.
      if (down) this.mouse(tab, "mouseReleased", to, { button: "left", buttons: 0, clickCount: 1 }).catch(() => undefined);
      taken.stop();
      await this.send(tab, "Input.setInterceptDrags", { enabled: false }).catch(() => undefined);
    }
  }

  /** What the debugger tells. */
  debuggerEvent(tab: number, method: string, params: unknown): void {
    if (method === "Input.dragIntercepted") this.drags.get(tab)?.(field(params, "data"));
    if (method !== "Target.attachedToTarget" || !this.used.has(tab) || field(params, "targetInfo", "type") !== "iframe") return;
    const session = field(params, "sessionId");
    if (typeof session !== "string") return;
    const tell = (command: string, more: Record<string, unknown>) => this.debug.send(tab, command, more, session).catch(() => undefined);
    const told = Promise.all([tell("Emulation.setFocusEmulationEnabled", { enabled: true }), tell("Target.setAutoAttach", CHILDREN)]);
    const others = this.focusing.get(tab) ?? new Set();
    others.add(told);
    this.focusing.set(tab, others);
    void told.finally(() => { others.delete(told); });
  }

  /** The data of the drag that the browser hands over; nothing when it does not. */
  private takeDrag(tab: number): { data: Promise<unknown>; stop: () => void } {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const data = new Promise<unknown>((resolve) => {
      this.drags.set(tab, resolve);
      timer = setTimeout(() => { resolve(undefined); }, TAKE_MS);
    });
    return {
      data,
      stop: () => {
        clearTimeout(timer);
        this.drags.delete(tab);
      },
    };
  }

  private async dragEvent(tab: number, type: "dragEnter" | "dragOver" | "drop", { x, y }: Point, data: unknown): Promise<void> {
    await this.send(tab, "Input.dispatchDragEvent", { type, x, y, data });
  }

  private async mouse(tab: number, type: string, point: Point, more: Record<string, unknown>): Promise<unknown> {
    this.pointers.set(tab, point);
    return await this.send(tab, "Input.dispatchMouseEvent", { type, x: point.x, y: point.y, ...more });
  }

  /** `composing`: as an input method does, which tells the page of it before it commits. */
  async insert(tab: number, text: string, composing = false): Promise<void> {
    if (composing) await this.send(tab, "Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
    await this.send(tab, "Input.insertText", { text });
  }

  async enter(tab: number): Promise<void> {
    const key = { key: "Enter", code: "Enter", windowsVirtualKeyCode: 13, nativeVirtualKeyCode: 13 };
    await this.send(tab, "Input.dispatchKeyEvent", { type: "keyDown", ...key, text: "\r", unmodifiedText: "\r" });
    await this.send(tab, "Input.dispatchKeyEvent", { type: "keyUp", ...key });
  }

  /** One chord: modifiers go down in order, come up the other way round. */
  async press(tab: number, { held, key }: Chord): Promise<void> {
    const stroke = (type: "keyDown" | "rawKeyDown" | "keyUp", { key: name, code, number, text }: PressedKey, modifiers: number) => this.send(tab, "Input.dispatchKeyEvent", {
      type, key: name, code, modifiers, windowsVirtualKeyCode: number, nativeVirtualKeyCode: number,
      ...(type === "keyDown" ? { text, unmodifiedText: text } : {}),
    });
    const down = (one: PressedKey, modifiers: number) => stroke(one.text === undefined ? "rawKeyDown" : "keyDown", one, modifiers);
    let bits = 0;
    for (const one of held) await down(one, bits |= BITS[one.key] ?? 0);
    try {
      await down(key, bits | (BITS[key.key] ?? 0));
      // An access key is found by the character that follows the key.
      if (key.text === undefined && key.key.length === 1 && (bits & ~(BITS["Shift"] ?? 0)) === BITS["Alt"]) {
        await this.send(tab, "Input.dispatchKeyEvent", { type: "char", key: key.key, text: key.key, unmodifiedText: key.key, modifiers: bits });
      }
    } finally {
      await stroke("keyUp", key, bits).catch(() => undefined);
      for (const one of held.toReversed()) await stroke("keyUp", one, bits &= ~(BITS[one.key] ?? 0)).catch(() => undefined);
    }
  }

  /** Deletes what is selected: for text that is to be replaced by nothing. */
  async erase(tab: number): Promise<void> {
    const key = { key: "Backspace", code: "Backspace", windowsVirtualKeyCode: 8, nativeVirtualKeyCode: 8 };
    await this.send(tab, "Input.dispatchKeyEvent", { type: "rawKeyDown", ...key });
    await this.send(tab, "Input.dispatchKeyEvent", { type: "keyUp", ...key });
  }

  private async isShown(tab: number): Promise<boolean> {
    return field(await this.send(tab, "Runtime.evaluate", { expression: "document.visibilityState", returnByValue: true }), "result", "value") === "visible";
  }

  private async height(tab: number): Promise<unknown> {
    return field(await this.send(tab, "Runtime.evaluate", { expression: "innerHeight", returnByValue: true }), "result", "value");
  }

  private async send(tab: number, method: string, params: Record<string, unknown>): Promise<unknown> {
    return await this.dialogs.guard(tab, this.debug.send(tab, method, params));
  }
}
