// dialog/*: answering the native dialog that is open on a tab.

import type { Handlers } from "../dispatch";
import { Failure } from "../failure";
import type { Parts } from "../parts";

export function dialog(parts: Parts): Pick<Handlers, "dialog/answer"> {
  const { book, dialogs, pages, watches } = parts;
  return {
    "dialog/answer": async ({ tab, accept, text, watch: number }) => {
      await book.get(tab);
      const open = dialogs.current(tab);
      if (open === undefined) throw new Failure("no_match", "no dialog is open on this tab");
      if (text !== undefined && open.kind !== "prompt") throw new Failure("invalid_argument", `the open dialog is a ${open.kind}, which takes no text`);
      const top = (await pages.documents(tab))[0];
      if (top === undefined) throw new Failure("no_tab", "the tab has no document");
      const watch = watches.resume(number, top);
      await dialogs.answer(tab, open, accept, text);
      watches.dispatched(watch);
      const described = { role: open.kind === "beforeUnload" ? "beforeunload" : open.kind, name: open.text.slice(0, 80) };
      return {
        kind: "done", input: "trusted", delivered: described,
        before: { described, tag: "", states: [], connected: false, submits: false, opensTab: false, rich: false, secret: false, marks: "" },
        look: await watches.firstLook(watch, null),
      };
    },
  };
}
