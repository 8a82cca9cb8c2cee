// data/*: rows, messages, requests and their bodies, fetches, downloads.

import type { Row } from "../../generated/protocol";
import type { Handlers } from "../dispatch";
import { evaluate } from "../evaluate";
import { readConsole } from "../consoleLog";
import { Failure } from "../failure";
import { PageLost } from "../pages";
import type { Parts } from "../parts";
import { webAddress } from "../tabs";
import { messageOf } from "../../shared/text";
import { askAll } from "../askAll";
import { placed } from "./read";

type Rows = "data/query" | "data/console" | "data/requests" | "data/body" | "data/fetch" | "data/download" | "data/eval";

/** The page answers a moment after its own limit. */
const GRACE_MS = 2_000;

export function data(parts: Parts): Pick<Handlers, Rows> {
  const { book, pages, browser, debug, dialogs, contexts, traffic, bodies, requests } = parts;
  return {
    "data/query": async ({ tab, selector, contains, fields, limit }) => {
      await book.page(tab);
      const by = selector !== undefined ? { by: "css" as const, selector, fields, limit } : { by: "text" as const, text: contains ?? "", limit };
      const { answers, unread } = await askAll(pages, await pages.ready(tab), "query", by);
      for (const { answer } of answers) {
        if (answer.badSelector !== undefined) return { kind: "refused", refusal: { reason: "badSelector", message: answer.badSelector } };
      }
      const rows = answers.flatMap(({ doc, answer }) => answer.rows.map((row): Row => ({ ...row, node: placed(doc, row.node), frame: doc.frame })));
      return {
        kind: "rows", tab: await book.get(tab), columns: answers.find(({ answer }) => answer.count > 0)?.answer.columns ?? fields.map((field) => field.name),
        count: answers.reduce((sum, { answer }) => sum + answer.count, 0), rows: rows.slice(0, limit), unread,
      };
    },

    "data/console": async ({ tab, since, limit }) => {
      await book.page(tab);
      dialogs.refuse(tab);
      const { entries, missing } = await readConsole({ debug, dialogs, contexts, log: bodies.consoleTap }, tab);
      const fresh = entries.filter((entry) => since === undefined || entry.at > since).sort((a, b) => a.at - b.at);
      const kept = fresh.slice(-limit);
      return { tab: await book.get(tab), entries: kept, dropped: fresh.length - kept.length, ...(missing === undefined ? {} : { missing }) };
    },

    "data/requests": async ({ tab, recording }) => {
      await book.page(tab);
      if (recording === "start") await bodies.start(tab);
      else if (recording === "stop") bodies.stop(tab);
      const { list, dropped } = traffic.of(tab);
      return { tab: await book.get(tab), requests: list.map((one) => ({ ...one, body: bodies.has(tab, one.number) })), dropped, recording: bodies.isRecording(tab) };
    },

    "data/body": async ({ tab, number, limit }) => {
      await book.page(tab);
      const request = traffic.find(tab, number);
      if (request === undefined) throw new Failure("no_match", `request ${number} of this tab is not remembered`);
      const content = await bodies.of(tab, number, limit);
      return { request: { ...request, body: typeof content !== "string" }, ...(typeof content === "string" ? { missing: content } : { content }) };
    },

    "data/eval": (wish, signal) => evaluate(parts, wish, signal),

    "data/fetch": async ({ tab, ...wish }) => {
      const docs = await pages.ready(tab, book.page(tab));
      const main = docs.find((doc) => doc.parent === null);
      if (main === undefined) throw new Failure("unsupported", "the tab shows no document now");
      const began = Date.now();
      try {
        return await pages.ask(main, "fetch", wish, { limitMs: wish.limitMs + GRACE_MS });
      } catch (thrown) {
        if (thrown instanceof PageLost) throw new Failure("unsupported", `the page cannot ask: ${thrown.message}`);
        if (!(thrown instanceof Failure) || thrown.code !== "internal") throw thrown;
        if (/abort/i.test(thrown.message)) throw new Failure("timeout", `no answer within ${wish.limitMs} ms`);
        if (/invalid url/i.test(thrown.message)) throw new Failure("invalid_argument", `${JSON.stringify(wish.url)} is no address`);
        if (/not a valid|header|method/i.test(thrown.message)) throw new Failure("invalid_argument", thrown.message.replace(/^fetch: /, ""));
        const [said] = requests.of(tab).filter((seen) => seen.at >= began - 50 && seen.error !== undefined).reverse();
        throw new Failure("no_match", `the browser got no answer it may show: ${said?.error ?? "another site that does not allow this page to read it (CORS), or a host that is not there"}`);
      }
    },

    "data/download": async ({ tab, url, limitMs }, signal) => {
      const address = webAddress(url);
      await book.get(tab);
      const began = performance.now();
      const id = await browser.downloads.start(address, limitMs, signal).catch((thrown: unknown) => {
        throw new Failure("unsupported", `Chrome did not begin the download: ${messageOf(thrown)}`);
      });
      if (id === null) {
        if (signal.aborted) throw new Failure("cancelled", "the caller gave up before the download began; it is cancelled when it does");
        throw new Failure("timeout", `the server sent nothing within ${limitMs} ms; the download is cancelled when it begins`);
      }
      const end = await browser.downloads.ended(id, Math.max(0, limitMs - (performance.now() - began)), signal);
      if (end.state === "complete") {
        return { path: end.path, name: end.path.split(/[\\/]/).at(-1) ?? "", bytes: end.bytes, mime: end.mime, url: end.url };
      }
      await browser.downloads.cancel(id);
      if (end.danger !== undefined) throw new Failure("declined", `Chrome holds the file back as dangerous (${end.danger}); it was cancelled`);
      if (end.state === "interrupted") throw new Failure("no_match", `Chrome ended the download: ${end.error ?? "no reason told"}`);
      if (signal.aborted) throw new Failure("cancelled", "the caller gave up; the download was cancelled");
      throw new Failure("timeout", `the download was not done within ${limitMs} ms (${end.bytes} bytes came) and was cancelled`);
    },
  };
}
