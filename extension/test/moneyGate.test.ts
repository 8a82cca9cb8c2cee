import assert from "node:assert/strict";
import { test } from "node:test";
import { MoneyGates } from "../src/background/money";
import type { Doc } from "../src/background/pages";

const doc: Doc = { tab: 1, frame: 0, parent: null, documentId: "d", ordinal: 1, url: "https://shop.example", error: false };
const hit = { label: "Pay", node: 7 };

/** Gates whose user allows what is asked about, at once. */
async function allowed(): Promise<MoneyGates> {
  const gates: MoneyGates = new MoneyGates({
    store: { local: () => Promise.resolve(undefined), setLocal: () => Promise.resolve(), session: () => Promise.resolve(undefined), setSession: () => Promise.resolve(), keepFromPages: () => Promise.resolve() },
    windows: {
      open: (path) => {
        gates.answer(path.split("#")[1] ?? "", true);
        return Promise.resolve(5);
      },
      close: () => Promise.resolve(),
    },
  });
  gates.refuse(doc, hit);
  assert.equal(await gates.confirm(1, "Shop", 1_000, new AbortController().signal), "allowed");
  return gates;
}

test("what was allowed serves once, in its own document", async () => {
  const gates = await allowed();
  assert.equal(gates.gate({ ...doc, documentId: "other" }).granted, undefined);
  assert.deepEqual(gates.take(doc).granted, hit);
  assert.equal(gates.take(doc).granted, undefined);
});

test("what was allowed serves for 30 seconds and no longer", async () => {
  const clock = Date.now;
  let now = 1_000_000;
  Date.now = () => now;
  try {
    const gates = await allowed();
    now += 29_999;
    assert.deepEqual(gates.gate(doc).granted, hit);
    now += 1;
    assert.equal(gates.gate(doc).granted, undefined);
    assert.equal(gates.take(doc).granted, undefined);
  } finally {
    Date.now = clock;
  }
});
