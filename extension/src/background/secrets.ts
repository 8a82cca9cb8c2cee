// What was typed into secret fields, and how it is kept out of everything that is told: titles, addresses, dialogs, exceptions, the
// evidence of other documents. Known to this life of the worker only, and forgotten with the tab.

/** Long enough to be told from ordinary words. */
const TELLING = 4;
const MOST = 16;
/** Parts of a frame whose text comes from a page. All others are words and numbers of the protocol. */
const FROM_PAGES: ReadonlySet<string> = new Set(["error", "favicon", "href", "label", "message", "missing", "name", "remark", "text", "title", "url", "value", "what"]);
const HIDDEN = "•".repeat(8);

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** See the file's head. */
export class Secrets {
  private readonly tabs = new Map<number, Set<string>>();
  private pattern: RegExp | null = null;

  /** This was typed into a secret field of the tab. */
  note(tab: number, text: string): void {
    if (text.length < TELLING) return;
    const known = this.tabs.get(tab) ?? new Set<string>();
    this.tabs.set(tab, known);
    known.add(text);
    for (const oldest of known) {
      if (known.size <= MOST) break;
      known.delete(oldest);
    }
    this.build();
  }

  forget(tab: number): void {
    if (this.tabs.delete(tab)) this.build();
  }

  /** A frame's JSON text without them. */
  scrub(json: string): string {
    const { pattern } = this;
    if (pattern === null) return json;
    pattern.lastIndex = 0;
    if (!pattern.test(json) && !json.includes("\\")) return json;
    return JSON.stringify(JSON.parse(json, (key, value: unknown): unknown => {
      if (!FROM_PAGES.has(key)) return value;
      if (typeof value === "string") return this.hide(value);
      return Array.isArray(value) ? value.map((one: unknown) => (typeof one === "string" ? this.hide(one) : one)) : value;
    }));
  }

  private hide(text: string): string {
    return this.pattern === null ? text : text.replace(this.pattern, HIDDEN);
  }

  private build(): void {
    const forms = new Set<string>();
    for (const texts of this.tabs.values()) {
      for (const text of texts) {
        const encoded = encodeURIComponent(text.toWellFormed());
        for (const form of [text, encoded, encoded.replaceAll("%20", "+")]) forms.add(form);
      }
    }
    const longestFirst = [...forms].sort((a, b) => b.length - a.length);
    this.pattern = longestFirst.length === 0 ? null : new RegExp(longestFirst.map(literally).join("|"), "gi");
  }
}
