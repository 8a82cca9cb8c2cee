// human/*: what only the person can say.

import type { Handlers } from "../dispatch";
import { Failure } from "../failure";
import type { Parts } from "../parts";

type Rows = "human/words" | "human/confirm" | "human/panel";

export function human({ book, money, pages, panels }: Parts): Pick<Handlers, Rows> {
  return {
    "human/words": async ({ words }) => {
      await money.add(words);
      return {};
    },

    "human/confirm": async ({ tab, limitMs }, signal) => {
      const { title } = await book.get(tab);
      return { permission: await money.confirm(tab, title, limitMs, signal) };
    },

    "human/panel": async ({ tab, panel }) => {
      const main = (await pages.ready(tab, book.page(tab))).find((doc) => doc.parent === null);
      if (main === undefined) throw new Failure("unsupported", "the tab shows no document now");
      const state = await pages.ask(main, "panel", panel);
      if (state.shown) panels.add(tab);
      else if (panel.kind === "status") panels.delete(tab);
      return state;
    },
  };
}
