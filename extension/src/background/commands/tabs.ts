// tabs/*: which tabs there are, opening, bringing to the front, closing, marking.

import { rethrowDialog } from "../pages";
import type { Handlers } from "../dispatch";
import { Failure, stopIfCancelled } from "../failure";
import type { Parts } from "../parts";
import { settled, webAddress } from "../tabs";
import { messageOf } from "../../shared/text";

/** A page closes at once, or asks the user first. */
const CLOSE_MS = 1_500;
/** So long the second try may take. */
const AGAIN_MS = 1_500;

type Rows = "tabs/list" | "tabs/create" | "tabs/activate" | "tabs/close" | "tabs/hold";

export function tabs({ browser, book, navigations, holds, pages, dialogs, debug, trusted }: Parts): Pick<Handlers, Rows> {
  return {
    "tabs/list": async () => ({ tabs: await book.list() }),

    "tabs/create": async ({ url, active, limitMs }, signal) => {
      const address = url === undefined ? undefined : webAddress(url);
      stopIfCancelled(signal);
      let made = -1;
      const open = async (): Promise<number> => {
        const tab = await browser.tabs.create(address ?? "about:blank", active);
        if (tab.id === undefined) throw new Failure("unsupported", "Chrome opened no tab");
        made = tab.id;
        book.touch(made);
        return made;
      };
      try {
        const ended = address === undefined ? { end: "complete" as const, tab: await open() } : await navigations.run(open, { limitMs, signal });
        return { tab: settled(await book.get(made), ended.end), end: ended.end, ...("status" in ended ? { status: ended.status } : {}), ...("error" in ended ? { error: ended.error } : {}) };
      } catch (thrown) {
        if (thrown instanceof Failure && thrown.code === "timeout" && made >= 0) return { tab: await book.get(made), end: "nothing", error: thrown.message };
        throw thrown instanceof Failure ? thrown : new Failure("unsupported", `Chrome opened no tab: ${messageOf(thrown)}`);
      } finally {
        // First contact now, so that the page has been watched for a while when it is acted on.
        if (made >= 0) pages.ready(made).catch((thrown: unknown) => { try { rethrowDialog(thrown); } catch { /* told by its own event */ } });
      }
    },

    "tabs/activate": async ({ tab }) => {
      await book.get(tab);
      await browser.tabs.activate(tab);
      book.touch(tab);
      return await book.get(tab);
    },

    "tabs/close": async ({ tab }) => {
      await book.get(tab);
      const accept = () => debug.send(tab, "Page.handleJavaScriptDialog", { accept: true }).catch(() => undefined);
      if (dialogs.current(tab)?.closable === true) await accept();
      // A page that had real input may ask whether it may be left; only a debugger that is there before can say yes.
      else if (trusted.hasUsed(tab) || debug.isAttached(tab)) await debug.attach(tab).catch(() => undefined);
      const next = dialogs.next(tab);
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<"late">((resolve) => { timer = setTimeout(() => { resolve("late"); }, CLOSE_MS); });
      try {
        const closed = browser.tabs.close(tab).then(() => "closed" as const);
        void next.dialog.then(() => accept());
        let end = await Promise.race([closed, late]);
        if (end === "late") {
          // Chrome closes a tab that is asked a second time; a debugger that can be had by now answers the question before.
          await debug.attach(tab).then(accept, () => undefined);
          const again = new Promise<"late">((resolve) => { timer = setTimeout(() => { resolve("late"); }, AGAIN_MS); });
          end = await Promise.race([browser.tabs.close(tab).then(() => "closed" as const, () => "closed" as const), closed, again]);
        }
        if (end === "late") {
          if (dialogs.current(tab) === undefined) dialogs.opened(tab, { kind: "beforeUnload", text: "", closable: false });
          throw new Failure("dialog_open", "the page asks the user whether it may be closed");
        }
      } finally {
        clearTimeout(timer);
        next.stop();
      }
      return {};
    },

    "tabs/hold": async ({ held }) => {
      for (const { tab } of held) book.touch(tab);
      await holds.set(held);
      return {};
    },
  };
}
