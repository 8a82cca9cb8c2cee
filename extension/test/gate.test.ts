// Which listeners plainly do nothing with an untrusted event.

import assert from "node:assert/strict";
import { test } from "node:test";

import { isGated } from "../src/background/gate";

test("a gate at the top, or around everything, is one", () => {
  for (const source of [
    "(event) => {\n  if (!event.isTrusted) return;\n  count += 1;\n}",
    "function (e) { if (!e.isTrusted) { return; } go(); }",
    "function onClick(e) { /* real only */ if (!e.isTrusted || busy) return; go(); }",
    "e=>{if(!e.nativeEvent.isTrusted)return;go()}",
    "e => e.isTrusted && go(e)",
    "e => { seen.push([t, e.isTrusted]); console.log('came', e.type); if (!e.isTrusted) return; go(); }",
    "(e) => { if (e.isTrusted) { if (a) { b('}'); } go(); } }",
  ]) assert.equal(isGated(source), true, source);
});

test("what may do something first, or besides, is none", () => {
  for (const source of [
    "(e) => { log(e.isTrusted); go(); }",
    "(e) => { cart.push(e.type); if (!e.isTrusted) return; go(); }",
    "(e) => { seen.push(go(e.isTrusted)); if (!e.isTrusted) return; go(); }",
    "(e) => { count += 1; if (!e.isTrusted) return; go(); }",
    "(e) => { if (e.isTrusted) { go(); } else { other(); } }",
    "(e) => { if (e.isTrusted) { go(); } after(); }",
    "(e) => { if (!e.isTrusted) warn(); go(); }",
    "e => (e.isTrusted && a(), b())",
    "e => handle(e)",
    "function () { [native code] }",
  ]) assert.equal(isGated(source), false, source);
});
