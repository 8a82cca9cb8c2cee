import assert from "node:assert/strict";
import { test } from "node:test";

import { Debug, DebuggerLost } from "../src/background/debug";
import { Failure } from "../src/background/failure";

test("what the debugger was sending when the user cancelled it is lost; what was never begun is only refused", async () => {
  let release: (thrown: Error) => void = () => undefined;
  const debug = new Debug({
    attach: () => Promise.resolve(),
    detach: () => Promise.resolve(),
    send: (_target: unknown, method: string) => (method === "Page.enable" ? Promise.resolve({}) : new Promise((_, reject) => { release = reject; })),
    attachedTabs: () => Promise.resolve([]),
  }, () => true);
  assert.equal(await debug.attach(7), true);
  const sent = debug.send(7, "Input.dispatchMouseEvent");
  debug.gone(7, "canceled_by_user");
  release(new Error("Detached while handling command."));
  const lost: unknown = await sent.catch((thrown: unknown) => thrown);
  assert.ok(lost instanceof DebuggerLost && lost.message.includes("the user cancelled it"));
  const refused: unknown = await debug.attach(7).catch((thrown: unknown) => thrown);
  assert.ok(refused instanceof Failure && !(refused instanceof DebuggerLost) && refused.code === "unsupported");
});
