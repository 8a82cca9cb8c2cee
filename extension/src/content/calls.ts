// What the worker may ask of this document, call by call.

import type { Node } from "../generated/protocol";
import type { PageCalls, Wanted } from "../shared/pageCalls";
import { askChecked, check } from "./act/check";
import { approach, click, hoverOver } from "./act/click";
import { editingHost, innerField } from "./act/editable";
import { elementAt } from "./act/hit";
import { drag } from "./act/drag";
import { fill, ownerOf, plan, submitFormOf } from "./act/fill";
import { focusedHere, giveFocus } from "./act/focus";
import type { PayGuard } from "./act/guard";
import { locate, pointed } from "./act/locate";
import { activatedBy, moneyAt } from "./act/money";
import { drainMicrotasks, tick } from "./act/pause";
import { prepare, resolve } from "./act/prepare";
import { scrollBy, scrollerOf } from "./act/scroll";
import { askOptions, listOf, select, shownLists } from "./act/select";
import { Armed, armTyping, defaultAction } from "./act/trusted";
import { askText, type } from "./act/type";
import { askFiles, DragWatch, fileInputOf } from "./act/upload";
import { describe, factsOf } from "./describe";
import type { Page } from "./page";
import { PanelHost } from "./panel/panel";
import { boxesIn, boxInView } from "./read/boxes";
import { fetchHere } from "./read/fetch";
import { findByCss, findByName, findByNames } from "./read/find";
import { htmlOf } from "./read/html";
import { probe } from "./read/probe";
import { queryBySelector, queryByText } from "./read/query";
import { search } from "./read/search";
import { visibleText } from "./read/text";
import { liveRoots } from "./tree/composed";
import { within } from "./tree/options";
import type { Part } from "./tree/options";
import { rememberSecret, scrub, SECRET_FIELDS, secretsAmong, secretsIn } from "./tree/secret";
import type { Asked } from "./watch/asked";
import { Watch } from "./watch/watch";
import type { Sees } from "./watch/watch";
import { cut, takeLone, toJson } from "./words";

/** Answers of all calls. */
export type Answers = { [K in keyof PageCalls]: (params: PageCalls[K]["params"]) => PageCalls[K]["result"] | Promise<PageCalls[K]["result"]> };

declare global {
  /** Where the debugger finds the node whose listeners are asked for. */
  var tegataNode: Element | undefined;
}

