// What Chrome tells unasked: kept for the watches and waits of touched tabs, told to the daemon where it is to know.

import type { Event } from "../generated/protocol";
import { cut } from "../shared/text";
import type { Bodies } from "./bodies";
import type { BrowserEvents, NavigationEvent } from "./chrome";
import type { Choosers } from "./choosers";
import type { Debug } from "./debug";
import type { Dialogs } from "./dialogs";
import type { Holds } from "./holds";
import type { Contexts } from "./listeners";
import type { Navigations } from "./navigation";
import type { Pages } from "./pages";
import type { Requests } from "./requests";
import type { Secrets } from "./secrets";
import type { TabLog } from "./tabLog";
import type { TabBook } from "./tabs";
import type { Traffic } from "./traffic";
import type { Trusted } from "./trusted";
import type { Watches } from "./watch";

/** A download names no tab: it is told to watches that are so young. */
const DOWNLOAD_MS = 3_000;

/** What the listeners feed. */
export interface Sinks {
  book: TabBook;
  pages: Pages;
  dialogs: Dialogs;
  debug: Debug;
  contexts: Contexts;
  choosers: Choosers;
  watches: Watches;
  navigations: Navigations;
  requests: Requests;
  traffic: Traffic;
  bodies: Bodies;
  log: TabLog;
  holds: Holds;
  secrets: Secrets;
  trusted: Trusted;
  tell: (event: Event) => void;
}

type Told = Omit<BrowserEvents, "woken" | "windowClosed" | "ask" | "socket">;

/** See the file's head. */
export function eventsOf(sinks: Sinks): Told {
  const { book, dialogs, debug, contexts, choosers, watches, navigations, requests, traffic, bodies, log, trusted, tell } = sinks;
  /** When the navigation under way in a frame began. */
  const began = new Map<string, number>();
  const titles = new Map<number, string>();

  const tabOpened = (opener: number, tab: number, url: string, at: number) => {
    if (!book.isTouched(opener)) return;
    // Chrome tells a new tab twice, the first time often without its address.
    const told = log.of(opener).find((entry) => entry.kind === "tab" && entry.tab === tab);
    const known = url === "" ? {} : { url };
    if (told !== undefined) Object.assign(told, known);
    else log.add(opener, { kind: "tab", what: "a tab opened", at, ...known, tab, linked: true });
  };

  const committed = (event: NavigationEvent, sameDocument: boolean) => {
    const key = `${event.tab}/${event.frame}`;
    const start = began.get(key);
    if (!sameDocument) began.delete(key);
    if (event.frame === 0) {
      book.setError(event.tab, null);
      log.add(event.tab, {
        kind: sameDocument ? "sameDocument" : "navigation", what: event.url, at: event.at, url: event.url,
        ...(start === undefined || sameDocument ? {} : { began: start }),
      });
      if (!sameDocument) dialogs.forget(event.tab);
      tell({ event: "tab/navigated", params: { tab: event.tab, url: event.url.toWellFormed(), sameDocument } });
    } else if (!sameDocument) {
      log.add(event.tab, { kind: "frameNavigation", frame: event.frame, what: `a frame went to ${event.url}`, at: event.at, url: event.url, ...(start === undefined ? {} : { began: start }) });
    }
  };

  const forget = (tab: number) => {
    book.forget(tab);
    dialogs.forget(tab);
    debug.forget(tab);
    watches.forget(tab);
    requests.forget(tab);
    traffic.forget(tab);
    bodies.forget(tab);
    log.forget(tab);
    sinks.secrets.forget(tab);
    titles.delete(tab);
  };

  return {
    tabCreated: (tab) => {
      const described = book.describe(tab);
      if (described === null) return;
      if (described.opener !== undefined) tabOpened(described.opener, described.id, described.url, Date.now());
      tell({ event: "tab/created", params: { tab: described } });
    },

    tabRemoved: (tab) => {
      forget(tab);
      tell({ event: "tab/removed", params: { tab } });
    },

    tabReplaced: (old, tab) => {
      if (book.isTouched(old)) book.touch(tab);
      forget(old);
      tell({ event: "tab/replaced", params: { old, tab } });
    },

    tabUpdated: (tab, change) => {
      if (change.status === "complete") {
        navigations.loaded(tab);
        if (sinks.holds.holds(tab)) tell({ event: "tab/loaded", params: { tab } });
      }
      if (change.title === undefined || !book.isTouched(tab)) return;
      const old = titles.get(tab);
      titles.set(tab, change.title);
      if (old === change.title) return;
      const now = JSON.stringify(cut(change.title, 80));
      log.add(tab, { kind: "title", what: old === undefined ? now : `${JSON.stringify(cut(old, 80))} → ${now}`, at: Date.now() });
    },

    targetCreated: ({ source, tab, url, at }) => { tabOpened(source, tab, url, at); },

    navigation: (phase, event) => {
      if (!book.isTouched(event.tab) && !navigations.expectsUnknown) return;
      const key = `${event.tab}/${event.frame}`;
      switch (phase) {
        case "before": began.set(key, event.at); break;
        case "committed": committed(event, false); break;
        case "history": case "fragment": if (event.frame === 0) committed(event, true); break;
        case "failed":
          if (event.frame === 0 && event.error !== undefined && event.error !== "net::ERR_ABORTED") book.setError(event.tab, event.error);
          began.delete(key);
          break;
        case "parsed": case "completed": break;
      }
      navigations.event(phase, event);
    },

    request: (phase, event) => {
      if (event.tab < 0 || (!book.isTouched(event.tab) && !navigations.expectsUnknown)) return;
      requests.note(phase, event);
      traffic.note(phase, event);
      navigations.request(phase, event);
    },

    download: (item) => {
      const at = Date.now();
      for (const watch of watches.active(DOWNLOAD_MS)) {
        const own = requests.of(watch.tab).some((seen) => seen.at >= watch.startEpoch - 50 && (seen.url === item.url || seen.url === item.finalUrl));
        const from = watch.docs.some((doc) => item.referrer === doc.url || item.url.startsWith(`blob:${originOf(doc.url)}/`));
        if (own || from) log.add(watch.tab, { kind: "download", what: `a download began: ${item.filename === "" ? item.finalUrl : item.filename}`, at, url: item.finalUrl, linked: true });
      }
    },

    debuggerEvent: (source, method, params) => {
      if (source.tabId === undefined) return;
      dialogs.debuggerEvent(source.tabId, method, params);
      contexts.debuggerEvent(source.tabId, source.sessionId, method, params);
      choosers.debuggerEvent(source.tabId, source.sessionId, method, params);
      trusted.debuggerEvent(source.tabId, method, params);
      bodies.debuggerEvent(source.tabId, source.sessionId, method, params);
    },

    debuggerDetached: (tab, reason) => {
      debug.gone(tab, reason);
      tell({ event: "debugger/detached", params: { tab, reason } });
    },

    page: (tab, _documentId, event) => {
      if (!book.isTouched(tab)) return;
      switch (event.event) {
        case "dialog": dialogs.announced(tab, event.dialog, event.text); return;
        case "dialogDone": dialogs.done(tab); return;
        case "exception": log.add(tab, { kind: "exception", what: cut(event.message, 200), at: Date.now(), place: "away" });
      }
    },
  };
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : "null";
}
