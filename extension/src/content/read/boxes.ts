// Where things are in this document's viewport, for a picture: a target, secret fields, refs, child frames.

import type { Box, Boxes } from "../../shared/pageCalls";
import * as dom from "../dom";
import type { Page } from "../page";
import { liveRoots, meetRoots } from "../tree/composed";
import { isSecret } from "../tree/secret";
import { isShown } from "../tree/visibility";

const MOST = 500;

/** Secret fields, and the nodes with a ref when they are to be drawn. */
export function boxesIn(page: Page, refs: boolean): Boxes {
  meetRoots(document);
  const secrets: Box[] = [];
  for (const root of liveRoots()) {
    for (const field of dom.querySelectorAll(root, "input,textarea")) {
      if (isSecret(field) && valueLength(field) > 0 && isShown(field)) secrets.push(boxOf(field));
    }
  }
  const marks: (Box & { node: number })[] = [];
  if (refs) {
    const { nodes, elements } = page.walk();
    for (const [index, { node }] of nodes.entries()) {
      const element = elements[index];
      if (node === undefined || element === undefined || marks.length >= MOST) continue;
      const box = boxOf(element);
      if (box.width > 0 && box.height > 0) marks.push({ ...box, node });
    }
  }
  const frames: (Box & { frame: number })[] = [];
  for (const element of page.frames.elements()) {
    const frame = page.frames.frameOf(element);
    if (frame !== undefined) frames.push({ ...innerBox(element), frame });
  }
  return { secrets, marks, frames, width: window.innerWidth };
}

/** Box of one element, scrolled into view first. */
export function boxInView(element: Element): Box {
  const before = dom.getBoundingClientRect(element);
  if (before.top < 0 || before.left < 0 || before.bottom > window.innerHeight || before.right > window.innerWidth) {
    dom.scrollIntoView(element, { block: "center", inline: "nearest", behavior: "instant" });
  }
  return boxOf(element);
}

function valueLength(field: Element): number {
  return field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement ? field.value.length : 0;
}

function boxOf(element: Element): Box {
  const { x, y, width, height } = dom.getBoundingClientRect(element);
  return { x, y, width, height };
}

/** The content box of a frame, where its document begins. */
function innerBox(element: Element): Box {
  const box = boxOf(element);
  if (!(element instanceof HTMLElement) || element.offsetWidth === 0 || element.offsetHeight === 0) return box;
  const style = getComputedStyle(element);
  const scaleX = box.width / element.offsetWidth, scaleY = box.height / element.offsetHeight;
  const left = element.clientLeft + Number.parseFloat(style.paddingLeft), top = element.clientTop + Number.parseFloat(style.paddingTop);
  return { x: box.x + left * scaleX, y: box.y + top * scaleY, width: element.clientWidth * scaleX, height: element.clientHeight * scaleY };
}
