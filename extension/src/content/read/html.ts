// HTML of a part of the document: as it stands in the DOM, or as it is rendered. Secrets are masked here, before anything leaves the page.

import * as dom from "../dom";
import { isOwn } from "../panel/own";
import { isElement, isText, liveRoots, meetRoots, pushChildren, shadowOf } from "../tree/composed";
import { isSecret, namedSecret, scrub, secretsIn } from "../tree/secret";
import { shownAs } from "../tree/visibility";
import { unitsUpTo } from "../words";

/** What was read. */
export interface Html {
  html: string;
  /** UTF-16 units before the cut. */
  total: number;
  /** Values that were masked. */
  masked: number;
}

const VOID = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));
/** Elements whose inside is no text for people: said by its length. */
const CODE = new Set(["script", "style"]);
/** Left out as rendered: nothing in them is read. */
const UNREAD = new Set("script style noscript template head meta link title base datalist canvas video audio iframe object embed svg input select textarea button dialog".split(" "));
/** Attributes that tell what rendered content is, and where it leads. */
const TELLING = new Set("alt class colspan datetime dir href id itemprop lang rel role rowspan src start title type".split(" "));
const ATTRIBUTE_LIMIT = 2_000;
const DATA_LIMIT = 80;
const COMMENT_LIMIT = 200;
/** Pictures smaller than this are decoration. */
const SMALLEST_PICTURE = 48;
const MOST = 20_000_000;
/** As rendered, deeper tags are left out and their text is kept: whoever reads the HTML need not nest as deep as a page can. */
const DEEPEST = 200;

type Step = { node: Node } | { close: string };

/** Serialises an element, or the whole document. */
export function htmlOf(top: Element, shown: boolean, limit: number): Html {
  meetRoots(top);
  const out = new Out(limit, secretsIn(liveRoots()));
  const open: Step[] = [{ node: top }];
  for (let step = open.pop(); step !== undefined && out.total < MOST; step = open.pop()) {
    if ("close" in step) {
      out.depth -= 1;
      out.add(step.close);
    }
    else if (isText(step.node)) out.add(escapeText(out.clean(step.node.data)));
    else if (isElement(step.node)) (shown ? openShown : openPlain)(step.node, out, open);
    else if (step.node instanceof Comment && !shown) out.add(`<!--${out.clean(unitsUpTo(step.node.data, COMMENT_LIMIT))}-->`);
  }
  return { html: out.text.toWellFormed(), total: out.total, masked: out.masked };
}

/** Collects pieces; a piece that does not fit ends the text, so that no tag is cut in half. */
class Out {
  text = "";
  total = 0;
  masked = 0;
  /** Open tags. */
  depth = 0;
  readonly #limit: number;
  readonly #secrets: readonly string[];
  #full = false;

  constructor(limit: number, secrets: readonly string[]) {
    this.#limit = limit;
    this.#secrets = secrets;
  }

