// Files for a page: into its file input, into the chooser that a button opens, or dropped where there is neither.

import type { Act, FormUpload, Refusal } from "../generated/protocol";
import type { Dispatched, Point } from "../shared/pageCalls";
import { PLAIN } from "../shared/press";
import { act } from "./act";
import type { Aim } from "./act";
import { Failure } from "./failure";
import { withNode } from "./listeners";
import type { Doc } from "./pages";
import type { Parts } from "./parts";

/** So long after the press a chooser may open. */
const CHOOSER_MS = 800;

/** See the file's head. */
export async function upload(parts: Parts, { tab, target, paths, watch }: FormUpload, signal: AbortSignal): Promise<Act> {
  const { pages, debug, contexts, trusted, choosers, dialogs } = parts;
  const names = paths.map((path) => path.split("/").pop() ?? path);
  let refusal: Refusal | undefined;

  const put = async (where: Record<string, unknown>, sessionId: string | undefined): Promise<void> => {
    try {
      await dialogs.guard(tab, debug.send(tab, "DOM.setFileInputFiles", { files: paths, ...where }, sessionId));
    } catch (thrown) {
      if (thrown instanceof Failure && /not allowed/i.test(thrown.message)) {
        throw new Failure("unsupported", "Chrome does not let the extension give files to pages: \"Allow access to file URLs\" is off for it in chrome://extensions");
      }
      throw thrown;
    }
  };

  /** Lets them go only where the page says that it takes them: elsewhere Chrome would open the files. */
  const drop = async (doc: Doc, { x, y }: Point): Promise<void> => {
    const data = { items: [], files: paths, dragOperationsMask: 1 };
    const send = (type: string) => dialogs.guard(tab, debug.send(tab, "Input.dispatchDragEvent", { type, x, y, data }));
    await pages.ask(doc, "dragWatch", null);
    await send("dragEnter");
    await send("dragOver");
    await send((await pages.ask(doc, "dragTaken", null)).taken ? "drop" : "dragCancel");
  };

  const press = async ({ doc, node, top, facts }: Aim): Promise<Dispatched> => {
    if (top === null) throw new Failure("unsupported", "where the frame lies in its page is not known");
    await pages.ask(doc, "arm", { node, watch, action: "click", append: false, text: null });
    const chooser = await choosers.during(tab, contexts.children(tab), () => trusted.click(tab, top, PLAIN), CHOOSER_MS);
    if (chooser === null) await drop(doc, top);
    else if (paths.length > 1 && !chooser.several) refusal = { reason: "wrongKind", target: facts.described, what: "opened a chooser for one file only; none was chosen", instead: "one path" };
    else await put({ backendNodeId: chooser.backendNodeId }, chooser.sessionId);
    return await pages.ask(doc, "received", { watch, text: null });
  };

  const done = await act(parts, {
    kind: "upload", tab, target, input: "trusted", watch, options: names,
    synthetic: () => { throw new Failure("unsupported", "files are given by trusted input only"); },
    trusted: async (aim) => {
      const { doc, node, facts } = aim;
      await pages.ask(doc, "want", { node, watch, field: 0, wanted: { kind: "files", names } });
      const place = await pages.ask(doc, "fileInput", { node });
      if (place.expression === undefined) return await press(aim);
      await dialogs.guard(tab, withNode(debug, contexts, tab, place.expression, ({ objectId, sessionId }) => put({ objectId }, sessionId)));
      return { delivered: facts.described, look: await pages.ask(doc, "look", { watch }) };
    },
  }, signal);
  return refusal === undefined ? done : { kind: "refused", refusal };
}
