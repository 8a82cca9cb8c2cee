// Input through the debugger: what the browser itself would make of a hand on mouse and keyboard.

import type { Point } from "../shared/pageCalls";
import { field } from "./debug";
import type { Debug } from "./debug";
import type { Dialogs } from "./dialogs";

const SETTLE_READS = 12;
const SETTLE_MS = 40;

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => { setTimeout(resolve, ms); });
}

/** See the file's head. */
export class Trusted {
  private readonly debug: Debug;
  private readonly dialogs: Dialogs;
  /** Tabs whose page has had real input from here: only such a page can ask whether it may be left. */
  private readonly used = new Set<number>();

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
    if (!fresh) return;
    let last = await this.height(tab);
    for (let read = 0; read < SETTLE_READS; read++) {
      await pause(SETTLE_MS);
      const now = await this.height(tab);
      if (now === last) return;
      last = now;
    }
  }

  hasUsed(tab: number): boolean {
    return this.used.has(tab);
  }

  async click(tab: number, { x, y }: Point): Promise<void> {
    const mouse = (type: string, more: Record<string, unknown>) => this.send(tab, "Input.dispatchMouseEvent", { type, x, y, ...more });
    // Sent in one go: a move alone waits for the next frame, and a tab in the background draws one a second. The press flushes it.
    await Promise.all([
      mouse("mouseMoved", { button: "none", buttons: 0 }),
      mouse("mousePressed", { button: "left", buttons: 1, clickCount: 1 }),
      mouse("mouseReleased", { button: "left", buttons: 0, clickCount: 1 }),
    ]);
  }

  async insert(tab: number, text: string): Promise<void> {
    await this.send(tab, "Input.insertText", { text });
  }

  async enter(tab: number): Promise<void> {
    const key = { key: "Enter", code: "Enter", windowsVirtualKeyCode: 13, nativeVirtualKeyCode: 13 };
    await this.send(tab, "Input.dispatchKeyEvent", { type: "keyDown", ...key, text: "\r", unmodifiedText: "\r" });
    await this.send(tab, "Input.dispatchKeyEvent", { type: "keyUp", ...key });
  }

  /** Deletes what is selected: for text that is to be replaced by nothing. */
  async erase(tab: number): Promise<void> {
    const key = { key: "Backspace", code: "Backspace", windowsVirtualKeyCode: 8, nativeVirtualKeyCode: 8 };
    await this.send(tab, "Input.dispatchKeyEvent", { type: "rawKeyDown", ...key });
    await this.send(tab, "Input.dispatchKeyEvent", { type: "keyUp", ...key });
  }

  private async height(tab: number): Promise<unknown> {
    return field(await this.send(tab, "Runtime.evaluate", { expression: "innerHeight", returnByValue: true }), "result", "value");
  }

  private async send(tab: number, method: string, params: Record<string, unknown>): Promise<unknown> {
    return await this.dialogs.guard(tab, this.debug.send(tab, method, params));
  }
}
