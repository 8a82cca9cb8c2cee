// Many fields in one command: found first, all checked before anything is dispatched, then filled document by document. What needs
// several steps (lists made by the page, rich editors) goes one by one afterwards, by the ways of `form/select` and `keyboard/type`.

import type { Act, FillField, Filled, FormFill, Look, Owner, Receipt, Refusal, Target } from "../generated/protocol";
import type { PageField, PageLook, Planned } from "../shared/pageCalls";
import { messageOf } from "../shared/text";
import { act } from "./act";
import { resolveAll } from "./aim";
import { choose } from "./choose";
import { typing } from "./commands/keyboard";
import { DialogOpened } from "./dialogs";
import { Failure, stopIfCancelled } from "./failure";
import type { Doc } from "./pages";
import type { Parts } from "./parts";

interface Found {
  field: number;
  doc: Doc;
  node: number;
}

/** Reasons that an earlier field of the same call may take away. */
const PASSING: ReadonlySet<Refusal["reason"]> = new Set(["disabled", "notVisible", "notEditable"]);

/** See the file's head. */
export async function fillFields(parts: Parts, params: FormFill, signal: AbortSignal): Promise<Filled> {
  return await new Filling(parts, params, signal).run();
}

class Filling {
  private readonly parts: Parts;
  private readonly params: FormFill;
  private readonly signal: AbortSignal;
  private readonly receipts = new Map<number, Receipt>();
  private facts: Extract<Planned, { kind: "ready" }>["facts"] | undefined;

  constructor(parts: Parts, params: FormFill, signal: AbortSignal) {
    this.parts = parts;
    this.params = params;
    this.signal = signal;
  }

  async run(): Promise<Filled> {
    const { book, pages, watches } = this.parts;
    const { tab, watch: number } = this.params;
    const docs = await pages.ready(tab, book.page(tab));
    const found = await this.find(docs);
    const plans = new Map<number, Planned>();
    for (const group of byDocument(found)) await this.plan(group, plans);
    const begun = found.filter((one) => { const kind = plans.get(one.field)?.kind; return kind === "ready"; });
    const first = begun[0];
    if (first === undefined) return this.nothing();
    stopIfCancelled(this.signal);
    const watch = await watches.begin(number, first.doc, docs);
    let look: Look;
    try {
      const own = await this.fillAll(begun, plans);
      // What was disabled or hidden before may not be any more.
      const again = found.filter((one) => { const receipt = this.receipts.get(one.field); return receipt?.kind === "refused" && PASSING.has(receipt.refusal.reason); });
      if (again.length > 0) await this.fillAgain(again);
      watches.dispatched(watch);
      look = await watches.firstLook(watch, again.length > 0 ? null : own);
    } catch (thrown) {
      if (!(thrown instanceof DialogOpened)) throw thrown;
      for (const one of found) if (!this.receipts.has(one.field)) this.receipts.set(one.field, { kind: "unknown", why: "a dialog opened" });
      watches.dispatched(watch);
      look = await watches.firstLook(watch, null);
    }
    const before = this.facts;
    if (before === undefined) return this.nothing();
    return { act: { kind: "done", input: "synthetic", before, delivered: before.described, look }, receipts: this.list() };
  }

  private list(): Receipt[] {
    return this.params.fields.map((_, field) => this.receipts.get(field) ?? { kind: "unknown", why: "it was not reached" });
  }

  /** No field took input. */
  private nothing(): Filled {
    const receipts = this.list();
    const refusals = receipts.flatMap((receipt) => (receipt.kind === "refused" ? [receipt.refusal] : []));
    return { act: { kind: "refused", refusal: { reason: "several", refusals } }, receipts };
  }

  private async find(docs: readonly Doc[]): Promise<Found[]> {
    const { pages } = this.parts;
    const found: Found[] = [];
    const places = new Map<string, number>();
    const resolved = await resolveAll(pages, docs, this.params.fields.map(({ target }) => target));
    for (const [field, one] of resolved.entries()) {
      if (one.kind === "refused") {
        this.receipts.set(field, one);
        continue;
      }
      const place = `${one.doc.ordinal}/${one.node}`;
      const twin = places.get(place);
      if (twin !== undefined) throw new Failure("invalid_argument", `fields ${twin + 1} and ${field + 1} are the same element; nothing was filled`);
      places.set(place, field);
      found.push({ field, doc: one.doc, node: one.node });
    }
    return found;
  }

