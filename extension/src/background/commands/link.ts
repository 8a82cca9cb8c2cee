// link/*: the way to the page, measured.

import { messageOf } from "../../shared/text";
import type { Handlers } from "../dispatch";
import type { Parts } from "../parts";

const ECHO_MS = 1_000;

export function link({ pages, generation, socketHolder }: Parts): Pick<Handlers, "link/echo"> {
  return {
    "link/echo": async ({ tab }) => {
      const self = { generation, socket: socketHolder() };
      if (tab === undefined) return self;
      const start = performance.now();
      try {
        const top = (await pages.documents(tab))[0];
        if (top === undefined) return { ...self, pageError: "the tab has no document" };
        await pages.ask(top, "echo", null, { limitMs: ECHO_MS });
        return { ...self, pageMs: performance.now() - start };
      } catch (thrown) {
        return { ...self, pageError: messageOf(thrown) };
      }
    },
  };
}
