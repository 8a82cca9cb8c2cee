// Cutting text without splitting a surrogate pair.

/** At most `limit` UTF-16 units of well-formed text. */
export function cut(text: string, limit: number): string {
  const formed = text.isWellFormed() ? text : text.toWellFormed();
  if (formed.length <= limit) return formed;
  const last = formed.charCodeAt(limit - 2);
  const end = last >= 0xd800 && last <= 0xdbff ? limit - 2 : limit - 1;
  return `${formed.slice(0, end)}…`;
}

/** The first `limit` UTF-16 units, one less when the last would be half a pair. */
export function unitsUpTo(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}

/** Signs that come by an input method. */
const COMPOSED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u;

/** A person would have this text composed by an input method. */
export function isComposed(text: string): boolean {
  return COMPOSED.test(text);
}

/** Message of whatever was thrown. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message;
  if (typeof thrown === "object" && thrown !== null && "message" in thrown) return String(thrown.message);
  return String(thrown);
}
