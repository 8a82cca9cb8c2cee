// Words between the isolated and the MAIN world of one document.

import type { PageEvent } from "./pageCalls";

/** The isolated world says the secret event name. */
export const OPEN = "tegata:open";
/** The MAIN world asks for it; answered by preventDefault when another instance of the MAIN script is there already. */
export const ASK = "tegata:ask";
export const TOUCHED = "touched";

const TEXT_LIMIT = 500;

/** Reads what the MAIN world sent; undefined for anything else. */
export function readPageWord(detail: unknown): PageEvent | undefined {
  if (typeof detail !== "string" || detail.length > TEXT_LIMIT * 8) return undefined;
  let word: unknown;
  try {
    word = JSON.parse(detail);
  } catch {
    return undefined;
  }
  if (typeof word !== "object" || word === null || !("event" in word)) return undefined;
  switch (word.event) {
    case "dialog":
      if (!("dialog" in word) || !("text" in word) || typeof word.text !== "string") return undefined;
      if (word.dialog !== "alert" && word.dialog !== "confirm" && word.dialog !== "prompt") return undefined;
      return { event: "dialog", dialog: word.dialog, text: short(word.text) };
    case "dialogDone": return { event: "dialogDone" };
    case "exception":
      return "message" in word && typeof word.message === "string" ? { event: "exception", message: short(word.message) } : undefined;
    default: return undefined;
  }
}

/** Short, no half pair at the cut, well formed. */
export function short(text: string): string {
  return text.slice(0, TEXT_LIMIT).toWellFormed();
}
