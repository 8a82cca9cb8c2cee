// Visible text as lines, through shadow roots and slots.

import * as dom from "../dom";
import { isElement, isText, pushChildren } from "../tree/composed";
import { isInlineTag } from "../tree/names";
import { shownAs } from "../tree/visibility";
import { cut } from "../words";

const SKIPPED = new Set(["script", "style", "noscript", "template", "head", "meta", "link", "title", "textarea", "datalist", "canvas", "video", "audio", "iframe", "object", "svg"]);
const LIMIT = 5_000_000;

type Step = { node: Node; blank: boolean; pre: boolean } | { close: string };

/** Text of an element as a person sees it. */
export function visibleText(top: Element): string {
  const lines = new Lines();
  const open: Step[] = [{ node: top, blank: false, pre: false }];
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    if (lines.length > LIMIT) break;
    if ("close" in step) {
      lines.gap(step.close);
      continue;
    }
    const { node, blank, pre } = step;
    if (isText(node)) {
      if (!blank) lines.add(node.data, pre);
      continue;
    }
    if (!isElement(node)) continue;
    const tag = dom.localName(node);
    if (SKIPPED.has(tag)) continue;
    const shown = shownAs(node);
    if (shown === "none") continue;
    if (tag === "br") {
      lines.gap("\n");
      continue;
    }
    if (node instanceof HTMLSelectElement) {
      lines.add([...node.selectedOptions].map((option) => option.label).join(", "), false);
      continue;
    }
    const close = gapOf(node, tag);
    lines.gap(close);
    if (close !== "") open.push({ close });
    const inside = { blank: saysNothing(node) || (shown === "bare" ? blank : shown === "blank"), pre: pre || tag === "pre" };
    pushChildren(node, (child) => { open.push({ node: child, ...inside }); });
  }
  const text = lines.text();
  return cut(text, text.length);
}

/** Text of no size, or skipped content: nobody sees it. */
function saysNothing(element: Element): boolean {
  if (!dom.hasAttributes(element)) return false;
  const style = getComputedStyle(element);
  return style.fontSize === "0px" || style.contentVisibility === "hidden";
}

/** What stands before and after an element: a line break, a tab between cells, nothing. */
function gapOf(element: Element, tag: string): string {
  if (tag === "td" || tag === "th") return "\t";
  if (isInlineTag(tag) && tag !== "span" && tag !== "a" && tag !== "label") return "";
  if (isInlineTag(tag) && dom.childElementCount(element) === 0 && !dom.hasAttribute(element, "class") && !dom.hasAttribute(element, "style")) return "";
  const display = getComputedStyle(element).display;
  if (display.startsWith("inline") || display === "contents") return display === "inline" || display === "contents" ? "" : " ";
  return tag === "p" || /^h[1-6]$/.test(tag) ? "\n\n" : "\n";
}

/** Collects text; gaps of several elements become the widest of them. */
class Lines {
  #text = "";
  #gap = "";

  get length(): number {
    return this.#text.length;
  }

  add(data: string, pre: boolean): void {
    let text = pre ? data : data.replace(/[ \t\n\r\f]+/g, " ");
    if (text === "") return;
    if (text === " ") {
      this.gap(" ");
      return;
    }
    if (!pre) {
      if (text.startsWith(" ")) this.gap(" ");
      text = text.trimStart();
      const ends = text.endsWith(" ");
      text = text.trimEnd();
      this.#put(text);
      if (ends) this.gap(" ");
      return;
    }
    this.#put(text);
  }

  #put(text: string): void {
    if (this.#text !== "") this.#text += this.#gap;
    this.#gap = "";
    this.#text += text;
  }

  gap(gap: string): void {
    if (RANK.indexOf(gap) > RANK.indexOf(this.#gap)) this.#gap = gap;
  }

  text(): string {
    return this.#text;
  }
}

const RANK = ["", " ", "\t", "\n", "\n\n"];
