// The only file of the worker that names `chrome.*`: the calls it needs as plain functions, and its events.

import type { PageAnswer, PageCalls, PageEvent, PageRequest } from "../shared/pageCalls";
import { runInPage } from "./runInPage";
import { SOCKET_PORT } from "../shared/messages";
import type { Ask, CardState, FromSocket, PairResult, PopupState, Summon, ToSocket } from "../shared/messages";

export type ChromeTab = chrome.tabs.Tab;
export type FrameInfo = chrome.webNavigation.GetAllFrameResultDetails;
export type Session = chrome.debugger.DebuggerSession;

/** A port to the offscreen document. */
export interface SocketPort {
  post(message: ToSocket): void;
  onMessage(run: (message: FromSocket) => void): void;
  onGone(run: () => void): void;
}

/** What webNavigation tells of a frame. */
export interface NavigationEvent {
  tab: number;
  frame: number;
  url: string;
  at: number;
  error?: string;
  documentId?: string;
}

/** What webRequest tells of a request. */
export interface RequestEvent {
  id: string;
  tab: number;
  frame: number;
  method: string;
  url: string;
  type: string;
  at: number;
  documentId?: string;
  status?: number;
  error?: string;
  /** Of the answer's headers. */
  mime?: string;
  size?: number;
}

/** How a download stands. */
export interface DownloadEnd {
  state: "complete" | "interrupted" | "in_progress";
  path: string;
  bytes: number;
  mime: string;
  url: string;
  error?: string;
  /** Chrome holds it back until the user says yes. */
  danger?: string;
}

/** What the worker listens to. */
export interface BrowserEvents {
  woken(): void;
  tabCreated(tab: ChromeTab): void;
  tabRemoved(tab: number): void;
  /** Another tab stands in the place of this one. */
  tabReplaced(old: number, tab: number): void;
  tabUpdated(tab: number, change: { title?: string; status?: string }, now: ChromeTab): void;
  targetCreated(event: { source: number; tab: number; url: string; at: number }): void;
  navigation(phase: "before" | "committed" | "parsed" | "completed" | "failed" | "history" | "fragment", event: NavigationEvent): void;
  request(phase: "started" | "headers" | "done" | "failed", event: RequestEvent): void;
  download(item: { url: string; finalUrl: string; referrer: string; filename: string }): void;
  debuggerEvent(source: Session, method: string, params: unknown): void;
  debuggerDetached(tab: number, reason: string): void;
  page(tab: number, documentId: string, event: PageEvent): void;
  windowClosed(window: number): void;
  ask(message: Ask): Promise<PopupState | PairResult | CardState | null>;
  socket(port: SocketPort): void;
}

const OFFSCREEN = "offscreen.html";

