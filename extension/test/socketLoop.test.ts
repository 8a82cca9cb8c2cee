import { test } from "node:test";
import assert from "node:assert/strict";
import { backOff, SocketLoop } from "../src/shared/socketLoop";
import { FakeWorld } from "./fakes";

function made(ports: number[]) {
  const world = new FakeWorld();
  const told: string[] = [];
  const loop = new SocketLoop({
    open: (_socket, port) => told.push(`open ${port}`), frame: (_socket, text) => told.push(`frame ${text}`), closed: () => told.push("closed"),
    absent: () => told.push("absent"), unsent: (text) => told.push(`unsent ${text}`),
  }, world);
  loop.setPorts(ports);
  return { world, told, loop };
}

test("waits grow from a quarter of a second to five seconds", () => {
  assert.deepEqual([0, 1, 2, 3, 4, 5, 50].map(backOff), [250, 500, 1000, 2000, 4000, 5000, 5000]);
});

test("all ports are tried in turn, then a wait, and the absence is said once", () => {
  const { world, told } = made([1, 2]);
  world.last.fail();
  world.last.fail();
  assert.deepEqual(world.sockets.map((socket) => socket.url), ["ws://127.0.0.1:1/extension", "ws://127.0.0.1:2/extension"]);
  world.pass(249);
  assert.equal(world.sockets.length, 2);
  world.pass(1);
  assert.equal(world.sockets.length, 3);
  world.last.fail();
  world.last.fail();
  assert.deepEqual(told, ["absent"]);
});

test("a dropped socket makes room for the next port", () => {
  const { world, told, loop } = made([1, 2]);
  world.last.open();
  loop.drop(loop.serial);
  assert.ok(world.sockets[0]?.closedByUs);
  assert.equal(world.last.url, "ws://127.0.0.1:2/extension");
  assert.deepEqual(told, ["open 1"]);
});

test("the daemon that had been there is looked for on its own port, soon", () => {
  const { world, told, loop } = made([1, 2]);
  world.last.fail();
  world.last.open();
  loop.established(loop.serial, "note");
  world.last.fail();
  world.pass(250);
  assert.equal(world.last.url, "ws://127.0.0.1:2/extension");
  assert.deepEqual(told, ["open 2", "closed"]);
});

test("it pings every 15 s and gives up after 45 s of silence", () => {
  const { world, told, loop } = made([1]);
  world.last.open();
  const first = world.last;
  world.pass(60_000);
  assert.deepEqual(first.sent, [], "no ping before the handshake");
  first.onmessage?.({ data: "x" });
  loop.established(loop.serial, "note");
  world.pass(45_000);
  assert.equal(first.sent.length, 3);
  assert.equal(world.sockets.length, 1);
  world.pass(15_000);
  assert.equal(world.sockets.length, 2);
  assert.deepEqual(told, ["open 1", "frame x", "closed"]);
});

test("what cannot be sent comes back", () => {
  const { told, loop } = made([1]);
  loop.send(loop.serial, "hello");
  assert.deepEqual(told, ["unsent hello"]);
});

test("a port that never answers is left after five seconds", () => {
  const { world } = made([1, 2]);
  world.pass(5_000);
  assert.equal(world.last.url, "ws://127.0.0.1:2/extension");
});

test("a word for a socket that was replaced does nothing", () => {
  const { world, told, loop } = made([1]);
  world.last.open();
  const old = loop.serial;
  loop.setPorts([2]);
  world.last.open();
  loop.send(old, "late");
  loop.drop(old);
  assert.deepEqual(world.last.sent, []);
  assert.ok(!world.last.closedByUs);
  assert.deepEqual(told, ["open 1", "open 2", "unsent late"]);
});
