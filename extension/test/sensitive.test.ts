// The cases of the daemon's own test (judge/tests.rs), so that both rules stay one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isSensitive } from "../src/background/sensitive";

const WORDS = ["order", "delete", "pay", "支付"];
const target = (name: string, more: { submits?: boolean; marks?: string } = {}) => ({ described: { role: "button", name }, submits: false, marks: "", ...more });

void test("what must not be pressed by mistake is known by its words", () => {
  for (const one of [target("Place order"), target("Go", { submits: true }), target("X", { marks: "btn js-delete" }), target("立即支付 ¥5"), target("PAY!")]) {
    assert.equal(isSensitive(one, WORDS), true, one.described.name);
  }
  for (const one of [target("Reorder list"), target("Display"), target("Go", { marks: "js-deleted" }), target(`${"long ".repeat(8)}order`)]) {
    assert.equal(isSensitive(one, WORDS), false, one.described.name);
  }
});
