// The popup's and the connect page's way to the worker.

import type { Ask, CardState, PairResult, PopupState } from "../shared/messages";

export async function askState(): Promise<PopupState | null> {
  return await chrome.runtime.sendMessage<Ask, PopupState | null>({ ask: "state" });
}

export async function askPair(port: number, code: string): Promise<PairResult | null> {
  return await chrome.runtime.sendMessage<Ask, PairResult | null>({ ask: "pair", port, code });
}

export async function tellWorker(message: Extract<Ask, { ask: "switches" | "pictures" | "anyPort" }>): Promise<void> {
  await chrome.runtime.sendMessage<Ask, null>(message);
}

/** What a card of the payment gate shows; null when it is no longer asked. */
export async function askCard(id: string): Promise<CardState | null> {
  return await chrome.runtime.sendMessage<Ask, CardState | null>({ ask: "card", id });
}

export async function answerCard(id: string, allow: boolean): Promise<void> {
  await chrome.runtime.sendMessage<Ask, null>({ ask: "answer", id, allow });
}
