// The golden messages are written by the Rust side; both languages must understand every one of them.

import { test } from "node:test";
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { narrow } from "../src/background/wire";

const folder = "../fixtures/wire";
/** Sent by the extension: the worker never reads them. */
const ours = ["hello", "proof", "event", "progress", "reply"];

function field(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Object.getOwnPropertyDescriptor(value, key)?.value : undefined;
}

const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json")).sort() : [];

for (const name of files) {
  test(`fixtures/wire/${name} is understood`, () => {
    const golden: unknown = JSON.parse(readFileSync(`${folder}/${name}`, "utf8"));
    const frame = field(golden, "frame");
    const kind = field(frame, "kind");
    assert.equal(typeof kind, "string", "a golden message is { frame: … }");
    if (typeof kind === "string" && ours.includes(kind)) return;
    const parsed = narrow(frame);
    assert.ok(parsed.ok, parsed.ok ? "" : parsed.why);
    assert.deepEqual(JSON.parse(JSON.stringify(parsed.frame)), frame);
  });
}
