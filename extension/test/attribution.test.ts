import { test } from "node:test";
import assert from "node:assert/strict";
import { causeOf, requestEvidence, Requests } from "../src/background/requests";
import type { Seen } from "../src/background/requests";
import { logEvidence } from "../src/background/tabLog";
import { choose } from "../src/background/aim";
import { holds } from "../src/background/commands/wait";
import { pictureSize } from "../src/background/picture";
import { restriction } from "../src/background/tabs";
import type { Doc } from "../src/background/pages";

const span = { start: 100_000, end: 100_010, documents: new Set(["doc"]) };

function seen(at: number, more: Partial<Seen> = {}): Seen {
  return { id: String(at), method: "GET", path: "http://x/api", url: "http://x/api?a=1", type: "xmlhttprequest", at, documentId: "doc", ...more };
}

test("a request that starts in the dispatch or right after it is linked", () => {
  assert.equal(causeOf(seen(100_005), span, 0), "linked");
  assert.equal(causeOf(seen(100_070), span, 0), "linked");
  assert.equal(causeOf(seen(100_071), span, 0), "window");
  assert.equal(causeOf(seen(99_999), span, 0), null);
});

test("polling is never linked, and says how often it had been there", () => {
  const [item] = requestEvidence([seen(96_000), seen(98_000), seen(100_020, { status: 200, endAt: 100_050 })], span);
  assert.ok(item);
  assert.equal(item.cause, "window");
  assert.equal(item.before, 2);
  assert.equal(item.what, "GET /api → 200");
});

test("what a new document loads is part of its navigation", () => {
  assert.equal(causeOf(seen(100_005, { documentId: "new" }), span, 0), null);
  assert.equal(causeOf(seen(100_005, { type: "main_frame" }), span, 0), null);
});

test("a navigation that has come to no document yet is told as a request of the action", () => {
  const navigation = seen(100_020, { method: "POST", type: "main_frame", documentId: "new" });
  const [item] = requestEvidence([seen(95_000, { type: "main_frame" }), navigation], span);
  assert.deepEqual([item?.cause, item?.kind, item?.place, item?.what], ["linked", "request", "browser", "POST /api (navigation under way)"]);
  assert.equal(requestEvidence([navigation], { ...span, committed: 100_400 }).length, 0);
  assert.equal(requestEvidence([{ ...navigation, endAt: 100_500, error: "net::ERR_ABORTED" }], span).length, 0);
  assert.equal(requestEvidence([{ ...navigation, at: 100_300 }], span)[0]?.cause, "window");
});

test("the same request again is one item", () => {
  const items = requestEvidence([seen(100_005), seen(100_030)], span);
  assert.equal(items.length, 1);
  assert.equal(items[0]?.times, 2);
});

test("a request keeps its start over redirects", () => {
  const requests = new Requests();
  const event = { id: "1", tab: 1, frame: 0, method: "GET", url: "http://x/a", type: "xmlhttprequest", at: 5 };
  requests.note("started", event);
  requests.note("started", { ...event, url: "http://x/b", at: 9 });
  requests.note("done", { ...event, at: 12, status: 200 });
  assert.deepEqual(requests.of(1).map(({ at, url, status }) => ({ at, url, status })), [{ at: 5, url: "http://x/a", status: 200 }]);
});

test("a navigation that had begun before the click is not of its doing", () => {
  const entry = { kind: "navigation" as const, what: "http://x/", url: "http://x/", at: 100_050 };
  assert.equal(logEvidence([{ ...entry, began: 99_000 }], span)[0]?.cause, "window");
  assert.equal(logEvidence([{ ...entry, began: 100_005 }], span)[0]?.cause, "linked");
});

const doc = (ordinal: number, frame: number): Doc => ({ tab: 1, frame, parent: frame === 0 ? null : 0, documentId: `d${ordinal}`, ordinal, url: "", error: false });
const button = (node: number) => ({ role: "button", name: "Go", node });

test("an exact name in a child frame comes before a containing one in the main frame", () => {
  const chosen = choose([
    { doc: doc(1, 0), found: { candidates: [button(1)], tier: "contains", seen: [] } },
    { doc: doc(2, 4), found: { candidates: [button(7)], tier: "exact", seen: [] } },
  ], undefined);
  assert.ok(chosen.kind === "node" && chosen.doc.ordinal === 2 && chosen.node === 7);
});

test("several without nth are ambiguous, nth chooses over all frames, too large an nth is not found", () => {
  const found = [
    { doc: doc(1, 0), found: { candidates: [button(1)], tier: "exact" as const, seen: [] } },
    { doc: doc(2, 4), found: { candidates: [button(2)], tier: "exact" as const, seen: [] } },
  ];
  const many = choose(found, undefined);
  assert.ok(many.kind === "refused" && many.refusal.reason === "ambiguous" && many.refusal.count === 2 && many.refusal.candidates[1]?.doc === 2);
  const second = choose(found, 1);
  assert.ok(second.kind === "node" && second.doc.ordinal === 2);
  const third = choose(found, 2);
  assert.ok(third.kind === "refused" && third.refusal.reason === "notFound" && third.refusal.seen.length === 2);
});

test("text is gone only when no frame shows it and every frame answered", () => {
  const around = { url: "http://x/", loading: false, requestsQuietMs: 1_000 };
  const says = (met: number[], quietMs = 1_000) => ({ met, there: "", quietMs });
  const gone = { kind: "textGone" as const, text: "x" };
  const main = doc(1, 0), child = doc(2, 4);
  assert.ok(holds(gone, 0, [{ doc: main, answer: says([0]) }, { doc: child, answer: says([0]) }], around));
  assert.equal(holds(gone, 0, [{ doc: main, answer: says([0]) }, { doc: child, answer: says([]) }], around), null);
  assert.equal(holds(gone, 0, [{ doc: main, answer: says([0]) }, { doc: child, answer: null }], around), null);
  assert.equal(holds({ kind: "idle" }, 0, [{ doc: main, answer: says([], 100) }], around), null);
  assert.ok(holds({ kind: "idle" }, 0, [{ doc: main, answer: says([]) }], around));
  assert.ok(holds({ kind: "ref", doc: 9, node: 1 }, 0, [{ doc: main, answer: says([]) }], around), "a node of a document that is gone is gone");
});

test("pages that extensions may not touch are named", () => {
  assert.equal(restriction("https://x/", false), undefined);
  assert.equal(restriction("about:blank", false), undefined);
  assert.equal(restriction("chrome://settings", false), "chrome page");
  assert.equal(restriction("chrome-extension://abc/x.html", false), "extension page");
  assert.equal(restriction("https://chromewebstore.google.com/detail/x", false), "web store");
  assert.equal(restriction("view-source:https://x/", false), "source view");
  assert.equal(restriction("file:///x", false), "file without permission");
  assert.equal(restriction("file:///x", true), undefined);
});

test("the size of a picture is read from its header", () => {
  const png = new Uint8Array(24);
  png.set([0x89, 0x50, 0x4e, 0x47]);
  png.set([0, 0, 1, 0, 0, 0, 0, 9], 16);
  assert.deepEqual(pictureSize(png), { width: 256, height: 9 });
  assert.deepEqual(pictureSize(Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc0, 0, 8, 8, 0, 5, 0, 6, 1])), { width: 6, height: 5 });
  assert.equal(pictureSize(new Uint8Array(3)), null);
});
