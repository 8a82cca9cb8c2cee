// capture/*: a picture of a tab, also in the background: the viewport, one element or the whole page, at most so large. Secret fields
// are painted over, refs are drawn on the picture, never in the page.

import type { CaptureScreenshot, Screenshot } from "../../generated/protocol";
import { messageOf } from "../../shared/text";
import type { Box } from "../../shared/pageCalls";
import { resolve } from "../aim";
import { field } from "../debug";
import type { Handlers } from "../dispatch";
import { Failure } from "../failure";
import { layoutOf } from "../layout";
import type { Layout } from "../layout";
import { paint } from "../picture";
import type { Parts } from "../parts";
import type { Doc } from "../pages";

/** Taller pages are cut: Chrome paints no larger picture. */
const TALLEST = 16_000;
const MOST_BYTES = 1_500_000;

type Named = CaptureScreenshot & { hidden: boolean };

function numberAt(value: unknown, ...path: string[]): number {
  const found = field(value, ...path);
  return typeof found === "number" && found > 0 ? found : 0;
}

export function capture({ book, browser, debug, dialogs, pages, panels, pictures }: Parts): Pick<Handlers, "capture/screenshot"> {
  /** Paints what was taken. Fields that moved meanwhile are covered where they were and where they are. */
  const finished = async (data: string, wish: Named, docs: readonly Doc[], before: Layout, how: { cssWidth: number; crop?: Box }): Promise<Screenshot> => {
    const after = await layoutOf(pages, docs, false);
    const covers = pictures.showSecrets ? [] : [...before.secrets, ...after.secrets];
    const mime = wish.format === "jpeg" ? "image/jpeg" as const : "image/png" as const;
    const painted = await paint(data, {
      mime, quality: wish.quality, maxSide: wish.maxSide, maxBytes: MOST_BYTES, cssWidth: how.cssWidth, covers, marks: wish.refs ? before.marks : [],
      ...(how.crop === undefined ? {} : { crop: how.crop }),
    });
    const { data: done, width, height, scale, covered, marked } = painted;
    // Each field is there twice: before and after.
    return { data: done, mime, width, height, scale, hidden: wish.hidden, masked: Math.ceil(covered / 2), marked };
  };

  const byDebugger = async (wish: Named, docs: readonly Doc[], target: { doc: Doc; node: number } | undefined): Promise<Screenshot> => {
    const { tab, format, quality } = wish;
    await debug.attach(tab);
    const send = (method: string, params: Record<string, unknown> = {}) => dialogs.guard(tab, debug.send(tab, method, params));
    const metrics = await send("Page.getLayoutMetrics");
    const width = numberAt(metrics, "cssVisualViewport", "clientWidth"), height = numberAt(metrics, "cssVisualViewport", "clientHeight");
    if (width === 0) throw new Failure("unsupported", "the tab has no size: its window is hidden");
    const first = target === undefined ? undefined : await boxOf(docs, target);
    const tall = first !== undefined && (first.height > height || first.width > width);
    const whole = wish.full || tall;
    // A tab in the background draws no frame for a lone picture, every other time until its limit; while a screencast runs, however
    // small, it draws. A `clip` with a scale would resize the page for a moment, so that is done here afterwards.
    await send("Page.startScreencast", { format: "jpeg", quality: 1, maxWidth: 16, maxHeight: 16 });
    try {
      if (whole) {
        // The window is made as tall as the page, so that what is measured is what is taken.
        const tallest = Math.min(TALLEST, Math.max(height, numberAt(metrics, "cssContentSize", "height")));
        const widest = tall ? Math.min(TALLEST, Math.max(width, numberAt(metrics, "cssContentSize", "width"))) : width;
        await send("Emulation.setDeviceMetricsOverride", { width: Math.ceil(widest), height: Math.ceil(tallest), deviceScaleFactor: 1, mobile: false });
      }
      const crop = target === undefined ? undefined : await boxOf(docs, target);
      const before = await layoutOf(pages, docs, wish.refs);
      const data = field(await send("Page.captureScreenshot", { format, ...(format === "jpeg" ? { quality } : {}), captureBeyondViewport: false }), "data");
      if (typeof data !== "string") throw new Failure("unsupported", "Chrome gave no picture");
      // The picture shows the scrollbar too, which the metrics leave out.
      const cssWidth = before.width > 0 ? before.width : width;
      return await finished(data, wish, docs, before, { cssWidth, ...(crop === undefined ? {} : { crop }) });
    } finally {
      debug.send(tab, "Page.stopScreencast").catch(() => undefined);
      if (whole) await debug.send(tab, "Emulation.clearDeviceMetricsOverride").catch(() => undefined);
    }
  };

  /** Box of the target in the main frame's viewport, scrolled into view. */
  const boxOf = async (docs: readonly Doc[], { doc, node }: { doc: Doc; node: number }): Promise<Box> => {
    const found = await pages.ask(doc, "box", { node });
    if (found.kind === "refused") throw new Refused(found.refusal);
    let { box } = found;
    for (let child = doc; child.parent !== null;) {
      const above = docs.find((one) => one.frame === child.parent);
      if (above === undefined) break;
      const boxes = await pages.ask(above, "boxes", { refs: false });
      const inner = await pages.ask(child, "boxes", { refs: false });
      const frame = boxes.frames.find((one) => one.frame === child.frame);
      if (frame === undefined) throw new Failure("unsupported", "where the frame lies in its page is not known");
      const scale = inner.width > 0 ? frame.width / inner.width : 1;
      box = { x: frame.x + box.x * scale, y: frame.y + box.y * scale, width: box.width * scale, height: box.height * scale };
      child = above;
    }
    if (box.width < 1 || box.height < 1) throw new Failure("not_visible", "the target has no size: there is nothing to picture");
    return box;
  };

  const picture = async (params: CaptureScreenshot): Promise<Screenshot> => {
    const now = await book.page(params.tab);
    const hidden = await book.hidden(now);
    dialogs.refuse(params.tab);
    const wish: Named = { ...params, hidden, quality: Math.min(100, Math.max(1, params.quality)), maxSide: Math.max(16, params.maxSide) };
    const docs = await pages.ready(params.tab);
    const nothing = { data: "", mime: "", width: 0, height: 0, scale: 0, hidden, masked: 0, marked: 0 };
    let target: { doc: Doc; node: number } | undefined;
    if (params.target !== undefined) {
      const resolved = await resolve(pages, docs, params.target);
      if (resolved.kind === "refused") return { ...nothing, refusal: resolved.refusal };
      target = resolved;
    }
    try {
      return await byDebugger(wish, docs, target);
    } catch (thrown) {
      if (thrown instanceof Refused) return { ...nothing, refusal: thrown.refusal };
      if (!(thrown instanceof Failure) || thrown.code !== "unsupported") throw thrown;
      // Without the debugger only what the user sees can be taken.
      if (hidden) throw new Failure("unsupported", `a tab in the background needs the debugger: ${thrown.message}`);
      if (params.full) throw new Failure("unsupported", `the whole page needs the debugger: ${thrown.message}`);
    }
    const crop = target === undefined ? undefined : await boxOf(docs, target);
    const before = await layoutOf(pages, docs, wish.refs);
    const url = await browser.tabs.picture(now.window, wish.format, wish.quality).catch((thrown: unknown) => {
      throw new Failure("unsupported", `Chrome gave no picture: ${messageOf(thrown)}`);
    });
    return await finished(url.slice(url.indexOf(",") + 1), wish, docs, before, { cssWidth: before.width, ...(crop === undefined ? {} : { crop }) });
  };

  return {
    "capture/screenshot": async (params) => {
      if (!panels.has(params.tab)) return await picture(params);
      // Our own panel is no part of the page.
      const veil = async (on: boolean): Promise<void> => {
        const main = (await pages.documents(params.tab)).find((doc) => doc.parent === null);
        if (main !== undefined) await pages.ask(main, "veil", { on }).catch(() => undefined);
      };
      await veil(true);
      try {
        return await picture(params);
      } finally {
        await veil(false);
      }
    },
  };
}

/** The target is not there any more. */
class Refused extends Error {
  readonly refusal: NonNullable<Screenshot["refusal"]>;
  constructor(refusal: NonNullable<Screenshot["refusal"]>) {
    super(refusal.reason);
    this.refusal = refusal;
  }
}
