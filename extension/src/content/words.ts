// Strings on their way out of the page: folded, cut without splitting a character, well formed.

/** White space as CSS sees it, and the no-break space. Zero-width characters stay: they are part of words in some scripts. */
const BLANKS = /[ \t\n\r\f\u00a0]+/g;
const NEEDS_FOLDING = /[\t\n\r\f\u00a0]| {2}|^ | $/;

/** Runs of white space become one space, ends are trimmed. */
export function fold(text: string): string {
  return NEEDS_FOLDING.test(text) ? text.replace(BLANKS, " ").trim() : text;
}

/** As a person reads it, to be compared: folded, without the marks where a word may be broken. */
export function readable(text: string): string {
  return fold(text.includes("\u00ad") ? text.replaceAll("\u00ad", "") : text);
}

export function isBlank(text: string): boolean {
  return !/[^ \t\n\r\f\u00a0]/.test(text);
}

/** Halves of surrogate pairs replaced since the last count. */
let lone = 0;

/** How many halves of surrogate pairs were replaced since the last call. */
export function takeLone(): number {
  const count = lone;
  lone = 0;
  return count;
}

/** The count so far, not taken. */
export function loneSoFar(): number {
  return lone;
}

function halves(text: string): number {
  let count = 0;
  for (const sign of text) if (sign.length === 1 && sign >= "\ud800" && sign <= "\udfff") count++;
  return count;
}

/** At most `limit` UTF-16 units, never half a pair; no lone surrogate leaves the page. */
export function cut(text: string, limit: number): string {
  if (!text.isWellFormed()) lone += halves(text);
  if (text.length <= limit) return text.toWellFormed();
  return `${unitsUpTo(text, limit - 1).toWellFormed()}…`;
}

/** The first `limit` UTF-16 units, one less when the last would be half a pair. */
export function unitsUpTo(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}

/** Controls that turn text around, and the signs that fence a page's text in a reply: shown as what they are not. */
const TURNING = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g;
const SPOOFING = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\u00ab\u00bb\n\r]/;

/** Text of a page for one line of a report: it turns nothing around, opens no fence, begins no line. */
export function tame(text: string): string {
  if (!SPOOFING.test(text)) return text;
  return text.replace(TURNING, "").replace(/\u00ab/g, "‹").replace(/\u00bb/g, "›").replace(/[\r\n]+/g, " ");
}

/** In double quotes, short. */
export function quote(text: string, limit = 60): string {
  return `"${cut(fold(text), limit)}"`;
}

/** JSON text that every parser takes: lone surrogates, which JSON.stringify writes as escapes, are replaced. */
export function toJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (!/\\ud[89a-f]/.test(json)) return json;
  return JSON.stringify(value, (_key, inner: unknown) => (typeof inner === "string" ? inner.toWellFormed() : inner));
}
