// The golden messages are written by the Rust side; both languages must understand every one of them.

import { test } from "node:test";
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { proofOf, secretOf } from "../src/background/handshake";
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
    const frames = field(golden, "frames");
    assert.ok(Array.isArray(frames) && frames.length > 0, "a golden file is { frames: […] }");
    for (const frame of frames) {
      const kind = field(frame, "kind");
      assert.ok(typeof kind === "string");
      if (ours.includes(kind)) continue;
      const parsed = narrow(frame);
      assert.ok(parsed.ok, parsed.ok ? "" : parsed.why);
      assert.deepEqual(JSON.parse(JSON.stringify(parsed.frame)), frame);
    }
  });
}

test("there are golden messages", () => {
  assert.ok(files.length > 0);
});

test("the golden handshake has the proofs and the secret that this side computes", async () => {
  const golden: unknown = JSON.parse(readFileSync(`${folder}/handshake.json`, "utf8"));
  const word = (...path: string[]): string => {
    const value = path.reduce(field, golden);
    assert.ok(typeof value === "string", path.join("."));
    return value;
  };
  const code = word("code");
  const [ours, theirs] = [word("frames", "0", "hello", "nonce"), word("frames", "1", "challenge", "nonce")];
  assert.equal(await proofOf("daemon", code, ours, theirs), word("frames", "1", "challenge", "proof"));
  assert.equal(await proofOf("extension", code, ours, theirs), word("frames", "2", "proof"));
  assert.equal(await secretOf(code, ours, theirs), word("secret"));
});