/** The calls of one document. */
export function callsOf(page: Page, guard: PayGuard, touched: () => void): Answers {
  let watch: Watch | undefined;
  let armed: Armed | undefined;
  let drags: DragWatch | undefined;
  /** Lists that were shown before the control was pressed whose list is looked for. */
  let lists: ReadonlySet<Element> = new Set();
  const panels = new PanelHost();

  const watchOf = (id: number, target: Element | undefined, sees: Sees = {}): Watch => {
    page.watch();
    // A trusted retry keeps the watch of its first try.
    if (watch?.id !== id) watch = new Watch(page, id, target, sees);
    return watch;
  };
  const known = (id: number): Watch => {
    if (watch?.id !== id) throw new Error(`watch ${id} is not known here`);
    return watch;
  };
  /** The node was prepared just now; if it changed since, the call fails before anything is dispatched. */
  const elementOf = (node: number): Element => {
    const element = resolve(page, node);
    if (!(element instanceof Element)) throw new Error(`node ${node} is ${element.reason}`);
    return element;
  };

  return {
    touch: ({ doc, frame, parent, children }) => {
      const historyMs = page.touch(doc, frame, parent, children);
      touched();
      return { historyMs, contentType: document.contentType };
    },
    announce: ({ nonce }) => {
      page.frames.announce(nonce);
      return null;
    },
    take: ({ node, viewport, base, ahead }) => {
      const inside = node === null ? undefined : resolve(page, node);
      if (inside !== undefined && !(inside instanceof Element)) return { kind: "refused", refusal: inside };
      return { kind: "read", tree: take(page, inside === undefined ? { viewport } : { inside, viewport }, base, ahead) };
    },
    text: ({ node }) => {
      const element = node === null ? document.body : resolve(page, node);
      if (element === null) return { kind: "read", text: "", lone: 0 };
      if (!(element instanceof Element)) return { kind: "refused", refusal: element };
      takeLone();
      const text = scrub(visibleText(element), secretsIn(liveRoots()));
      return { kind: "read", text, lone: takeLone() };
    },
    find: (by) => (by.by === "css" ? findByCss(page, by.selector) : findByName(page, by)),
    findAll: ({ names }) => findByNames(page, names),
    facts: ({ node }) => {
      const element = resolve(page, node);
      return element instanceof Element ? { kind: "known", facts: factsOf(element, page.refs, page.doc) } : { kind: "refused", refusal: element };
    },
    guard: ({ gate }) => {
      if (gate === null) return guard.rest();
      guard.arm(gate);
      return null;
    },
    scrub: ({ text }) => scrub(text, secretsIn(liveRoots())),
    prepare: ({ node, action, ...more }) => {
      guard.clear();
      return prepare(page, node, action, more);
    },
    pressing: ({ key, alt, gate }) => moneyAt(page, gate, activatedBy(key, alt)) ?? null,
    scroller: ({ node, child, scroll }) => scrollerOf(page, node !== null ? elementOf(node) : child === undefined ? undefined : page.frames.elementOf(child), scroll),
    pointed: ({ point }) => pointed(page, point),
    focused: () => focusedHere(page),
    focus: ({ node }) => ({ focused: giveFocus(elementOf(node)) }),
    locate: ({ child, point, scroll }) => locate(page, child, point, scroll),
    begin: ({ watch: id }) => {
      watchOf(id, undefined);
      return null;
    },
    click: async ({ node, watch: id, point, press, gate }) => {
      await approach(elementOf(node), point);
      // What the page did under the pointer may have changed the node: then nothing is pressed.
      const element = resolve(page, node);
      if (!(element instanceof Element)) return { refused: element, look: watchOf(id, undefined).look() };
      const stopped = moneyAt(page, gate, [elementAt(point), element]);
      if (stopped !== undefined) return { stopped, look: watchOf(id, element).look() };
      return await click(page, watchOf(id, element), element, point, press);
    },
    scroll: ({ node, watch: id, scroll, found }) => {
      const element = elementOf(node);
      return scrollBy(page, watchOf(id, element, { scroll: true }), element, scroll, found);
    },
    dragging: async () => {
      await tick();
      return { started: armed?.dragging === true };
    },
    drag: ({ node, watch: id, from, to, gate }) => {
      const element = elementOf(node);
      const stopped = moneyAt(page, gate, [elementAt(from), element]);
      if (stopped !== undefined) return { stopped, look: watchOf(id, element).look() };
      return drag(page, watchOf(id, element, { place: true }), element, from, to);
    },
    hover: ({ node, watch: id, point }) => {
      const element = elementOf(node);
      return hoverOver(page, watchOf(id, element, { hover: true }), element, point);
    },
    want: ({ node, watch: id, field, wanted }) => {
      const element = elementOf(node);
      watchOf(id, element).ask(field, askedOf(element, wanted));
      return null;
    },
    check: async ({ node, watch: id, point, checked }) => {
      await approach(elementOf(node), point);
      const element = elementOf(node);
      const now = watchOf(id, element);
      now.ask(0, askChecked(element, checked));
      return await check(page, now, element, point, checked);
    },
    select: ({ node, watch: id, options }) => {
      const element = elementOf(node);
      const now = watchOf(id, element);
      now.ask(0, askOptions(element, options));
      return select(page, now, element, options);
    },
    fileInput: ({ node }) => {
      const input = fileInputOf(elementOf(node));
      globalThis.tegataNode = input;
      return input === undefined ? {} : { expression: "globalThis.tegataNode" };
    },
    dragWatch: () => {
      drags?.taken();
      drags = new DragWatch();
      return null;
    },
    dragTaken: () => ({ taken: drags?.taken() ?? false }),
    plan: ({ fields }) => plan(page, fields),
    fill: async ({ watch: id, fields }) => {
      const first = fields[0] === undefined ? undefined : resolve(page, fields[0].node);
      const now = watchOf(id, first instanceof Element ? first : undefined);
      const receipts = await fill(page, now, fields);
      return { receipts, look: now.look() };
    },
    owner: ({ nodes }) => ownerOf(page, nodes),
    submit: async ({ node, watch: id }) => {
      const element = elementOf(node);
      const now = watchOf(id, element);
      const delivered = describe(element, page.refs, page.doc);
      now.beginSync();
      submitFormOf(element);
      await drainMicrotasks();
      now.endSync();
      return { delivered, look: now.look() };
    },
    list: ({ node, watch: id }) => {
      const element = elementOf(node);
      // Before the first press: what is shown already belongs to others.
      if (id === null) lists = shownLists();
      return listOf(page, element, lists);
    },
    type: ({ node, watch: id, text, append, submit, gate }) => {
      const element = elementOf(node);
      rememberSecret(innerField(element) ?? editingHost(element) ?? element, text);
      return type(page, watchOf(id, element), element, { text, append, submit, ...(gate === undefined ? {} : { gate }) });
    },
    arm: ({ node, watch: id, action, append, text, field, caret, gate, point }) => {
      const element = elementOf(node);
      const stopped = moneyAt(page, gate, point === undefined ? [element] : [elementAt(point), element]);
      if (stopped !== undefined) return { focused: false, stopped };
      const watch = watchOf(id, element, { caret: action === "keys" || caret === true, hover: action === "hover", place: action === "drag" });
      if (text !== null) rememberSecret(innerField(element) ?? editingHost(element) ?? element, text);
      armed?.disarm();
      armed = new Armed(page, watch, element, action, { append, text });
      if (action !== "type") return { focused: document.hasFocus() };
      if (field !== undefined) watch.ask(field, askText(element, text ?? ""));
      return armTyping(element, append, text).then((ready) => ({ ...ready, excerpt: armed?.excerpt === true }));
    },
    placed: () => {
      armed?.placed();
      return null;
    },
    typed: async () => {
      await drainMicrotasks();
      return { beginUnseen: armed?.beginUnseen === true };
    },
    received: ({ watch: id, text }) => {
      if (armed === undefined) throw new Error("nothing is armed");
      return armed.received(page, known(id), text);
    },
    look: ({ watch: id }) => known(id).look(),
    listeners: ({ node }) => {
      const element = elementOf(node);
      globalThis.tegataNode = element;
      const word = defaultAction(element);
      return word === undefined ? { expression: "globalThis.tegataNode" } : { expression: "globalThis.tegataNode", defaultAction: word };
    },
    probe: ({ conditions }) => probe(page, conditions),
    html: ({ node, shown, limit }) => {
      const element = node === null ? document.documentElement : resolve(page, node);
      if (!(element instanceof Element)) return { kind: "refused", refusal: element };
      return { kind: "read", title: cut(document.title, 300), ...htmlOf(element, shown, limit) };
    },
    search: ({ limit, ...wanted }) => search(page, wanted, limit),
    query: (by) => (by.by === "css" ? queryBySelector(page, by.selector, by.fields, by.limit) : queryByText(page, by.text, by.limit)),
    fetch: fetchHere,
    boxes: ({ refs }) => boxesIn(page, refs),
    box: ({ node }) => {
      const element = resolve(page, node);
      return element instanceof Element ? { kind: "at", box: boxInView(element) } : { kind: "refused", refusal: element };
    },
    panel: (panel) => panels.set(panel),
    veil: ({ on }) => {
      panels.veil(on);
      return null;
    },
    echo: () => null,
  };
}

