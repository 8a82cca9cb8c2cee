import { test } from "node:test";
import assert from "node:assert/strict";
import { OpenRequests } from "../src/shared/openRequests";

const request = (id: number) => JSON.stringify({ kind: "request", id, command: { method: "tabs/list", params: {} } });
const reply = (id: number) => JSON.stringify({ kind: "reply", id, result: {} });

test("what a life of the worker left unanswered is an orphan until the next one answered it", () => {
  const requests = new OpenRequests();
  for (const id of [1, 2, 30]) requests.given(request(id));
  requests.given('{"kind":"cancel","id":9}');
  requests.answered(reply(2));
  assert.deepEqual(requests.orphans, []);
  requests.lifeEnded();
  requests.given(request(4));
  assert.deepEqual(requests.orphans, [1, 30]);
  requests.answered(reply(1));
  assert.deepEqual(requests.orphans, [30]);
  requests.clear();
  requests.lifeEnded();
  assert.deepEqual(requests.orphans, []);
});
