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

async function scaledDown(data: string, mime: "image/jpeg" | "image/png", quality: number, maxSide: number) {
  const bitmap = await createImageBitmap(new Blob([bytes(data)], { type: mime }));
  const ratio = Math.min(1, maxSide / Math.max(bitmap.width, bitmap.height));
  const width = Math.max(1, Math.round(bitmap.width * ratio)), height = Math.max(1, Math.round(bitmap.height * ratio));
  if (ratio === 1) return { data, width, height, ratio };
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0, width, height);
  const blob = new Uint8Array(await (await canvas.convertToBlob({ type: mime, quality: quality / 100 })).arrayBuffer());
  let text = "";
  for (let at = 0; at < blob.length; at += 8_192) text += String.fromCharCode(...blob.subarray(at, at + 8_192));
  return { data: btoa(text), width, height, ratio };
}

export function capture({ book, browser, debug, dialogs }: Parts): Pick<Handlers, "capture/screenshot"> {
  const byDebugger = async (params: CaptureScreenshot, hidden: boolean): Promise<Screenshot> => {
    const { tab, format, quality, maxSide } = params;
    await debug.attach(tab);
    const metrics = await dialogs.guard(tab, debug.send(tab, "Page.getLayoutMetrics"));
    const width = numberAt(metrics, "cssVisualViewport", "clientWidth"), height = numberAt(metrics, "cssVisualViewport", "clientHeight");
    if (width === 0 || height === 0) throw new Failure("unsupported", "the tab has no size: its window is hidden");
    const pixels = numberAt(metrics, "layoutViewport", "clientWidth") / numberAt(metrics, "cssLayoutViewport", "clientWidth");
    const ratio = Number.isFinite(pixels) && pixels > 0 ? pixels : 1;
    const scale = Math.min(1, maxSide / (Math.max(width, height) * ratio));
    const clip = { x: numberAt(metrics, "cssVisualViewport", "pageX"), y: numberAt(metrics, "cssVisualViewport", "pageY"), width, height, scale };
    const data = field(await dialogs.guard(tab, debug.send(tab, "Page.captureScreenshot", {
      format, ...(format === "jpeg" ? { quality } : {}), clip, fromSurface: true, captureBeyondViewport: false, optimizeForSpeed: true,
    })), "data");
    if (typeof data !== "string") throw new Failure("unsupported", "Chrome gave no picture");
    const size = pictureSize(bytes(data)) ?? { width: Math.round(width * ratio * scale), height: Math.round(height * ratio * scale) };
    return { data, mime: `image/${format}`, ...size, scale: size.width / width, hidden };
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
      const { data, width, height, ratio } = await scaledDown(url.slice(url.indexOf(",") + 1), mime, bounded.quality, bounded.maxSide);
      return { data, mime, width, height, scale: ratio, hidden };
    },
  };
}
