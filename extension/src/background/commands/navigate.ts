// navigate/*: going to an address, in history, and loading again; each waits for the end of the navigation.

import type { Navigation, NavigationEnd } from "../../generated/protocol";
import { messageOf } from "../../shared/text";
import type { Handlers } from "../dispatch";
import { Failure, stopIfCancelled } from "../failure";
import { isEndOfHistory } from "../navigation";
import type { Ended } from "../navigation";
import type { Parts } from "../parts";
import { settled, webAddress } from "../tabs";

type Rows = "navigate/go" | "navigate/history" | "navigate/reload";

const STUCK_MS = 400;

export function navigate({ browser, book, navigations, pages, dialogs }: Parts): Pick<Handlers, Rows> {
  /** A page that does not answer although nothing is loading stands in a dialog of its own. */
  const stuck = async (tab: number): Promise<boolean> => {
    const top = (await pages.documents(tab))[0];
    if (top === undefined || top.error) return false;
    try {
      await pages.ask(top, "echo", null, { limitMs: STUCK_MS });
      return false;
    } catch (thrown) {
      return thrown instanceof Failure && (thrown.code === "timeout" || thrown.code === "dialog_open");
    }
  };

  const run = async (tab: number, limitMs: number, signal: AbortSignal, start: () => Promise<unknown>, quiet: () => NavigationEnd | null = () => null): Promise<Navigation> => {
    dialogs.refuse(tab);
    book.touch(tab);
    stopIfCancelled(signal);
    let ended: Ended;
    try {
      ended = await navigations.run(async () => { await start(); return tab; }, { tab, limitMs, signal, idle: async () => (await stuck(tab) ? "dialog" : quiet()) });
    } catch (thrown) {
      if (thrown instanceof Failure) throw thrown;
      if (isEndOfHistory(thrown)) ended = { end: "endOfHistory" };
      else throw new Failure("unsupported", `Chrome did not navigate: ${messageOf(thrown)}`);
    }
    if (ended.end === "dialog" && dialogs.current(tab) === undefined) dialogs.opened(tab, { kind: "beforeUnload", text: "", closable: false });
    if (ended.end === "complete" || ended.end === "interactive") pages.ready(tab).catch(() => undefined);
    return { tab: settled(await book.get(tab), ended.end), ...ended };
  };

  return {
    "navigate/go": async ({ tab, url, limitMs }, signal) => {
      const address = webAddress(url);
      await book.get(tab);
      return await run(tab, limitMs, signal, () => browser.tabs.go(tab, address));
    },
    "navigate/history": async ({ tab, delta, limitMs }, signal) => {
      if (delta !== 1 && delta !== -1) throw new Failure("invalid_argument", "only one step back or forward can be taken");
      await book.get(tab);
      let byPage = false;
      return await run(tab, limitMs, signal, async () => {
        try {
          await (delta < 0 ? browser.tabs.back(tab) : browser.tabs.forward(tab));
        } catch (thrown) {
          if (!isEndOfHistory(thrown)) throw thrown;
          // Chrome's own back passes over entries in which nobody had acted with a real hand, as if they were not there; the page's does not.
          byPage = true;
          await browser.pages.history(tab, delta).catch(() => { throw thrown; });
        }
      }, () => (byPage ? "endOfHistory" : null));
    },
    "navigate/reload": async ({ tab, limitMs }, signal) => {
      await book.get(tab);
      return await run(tab, limitMs, signal, () => browser.tabs.reload(tab));
    },
  };
}
