// Proofs of the link (crates/protocol/src/frame.rs): hex HMAC-SHA256 over a labelled pair of nonces.

/** Who proves. */
export type Side = "daemon" | "extension";

/** Raw bytes of a hex string; null when it is none. */
export function bytesOf(hex: string): Uint8Array<ArrayBuffer> | null {
  if (hex.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(hex)) return null;
  const bytes = new Uint8Array(hex.length / 2);
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16);
  return bytes;
}

/** Lower-case hex. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** `length` random bytes in hex. */
export function randomHex(length: number): string {
  return hexOf(crypto.getRandomValues(new Uint8Array(length)));
}

/** HMAC-SHA256 in hex. */
export async function hmac(keyHex: string, text: string): Promise<string> {
  const key = bytesOf(keyHex);
  if (key === null || key.length === 0) throw new Error("the key is not hex");
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return hexOf(new Uint8Array(await crypto.subtle.sign("HMAC", imported, new TextEncoder().encode(text))));
}

/** Proof of one side. */
export function proofOf(side: Side, keyHex: string, extensionNonce: string, daemonNonce: string): Promise<string> {
  return hmac(keyHex, `tegata/1/${side}/${extensionNonce}/${daemonNonce}`);
}

/** Secret that both keep after pairing with a one-time code. */
export function secretOf(codeHex: string, extensionNonce: string, daemonNonce: string): Promise<string> {
  return hmac(codeHex, `tegata/1/secret/${extensionNonce}/${daemonNonce}`);
}

/** Compares in a time that does not depend on where they differ. */
export function sameText(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let at = 0; at < a.length; at++) difference |= a.charCodeAt(at) ^ b.charCodeAt(at);
  return difference === 0;
}
