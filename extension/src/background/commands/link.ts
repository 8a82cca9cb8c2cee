// link/*: the way to the page, measured.

import { messageOf } from "../../shared/text";
import type { Handlers } from "../dispatch";
import type { Parts } from "../parts";

const ECHO_MS = 1_000;

/** The reply leaves first. */
const LEAVE_MS = 150;

export function link({ browser, pages, generation, socketHolder }: Parts): Pick<Handlers, "link/echo" | "link/reload"> {
  return {
    "link/reload": () => {
      setTimeout(() => { browser.self.reload(); }, LEAVE_MS);
      return Promise.resolve({});
    },

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
