import { test } from "node:test";
import assert from "node:assert/strict";
import type { Command, Frame } from "../src/generated/protocol";
import { Dispatcher, Raw } from "../src/background/dispatch";
import type { Handlers } from "../src/background/dispatch";
import { Failure } from "../src/background/failure";
import { proofOf, secretOf } from "../src/background/handshake";
import { Link } from "../src/background/link";
import { Outbox } from "../src/background/outbox";
import { Pairing } from "../src/background/pairing";
import type { ToSocket } from "../src/shared/messages";
import { fakeStore, settle } from "./fakes";

const code = "ab".repeat(32);
const daemonNonce = "cd".repeat(32);

function never(): Promise<never> {
  return Promise.reject(new Failure("internal", "not in this test"));
}

const none: Handlers = {
  "tabs/list": never, "tabs/create": never, "tabs/activate": never, "tabs/close": never, "tabs/hold": never, "navigate/go": never,
  "navigate/history": never, "navigate/reload": never, "snapshot/take": never, "snapshot/text": never, "pointer/click": never,
  "pointer/facts": never, "pointer/listeners": never, "keyboard/type": never, "watch/look": never, "wait/probe": never, "capture/screenshot": never, "link/echo": never,
  "snapshot/html": never, "snapshot/find": never, "data/query": never, "data/console": never, "data/requests": never, "data/body": never,
  "data/fetch": never, "data/download": never, "keyboard/press": never, "pointer/hover": never, "pointer/scroll": never, "pointer/drag": never,
  "form/check": never, "form/select": never, "form/fill": never, "form/owner": never, "form/submit": never, "dialog/answer": never, "form/upload": never,
  "human/words": never, "data/eval": never, "link/reload": never, "human/panel": never, "human/confirm": never,
};

function isFrame(value: unknown): value is Frame {
  return typeof value === "object" && value !== null && "kind" in value;
}

async function linked(handlers: Handlers = none) {
  const store = fakeStore();
  const pairing = new Pairing(store);
  await pairing.load();
  const posted: ToSocket[] = [];
  const link = new Link({
    pairing, outbox: new Outbox(store), generation: "life", post: (message) => posted.push(message), changed: () => undefined,
    identity: Promise.resolve({ version: "1", build: "b", browser: "Test 1", headless: true }),
  });
  link.dispatcher = new Dispatcher(handlers, () => pairing.switches.paused, (text) => { link.reply(text); });
  const sent = (): Frame[] => posted.flatMap((message): Frame[] => {
    if (message.do !== "send") return [];
    const frame: unknown = JSON.parse(message.text);
    return isFrame(frame) ? [frame] : [];
  });
  const hear = async (frame: Frame) => { link.hear({ is: "frame", socket: 1, text: JSON.stringify(frame) }); await settle(); };
  const helloNonce = (): string => {
    const hello = sent().findLast((frame) => frame.kind === "hello");
    assert.ok(hello?.kind === "hello");
    return hello.hello.nonce;
  };
  return { pairing, posted, link, sent, hear, helloNonce };
}

async function paired(handlers: Handlers = none) {
  const all = await linked(handlers);
  const result = all.link.pair(9000, code);
  await settle();
  all.link.hear({ is: "open", socket: 1, port: 9000 });
  await settle();
  const nonce = all.helloNonce();
  const proof = await proofOf("daemon", code, nonce, daemonNonce);
  await all.hear({ kind: "challenge", challenge: { version: "9", instance: "inst", nonce: daemonNonce, proof } });
  await all.hear({ kind: "welcome" });
  return { ...all, result: await result, nonce };
}

test("pairing with a code keeps the secret that both can compute, and the port", async () => {
  const { result, sent, pairing, link, nonce } = await paired();
  assert.equal(result.result, "paired");
  assert.deepEqual(sent().map((frame) => frame.kind), ["hello", "proof"]);
  const proof = sent()[1];
  assert.ok(proof?.kind === "proof" && proof.proof === await proofOf("extension", code, nonce, daemonNonce) && proof.generation === "life");
  assert.equal(pairing.secret("inst"), await secretOf(code, nonce, daemonNonce));
  assert.deepEqual([...pairing.ports], [9000]);
  assert.deepEqual(link.state, { kind: "open", port: 9000, instance: "inst", version: "9" });
});

test("a daemon that cannot prove itself gets no proof and is named a stranger", async () => {
  const { link, hear, sent, posted } = await linked();
  const result = link.pair(9000, code);
  await settle();
  link.hear({ is: "open", socket: 1, port: 9000 });
  await settle();
  await hear({ kind: "challenge", challenge: { version: "9", instance: "inst", nonce: daemonNonce, proof: "00".repeat(32) } });
  assert.deepEqual(sent().map((frame) => frame.kind), ["hello"]);
  assert.deepEqual(link.state, { kind: "stranger", port: 9000 });
  assert.equal(posted.at(-1)?.do, "drop");
  assert.equal((await result).result, "stranger");
});

test("an unpaired extension does nothing for a daemon that skips the handshake", async () => {
  const { link, hear, sent } = await linked();
  link.hear({ is: "open", socket: 1, port: 8787 });
  await settle();
  await hear({ kind: "request", id: 1, command: { method: "tabs/list", params: {} } });
  assert.deepEqual(sent().map((frame) => frame.kind), ["hello"]);
  await hear({ kind: "welcome" });
  assert.equal(link.state.kind, "stranger");
});

test("a used code is told as such", async () => {
  const { link, hear } = await linked();
  const result = link.pair(9000, code);
  await settle();
  link.hear({ is: "open", socket: 1, port: 9000 });
  await settle();
  await hear({ kind: "refused", refused: { why: "code", message: "used" } });
  assert.deepEqual(await result, { result: "code", message: "used" });
});