/** The calls. Their type is what tests fake. */
export const browser = {
  tabs: {
    get: (tab: number) => chrome.tabs.get(tab),
    all: () => chrome.tabs.query({}),
    create: (url: string | undefined, active: boolean) => chrome.tabs.create(url === undefined ? { active } : { url, active }),
    go: (tab: number, url: string) => chrome.tabs.update(tab, { url }),
    activate: (tab: number) => chrome.tabs.update(tab, { active: true }),
    close: (tab: number) => chrome.tabs.remove(tab),
    reload: (tab: number) => chrome.tabs.reload(tab),
    back: (tab: number) => chrome.tabs.goBack(tab),
    forward: (tab: number) => chrome.tabs.goForward(tab),
    picture: (window: number, format: "jpeg" | "png", quality: number) => chrome.tabs.captureVisibleTab(window, { format, quality }),
    async windowMinimized(window: number): Promise<boolean> {
      return (await chrome.windows.get(window)).state === "minimized";
    },
  },
  windows: {
    /** A small window of ours in front. */
    async open(page: string): Promise<number | undefined> {
      return (await chrome.windows.create({ url: page, type: "popup", focused: true, width: 460, height: 380 }))?.id;
    },
    close: (window: number) => chrome.windows.remove(window),
  },
  groups: {
    async find(title: string, window: number): Promise<number | undefined> {
      return (await chrome.tabGroups.query({ title, windowId: window }))[0]?.id;
    },
    async titles(): Promise<Map<number, string>> {
      return new Map((await chrome.tabGroups.query({})).map((group) => [group.id, group.title ?? ""]));
    },
    async add(tab: number, group: number | undefined): Promise<number> {
      return await chrome.tabs.group(group === undefined ? { tabIds: [tab] } : { tabIds: [tab], groupId: group });
    },
    async name(group: number, title: string): Promise<void> {
      await chrome.tabGroups.update(group, { title, color: "red" });
    },
    async leave(tab: number): Promise<void> {
      await chrome.tabs.ungroup([tab]);
    },
  },
  pages: {
    async frames(tab: number): Promise<FrameInfo[]> {
      return (await chrome.webNavigation.getAllFrames({ tabId: tab })) ?? [];
    },
    async ask<K extends keyof PageCalls>(tab: number, documentId: string, request: PageRequest<K>): Promise<PageAnswer<PageCalls[K]["result"]>> {
      return await chrome.tabs.sendMessage<PageRequest<K>, PageAnswer<PageCalls[K]["result"]>>(tab, request, { documentId });
    },
    /** History as the page itself moves in it. */
    async history(tab: number, delta: number): Promise<void> {
      await chrome.scripting.executeScript({ target: { tabId: tab }, func: (steps: number) => { history.go(steps); }, args: [delta], injectImmediately: true });
    },
    /** Runs code in the page's own world and gives what it says of it. */
    async evaluate(tab: number, documentId: string, code: string, limitMs: number, limit: number): Promise<unknown> {
      const target = { tabId: tab, documentIds: [documentId] };
      const [answer] = await chrome.scripting.executeScript({ target, world: "MAIN", injectImmediately: true, func: runInPage, args: [code, limitMs, limit] });
      return answer?.result;
    },
    async inject(tab: number, documentId: string): Promise<void> {
      const target = { tabId: tab, documentIds: [documentId] };
      await chrome.scripting.executeScript({ target, files: ["page.js"], world: "MAIN", injectImmediately: true });
      await chrome.scripting.executeScript({ target, files: ["content.js"], injectImmediately: true });
    },
  },
  debug: {
    attach: (tab: number) => chrome.debugger.attach({ tabId: tab }, "1.3"),
    detach: (tab: number) => chrome.debugger.detach({ tabId: tab }),
    async send(target: Session, method: string, params: Record<string, unknown>): Promise<unknown> {
      return await chrome.debugger.sendCommand(target, method, params);
    },
    async attachedTabs(): Promise<number[]> {
      const targets = await chrome.debugger.getTargets();
      return targets.flatMap((target) => (target.attached && target.tabId !== undefined ? [target.tabId] : []));
    },
  },
  downloads: {
    /** Chrome tells the id when the answer begins; null when that took too long. One that begins later is cancelled. */
    async start(url: string, limitMs: number, signal: AbortSignal): Promise<number | null> {
      const begun = chrome.downloads.download({ url, saveAs: false, conflictAction: "uniquify" });
      const { promise: late, resolve } = Promise.withResolvers<null>();
      const give = () => { resolve(null); };
      const timer = setTimeout(give, limitMs);
      signal.addEventListener("abort", give);
      const id = await Promise.race([begun, late]);
      clearTimeout(timer);
      signal.removeEventListener("abort", give);
      if (id === null) begun.then((late) => browser.downloads.cancel(late), () => undefined).catch(() => undefined);
      return id;
    },
    /** Waits until it ended, waits for the user, or the limit passed. */
    async ended(id: number, limitMs: number, signal: AbortSignal): Promise<DownloadEnd> {
      const now = async (): Promise<DownloadEnd> => {
        const [item] = await chrome.downloads.search({ id });
        if (item === undefined) return { state: "interrupted", path: "", bytes: 0, mime: "", url: "", error: "Chrome forgot it" };
        const held = item.danger !== "safe" && item.danger !== "accepted" && item.state !== "complete";
        return {
          state: item.state, path: item.filename, bytes: item.bytesReceived, mime: item.mime, url: item.finalUrl,
          ...defined(item.error, "error"), ...(held ? { danger: item.danger } : {}),
        };
      };
      return await new Promise((resolve) => {
        const finish = () => {
          clearTimeout(timer);
          chrome.downloads.onChanged.removeListener(look);
          signal.removeEventListener("abort", finish);
          void now().then(resolve);
        };
        const look = (change: { id: number }) => {
          if (change.id === id) void now().then((end) => { if (end.state !== "in_progress" || end.danger !== undefined) finish(); });
        };
        const timer = setTimeout(finish, limitMs);
        chrome.downloads.onChanged.addListener(look);
        signal.addEventListener("abort", finish);
        look({ id });
      });
    },
    async cancel(id: number): Promise<void> {
      await chrome.downloads.cancel(id).catch(() => undefined);
      await chrome.downloads.erase({ id }).catch(() => undefined);
    },
  },
  store: {
    local: async (key: string): Promise<unknown> => (await chrome.storage.local.get<Record<string, unknown>>(key))[key],
    setLocal: (key: string, value: unknown) => chrome.storage.local.set({ [key]: value }),
    session: async (key: string): Promise<unknown> => (await chrome.storage.session.get<Record<string, unknown>>(key))[key],
    setSession: (key: string, value: unknown) => chrome.storage.session.set({ [key]: value }),
    /** Content scripts run in the page's process: the pairing secret is not for them. */
    async keepFromPages(): Promise<void> {
      await chrome.storage.local.setAccessLevel({ accessLevel: "TRUSTED_CONTEXTS" });
    },
  },
  offscreen: {
    async exists(): Promise<boolean> {
      return (await chrome.runtime.getContexts({ contextTypes: ["OFFSCREEN_DOCUMENT"] })).length > 0;
    },
    async create(ports: readonly number[]): Promise<void> {
      await chrome.offscreen.createDocument({
        url: `${OFFSCREEN}#${ports.join(",")}`, reasons: ["WORKERS"],
        justification: "Holds the connection to the Tegata daemon on this computer, which must outlive the service worker.",
      });
    },
    async summon(): Promise<void> {
      await chrome.runtime.sendMessage<Summon>({ summon: "socket" });
    },
  },
  self: {
    version: (): string => chrome.runtime.getManifest().version,
    id: (): string => chrome.runtime.id,
    reload: (): void => { chrome.runtime.reload(); },
    async alarm(name: string, minutes: number): Promise<void> {
      await chrome.alarms.create(name, { periodInMinutes: minutes });
    },
    async badge(text: string, title: string): Promise<void> {
      await chrome.action.setBadgeBackgroundColor({ color: "#8a1f17" });
      await chrome.action.setBadgeText({ text });
      await chrome.action.setTitle({ title });
    },
    fileAccess: () => chrome.extension.isAllowedFileSchemeAccess(),
  },
};

