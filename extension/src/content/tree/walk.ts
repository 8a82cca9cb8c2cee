// One pass over the composed tree of the document, in rendered order, without recursion: pages nest 2,000 deep.

import type { Node as TreeNode, State } from "../../generated/protocol";
import * as dom from "../dom";
import { cut, fold, isBlank, loneSoFar } from "../words";
import { marked, pointed } from "./clickable";
import { focusedElement, isElement, isText, mayHost } from "./composed";
import { isInlineTag, Names } from "./names";
import type { Refs } from "./refs";
import { ACTIONABLE, isFocusable, levelOf, liveRole, NUMBERED, ONLY_NAMED, roleOf, TRANSPARENT } from "./roles";
import { fieldOf, FIELDS, isChangeable, overflowOf, scrollsByStyle } from "./seals";
import type { Look, Seals } from "./seals";
import { statesOf, valueOf } from "./states";
import { isAriaHidden, isShown, shownAs, shownBy } from "./visibility";

const TEXT_LIMIT = 4_000;
const URL_LIMIT = 200;
const OPTIONS_SHOWN = 50;
const SKIPPED = new Set(["script", "style", "noscript", "template", "head", "meta", "link", "title", "base", "datalist", "param", "source", "track"]);
const CELLS = new Set(["cell", "gridcell", "columnheader", "rowheader"]);
const SCROLLING = new Set("article complementary feed form group list log main menu navigation region table tabpanel".split(" "));
/** Named after their parent's sake: their text is its name. */
const NAMING = new Set(["caption", "legend"]);
/** What an image without a name is looked into for. */
const SPEAKING_INSIDE = "a,[role],[tabindex],[aria-label],[aria-labelledby],g>title";
/** Nothing of the inside can be shown. */
const CLOSED: Readonly<Record<string, string>> = { canvas: "canvas", embed: "embedded object", object: "embedded object", video: "video", audio: "audio", fencedframe: "fenced frame" };

/** Input types that draw their value on a button. */
const DRAWN = new Set(["button", "reset", "submit"]);

/** What is inside is rendered by rules of their own, or not at all. */
const UNTOLD = new Set(["svg", "details", ...Object.keys(CLOSED)]);

/** What a node inherits from the nodes around it. */
interface Around {
  depth: number;
  /** Inside something one acts on. */
  acting: boolean;
  ariaDisabled: boolean;
  inert: boolean;
  /** Text here is invisible. */
  blank: boolean;
  /** Text here was said already: by the name of a node around it. */
  mute: boolean;
  /** Text that repeats a part of this is not said again. */
  said: string;
  /** Own style does not tell what is rendered here. */
  opaque: boolean;
}

/** What is done when all inside an element has been walked: a block ends its line, a cell may take its text for its name. */
interface Leave {
  cell?: { at: number; element: Element };
  block?: Block;
}

/** Where a block began, for the next walk to take it over. */
interface Block {
  element: Element;
  around: Around;
  node: number;
  look: number;
  hidden: number;
  sealed: number;
  /** Characters replaced before: those inside are counted at each walk. */
  lone: number;
}

const BLOCK: Leave = {};

/** A walk's result: nodes in pre-order with the element of each (none for text). */
export interface Walked {
  nodes: TreeNode[];
  elements: (Element | undefined)[];
  /** Where each comes from: its element, or the first text node of a text run. */
  sources: (Element | Text | undefined)[];
  /** Tops of what is not rendered. */
  hidden: Element[];
}

/** What a walk needs to know. */
export interface WalkOptions {
  refs: Refs;
  frameOf: (element: Element) => number | undefined;
  /** Also what is not rendered: to say why it cannot be used. Seals have no say then. */
  withHidden?: boolean;
  /** What the walk before found. */
  seals?: Seals;
  /** Frames were asked for: one that is not known is not there yet, or cannot be. */
  met?: boolean;
}

/** Walks the document. */
export function walk(options: WalkOptions): Walked {
  return new Walk(options).run();
}

