// `PORT-CODE`, as the daemon prints it and the connect page gets it in its address.

/** Reads it; null when it is none. The code is 32 bytes in hex. */
export function readInvitation(text: string): { port: number; code: string } | null {
  const found = /^\s*(?:chrome-extension:\/\/[a-p]{32}\/connect\.html)?#?(\d{1,5})-([0-9a-fA-F]{64})\s*$/.exec(text);
  const port = Number(found?.[1]);
  const code = found?.[2];
  return code === undefined || port < 1 || port > 65535 ? null : { port, code: code.toLowerCase() };
}