export type Browser = typeof browser;

function defined<T>(value: T | undefined, key: string): Record<string, T> {
  return value === undefined ? {} : { [key]: value };
}

function requestOf(details: {
  requestId: string; tabId: number; frameId: number; method: string; url: string; type: string; timeStamp: number;
  documentId?: string; statusCode?: number; error?: string; responseHeaders?: { name: string; value?: string | undefined }[];
}): RequestEvent {
  const header = (wanted: string) => details.responseHeaders?.find(({ name }) => name.toLowerCase() === wanted)?.value;
  const size = Number(header("content-length") ?? Number.NaN);
  return {
    ...defined(header("content-type")?.split(";")[0]?.trim(), "mime"), ...(Number.isSafeInteger(size) && size < 2 ** 32 ? { size } : {}),
    id: details.requestId, tab: details.tabId, frame: details.frameId, method: details.method, url: details.url,
    type: details.type, at: details.timeStamp, ...defined(details.documentId, "documentId"),
    ...defined(details.statusCode, "status"), ...defined(details.error, "error"),
  };
}

function navigationOf(details: { tabId: number; frameId: number; url: string; timeStamp: number; documentId?: string; error?: string }): NavigationEvent {
  return {
    tab: details.tabId, frame: details.frameId, url: details.url, at: details.timeStamp,
    ...defined(details.documentId, "documentId"), ...defined(details.error, "error"),
  };
}

