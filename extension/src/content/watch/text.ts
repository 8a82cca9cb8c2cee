// Text of a part of the page as it is and as it was before a batch of mutations.

import * as dom from "../dom";
import { fold } from "../words";
import { isSilentNode } from "./regions";

const LONG = 600;
const MANY = 80;

/** Text of a node, without scripts and styles; `old` tells what text nodes said before. */
export function textOf(node: Node, old?: ReadonlyMap<Node, string>): string {
  if (node instanceof Text) return old?.get(node) ?? node.data;
  if (!(node instanceof Element)) return "";
  let said = "";
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (at) => (at instanceof Element && at !== node && isSilentNode(at) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT));
  for (let at = walker.nextNode(); at !== null && said.length < LONG; at = walker.nextNode()) {
    if (at instanceof Text) said += old?.get(at) ?? at.data;
    else if (!said.endsWith(" ")) said += " ";
  }
  return said;
}

/** Folded text of an element now. */
export function textNow(region: Element): string {
  return fold(textOf(region));
}

/** Folded text of a region before these records, told backwards from what is there now; undefined when that would be dear. */
export function textBefore(region: Element, records: readonly MutationRecord[], old: ReadonlyMap<Node, string>): string | undefined {
  if (dom.childNodes(region).length > MANY || records.length > MANY) return undefined;
  const children: Node[] = [...dom.childNodes(region)];
  for (let i = records.length - 1; i >= 0; i--) {
    const record = records[i];
    if (record?.type !== "childList" || record.target !== region) continue;
    for (const node of record.addedNodes) {
      const at = children.indexOf(node);
      if (at >= 0) children.splice(at, 1);
    }
    const next = record.nextSibling === null ? children.length : children.indexOf(record.nextSibling);
    const after = record.previousSibling === null ? 0 : children.indexOf(record.previousSibling) + 1;
    children.splice(next >= 0 ? next : after, 0, ...record.removedNodes);
  }
  return fold(children.map((node) => (isSilentNode(node) ? "" : textOf(node, old))).join(" "));
}

/** First old text of every text node in these records. */
export function oldTexts(records: readonly MutationRecord[]): Map<Node, string> {
  const old = new Map<Node, string>();
  for (const record of records) {
    if (record.type === "characterData" && record.oldValue !== null && !old.has(record.target)) old.set(record.target, record.oldValue);
  }
  return old;
}