  private async plan(group: readonly Found[], plans: Map<number, Planned>): Promise<void> {
    const doc = group[0]?.doc;
    if (doc === undefined) return;
    const planned = await this.parts.pages.ask(doc, "plan", { fields: group.map((one) => this.page(one)) });
    for (const [at, one] of group.entries()) {
      const plan = planned[at];
      if (plan === undefined) continue;
      plans.set(one.field, plan);
      if (plan.kind === "refused") this.receipts.set(one.field, plan);
      else if (plan.kind === "already") this.receipts.set(one.field, { kind: "already", field: plan.facts.described });
      else {
        this.facts ??= plan.facts;
        const value = this.params.fields[one.field]?.value;
        if (value?.kind === "text" && plan.facts.secret) this.parts.secrets.note(this.params.tab, value.text);
      }
    }
  }

  /** Those that the documents can fill themselves, then the others; the look of the first document when it is the last word. */
  private async fillAll(begun: readonly Found[], plans: ReadonlyMap<number, Planned>): Promise<PageLook | null> {
    const later = (one: Found) => { const plan = plans.get(one.field); return plan?.kind === "ready" ? plan.later : null; };
    const groups = byDocument(begun.filter((one) => later(one) === null));
    let own: PageLook | null = null;
    for (const [at, group] of groups.entries()) {
      const look = await this.fillGroup(group);
      own = at === 0 && groups.length === 1 ? look : null;
    }
    for (const one of begun) {
      const kind = later(one);
      if (kind === null) continue;
      own = null;
      stopIfCancelled(this.signal);
      this.receipts.set(one.field, await this.fillLater(one, kind));
    }
    return own;
  }

  private async fillGroup(group: readonly Found[]): Promise<PageLook | null> {
    const doc = group[0]?.doc;
    if (doc === undefined) return null;
    try {
      const done = await this.parts.pages.ask(doc, "fill", { watch: this.params.watch, fields: group.map((one) => this.page(one)) });
      for (const [at, one] of group.entries()) {
        const receipt = done.receipts[at];
        if (receipt !== undefined) this.receipts.set(one.field, receipt);
      }
      return done.look;
    } catch (thrown) {
      if (thrown instanceof DialogOpened) throw thrown;
      // The document went away or hangs: what it had taken until then cannot be told.
      for (const one of group) this.receipts.set(one.field, { kind: "unknown", why: messageOf(thrown) });
      return null;
    }
  }

  private async fillAgain(again: readonly Found[]): Promise<void> {
    const plans = new Map<number, Planned>();
    for (const group of byDocument(again)) await this.plan(group, plans);
    const begun = again.filter((one) => plans.get(one.field)?.kind === "ready");
    if (begun.length > 0) await this.fillAll(begun, plans);
  }

  private async fillLater({ field, doc, node }: Found, kind: "list" | "editor"): Promise<Receipt> {
    const { tab, watch } = this.params;
    const value = this.params.fields[field]?.value;
    const target: Target = { by: "ref", doc: doc.ordinal, node };
    if (value === undefined || value.kind === "checked") return { kind: "unknown", why: "it is no text" };
    let done: Act;
    if (kind === "list") {
      const options = value.kind === "options" ? value.options : [value.text];
      done = await choose(this.parts, { tab, target, options, input: "synthetic", watch }, this.signal, field);
    } else {
      const text = value.kind === "text" ? value.text : value.options.join("");
      await this.parts.pages.ask(doc, "want", { node, watch, field, wanted: { kind: "text", text } });
      done = await act(this.parts, typing(this.parts, { tab, target, text, append: false, submit: false, input: "synthetic", watch }, true), this.signal);
    }
    switch (done.kind) {
      case "refused": return done;
      case "already": return { kind: "already", field: done.before.described };
      case "done": return { kind: "done", field: done.before.described, ...(done.accepted === undefined ? {} : { accepted: done.accepted }) };
    }
  }

  private page({ field, node }: Found): PageField {
    return { field, node, value: (this.params.fields[field] ?? missing()).value };
  }
}

function missing(): FillField {
  throw new Failure("internal", "a field is missing");
}

function byDocument(found: readonly Found[]): Found[][] {
  const groups = new Map<string, Found[]>();
  for (const one of found) groups.set(one.doc.documentId, [...(groups.get(one.doc.documentId) ?? []), one]);
  return [...groups.values()];
}

/** By what fields are submitted together. */
export async function ownerOf(parts: Parts, tab: number, targets: readonly Target[]): Promise<Owner> {
  const { book, pages } = parts;
  const docs = await pages.ready(tab, book.page(tab));
  const resolved = await resolveAll(pages, docs, targets);
  const found = resolved.flatMap((one) => (one.kind === "node" ? [one] : []));
  const doc = found[0]?.doc;
  if (doc === undefined || found.length < targets.length) return { kind: "none", why: "a field left the page while the fields were filled" };
  if (found.some((one) => one.doc.documentId !== doc.documentId)) return { kind: "none", why: "the fields stand in different frames" };
  const owner = await pages.ask(doc, "owner", { nodes: found.map((one) => one.node) });
  return owner.kind === "button" ? { kind: "button", button: { ...owner.button, doc: doc.ordinal } } : owner;
}
