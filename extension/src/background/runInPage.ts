// What runs in the page's own world around an agent's code. It goes there as text: nothing outside of the function is known to it.

/** How it ended, and the value or the error as text, cut. */
export interface Ran {
  end: "value" | "thrown" | "late" | "blocked" | "gone";
  text: string;
  total: number;
}

/** Evaluates as a script of the page would be, awaits a promise, and puts the value into text. */
export async function runInPage(code: string, limitMs: number, limit: number): Promise<Ran> {
  const most = 20_000;
  let count = 0;
  const around = new Set<object>();
  const show = (value: unknown, depth: number): unknown => {
    count++;
    if (count > most) return "[cut]";
    switch (typeof value) {
      case "bigint": return `${value}n`;
      case "function": return `[function ${value.name}]`;
      case "symbol": return value.toString();
      case "undefined": return depth === 0 ? "[undefined]" : undefined;
      case "number": return Number.isFinite(value) ? value : `[${value}]`;
      case "object": break;
      default: return value;
    }
    if (value === null) return null;
    if (value instanceof Element) return value.outerHTML.slice(0, 300);
    if (value instanceof Node) return `[${value.nodeName}]`;
    if (value instanceof Error) return `[${value.name}: ${value.message}]`;
    if (value instanceof Window) return "[window]";
    if (around.has(value)) return "[circular]";
    if (depth > 12) return "[deeper]";
    around.add(value);
    try {
      if ("toJSON" in value && typeof value.toJSON === "function") return show(Reflect.apply(value.toJSON, value, []), depth + 1);
      if (value instanceof Map) return [...value].map(([key, inner]) => [show(key, depth + 1), show(inner, depth + 1)]);
      if (value instanceof Set || value instanceof NodeList || value instanceof HTMLCollection || Array.isArray(value)) return [...value].slice(0, most).map((inner: unknown) => show(inner, depth + 1) ?? null);
      const out: Record<string, unknown> = {};
      for (const key of Object.keys(value).slice(0, most)) {
        try {
          out[key] = show(Reflect.get(value, key), depth + 1);
        } catch (error) {
          out[key] = `[getter threw ${String(error)}]`;
        }
      }
      return out;
    } finally {
      around.delete(value);
    }
  };
  const told = (end: Ran["end"], text: string): Ran => ({ end, text: text.slice(0, limit).toWellFormed(), total: text.length });
  const failed = (error: unknown): Ran => told("thrown", error instanceof Error ? `${error.name}: ${error.message}${error.stack === undefined ? "" : `\n${error.stack.split("\n").filter((line) => line.includes("<anonymous>")).slice(0, 3).join("\n")}`}` : JSON.stringify(show(error, 1)) ?? "undefined");
  // Indirect: in the global scope, as a script.
  const script: (text: string) => unknown = globalThis.eval;
  const PARSED = "tegata: it parses";
  /** Whether it parses, without running any of it: the first statement throws. */
  const parse = (text: string): unknown => {
    try {
      script(`throw "${PARSED}";\n${text}`);
    } catch (error) {
      return error === PARSED ? undefined : error;
    }
    return undefined;
  };
  let body = code;
  const wrong = parse(body);
  if (wrong !== undefined) {
    const said = wrong instanceof Error ? wrong.message : "";
    if (wrong instanceof EvalError || /unsafe-eval|Content Security Policy|Trusted ?Script|TrustedScript|Trusted Types/i.test(said)) return { end: "blocked", text: "", total: 0 };
    // `await` and `return` at the top are what people write; an expression is its own value.
    const wrapped = [`(async () => (\n${code.trim().replace(/;$/, "")}\n))()`, `(async () => {\n${code}\n})()`].find((text) => parse(text) === undefined);
    if (!/\b(?:await|return)\b/.test(code) || wrapped === undefined) return failed(wrong);
    body = wrapped;
  }
  let value: unknown;
  try {
    value = script(body);
    if (typeof value === "object" && value !== null && "then" in value && typeof value.then === "function") {
      const none = Symbol("late");
      let timer: ReturnType<typeof setTimeout> | undefined;
      const first = await Promise.race([Promise.resolve(value), new Promise((resolve) => { timer = setTimeout(() => { resolve(none); }, limitMs); })]);
      clearTimeout(timer);
      if (first === none) return { end: "late", text: "", total: 0 };
      value = first;
    }
  } catch (error) {
    return failed(error);
  }
  try {
    const shown = show(value, 0);
    return told("value", typeof shown === "string" && shown.startsWith("[") && typeof value !== "string" ? shown : JSON.stringify(shown));
  } catch (error) {
    return failed(error);
  }
}
