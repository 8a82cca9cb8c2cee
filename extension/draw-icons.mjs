// Draws icons/*.png: a hand stamped in white on a red seal. Run by hand when the mark changes: node draw-icons.mjs

import { mkdirSync, writeFileSync } from "node:fs";
import { deflateSync } from "node:zlib";

/** Distance from a point to the segment a-b: a finger is everything nearer than its half width. */
function segment(x, y, [ax, ay, bx, by]) {
  const dx = bx - ax, dy = by - ay;
  const t = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(x - ax - t * dx, y - ay - t * dy);
}

// In units of the side. The little finger is on the right, the thumb on the left.
const fingers = [
  [[0.385, 0.5, 0.345, 0.245], 0.054], [[0.49, 0.48, 0.485, 0.19], 0.056],
  [[0.595, 0.49, 0.62, 0.225], 0.054], [[0.69, 0.54, 0.745, 0.335], 0.047],
  [[0.4, 0.72, 0.225, 0.52], 0.056],
];
const palm = [[0.45, 0.65, 0.6, 0.65], 0.165];

function inSeal(x, y) {
  const r = 0.2, dx = Math.max(Math.abs(x - 0.5) - (0.48 - r), 0), dy = Math.max(Math.abs(y - 0.5) - (0.48 - r), 0);
  return Math.hypot(dx, dy) <= r;
}
function inHand(x, y) {
  return [...fingers, palm].some(([line, half]) => segment(x, y, line) <= half);
}

function pixels(side) {
  const samples = 6, rows = [];
  for (let py = 0; py < side; py++) {
    const row = Buffer.alloc(1 + side * 4);
    for (let px = 0; px < side; px++) {
      let seal = 0, hand = 0;
      for (let s = 0; s < samples * samples; s++) {
        const x = (px + ((s % samples) + 0.5) / samples) / side, y = (py + (Math.floor(s / samples) + 0.5) / samples) / side;
        if (inSeal(x, y)) { seal++; if (inHand(x, y)) hand++; }
      }
      const white = seal === 0 ? 0 : hand / seal;
      const mix = (red) => Math.round(red + (255 - red) * white);
      row.set([mix(196), mix(52), mix(42), Math.round((255 * seal) / samples ** 2)], 1 + px * 4);
    }
    rows.push(row);
  }
  return Buffer.concat(rows);
}

const table = Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});
function crc(bytes) {
  let c = 0xffffffff;
  for (const byte of bytes) c = table[(c ^ byte) & 255] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}
function chunk(type, data) {
  const out = Buffer.alloc(12 + data.length);
  out.writeUInt32BE(data.length, 0);
  out.write(type, 4, "latin1");
  data.copy(out, 8);
  out.writeUInt32BE(crc(out.subarray(4, 8 + data.length)), 8 + data.length);
  return out;
}
function png(side) {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.set([8, 6, 0, 0, 0], 8);
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", deflateSync(pixels(side), { level: 9 })), chunk("IEND", Buffer.alloc(0))]);
}

mkdirSync(new URL("./icons/", import.meta.url), { recursive: true });
for (const side of [16, 32, 48, 128]) writeFileSync(new URL(`./icons/${side}.png`, import.meta.url), png(side));
