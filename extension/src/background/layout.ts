// Where things are in the picture of a tab: boxes of all its documents in CSS pixels of the main frame's viewport.

import type { Box, Boxes } from "../shared/pageCalls";
import { rethrowDialog } from "./pages";
import type { Doc, Pages } from "./pages";

const BOXES_MS = 1_500;

/** What is to be painted. */
export interface Layout {
  /** Filled secret fields, and frames that do not say what is in them. */
  secrets: Box[];
  marks: (Box & { ref: string })[];
  /** CSS pixels that the main frame is wide, its scrollbar included. */
  width: number;
}

interface Place {
  x: number;
  y: number;
  scale: number;
}

/** Letters of a document's ordinal and the node's number, as agents read it. */
export function refWord(doc: number, node: number): string {
  let letters = "";
  for (let rest = doc; rest > 0; rest = Math.floor((rest - 1) / 26)) letters = String.fromCharCode(97 + ((rest - 1) % 26)) + letters;
  return `${letters}${node}`;
}

/** Moves a box of a child document to where its frame is. */
export function moved(box: Box, { x, y, scale }: Place): Box {
  return { x: x + box.x * scale, y: y + box.y * scale, width: box.width * scale, height: box.height * scale };
}

/** Asks all documents and puts their boxes together. Parents come before children in `docs`. */
export async function layoutOf(pages: Pages, docs: readonly Doc[], refs: boolean): Promise<Layout> {
  const told = new Map<number, Boxes>();
  await Promise.all(docs.map(async (doc) => {
    if (pages.unreadable(doc) !== undefined) return;
    try {
      told.set(doc.frame, await pages.ask(doc, "boxes", { refs }, { limitMs: BOXES_MS }));
    } catch (thrown) {
      rethrowDialog(thrown);
    }
  }));
  return joined(docs, told);
}

/** The boxes of all documents, in the main frame's viewport. */
export function joined(docs: readonly Pick<Doc, "frame" | "parent" | "ordinal">[], told: ReadonlyMap<number, Boxes>): Layout {
  const layout: Layout = { secrets: [], marks: [], width: 0 };
  const places = new Map<number, Place>();
  for (const doc of docs) {
    const boxes = told.get(doc.frame);
    let place: Place = { x: 0, y: 0, scale: 1 };
    if (doc.parent !== null) {
      const around = places.get(doc.parent);
      const frame = told.get(doc.parent)?.frames.find((one) => one.frame === doc.frame);
      // Where it lies is not known: then it is not shown, or its parent was painted over already.
      if (around === undefined || frame === undefined) continue;
      const seen = moved(frame, around);
      if (boxes === undefined) {
        layout.secrets.push(seen);
        continue;
      }
      place = { x: seen.x, y: seen.y, scale: boxes.width > 0 ? seen.width / boxes.width : around.scale };
    } else if (boxes !== undefined) {
      layout.width = boxes.width;
    }
    if (boxes === undefined) continue;
    places.set(doc.frame, place);
    layout.secrets.push(...boxes.secrets.map((box) => moved(box, place)));
    layout.marks.push(...boxes.marks.map((mark) => ({ ...moved(mark, place), ref: refWord(doc.ordinal, mark.node) })));
  }
  return layout;
}