/** Registers every listener; called once, synchronously, when the worker's script runs. */
export function listen(events: BrowserEvents): void {
  chrome.runtime.onInstalled.addListener(() => { events.woken(); });
  chrome.runtime.onStartup.addListener(() => { events.woken(); });
  chrome.alarms.onAlarm.addListener(() => { events.woken(); });

  chrome.tabs.onCreated.addListener((tab) => { events.tabCreated(tab); });
  chrome.tabs.onRemoved.addListener((tab) => { events.tabRemoved(tab); });
  chrome.tabs.onReplaced.addListener((tab, old) => { events.tabReplaced(old, tab); });
  chrome.tabs.onUpdated.addListener((tab, change, now) => {
    if (change.title === undefined && change.status === undefined) return;
    events.tabUpdated(tab, { ...defined(change.title, "title"), ...defined(change.status, "status") }, now);
  });

  const { webNavigation } = chrome;
  webNavigation.onCreatedNavigationTarget.addListener((details) => {
    events.targetCreated({ source: details.sourceTabId, tab: details.tabId, url: details.url, at: details.timeStamp });
  });
  webNavigation.onBeforeNavigate.addListener((details) => { events.navigation("before", navigationOf(details)); });
  webNavigation.onCommitted.addListener((details) => { events.navigation("committed", navigationOf(details)); });
  webNavigation.onDOMContentLoaded.addListener((details) => { events.navigation("parsed", navigationOf(details)); });
  webNavigation.onCompleted.addListener((details) => { events.navigation("completed", navigationOf(details)); });
  webNavigation.onErrorOccurred.addListener((details) => { events.navigation("failed", navigationOf(details)); });
  webNavigation.onHistoryStateUpdated.addListener((details) => { events.navigation("history", navigationOf(details)); });
  webNavigation.onReferenceFragmentUpdated.addListener((details) => { events.navigation("fragment", navigationOf(details)); });

  const everything = { urls: ["<all_urls>"] };
  chrome.webRequest.onBeforeRequest.addListener((details) => { events.request("started", requestOf(details)); return undefined; }, everything);
  chrome.webRequest.onHeadersReceived.addListener((details) => { events.request("headers", requestOf(details)); return undefined; }, everything, ["responseHeaders"]);
  chrome.webRequest.onCompleted.addListener((details) => { events.request("done", requestOf(details)); }, everything);
  chrome.webRequest.onErrorOccurred.addListener((details) => { events.request("failed", requestOf(details)); }, everything);

  chrome.windows.onRemoved.addListener((window) => { events.windowClosed(window); });

  chrome.downloads.onCreated.addListener(({ url, finalUrl, referrer, filename }) => { events.download({ url, finalUrl, referrer, filename }); });

  chrome.debugger.onEvent.addListener((source, method, params) => { events.debuggerEvent(source, method, params); });
  chrome.debugger.onDetach.addListener((source, reason) => {
    if (source.tabId !== undefined) events.debuggerDetached(source.tabId, reason);
  });

  const own = `chrome-extension://${chrome.runtime.id}/`;
  chrome.runtime.onMessage.addListener((message: PageEvent | Ask | Summon, sender, respond: (answer: unknown) => void) => {
    if ("event" in message) {
      if (sender.tab?.id !== undefined && sender.documentId !== undefined) events.page(sender.tab.id, sender.documentId, message);
      return false;
    }
    // Only the extension's own pages may ask: the sender's address cannot be forged by a web page.
    if (!("ask" in message) || sender.id !== chrome.runtime.id || sender.url?.startsWith(own) !== true) return false;
    events.ask(message).then(respond, () => { respond(null); });
    return true;
  });
  chrome.runtime.onConnect.addListener((port) => {
    if (port.name !== SOCKET_PORT || port.sender?.url?.startsWith(`${own}${OFFSCREEN}`) !== true) return;
    // Heard from this moment on: what comes while the worker still reads its storage would be lost, and with it the link.
    const early: FromSocket[] = [];
    let hear = (message: FromSocket) => { early.push(message); };
    let gone = false;
    let leave = () => { gone = true; };
    port.onMessage.addListener((message: FromSocket) => { hear(message); });
    port.onDisconnect.addListener(() => { leave(); });
    events.socket({
      post: (message) => { port.postMessage(message); },
      onMessage: (run) => {
        hear = run;
        for (const message of early.splice(0)) run(message);
      },
      onGone: (run) => {
        leave = run;
        if (gone) run();
      },
    });
  });
}
