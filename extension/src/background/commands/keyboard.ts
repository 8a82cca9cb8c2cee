// keyboard/*: putting text into a field.

import { act } from "../act";
import type { Handlers } from "../dispatch";
import type { Parts } from "../parts";

export function keyboard(parts: Parts): Pick<Handlers, "keyboard/type"> {
  const { pages, trusted } = parts;
  return {
    "keyboard/type": ({ tab, target, text, append, submit, input, watch }, signal) => act(parts, {
      kind: "type", tab, target, input, text, watch,
      synthetic: ({ doc, node }) => pages.ask(doc, "type", { node, watch, text, append, submit }),
      trusted: async ({ doc, node }) => {
        const armed = await pages.ask(doc, "arm", { node, watch, action: "type", append, text });
        if (text !== "") await trusted.insert(tab, text);
        else if (!append) await trusted.erase(tab);
        if (submit) await trusted.enter(tab);
        const done = await pages.ask(doc, "received", { watch, text });
        return { ...done, ...(done.accepted === undefined && armed.accepted !== undefined ? { accepted: armed.accepted } : {}) };
      },
    }, signal),
  };
}
