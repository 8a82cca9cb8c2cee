// What a canvas shows, as a number: two that differ are two pictures. Read from a copy, so the page's own canvas stays as fast as it is.

import * as dom from "../dom";

const SIDE = 512;
const MOST = 3;

/** The canvas that an element is, or those it holds. */
export function canvasesOf(element: Element): HTMLCanvasElement[] {
  if (element instanceof HTMLCanvasElement) return [element];
  const found: HTMLCanvasElement[] = [];
  for (const inside of dom.querySelectorAll(element, "canvas")) if (inside instanceof HTMLCanvasElement && found.length < MOST) found.push(inside);
  return found;
}

let copy: OffscreenCanvasRenderingContext2D | null | undefined;

/** Nothing for a picture that must not be read (it holds what came from another site), and for one of no size. */
export function pictureOf(canvas: HTMLCanvasElement): string | undefined {
  copy ??= new OffscreenCanvas(SIDE, SIDE).getContext("2d", { willReadFrequently: true });
  if (copy === null || canvas.width === 0 || canvas.height === 0) return undefined;
  const scale = Math.min(1, SIDE / Math.max(canvas.width, canvas.height));
  const width = Math.max(1, Math.round(canvas.width * scale));
  const height = Math.max(1, Math.round(canvas.height * scale));
  try {
    copy.clearRect(0, 0, SIDE, SIDE);
    copy.drawImage(canvas, 0, 0, width, height);
    const words = new Uint32Array(copy.getImageData(0, 0, width, height).data.buffer);
    let hash = 0x811c9dc5;
    for (const word of words) hash = Math.imul(hash ^ word, 0x01000193);
    return `${canvas.width}x${canvas.height}:${hash >>> 0}`;
  } catch {
    // A copy that holds another site's picture can never be read again.
    copy = undefined;
    return undefined;
  }
}
