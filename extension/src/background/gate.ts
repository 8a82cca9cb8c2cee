// Whether a listener's source shows that it does nothing with an untrusted event. Pure text; what is not plainly so is not so.

/** `event.isTrusted`, however the event is called. */
const TRUSTED = String.raw`[\w$]+(?:\.(?:nativeEvent|originalEvent))?\.isTrusted`;
const TURNED_AWAY = new RegExp(String.raw`^if\(!${TRUSTED}(?:\|\|[^;{}]*)?\)(?:\{return;?\}|return[;}])`);
const ONLY_WHEN = new RegExp(String.raw`^if\(${TRUSTED}(?:&&[^;{}]*)?\)\{`);
const SHORT = new RegExp(String.raw`^${TRUSTED}&&`);

/** What only takes down that an event came: a line on the console, or in a list that says of it whether it was trusted. */
const NOTED = /^(?:console\.\w+\([^(){};`]*\);|[\w$.]+\.push\([^(){};`]*\.isTrusted[^(){};`]*\);)+/;

/** First statement, but for taking down that the event came, turns untrusted events away, or holds everything the function does. */
export function isGated(source: string): boolean {
  const body = bodyOf(source)?.replace(NOTED, "");
  if (body === undefined) return false;
  if (TURNED_AWAY.test(body)) return true;
  const only = ONLY_WHEN.exec(body);
  if (only !== null) {
    const end = blockEnd(body, only[0].length);
    return end !== null && /^\}?;?$/.test(body.slice(end));
  }
  // A short arrow: everything stands behind the check, and nothing behind that.
  return SHORT.test(body) && !/[;,{}]|\|\|/.test(body);
}

/** The body without white space and comments, from after its brace on; null where strings make the text uncertain. */
function bodyOf(source: string): string | null {
  const plain = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  const arrow = /^(?:async\s*)?(?:\([^()]*\)|[\w$]+)\s*=>\s*/.exec(plain);
  const head = arrow ?? /^(?:async\s+)?(?:function\b)?\s*[\w$]*\s*\([^()]*\)\s*/.exec(plain);
  if (head === null) return null;
  const rest = plain.slice(head[0].length).replace(/\s+/g, "");
  if (rest.startsWith("{")) return rest.slice(1);
  return arrow === null ? null : rest;
}

/** Index right behind the brace that closes the block; null when strings or templates may hide braces. */
function blockEnd(body: string, start: number): number | null {
  let depth = 1;
  for (let at = start; at < body.length; at++) {
    const char = body[at];
    if (char === "`") return null;
    if (char === "\"" || char === "'") {
      const close = body.indexOf(char, at + 1);
      if (close < 0) return null;
      at = close;
    } else if (char === "{") depth++;
    else if (char === "}" && --depth === 0) return at + 1;
  }
  return null;
}
