// connect.html#PORT-CODE: pairs this browser with one daemon and says in plain words what came of it.

import { readInvitation } from "../shared/invitation";
import { messageOf } from "../shared/text";
import type { PairResult } from "../shared/messages";
import { askPair } from "../popup/shim";

const form = document.querySelector("form");
const field = document.querySelector("input");
const button = document.querySelector("button");
const result = document.querySelector<HTMLElement>("#result");

function say(tone: "good" | "bad" | "wait", text: string): void {
  if (result === null) return;
  result.dataset["tone"] = tone;
  result.textContent = text;
}

function sentence({ result: how, message }: PairResult): string {
  switch (how) {
    case "paired": return `${message} You can close this page.`;
    case "code": return `The code was not accepted: it was used already, is older than ten minutes, or is not this daemon's. ${message}`;
    case "absent": case "stranger": case "refused": return message;
  }
}

async function pair(text: string): Promise<void> {
  const read = readInvitation(text);
  if (read === null) {
    say("bad", 'That is no pairing code: it looks like "8787-" and 64 letters and digits.');
    return;
  }
  if (button !== null) button.disabled = true;
  say("wait", `Pairing with the daemon on port ${read.port}…`);
  try {
    const answer = await askPair(read.port, read.code);
    if (answer === null) say("bad", "The extension failed to answer; reload it at chrome://extensions.");
    else say(answer.result === "paired" ? "good" : "bad", sentence(answer));
    if (answer?.result === "paired" && form !== null) form.hidden = true;
  } catch (thrown) {
    say("bad", messageOf(thrown));
  } finally {
    if (button !== null) button.disabled = false;
  }
}

form?.addEventListener("submit", (event) => {
  event.preventDefault();
  if (field !== null) void pair(field.value);
});

function fromAddress(): void {
  if (location.hash.length < 2) return;
  const text = location.hash.slice(1);
  // The code works once, but it has no business in the history.
  history.replaceState(null, "", location.pathname);
  void pair(text);
}
window.addEventListener("hashchange", fromAddress);
fromAddress();