/** What is asked of an element. */
function askedOf(element: Element, wanted: Wanted): Asked {
  switch (wanted.kind) {
    case "checked": return askChecked(element, wanted.checked);
    case "options": return askOptions(element, wanted.options);
    case "text": return askText(element, wanted.text);
    case "files": return askFiles(element, wanted.names);
  }
}

/** Without what is secret; nodes that hold none of it stay the same. */
function clean(node: Node, secrets: readonly string[]): Node {
  const name = node.name === undefined ? undefined : scrub(node.name, secrets);
  const text = node.value?.kind === "plain" ? scrub(node.value.text, secrets) : undefined;
  const value = node.value?.kind === "plain" && text !== node.value.text ? { value: { kind: "plain" as const, text: text ?? "" } } : undefined;
  return name === node.name && value === undefined ? node : { ...node, ...(name === undefined ? {} : { name }), ...value };
}

/** The whole document as JSON text, made once: what is different from the tree `base` when that is the latest that was told. */
function take(page: Page, part: Part, base: number | null, ahead: boolean): string {
  takeLone();
  // Who holds nothing gets a walk of everything.
  if (base === null) page.seals.clear();
  const walked = page.walk();
  const secrets = secretsAmong(page.all(SECRET_FIELDS));
  const nodes = secrets.length === 0 ? walked.nodes : walked.nodes.map((node) => clean(node, secrets));
  const vanished = (ahead ? [] : page.passing.takeVanished()).map((one) => ({ ...one, text: scrub(one.text, secrets) }));
  const pairs = within(walked, part);
  const told = page.taken.fields(nodes, base);
  const lone = takeLone();
  const unreadable = nodes.length === 0 && document.readyState === "loading" ? { unreadable: "the page is still loading: nothing of it is shown yet" } : {};
  const rest = toJson({
    ...unreadable, frame: page.frame, ...(page.parent === null ? {} : { parent: page.parent }), doc: page.doc, url: location.href,
    ...(pairs === undefined ? {} : { within: pairs }), ...(vanished.length === 0 ? {} : { vanished }), ...(lone === 0 ? {} : { lone }),
  });
  return `${rest.slice(0, -1)},${told}}`;
}
