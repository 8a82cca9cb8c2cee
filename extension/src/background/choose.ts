// Choosing from a list: a native one is set by its document; one made by the page is opened, read, and its options are pressed.

import type { Act, FormSelect, Refusal } from "../generated/protocol";
import type { Dispatched, Listed, ListedOption } from "../shared/pageCalls";
import { PLAIN } from "../shared/press";
import { act } from "./act";
import type { Aim } from "./act";
import { Failure, stopIfCancelled } from "./failure";
import type { Parts } from "./parts";

/** So long a list may take to come after the press, or after text was put in. */
const LIST_MS = 1_500;
const PACE_MS = 40;
const SHOWN = 20;

type Open = Extract<Listed, { kind: "open" }>;

/** See the file's head. */
export async function choose(parts: Parts, { tab, target, options, input, watch }: FormSelect, signal: AbortSignal, field = 0): Promise<Act> {
  const { pages } = parts;
  let refusal: Refusal | undefined;
  const done = await act(parts, {
    kind: "select", tab, target, input: "synthetic", watch, options,
    synthetic: async (aim) => {
      const { doc, node } = aim;
      if ((await pages.ask(doc, "list", { node, watch: null })).kind === "native") return await pages.ask(doc, "select", { node, watch, options });
      const chosen = await new Custom(parts, aim, { tab, input, watch, signal, field }).choose(options);
      if ("reason" in chosen) {
        refusal = chosen;
        return { look: await pages.ask(doc, "look", { watch }) };
      }
      return chosen;
    },
    trusted: () => { throw new Failure("unsupported", "lists are not chosen from by trusted input"); },
  }, signal);
  return refusal === undefined ? done : { kind: "refused", refusal };
}

interface Way {
  tab: number;
  input: FormSelect["input"];
  watch: number;
  signal: AbortSignal;
  field: number;
}

/** One list made by the page. */
class Custom {
  private readonly parts: Parts;
  private readonly aim: Aim;
  private readonly way: Way;

  constructor(parts: Parts, aim: Aim, way: Way) {
    this.parts = parts;
    this.aim = aim;
    this.way = way;
  }

  async choose(wanted: readonly string[]): Promise<Dispatched | Refusal> {
    const { pages } = this.parts;
    const { doc, node, facts } = this.aim;
    const { watch, field } = this.way;
    await pages.ask(doc, "want", { node, watch, field, wanted: { kind: "options", options: [...wanted] } });
    let list = await this.list();
    let opened = false;
    if (list.kind !== "open") {
      const refused = await this.press(node);
      if (refused !== undefined) return refused;
      opened = true;
      list = await this.until((now) => now.kind === "open" && now.options.length > 0);
    }
    const missing = wanted.find((word) => find(list, word) === undefined);
    if (missing !== undefined && list.kind !== "native" && list.typed && wanted.length === 1) {
      // A list that is filled by what is typed.
      await pages.ask(doc, "type", { node, watch, text: missing, append: false, submit: false });
      opened = true;
      list = await this.until((now) => find(now, missing) !== undefined);
    }
    if (list.kind !== "open") {
      return { reason: "wrongKind", target: facts.described, what: "was pressed, and no list of options came", instead: "a snapshot, then click what is there" };
    }
    for (const word of wanted) {
      const option = find(list, word);
      if (option === undefined) return noOption(this.aim, word, list, opened);
      if (option.disabled) return { reason: "disabled", target: { role: "option", name: option.label, doc: doc.ordinal, node: option.node }, how: opened ? "aria-disabled; its list is open now" : "aria-disabled" };
    }
    if (wanted.length > 1 && !list.multiple) return { reason: "wrongKind", target: facts.described, what: "takes one option only", instead: "one option" };
    return await this.pressAll(list, wanted);
  }

  /** Presses each option that is not yet as it is to be. */
  private async pressAll(list: Open, wanted: readonly string[]): Promise<Dispatched | Refusal> {
    const { pages } = this.parts;
    const { doc, node, facts } = this.aim;
    const meant = new Set(wanted.map((word) => find(list, word)?.node));
    const changing = list.multiple ? list.options.filter((option) => meant.has(option.node) !== option.selected) : list.options.filter((option) => meant.has(option.node));
    for (const [index, option] of changing.entries()) {
      if (index > 0 && (await this.list()).kind !== "open") {
        // A list that closes at each choice.
        const refused = await this.press(node);
        if (refused !== undefined) return refused;
        await this.until((now) => now.kind === "open");
      }
      const refused = await this.press(option.node);
      if (refused !== undefined) return refused;
    }
    return { delivered: facts.described, look: await pages.ask(doc, "look", { watch: this.way.watch }) };
  }

  private async list(): Promise<Listed> {
    const { doc, node } = this.aim;
    return await this.parts.pages.ask(doc, "list", { node, watch: this.way.watch });
  }

  private async until(met: (list: Listed) => boolean): Promise<Listed> {
    const end = performance.now() + LIST_MS;
    for (;;) {
      const list = await this.list();
      if (met(list) || performance.now() > end) return list;
      stopIfCancelled(this.way.signal);
      await new Promise((resolve) => { setTimeout(resolve, PACE_MS); });
    }
  }

  /** An ordinary click under the same watch. */
  private async press(node: number): Promise<Refusal | undefined> {
    const { pages, trusted } = this.parts;
    const { doc } = this.aim;
    const { tab, input, watch, signal } = this.way;
    const done = await act(this.parts, {
      kind: "click", tab, target: { by: "ref", doc: doc.ordinal, node }, input, watch,
      synthetic: ({ point }) => pages.ask(doc, "click", { node, watch, point, press: PLAIN }),
      trusted: async ({ top }) => {
        if (top === null) throw new Failure("unsupported", "where the frame lies in its page is not known");
        await pages.ask(doc, "arm", { node, watch, action: "click", append: false, text: null });
        await trusted.click(tab, top, PLAIN);
        return await pages.ask(doc, "received", { watch, text: null });
      },
    }, signal);
    return done.kind === "refused" ? done.refusal : undefined;
  }
}

/** By label: exactly, then whatever its case. */
function find(list: Listed, word: string): ListedOption | undefined {
  if (list.kind !== "open") return undefined;
  const folded = word.replace(/\s+/g, " ").trim();
  return list.options.find((option) => option.label === folded) ?? list.options.find((option) => option.label.toLowerCase() === folded.toLowerCase());
}

function noOption({ facts }: Aim, wanted: string, list: Open, opened: boolean): Refusal {
  const labels = list.options.map((option) => option.label);
  return { reason: "noOption", target: facts.described, wanted: wanted.slice(0, 200), options: labels.slice(0, SHOWN), count: labels.length, ...(opened ? { opened } : {}) };
}