class Walk {
  readonly #options: WalkOptions;
  readonly #names = new Names();
  readonly #result: Walked = { nodes: [], elements: [], sources: [], hidden: [] };
  /** Nodes to come, last first, and beside each what it inherits; null stands for the next of what is left. */
  readonly #open: (Node | null)[] = [];
  readonly #inherited: Around[] = [];
  readonly #left: Leave[] = [];
  /** An element never equals nothing: null keeps the default of `statesOf` from asking again. */
  readonly #focused = focusedElement() ?? null;
  #text = "";
  #textSource: Text | undefined;
  #textDepth = 0;
  #textSaid = "";
  readonly #seals: Seals | undefined;
  readonly #looks: Look[] = [];
  readonly #sealed: Element[] = [];
  /** The latest element that has to be walked each time, as a place among the looks. */
  #changeable = -1;
  /** The element that is being entered: what it inherited, and its look. */
  #entered: { around?: Around; look: number; hidden: number } = { look: 0, hidden: 0 };

  constructor(options: WalkOptions) {
    this.#options = options;
    this.#seals = options.withHidden === true ? undefined : options.seals;
  }

  run(): Walked {
    const top = document.documentElement;
    if (top === null) return this.#result;
    this.#seals?.begin(this.#focused, this.#names.mayGenerate(), this.#names.owns.any);
    const behindModal = document.querySelector("dialog:modal") !== null;
    this.#push(top, { depth: 0, acting: false, ariaDisabled: false, inert: behindModal, blank: false, mute: false, said: "", opaque: false });
    for (let step = this.#open.pop(), around = this.#inherited.pop(); step !== undefined && around !== undefined; step = this.#open.pop(), around = this.#inherited.pop()) {
      if (step === null) this.#leave(this.#left.pop() ?? BLOCK);
      else if (isText(step)) this.#addText(step, around);
      else if (isElement(step)) this.#enter(step, around);
    }
    this.#flush();
    return this.#result;
  }