test("requests are answered, raw results pass untouched, errors keep their code", async () => {
  const { hear, posted } = await paired({
    ...none,
    "snapshot/take": () => Promise.resolve(new Raw('{"tab":1,"frames":[]}')),
    "tabs/list": () => Promise.resolve({ tabs: [] }),
  });
  const texts = () => posted.flatMap((message) => (message.do === "send" && message.text.includes('"reply"') ? [message.text] : []));
  await hear({ kind: "request", id: 7, command: { method: "snapshot/take", params: { tab: 1 } } });
  await hear({ kind: "request", id: 8, command: { method: "tabs/list", params: {} } });
  await hear({ kind: "request", id: 9, command: { method: "tabs/close", params: { tab: 1 } } });
  assert.deepEqual(texts(), [
    '{"kind":"reply","id":7,"result":{"tab":1,"frames":[]}}', '{"kind":"reply","id":8,"result":{"tabs":[]}}',
    '{"kind":"reply","id":9,"error":{"code":"internal","message":"not in this test"}}',
  ]);
});

test("paused, only what neither reads nor acts is done", async () => {
  const { hear, sent, pairing } = await paired({ ...none, "tabs/list": () => Promise.resolve({ tabs: [] }) });
  await pairing.setSwitches({ paused: true, trustedInput: true, eval: true });
  const commands: Command[] = [{ method: "tabs/list", params: {} }, { method: "snapshot/take", params: { tab: 1 } }];
  for (const [id, command] of commands.entries()) await hear({ kind: "request", id, command });
  const codes = sent().flatMap((frame) => (frame.kind === "reply" ? [frame.error?.code ?? "done"] : []));
  assert.deepEqual(codes, ["done", "paused"]);
});

test("a cancelled request that has not begun is not begun", async () => {
  let release: () => void = () => undefined;
  let closed = 0;
  const { hear, sent } = await paired({
    ...none,
    "tabs/activate": () => new Promise((_, reject) => { release = () => { reject(new Failure("no_tab", "gone")); }; }),
    "tabs/close": () => { closed += 1; return Promise.resolve({}); },
  });
  await hear({ kind: "request", id: 1, command: { method: "tabs/activate", params: { tab: 5 } } });
  await hear({ kind: "request", id: 2, command: { method: "tabs/close", params: { tab: 5 } } });
  await hear({ kind: "cancel", id: 2 });
  release();
  await settle();
  assert.equal(closed, 0);
  assert.deepEqual(sent().flatMap((frame) => (frame.kind === "reply" ? [frame.error?.code] : [])), ["no_tab", "cancelled"]);
});

test("a reply that finds no socket waits for the reconnect", async () => {
  let answer: () => void = () => undefined;
  const { hear, sent, link, helloNonce, pairing } = await paired({ ...none, "tabs/list": () => new Promise((resolve) => { answer = () => { resolve({ tabs: [] }); }; }) });
  await hear({ kind: "request", id: 3, command: { method: "tabs/list", params: {} } });
  link.hear({ is: "closed", socket: 1 });
  await settle();
  answer();
  await settle();
  assert.ok(!sent().some((frame) => frame.kind === "reply"));
  link.hear({ is: "open", socket: 1, port: 9000 });
  await settle();
  const secret = pairing.secret("inst");
  assert.ok(secret);
  await hear({ kind: "challenge", challenge: { version: "9", instance: "inst", nonce: daemonNonce, proof: await proofOf("daemon", secret, helloNonce(), daemonNonce) } });
  await hear({ kind: "welcome" });
  assert.ok(sent().some((frame) => frame.kind === "reply" && frame.id === 3));
});

test("a new life of the worker takes over an open link, says so, and answers for the earlier one", async () => {
  const { link, sent } = await linked();
  link.hear({ is: "state", socket: 1, open: 9000, note: JSON.stringify({ port: 9000, instance: "inst", version: "9" }), orphans: [41] });
  await settle();
  assert.equal(link.state.kind, "open");
  assert.deepEqual(sent(), [
    { kind: "event", event: { event: "worker/started", params: { generation: "life" } } },
    { kind: "reply", id: 41, error: { code: "internal", message: "the link broke: the extension's worker started anew" } },
  ]);
});

test("a new life of the worker lets go of a handshake it does not know", async () => {
  const { link, posted } = await linked();
  link.hear({ is: "state", socket: 1, open: 9000, note: null, orphans: [] });
  await settle();
  assert.deepEqual(posted, [{ do: "drop", socket: 1 }]);
});

test("a hello is not sent on a socket that came after the one it was for", async () => {
  const { link, posted } = await linked();
  link.hear({ is: "open", socket: 1, port: 9000 });
  link.hear({ is: "open", socket: 2, port: 9000 });
  await settle();
  const hellos = posted.flatMap((message) => (message.do === "send" ? [message.socket] : []));
  assert.deepEqual(hellos, [1, 2]);
  link.hear({ is: "closed", socket: 1 });
  link.hear({ is: "frame", socket: 1, text: "nonsense" });
  await settle();
  assert.equal(link.state.kind, "searching");
  assert.ok(!posted.some((message) => message.do === "drop"));
});

test("the absence of ports tried earlier does not end a pairing", async () => {
  const { link } = await linked();
  let ended = false;
  const result = link.pair(9000, code).then((how) => { ended = true; return how; });
  await settle();
  link.hear({ is: "absent", ports: [8787, 8788, 8789, 8790, 8791] });
  await settle();
  assert.ok(!ended);
  link.hear({ is: "absent", ports: [9000] });
  assert.equal((await result).result, "absent");
});
