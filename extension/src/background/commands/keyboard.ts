// keyboard/*: putting text into a field, pressing keys.

import type { KeyboardType } from "../../generated/protocol";
import { act } from "../act";
import type { Action } from "../act";
import type { Handlers } from "../dispatch";
import { Failure } from "../failure";
import type { Parts } from "../parts";

export function keyboard(parts: Parts): Pick<Handlers, "keyboard/type" | "keyboard/press"> {
  const { pages, trusted } = parts;
  return {
    "keyboard/type": (params, signal) => act(parts, typing(parts, params), signal),

    "keyboard/press": ({ tab, target, chords, watch }, signal) => {
      let pressed = 0;
      return act(parts, {
        kind: target === undefined ? "keys" : "press", tab, target, input: "trusted", watch,
        pressed: () => pressed,
        approach: async ({ doc, node, facts }) => {
          if (target === undefined) return;
          const { focused } = await pages.ask(doc, "focus", { node });
          if (!focused) throw new Failure("wrong_kind", `${facts.described.role} ${JSON.stringify(facts.described.name)} does not take the focus; no key was pressed`);
        },
        synthetic: () => Promise.reject(new Failure("unsupported", "keys made by script do nothing")),
        trusted: async ({ doc, node }) => {
          await pages.ask(doc, "arm", { node, watch, action: "keys", append: false, text: null });
          for (const chord of chords) {
            // What comes after a key that led away was meant for the page before.
            if (pressed > 0 && !(await pages.alive(doc))) break;
            pressed++;
            await trusted.press(tab, chord);
          }
          return await pages.ask(doc, "received", { watch, text: null });
        },
      }, signal);
    },
  };
}

/** Typing as an action. */
export function typing(parts: Parts, { tab, target, text, append, submit, input, watch }: KeyboardType): Action {
  const { pages, trusted } = parts;
  return {
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
  };
}