  #push(step: Node | null, around: Around): void {
    this.#open.push(step);
    this.#inherited.push(around);
  }

  #addText(text: Text, around: Around): void {
    if (around.blank || around.mute) return;
    const data = text.data;
    if (this.#text === "") {
      if (isBlank(data)) return;
      this.#textDepth = around.depth;
      this.#textSource = text;
      this.#textSaid = around.said;
    }
    this.#text += data;
  }

  #flush(): void {
    if (this.#text === "") return;
    const text = fold(this.#text);
    this.#text = "";
    if (text === "" || (this.#textSaid !== "" && this.#textSaid.toLowerCase().includes(text.toLowerCase()))) return;
    this.#result.nodes.push({ depth: this.#textDepth, role: "text", name: cut(text, TEXT_LIMIT) });
    this.#result.elements.push(undefined);
    this.#result.sources.push(this.#textSource);
  }

  #leave({ cell: left, block }: Leave): void {
    this.#flush();
    if (block !== undefined) this.#seal(block);
    if (left === undefined) return;
    // A cell that holds only text is named by it.
    const { nodes, elements, sources } = this.#result;
    const cell = nodes[left.at];
    if (cell === undefined) return;
    const inside = nodes.slice(left.at + 1);
    if (inside.length > 0 && inside.every((node) => node.role === "text")) {
      const name = this.#names.content(left.element);
      if (name !== "") cell.name = cut(name, 400);
      nodes.length = left.at + 1;
      elements.length = left.at + 1;
      sources.length = left.at + 1;
    }
    if (cell.role === "gridcell" || cell.states?.includes("clickable") === true) cell.node = this.#options.refs.number(left.element, cell.role, cut(this.#names.content(left.element), 400));
  }

  /** Nothing inside has to be walked each time: the next walk may take it over. */
  #seal({ element, around, node, look, hidden, sealed, lone }: Block): void {
    const { nodes, elements, sources, hidden: tops } = this.#result;
    if (this.#seals === undefined || this.#changeable >= look || lone !== loneSoFar() || !this.#seals.fits(nodes.length - node, this.#sealed.slice(sealed))) return;
    this.#seals.keep(element, {
      around, nodes: nodes.slice(node), elements: elements.slice(node), sources: sources.slice(node), hidden: tops.slice(hidden), looks: this.#looks.slice(look),
    }, this.#sealed.splice(sealed));
    this.#sealed.push(element);
  }

  /** Takes over what the walk before found. */
  #takeOver(element: Element, around: Around): boolean {
    const seal = this.#seals?.take(element, around, this.#names);
    if (seal === undefined) return false;
    this.#flush();
    const { nodes, elements, sources, hidden } = this.#result;
    for (const node of seal.nodes) nodes.push(node);
    for (const one of seal.elements) elements.push(one);
    for (const source of seal.sources) sources.push(source);
    for (const top of seal.hidden) hidden.push(top);
    for (const look of seal.looks) this.#looks.push(look);
    this.#sealed.push(element);
    return true;
  }

  #enter(element: Element, around: Around): void {
    const tag = dom.localName(element);
    if (SKIPPED.has(tag) || this.#takeOver(element, around)) return;
    const style = getComputedStyle(element);
    const look: Look | undefined = this.#seals && { element, style, display: style.display, visibility: style.visibility };
    if (look !== undefined) {
      this.#entered = { around, look: this.#looks.push(look) - 1, hidden: this.#result.hidden.length };
      if (around.opaque || isChangeable(element, tag)) this.#changeable = this.#entered.look;
      if (mayHost(element)) look.empty = true;
    }
    const shown = tag === "option" || tag === "area" ? "shown" : around.opaque ? shownAs(element) : shownBy(style);
    if (shown === "none") {
      this.#result.hidden.push(element);
      if (this.#options.withHidden !== true) return;
    }
    // Most elements of a page carry no attributes: then nothing written on them needs to be asked for.
    const written = dom.hasAttributes(element);
    if (written) {
      if (isAriaHidden(element) && this.#options.withHidden !== true) return;
      if (dom.hasAttribute(element, "inert")) around = { ...around, inert: true };
      else if (around.inert && tag === "dialog" && dom.matches(element, ":modal")) around = { ...around, inert: false };
      if (dom.getAttribute(element, "aria-disabled") === "true") around = { ...around, ariaDisabled: true };
    }
    const blank = shown === "blank";
    if (blank !== around.blank && shown !== "bare") around = { ...around, blank };

    let role = roleOf(element);
    if (written && TRANSPARENT.has(role)) role = liveRole(element) ?? role;
    const inline = isInlineTag(tag);
    let apart = !inline;

    let clickable = false;
    if (!ACTIONABLE.has(role) && !around.acting && !blank) {
      clickable = written && marked(element);
      if (hasOwnText(element) || role === "img") {
        clickable ||= pointed(element, style);
        if (look !== undefined) look.cursor = style.cursor;
        if (look !== undefined && written) [look.size, look.contents] = [style.fontSize, style.contentVisibility];
        // Text of no size is for machines, not for people; skipped content is shown only when searched for.
        if (written && (style.fontSize === "0px" || style.contentVisibility === "hidden")) around = { ...around, blank: true };
        apart ||= !style.display.startsWith("inline") && style.display !== "contents";
      }
      if (!clickable && tag === "label" && element instanceof HTMLLabelElement && element.control !== null && !isShown(element.control)) clickable = true;
    }
    const contents = dom.childElementCount(element) > 0 ? style.contentVisibility : undefined;
    if (!around.opaque && (UNTOLD.has(tag) || contents === "hidden")) around = { ...around, opaque: !(element instanceof HTMLDetailsElement && element.open) };
    if (look !== undefined) {
      if (contents !== undefined) look.contents = contents;
      if (written && (PLAIN_SCROLLERS.has(tag) || SCROLLING.has(role))) {
        look.overflow = overflowOf(style);
        // What there is to scroll is a matter of layout.
        if (scrollsByStyle(look.overflow)) this.#changeable = this.#entered.look;
      }
    }
    if (tag === "svg" && !clickable && !this.#speaks(element, role)) {
      if (dom.querySelector(element, SPEAKING_INSIDE) !== null) this.#descend(element, around, false);
      return;
    }
    if ((blank && this.#options.withHidden !== true) || (TRANSPARENT.has(role) && !clickable && !(written && (this.#isTold(element, role) || scrollsPlainly(element, tag))))) {
      this.#pass(element, tag, around, apart);
      return;
    }
    this.#keep(element, role, around, clickable, apart);
  }

  /** Named by its author although its role says nothing: Chrome shows it, and it may be all there is to see. */
  #isTold(element: Element, role: string): boolean {
    return (isNamedByAuthor(element) || (element.localName === "abbr" && element.hasAttribute("title"))) && role !== "none" && role !== "rowgroup" && this.#names.of(element, role).text !== "";
  }

  /** Whether an image has something to say. */
  #speaks(element: Element, role: string): boolean {
    return this.#names.of(element, role).text !== "";
  }

  /** Left out: its content flows through. */
  #pass(element: Element, tag: string, around: Around, apart: boolean): void {
    const parent = NAMING.has(tag) ? dom.parentElement(element) : null;
    if (parent !== null && !dom.hasAttribute(parent, "aria-label") && !dom.hasAttribute(parent, "aria-labelledby")) {
      around = { ...around, mute: true };
    } else if (tag === "label" && element instanceof HTMLLabelElement && element.control !== null && saysLabel(element.control)) {
      around = { ...around, mute: true };
    }
    if (tag === "br") {
      if (this.#text !== "") this.#text += " ";
      return;
    }
    this.#descend(element, around, apart);
  }

  /** `node`: where the element itself stands among the nodes, if it does. */
  #descend(element: Element, around: Around, apart: boolean, node?: number): void {
    const { around: inherited, look, hidden } = this.#entered;
    if (apart) {
      this.#flush();
      this.#left.push(inherited === undefined ? BLOCK : { block: { element, around: inherited, node: node ?? this.#result.nodes.length, look, hidden, sealed: this.#sealed.length, lone: loneSoFar() } });
      this.#push(null, around);
    }
    const own = this.#names.owns.pushChildren(element, (child) => { this.#push(child, around); });
    if (!own) this.#changeable = look;
  }

  #keep(element: Element, role: string, around: Around, clickable: boolean, apart: boolean): void {
    const isCell = CELLS.has(role);
    let name = isCell && dom.childElementCount(element) > 0 && !isNamedByAuthor(element) ? { text: "", fromContent: false } : this.#names.of(element, role);
    if (clickable && name.text === "" && !isCell) {
      const text = cut(this.#names.content(element), 400);
      // A big clickable wrapper is not named by a whole page.
      if (text.length < 200) name = { text, fromContent: text !== "" };
    }
    if (!clickable && ((ONLY_NAMED.has(role) && name.text === "") || (role === "img" && (name.text === "" || (around.mute && around.acting))))) {
      this.#descend(element, around, apart);
      return;
    }
    this.#flush();
    const node: TreeNode = { depth: around.depth, role };
    if (name.text !== "") node.name = name.text;
    const at = this.#result.nodes.push(node) - 1;
    this.#result.elements.push(element);
    this.#result.sources.push(element);
    const acting = ACTIONABLE.has(role);
    const states: State[] = statesOf(element, role, around, clickable, this.#focused);
    if (states.length > 0) node.states = states;
    if (acting || clickable || NUMBERED.has(role) || isFocusable(element) || isScroller(element, role)) {
      if (!isCell) node.node = this.#options.refs.number(element, role, name.text);
    }
    if (role === "heading") node.level = levelOf(element);
    if (acting || role === "progressbar" || role === "meter") {
      const value = valueOf(element, false);
      if (value !== undefined) node.value = value;
    }
    if (role === "link" || role === "iframe") {
      const url = dom.getAttribute(element, role === "link" ? "href" : "src");
      if (url !== null && url !== "") node.url = cut(url, URL_LIMIT);
    }
    const tag = dom.localName(element);
    const look = FIELDS.has(tag) ? this.#looks[this.#entered.look] : undefined;
    if (look?.element === element) look.field = fieldOf(element, role, around, clickable, name.text, this.#focused);
    // A page may stand in an object element too: it is a frame like any other.
    const held = role === "iframe" || tag === "object" ? this.#options.frameOf(element) : undefined;
    if (held !== undefined) {
      node.frame = held;
      return;
    }
    if (role === "iframe") {
      // Chrome lists no frame of a blob to extensions, so nobody can be asked for what is inside.
      if (element.getAttribute("src")?.startsWith("blob:") === true) node.opaque = "blob document, not told to extensions";
      else if (this.#options.met === true) node.opaque = CLOSED[tag] ?? "its document does not answer: still loading, refused, or closed to extensions";
      return;
    }
    const closed = CLOSED[tag];
    if (closed !== undefined) {
      node.opaque = element instanceof HTMLCanvasElement ? `canvas ${element.width}x${element.height}` : closed;
      return;
    }
    if (element instanceof HTMLSelectElement) {
      this.#addOptions(element, node, around);
      return;
    }
    if (element instanceof HTMLInputElement && DRAWN.has(element.type)) this.#addDrawn(element, node, around);
    if (tag === "input" || tag === "textarea" || tag === "svg" || tag === "img" || tag === "progress" || tag === "meter") return;
    // The content of an editing host stands in its value.
    const edited = node.value !== undefined && (role === "textbox" || role === "searchbox");
    const inside: Around = {
      ...around,
      depth: around.depth + 1,
      acting: around.acting || acting || (clickable && role === "generic"),
      mute: name.fromContent || edited,
      said: acting ? name.text : "",
    };
    if (isCell) {
      this.#flush();
      this.#left.push({ cell: { at, element } });
      this.#push(null, inside);
      this.#descend(element, inside, false);
    } else {
      this.#descend(element, inside, true, at);
    }
  }

  /** A button of the browser's that is named otherwise than what is written on it: that is said too. */
  #addDrawn(button: HTMLInputElement, { name = "" }: TreeNode, around: Around): void {
    const drawn = fold(button.value);
    if (drawn === "" || name.includes(drawn)) return;
    this.#result.nodes.push({ depth: around.depth + 1, role: "text", name: cut(drawn, TEXT_LIMIT) });
    this.#result.elements.push(undefined);
    this.#result.sources.push(undefined);
  }

  #addPart(part: Element, depth: number, role: string, states: State[]): void {
    const entry: TreeNode = { depth, role, name: this.#names.of(part, role).text };
    if (states.length > 0) entry.states = states;
    this.#result.nodes.push(entry);
    this.#result.elements.push(part);
    this.#result.sources.push(part);
  }

  #addOptions(select: HTMLSelectElement, node: TreeNode, around: Around): void {
    const options = select.options;
    let group: Element | null = null;
    for (let i = 0; i < options.length && i < OPTIONS_SHOWN; i++) {
      const option = options[i];
      if (option === undefined) continue;
      const parent: Element | null = option.parentElement;
      if (parent !== group && parent?.localName === "optgroup") this.#addPart(parent, around.depth + 1, "group", []);
      group = parent;
      const states: State[] = [];
      if (option.selected) states.push("selected");
      if (option.matches(":disabled")) states.push("disabled");
      this.#addPart(option, around.depth + (parent?.localName === "optgroup" ? 2 : 1), "option", states);
    }
    if (options.length > OPTIONS_SHOWN) node.opaque = `${options.length - OPTIONS_SHOWN} more options`;
  }
}

