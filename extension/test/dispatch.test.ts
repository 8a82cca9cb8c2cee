import { test } from "node:test";
import assert from "node:assert/strict";
import { TabQueue } from "../src/background/queue";
import { Outbox } from "../src/background/outbox";
import { parse } from "../src/background/wire";
import { fakeStore, settle } from "./fakes";

test("calls on one tab run in order, on different tabs at once", async () => {
  const queue = new TabQueue();
  const done: string[] = [];
  const waits: Record<string, () => void> = {};
  const job = (name: string) => async () => {
    done.push(`start ${name}`);
    await new Promise<void>((resolve) => { waits[name] = resolve; });
    done.push(`end ${name}`);
  };
  const first = queue.run(1, job("1a"));
  const second = queue.run(1, job("1b"));
  const other = queue.run(2, job("2a"));
  assert.deepEqual(done, ["start 1a", "start 2a"]);
  waits["2a"]?.();
  await other;
  assert.deepEqual(done, ["start 1a", "start 2a", "end 2a"]);
  waits["1a"]?.();
  await first;
  await settle();
  assert.deepEqual(done.slice(3), ["end 1a", "start 1b"]);
  waits["1b"]?.();
  await second;
});

test("a call that fails does not stop the next one on its tab", async () => {
  const queue = new TabQueue();
  const failed = queue.run(1, () => Promise.reject(new Error("no")));
  const next = queue.run(1, () => Promise.resolve("yes"));
  await assert.rejects(failed, /no/);
  assert.equal(await next, "yes");
});

test("replies are kept for fifteen seconds, also across the worker's death", async () => {
  let now = 1_000;
  const store = fakeStore();
  const outbox = new Outbox(store, () => now);
  outbox.add("old");
  now += 10_000;
  outbox.add("young");
  now += 6_000;
  const reborn = new Outbox(store, () => now);
  await reborn.load();
  assert.deepEqual(reborn.take(), ["young"]);
  assert.deepEqual(reborn.take(), []);
});

test("the outbox is bounded", () => {
  const outbox = new Outbox(fakeStore(), () => 0);
  for (let at = 0; at < 100; at++) outbox.add(String(at));
  assert.equal(outbox.take().length, 32);
  outbox.add("x".repeat(3_000_000));
  outbox.add("y".repeat(3_000_000));
  assert.deepEqual(outbox.take().map((text) => text[0]), ["y"]);
});

test("malformed and unknown frames are told apart, and never throw", () => {
  assert.deepEqual(parse("{"), { ok: false, why: "the frame is no JSON", id: null, unknownMethod: false });
  assert.equal(parse('{"kind":"ping"}').ok, true);
  assert.equal(parse('{"kind":"toString"}').ok, false);
  assert.equal(parse("null").ok, false);
  const unknown = parse('{"kind":"request","id":3,"command":{"method":"tabs/steal","params":{}}}');
  assert.ok(!unknown.ok && unknown.id === 3 && unknown.unknownMethod);
  const wrong = parse('{"kind":"request","id":4,"command":{"method":"tabs/close","params":{"tab":"1"}}}');
  assert.ok(!wrong.ok && wrong.id === 4 && !wrong.unknownMethod);
  const proto = parse('{"kind":"request","id":5,"command":{"method":"__proto__","params":{}}}');
  assert.ok(!proto.ok && proto.unknownMethod);
});
