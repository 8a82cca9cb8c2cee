// A picture's own size, and painting on it: cut out, scaled, secrets covered, refs drawn. The page takes no part in it.

import type { Box } from "../shared/pageCalls";

/** Width and height in pixels; null when the header is not understood. */
export function pictureSize(bytes: Uint8Array): { width: number; height: number } | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length >= 24 && view.getUint32(0) === 0x89504e47) return { width: view.getUint32(16), height: view.getUint32(20) };
  if (bytes.length < 4 || view.getUint16(0) !== 0xffd8) return null;
  let at = 2;
  while (at + 9 < bytes.length) {
    const marker = view.getUint16(at);
    if (marker < 0xff00) return null;
    // Start of frame, of whatever coding; the three between are tables.
    if (marker >= 0xffc0 && marker <= 0xffcf && marker !== 0xffc4 && marker !== 0xffc8 && marker !== 0xffcc) {
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}

/** What is to become of a picture. Boxes are in CSS pixels of what was taken. */
export interface Wish {
  mime: "image/jpeg" | "image/png";
  quality: number;
  maxSide: number;
  maxBytes: number;
  /** CSS pixels that the picture is wide. */
  cssWidth: number;
  /** Only this part. */
  crop?: Box;
  /** Painted over. */
  covers: readonly Box[];
  /** Drawn with their word. */
  marks: readonly (Box & { ref: string })[];
}

/** A finished picture. */
export interface Painted {
  data: string;
  width: number;
  height: number;
  /** Image pixels per CSS pixel. */
  scale: number;
  /** Boxes of each kind that lie in it. */
  covered: number;
  marked: number;
}

const COVER = "#1f1f1f";
const MARK = "#d3165a";
const LABEL = 11;
const LEAST_QUALITY = 30;

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}

async function base64Of(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(text);
}

/** Paints it; a picture that needs nothing is passed on as it came. */
export async function paint(data: string, wish: Wish): Promise<Painted> {
  const raw = bytesOf(data);
  const size = pictureSize(raw);
  if (size !== null && wish.crop === undefined && wish.covers.length === 0 && wish.marks.length === 0
    && Math.max(size.width, size.height) <= wish.maxSide && raw.length <= wish.maxBytes) {
    return { data, ...size, scale: size.width / wish.cssWidth, covered: 0, marked: 0 };
  }
  const bitmap = await createImageBitmap(new Blob([raw], { type: wish.mime }));
  const ratio = bitmap.width / wish.cssWidth;
  const whole = { x: 0, y: 0, width: bitmap.width / ratio, height: bitmap.height / ratio };
  const part = wish.crop === undefined ? whole : common(wish.crop, whole) ?? whole;
  let scale = ratio * Math.min(1, wish.maxSide / (Math.max(part.width, part.height) * ratio));
  for (let { quality } = wish; ; quality -= 20) {
    const { canvas, covered, marked } = drawn(bitmap, ratio, part, scale, wish);
    const blob = await canvas.convertToBlob({ type: wish.mime, quality: Math.max(LEAST_QUALITY, quality) / 100 });
    if (blob.size > wish.maxBytes && Math.max(canvas.width, canvas.height) > 200) {
      // Quality first where there is one, then size.
      if (wish.mime === "image/png" || quality <= LEAST_QUALITY) scale *= 0.75;
      continue;
    }
    bitmap.close();
    return { data: await base64Of(blob), width: canvas.width, height: canvas.height, scale, covered, marked };
  }
}

function drawn(bitmap: ImageBitmap, ratio: number, part: Box, scale: number, { covers, marks }: Wish) {
  const width = Math.max(1, Math.round(part.width * scale)), height = Math.max(1, Math.round(part.height * scale));
  const canvas = new OffscreenCanvas(width, height);
  const paper = canvas.getContext("2d");
  let covered = 0, marked = 0;
  if (paper === null) return { canvas, covered, marked };
  paper.drawImage(bitmap, part.x * ratio, part.y * ratio, part.width * ratio, part.height * ratio, 0, 0, width, height);
  const at = (box: Box) => ({ x: (box.x - part.x) * scale, y: (box.y - part.y) * scale, width: box.width * scale, height: box.height * scale });
  paper.fillStyle = COVER;
  for (const box of covers) {
    if (common(box, part) === null) continue;
    covered += 1;
    const { x, y, width: w, height: h } = at(box);
    paper.fillRect(Math.floor(x) - 1, Math.floor(y) - 1, Math.ceil(w) + 3, Math.ceil(h) + 3);
  }
  paper.font = `bold ${LABEL}px sans-serif`;
  paper.textBaseline = "top";
  for (const mark of marks) {
    if (common(mark, part) === null) continue;
    marked += 1;
    const { x, y, width: w, height: h } = at(mark);
    paper.strokeStyle = paper.fillStyle = MARK;
    paper.strokeRect(x, y, w, h);
    const label = paper.measureText(mark.ref).width + 4;
    const [left, top] = [Math.min(Math.max(0, x), Math.max(0, width - label)), Math.max(0, y - 2)];
    paper.fillRect(left, top, label, LABEL + 3);
    paper.fillStyle = "#ffffff";
    paper.fillText(mark.ref, left + 2, top + 2);
  }
  return { canvas, covered, marked };
}

/** What two boxes have in common; null when that is nothing. */
export function common(a: Box, b: Box): Box | null {
  const x = Math.max(a.x, b.x), y = Math.max(a.y, b.y);
  const width = Math.min(a.x + a.width, b.x + b.width) - x, height = Math.min(a.y + a.height, b.y + b.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}
