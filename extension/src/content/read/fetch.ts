// A request as the page would make it: its origin, the user's cookies. Bounded in time and bytes.

import type { Content, DataFetch, Fetched } from "../../generated/protocol";

const TEXTUAL = /^(text\/|application\/(json|xml|javascript|x-javascript|ecmascript|graphql|x-www-form-urlencoded|x-ndjson|ld\+json|rss\+xml|atom\+xml|sql|yaml|toml)|image\/svg\+xml|[^;]*\+(json|xml))/i;

/** Fetches, or throws with what the browser says. */
export async function fetchHere({ url, method, headers, body, limit, limitMs }: Omit<DataFetch, "tab">): Promise<Fetched> {
  const stop = new AbortController();
  const timer = setTimeout(() => { stop.abort(); }, limitMs);
  try {
    const answer = await fetch(new URL(url, document.baseURI), {
      method, headers: headers.map(({ name, value }): [string, string] => [name, value]), credentials: "include", signal: stop.signal,
      ...(body === undefined ? {} : { body }),
    });
    const mime = answer.headers.get("content-type") ?? "";
    return { status: answer.status, url: answer.url, mime, content: await contentOf(answer, mime, limit) };
  } finally {
    clearTimeout(timer);
  }
}

async function contentOf(answer: Response, mime: string, limit: number): Promise<Content> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  let isCut = false;
  const reader = answer.body?.getReader();
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) break;
    const room = limit - length;
    parts.push(value.length > room ? value.slice(0, room) : value);
    length += Math.min(value.length, room);
    if (value.length > room) {
      isCut = true;
      await reader.cancel().catch(() => undefined);
      break;
    }
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  const text = decoded(bytes, mime, isCut);
  if (text !== undefined) return { data: text, binary: false, cut: isCut, bytes: length };
  return { data: base64(bytes), binary: true, cut: isCut, bytes: length };
}

/** The bytes as text, unless they are none. */
function decoded(bytes: Uint8Array, mime: string, isCut: boolean): string | undefined {
  const charset = /charset=\s*"?([\w-]+)/i.exec(mime)?.[1] ?? "utf-8";
  const textual = TEXTUAL.test(mime);
  try {
    // A cut may stand in the middle of a character: `stream` holds the half back.
    const text = new TextDecoder(charset, { fatal: !textual }).decode(bytes, { stream: isCut });
    return textual || !text.includes("\0") ? text.toWellFormed() : undefined;
  } catch {
    return undefined;
  }
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(text);
}
