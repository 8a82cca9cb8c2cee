import assert from "node:assert/strict";
import { test } from "node:test";
import { runInPage } from "../src/background/runInPage";

/** Classes of the DOM that the page's world has. */
const dom = ["Element", "Node", "Window", "NodeList", "HTMLCollection"];
for (const name of dom) if (!(name in globalThis)) Object.defineProperty(globalThis, name, { value: class {}, configurable: true });

test("values, promises and errors come back as text", async () => {
  const cases: [string, string, string][] = [
    ["1 + 1", "value", "2"],
    ["const a = [1, 'x', null, undefined, 2n, NaN]; a", "value", '[1,"x",null,null,"2n","[NaN]"]'],
    ["Promise.resolve({ a: new Map([[1, new Set(['b'])]]) })", "value", '{"a":[[1,["b"]]]}'],
    ["await Promise.resolve(3);", "value", "3"],
    ["return 4", "value", "4"],
    ["undefined", "value", "[undefined]"],
    ["(() => 1)", "value", "[function ]"],
    ["'[text]'", "value", '"[text]"'],
    ["const a = {}; a.a = a; a", "value", '{"a":"[circular]"}'],
  ];
  for (const [code, end, text] of cases) {
    const ran = await runInPage(code, 1_000, 1_000);
    assert.deepEqual([ran.end, ran.text], [end, text], code);
  }
  assert.match((await runInPage("throw new TypeError('no')", 100, 1_000)).text, /^TypeError: no/);
  assert.equal((await runInPage("let = = 1", 100, 1_000)).end, "thrown");
});

test("what does not parse is not run, and what throws a syntax error by itself is run once", async () => {
  Reflect.set(globalThis, "runs", 0);
  const ran = await runInPage("globalThis.runs++; JSON.parse('{ return await')", 100, 1_000);
  assert.equal(ran.end, "thrown");
  assert.equal(Reflect.get(globalThis, "runs"), 1);
  assert.equal((await runInPage("globalThis.runs++; let = = 1", 100, 1_000)).end, "thrown");
  assert.equal(Reflect.get(globalThis, "runs"), 1);
});

test("a promise is awaited within the limit, a long value is cut and counted", async () => {
  assert.equal((await runInPage("new Promise(() => {})", 20, 1_000)).end, "late");
  const long = await runInPage("'x'.repeat(500)", 100, 100);
  assert.deepEqual([long.text.length, long.total], [100, 502]);
});