/** What plain scrolling parts are made of. */
const PLAIN_SCROLLERS = new Set(["div", "pre", "section"]);

/** A part without a role that scrolls and has something to scroll. Layout is asked for only where style says so. */
function scrollsPlainly(element: Element, tag: string): boolean {
  if (!PLAIN_SCROLLERS.has(tag)) return false;
  const { overflowX, overflowY } = getComputedStyle(element);
  const down = (overflowY === "auto" || overflowY === "scroll") && element.scrollHeight > element.clientHeight + 1;
  return down || ((overflowX === "auto" || overflowX === "scroll") && element.scrollWidth > element.clientWidth + 1);
}

/** A part of the page that scrolls by itself: something to aim a scroll at. */
function isScroller(element: Element, role: string): boolean {
  if (role === "generic" && dom.hasAttributes(element)) return scrollsPlainly(element, dom.localName(element));
  if (!SCROLLING.has(role) || !dom.hasAttributes(element)) return false;
  const { overflowX, overflowY } = getComputedStyle(element);
  return overflowY === "auto" || overflowY === "scroll" || overflowX === "auto" || overflowX === "scroll";
}

/** Shown with its label for a name: then the label is not said again. */
function saysLabel(control: Element): boolean {
  return isShown(control) && !isNamedByAuthor(control) && roleOf(control) !== "generic";
}

function isNamedByAuthor(element: Element): boolean {
  return dom.hasAttribute(element, "aria-label") || dom.hasAttribute(element, "aria-labelledby");
}

function hasOwnText(element: Element): boolean {
  for (let child = dom.firstChild(element); child !== null; child = dom.nextSibling(child)) if (isText(child) && !isBlank(child.data)) return true;
  return false;
}
