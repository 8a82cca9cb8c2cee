// The parts of the content script that need no page: words, generated text, masks, changes in words, the channel's parser.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./noDom";
import { cut, fold, isBlank, quote, toJson, unitsUpTo } from "../src/content/words";
import { readContent } from "../src/content/tree/generated";
import { scrub } from "../src/content/tree/secret";
import { countedStates, mirrorsInput, stateChange } from "../src/content/watch/describe";
import { readPageWord } from "../src/shared/channel";

const FOX = "\u{1F98A}";

test("white space folds, words of zero-width characters do not", () => {
  assert.equal(fold("  a\n\t b\u00a0c "), "a b c");
  assert.equal(fold("a\u200bb"), "a\u200bb");
  assert.ok(isBlank(" \n\u00a0"));
  assert.ok(!isBlank(" x"));
});

test("a cut never splits a character and says that it cut", () => {
  for (let limit = 1; limit < 12; limit++) {
    const text = cut(`ab${FOX.repeat(9)}`, limit);
    assert.ok(text.isWellFormed(), `${limit}`);
    assert.ok(text.length <= limit, `${limit}`);
    assert.ok(text.endsWith("…"));
  }
  assert.equal(cut("short", 10), "short");
  assert.equal(unitsUpTo(`a${FOX}`, 2), "a");
  assert.equal(unitsUpTo(`a${FOX}`, 3), `a${FOX}`);
  assert.equal(quote(" a  b "), '"a b"');
});

test("json holds no lone surrogate", () => {
  const json = toJson({ name: "a\ud800b", other: "\\ud800 written out" });
  assert.ok(!/\\ud800b/.test(json));
  assert.deepEqual(JSON.parse(json), { name: "a\ufffdb", other: "\\ud800 written out" });
});

test("generated content: strings, attributes, alternative text", () => {
  const attribute = (name: string): string => (name === "data-n" ? "7" : "");
  assert.equal(readContent('"*"', attribute).text, "*");
  assert.equal(readContent('"*" / ""', attribute).text, "");
  assert.equal(readContent('"★" / "Favourite"', attribute).text, "Favourite");
  assert.equal(readContent('attr(data-n) " items"', attribute).text, "7 items");
  assert.equal(readContent('counter(x) "."', attribute).text, ".");
  assert.equal(readContent('"say \\"hi\\""', attribute).text, 'say "hi"');
  assert.equal(readContent('url("a/b.png") / "Logo"', attribute).text, "Logo");
});

test("a known secret never stands in what leaves the page", () => {
  assert.equal(scrub("you typed hunter2 and hunter2", ["hunter2"]), "you typed •••••••• and ••••••••");
  assert.equal(scrub("nothing here", ["hunter2"]), "nothing here");
  // Too short to be told from ordinary words.
  assert.equal(scrub("a cat", ["cat"]), "a cat");
});

test("states in words", () => {
  assert.equal(stateChange(["unchecked"], ["checked"]), "unchecked → checked");
  assert.equal(stateChange(["collapsed"], ["expanded", "busy"]), "collapsed → expanded, now busy");
  assert.equal(stateChange(["disabled"], []), "no longer disabled");
  assert.equal(stateChange([], ["pressed"]), "now pressed");
  assert.equal(countedStates(["checked", "focused", "clickable"]), "checked");
});

test("attributes that only mirror our own input", () => {
  assert.ok(mirrorsInput("class", "btn", "btn is-focused"));
  assert.ok(mirrorsInput("data-whatinput", "keyboard", "mouse"));
  assert.ok(!mirrorsInput("class", "btn", "btn active"));
  assert.ok(!mirrorsInput("class", "btn", "btn is-focused open"));
  assert.ok(!mirrorsInput("class", "a b", "b a"));
  assert.ok(!mirrorsInput("hidden", "", null));
});

test("words of the MAIN world are taken only in their form", () => {
  assert.deepEqual(readPageWord('{"event":"dialog","dialog":"alert","text":"hi"}'), { event: "dialog", dialog: "alert", text: "hi" });
  assert.deepEqual(readPageWord('{"event":"dialogDone","more":1}'), { event: "dialogDone" });
  assert.deepEqual(readPageWord('{"event":"exception","message":"boom"}'), { event: "exception", message: "boom" });
  for (const forged of [undefined, 7, "", "{", "null", '{"event":"dialog","dialog":"format"}', '{"event":"dialog","dialog":"alert","text":7}', '{"event":"navigated"}', `"${"x".repeat(9000)}"`]) {
    assert.equal(readPageWord(forged), undefined);
  }
});
