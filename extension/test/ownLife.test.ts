import { test } from "node:test";
import assert from "node:assert/strict";
import { ownMovements } from "../src/content/watch/ownLife";

test("what answered an earlier press is no life of its own", () => {
  // Pressed at 1,000 and 3,000: the handler writes at once and again when its answer is there.
  assert.equal(ownMovements([1_001, 1_700, 3_001, 3_700], [1_000, 3_000, 5_000], 5_000), 0);
  // Several records of one answer are one burst.
  assert.equal(ownMovements([1_001, 1_010, 1_700, 1_705, 1_712], [1_000], 5_000), 0);
});

test("a part that goes on moving is restless, whoever acted", () => {
  const ticks = Array.from({ length: 10 }, (_, i) => 1_000 + i * 300);
  assert.ok(ownMovements(ticks, [950], 4_000) >= 7);
  assert.equal(ownMovements(ticks, [], 4_000), 10);
});

test("what moved before we came, or long after, counts; what is long past does not", () => {
  assert.equal(ownMovements([500, 1_100, 2_600], [1_000], 3_000), 2);
  assert.equal(ownMovements([500, 1_100], [], 11_000), 1);
});
