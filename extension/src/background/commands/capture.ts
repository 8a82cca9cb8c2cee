// capture/*: a picture of a tab, also in the background, at most so large.

import type { CaptureScreenshot, Screenshot } from "../../generated/protocol";
import { messageOf } from "../../shared/text";
import { field } from "../debug";
import type { Handlers } from "../dispatch";
import { Failure } from "../failure";
import { pictureSize } from "../picture";
import type { Parts } from "../parts";

function numberAt(value: unknown, ...path: string[]): number {
  const found = field(value, ...path);
  return typeof found === "number" && found > 0 ? found : 0;
}

function bytes(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}

/** At most so large; the picture itself says how large it is. */
async function fitted(data: string, mime: "image/jpeg" | "image/png", how: { quality: number; maxSide: number; cssWidth?: number; hidden: boolean }): Promise<Screenshot> {
  const raw = bytes(data);
  const size = pictureSize(raw);
  const common = (width: number, height: number, ratio: number) => ({
    mime, width, height, scale: how.cssWidth === undefined ? ratio : width / how.cssWidth, hidden: how.hidden,
  });
  if (size !== null && Math.max(size.width, size.height) <= how.maxSide) return { data, ...common(size.width, size.height, 1) };
  const bitmap = await createImageBitmap(new Blob([raw], { type: mime }));
  const ratio = Math.min(1, how.maxSide / Math.max(bitmap.width, bitmap.height));
  const width = Math.max(1, Math.round(bitmap.width * ratio)), height = Math.max(1, Math.round(bitmap.height * ratio));
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  const made = new Uint8Array(await (await canvas.convertToBlob({ type: mime, quality: how.quality / 100 })).arrayBuffer());
  let text = "";
  for (let at = 0; at < made.length; at += 8_192) text += String.fromCharCode(...made.subarray(at, at + 8_192));
  return { data: btoa(text), ...common(width, height, ratio) };
}

export function capture({ book, browser, debug, dialogs }: Parts): Pick<Handlers, "capture/screenshot"> {
  const byDebugger = async ({ tab, format, quality, maxSide }: CaptureScreenshot, hidden: boolean): Promise<Screenshot> => {
    await debug.attach(tab);
    const send = (method: string, params: Record<string, unknown> = {}) => dialogs.guard(tab, debug.send(tab, method, params));
    const width = numberAt(await send("Page.getLayoutMetrics"), "cssVisualViewport", "clientWidth");
    if (width === 0) throw new Failure("unsupported", "the tab has no size: its window is hidden");
    // A tab in the background draws no frame for a lone picture, every other time until its limit; while a screencast runs, however
    // small, it draws. A `clip` with a scale would resize the page for a moment, so that is done here afterwards.
    await send("Page.startScreencast", { format: "jpeg", quality: 1, maxWidth: 16, maxHeight: 16 });
    try {
      const data = field(await send("Page.captureScreenshot", { format, ...(format === "jpeg" ? { quality } : {}), captureBeyondViewport: false }), "data");
      if (typeof data !== "string") throw new Failure("unsupported", "Chrome gave no picture");
      return await fitted(data, `image/${format}`, { quality, maxSide, cssWidth: width, hidden });
    } finally {
      debug.send(tab, "Page.stopScreencast").catch(() => undefined);
    }
  };

  return {
    "capture/screenshot": async (params) => {
      const now = await book.page(params.tab);
      const hidden = await book.hidden(now);
      dialogs.refuse(params.tab);
      const bounded = { ...params, quality: Math.min(100, Math.max(1, params.quality)), maxSide: Math.max(16, params.maxSide) };
      try {
        return await byDebugger(bounded, hidden);
      } catch (thrown) {
        if (!(thrown instanceof Failure) || thrown.code !== "unsupported") throw thrown;
        // Without the debugger only what the user sees can be taken.
        if (hidden) throw new Failure("unsupported", `a tab in the background needs the debugger: ${thrown.message}`);
      }
      const mime = bounded.format === "jpeg" ? "image/jpeg" as const : "image/png" as const;
      const url = await browser.tabs.picture(now.window, bounded.format, bounded.quality).catch((thrown: unknown) => {
        throw new Failure("unsupported", `Chrome gave no picture: ${messageOf(thrown)}`);
      });
      return await fitted(url.slice(url.indexOf(",") + 1), mime, { quality: bounded.quality, maxSide: bounded.maxSide, hidden });
    },
  };
}
