import { test } from "node:test";
import assert from "node:assert/strict";
import { Secrets } from "../src/background/secrets";
import { namesSecret } from "../src/content/tree/secretWords";

test("labels and names that ask for a secret", () => {
  for (const text of ["Card number", "cardnumber", "cardNumber", "ccnum", "Security code", "Verification code", "One-time code", "PIN", "Password", "API key", "SSN", "apiKey", "cvv2", "Passcode *"]) {
    assert.ok(namesSecret(text), text);
  }
  for (const text of ["Postal code", "Country code", "Number", "Shopping", "Spinner", "Business card", "Discount code", "Phone number", "Keyboard", "Account number of items"]) {
    assert.ok(!namesSecret(text), text);
  }
});

test("a typed secret leaves by no text of a page, and the frame stays what it was", () => {
  const secrets = new Secrets();
  secrets.note(1, "kind+1 x");
  secrets.note(1, "abc");
  secrets.note(2, "reply");
  const frame = { kind: "reply", id: 1, result: { title: "you typed KIND+1 X", url: "http://x/?pw=kind%2B1+x", reply: 4, missing: ["a reply"] } };
  assert.deepEqual(JSON.parse(secrets.scrub(JSON.stringify(frame))), {
    kind: "reply", id: 1, result: { title: "you typed ••••••••", url: "http://x/?pw=••••••••", reply: 4, missing: ["a ••••••••"] },
  });
  secrets.forget(1);
  secrets.forget(2);
  assert.equal(secrets.scrub(JSON.stringify(frame)), JSON.stringify(frame));
});
