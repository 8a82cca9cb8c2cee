import { test } from "node:test";
import assert from "node:assert/strict";
import { bytesOf, hmac, proofOf, sameText, secretOf } from "../src/background/handshake";

const key = "00".repeat(32);
const a = "11".repeat(32);
const b = "22".repeat(32);

test("HMAC-SHA256 gives the value of RFC 4231, case 2", async () => {
  assert.equal(await hmac("4a656665", "what do ya want for nothing?"), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
});

test("proofs name their side and both nonces", async () => {
  assert.equal(await proofOf("daemon", key, a, b), await hmac(key, `tegata/1/daemon/${a}/${b}`));
  assert.equal(await proofOf("daemon", key, a, b), "b9772b139c16e9e2f938a569605a6ebab228e2f65fd38cbb283b1e2baae6d149");
  assert.equal(await proofOf("extension", key, a, b), "8815888add3be481680e3349e0c1273c3d9b640e9510e7881e0c0dd1d267cc0a");
  assert.equal(await secretOf(key, a, b), "44acc90965a9ab604c3bd4fb609b76f9bab2f57dcce697a98a4c5652bfc5123b");
});

test("a key that is not hex is refused", async () => {
  assert.equal(bytesOf("0g"), null);
  assert.equal(bytesOf("abc"), null);
  await assert.rejects(hmac("zz", "x"), /not hex/);
});

test("comparison sees every difference", () => {
  assert.ok(sameText("abcd", "abcd"));
  assert.ok(!sameText("abcd", "abce"));
  assert.ok(!sameText("abcd", "abc"));
});
