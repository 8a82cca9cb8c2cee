// keyboard/*: putting text into a field, pressing keys.

import type { Chord, KeyboardType } from "../../generated/protocol";
import { act } from "../act";
import type { Action } from "../act";
import type { MoneyHit } from "../../shared/pageCalls";
import { resolveFocus } from "../aim";
import type { Handlers } from "../dispatch";
import { Failure } from "../failure";
import type { Doc } from "../pages";
import type { Parts } from "../parts";
import { isComposed } from "../../shared/text";

/** What this chord would press that moves money, by what has the focus now. */
async function moves({ pages, money }: Parts, tab: number, { key, held }: Chord): Promise<{ hit: MoneyHit; doc: Doc } | null> {
  const alt = held.some((one) => one.key === "Alt");
  if (key.key !== "Enter" && key.key !== " " && !alt) return null;
  const docs = await pages.ready(tab);
  const focus = await resolveFocus(pages, docs);
  if (focus.kind === "refused") return null;
  const { doc } = focus;
  const hit = await pages.ask(doc, "pressing", { key: key.key, alt, gate: money.gate(doc) });
  if (hit === null) money.take(doc);
  return hit === null ? null : { hit, doc };
}

export function keyboard(parts: Parts): Pick<Handlers, "keyboard/type" | "keyboard/press"> {
  const { pages, trusted } = parts;
  return {
    "keyboard/type": (params, signal) => act(parts, typing(parts, params), signal),

    "keyboard/press": ({ tab, target, chords, watch }, signal) => {
      let pressed = 0;
      let place: Doc | undefined;
      return act(parts, {
        kind: target === undefined ? "keys" : "press", tab, target, input: "trusted", watch,
        pressed: () => pressed,
        stoppedIn: () => place,
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
            const stopped = await moves(parts, tab, chord);
            if (stopped !== null) {
              place = stopped.doc;
              return { stopped: stopped.hit, look: await pages.ask(doc, "look", { watch }) };
            }
            pressed++;
            await trusted.press(tab, chord);
          }
          return await pages.ask(doc, "received", { watch, text: null });
        },
      }, signal);
    },
  };
}

/** Chords that an editor has for its whole document, on this system. */
function ends(): Record<"all" | "begin" | "end", Chord> {
  const apple = navigator.platform.startsWith("Mac");
  const held = [apple ? { key: "Meta", code: "MetaLeft", number: 91 } : { key: "Control", code: "ControlLeft", number: 17 }];
  return {
    all: { held, key: { key: "a", code: "KeyA", number: 65 } },
    begin: { held, key: apple ? { key: "ArrowUp", code: "ArrowUp", number: 38 } : { key: "Home", code: "Home", number: 36 } },
    end: { held, key: apple ? { key: "ArrowDown", code: "ArrowDown", number: 40 } : { key: "End", code: "End", number: 35 } },
  };
}

/** Typing as an action; `asked`: what the node is to hold is read back already. */
export function typing(parts: Parts, { tab, target, text, append, submit, input, watch }: KeyboardType, asked = false): Action {
  const { pages, trusted, money } = parts;
  return {
    kind: "type", tab, target, input, text, submit, watch,
    synthetic: ({ doc, node }) => pages.ask(doc, "type", { node, watch, text, append, submit, gate: money.take(doc) }),
    trusted: async ({ doc, node }) => {
      const armed = await pages.ask(doc, "arm", { node, watch, action: "type", append, text, ...(asked ? {} : { field: 0 }) });
      const keys = ends();
      if (armed.excerpt === true) {
        await trusted.press(tab, append ? keys.end : keys.all);
        await pages.ask(doc, "placed", null);
      }
      // A field; editors take what is committed.
      if (text !== "") await trusted.insert(tab, text, armed.accepted !== undefined && isComposed(text) && !text.includes("\n"));
      else if (!append) await trusted.erase(tab);
      if (armed.excerpt !== undefined && (await pages.ask(doc, "typed", null)).beginUnseen) {
        await trusted.press(tab, keys.begin);
        await pages.ask(doc, "typed", null);
        await trusted.press(tab, keys.end);
        await pages.ask(doc, "typed", null);
      }
      const stopped = submit ? await pages.ask(doc, "pressing", { key: "Enter", alt: false, gate: money.take(doc) }) : null;
      if (submit && stopped === null) await trusted.enter(tab);
      const done = await pages.ask(doc, "received", { watch, text });
      return { ...done, ...(done.accepted === undefined && armed.accepted !== undefined ? { accepted: armed.accepted } : {}), ...(stopped === null ? {} : { stopped }) };
    },
  };
}