  add(piece: string): void {
    this.total += piece.length;
    if (this.#full) return;
    if (this.text.length + piece.length <= this.#limit) {
      this.text += piece;
      return;
    }
    this.#full = true;
    if (!piece.startsWith("<")) this.text += unitsUpTo(piece, this.#limit - this.text.length);
  }

  /** Text without any known secret. */
  clean(text: string): string {
    const clean = scrub(text, this.#secrets);
    if (clean !== text) this.masked += 1;
    return clean;
  }
}

function openPlain(element: Element, out: Out, open: Step[]): void {
  const tag = dom.localName(element);
  out.add(`<${tag}${attributes(element, out)}>`);
  if (VOID.has(tag)) return;
  out.depth += 1;
  open.push({ close: `</${tag}>` });
  if (CODE.has(tag)) {
    const { length } = dom.textContent(element) ?? "";
    if (length > 0) out.add(`/* ${length} characters left out */`);
    return;
  }
  if (element instanceof HTMLTextAreaElement && isSecret(element)) {
    if (element.textContent !== "") {
      out.masked += 1;
      out.add("[secret]");
    }
    return;
  }
  const inside = element instanceof HTMLTemplateElement ? element.content : element;
  for (let child = dom.lastChild(inside); child !== null; child = dom.previousSibling(child)) if (!isOwn(child)) open.push({ node: child });
  const root = shadowOf(element);
  if (root === undefined) return;
  out.depth += 1;
  open.push({ close: "</template>" });
  for (let child = dom.lastChild(root); child !== null; child = dom.previousSibling(child)) open.push({ node: child });
  out.add(`<template shadowrootmode="${root.mode}">`);
}

function attributes(element: Element, out: Out): string {
  let text = "";
  for (const { name, value } of dom.attributes(element)) {
    if (name === "value" && hidesValue(element)) {
      if (value !== "") out.masked += 1;
      text += ` value="${value === "" ? "" : "[secret]"}"`;
      continue;
    }
    text += value === "" ? ` ${name}` : ` ${name}="${escapeAttribute(out.clean(shortened(value)))}"`;
  }
  return text;
}

/** Secret fields, and hidden ones that carry a token. */
function hidesValue(element: Element): boolean {
  return isSecret(element) || (element instanceof HTMLInputElement && element.type === "hidden" && namedSecret(element));
}

function shortened(value: string): string {
  const limit = /^\s*data:/i.test(value) ? DATA_LIMIT : ATTRIBUTE_LIMIT;
  return value.length <= limit ? value : `${unitsUpTo(value, limit)}…`;
}

function openShown(element: Element, out: Out, open: Step[]): void {
  const tag = dom.localName(element);
  if (tag !== "html" && UNREAD.has(tag)) return;
  const shown = shownAs(element);
  if (shown === "none" || dom.getAttribute(element, "aria-hidden") === "true") return;
  // Invisible, but inner elements may be shown: its own text is not.
  const children: Step[] = [];
  pushChildren(element, (child) => { if (shown !== "blank" || !isText(child)) children.push({ node: child }); });
  if (tag === "slot" || shown === "blank" || out.depth > DEEPEST) {
    open.push(...children);
    return;
  }
  if (element instanceof HTMLImageElement) {
    const picture = pictureOf(element);
    if (picture !== "") out.add(`<img src="${escapeAttribute(picture)}" alt="${escapeAttribute(out.clean(element.alt))}">`);
    return;
  }
  // A custom element is no block to any reader of HTML: it becomes one where it is rendered as one.
  const name = tag.includes("-") ? (getComputedStyle(element).display.startsWith("inline") ? "span" : "div") : tag;
  let text = `<${name}`;
  for (const { name: key, value } of dom.attributes(element)) {
    if (!TELLING.has(key) || key === "src") continue;
    const told = key === "href" ? hrefOf(element, value) : value;
    if (told !== undefined) text += ` ${key}="${escapeAttribute(out.clean(shortened(told)))}"`;
  }
  out.add(`${text}>`);
  if (VOID.has(name)) return;
  out.depth += 1;
  open.push({ close: `</${name}>` }, ...children);
}

/** Address of a picture that is worth telling; lazy pages keep it elsewhere until it is seen. */
function pictureOf(image: HTMLImageElement): string {
  const small = (side: number) => side > 0 && side < SMALLEST_PICTURE;
  if (small(image.width) && small(image.height)) return "";
  const lazy = image.dataset["src"] ?? image.dataset["lazySrc"] ?? image.dataset["original"];
  const source = image.currentSrc !== "" && !image.currentSrc.startsWith("data:") ? image.currentSrc : lazy ?? image.src;
  return source.startsWith("data:") || !URL.canParse(source, document.baseURI) ? "" : new URL(source, document.baseURI).href;
}

function hrefOf(element: Element, value: string): string | undefined {
  if (!(element instanceof HTMLAnchorElement) || !URL.canParse(value, document.baseURI)) return undefined;
  const { href, protocol } = new URL(value, document.baseURI);
  return protocol === "http:" || protocol === "https:" || protocol === "mailto:" || protocol === "tel:" ? href : undefined;
}

function escapeText(text: string): string {
  return text.replace(/[&<>\u00a0]/g, escaped);
}

function escapeAttribute(text: string): string {
  return text.replace(/[&<>"\u00a0]/g, escaped);
}

function escaped(sign: string): string {
  switch (sign) {
    case "&": return "&amp;";
    case "<": return "&lt;";
    case ">": return "&gt;";
    case '"': return "&quot;";
    default: return "&nbsp;";
  }
}
