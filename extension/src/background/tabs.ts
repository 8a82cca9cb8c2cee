// A tab as the daemon sees it, and whether extensions may act on it.

import type { NavigationEnd, Tab } from "../generated/protocol";
import { cut } from "../shared/text";
import type { Browser, ChromeTab } from "./chrome";
import type { Dialogs } from "./dialogs";
import { Failure } from "./failure";

const KEY = "touchedTabs";

/** Why no extension may act on a page with this address. */
export function restriction(url: string, fileAccess: boolean): string | undefined {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  switch (scheme) {
    case "http": case "https":
      return /^https:\/\/(chromewebstore\.google\.com|chrome\.google\.com\/webstore)(\/|$)/.test(url) ? "web store" : undefined;
    case undefined: return undefined;
    case "about": return /^about:(blank|srcdoc)([?#]|$)/.test(url) ? undefined : "chrome page";
    case "data": case "blob": return undefined;
    case "file": return fileAccess ? undefined : "file without permission";
    case "chrome": case "chrome-untrusted": case "chrome-search": case "edge": case "brave": return "chrome page";
    case "chrome-extension": return "extension page";
    case "devtools": return "devtools";
    case "view-source": return "source view";
    case "chrome-error": return "error page";
    default: return `${scheme} page`;
  }
}

/** Throws unless it is an absolute http or https address. */
export function webAddress(url: string): string {
  if (!URL.canParse(url)) throw new Failure("invalid_argument", `${JSON.stringify(cut(url, 200))} is no absolute address`);
  const { protocol, href } = new URL(url);
  if (protocol !== "http:" && protocol !== "https:") throw new Failure("restricted_page", `only http and https pages can be opened, not ${protocol}`);
  return href;
}

/** Chrome tells the tab's load a moment later than the document's. */
export function settled(tab: Tab, end: NavigationEnd): Tab {
  return end === "complete" || end === "failed" ? { ...tab, loading: false } : tab;
}

/** See the file's head. */
export class TabBook {
  /** Tabs that a session has touched: of others nothing is noted. */
  private readonly touched = new Set<number>();
  private readonly errored = new Map<number, string>();
  private fileAccess = false;
  private readonly browser: Pick<Browser, "tabs" | "store" | "self">;
  private readonly dialogs: Dialogs;

  constructor(browser: Pick<Browser, "tabs" | "store" | "self">, dialogs: Dialogs) {
    this.browser = browser;
    this.dialogs = dialogs;
  }

  async load(): Promise<void> {
    const [stored, files] = await Promise.all([this.browser.store.session(KEY), this.browser.self.fileAccess()]);
    this.fileAccess = files;
    if (Array.isArray(stored)) for (const tab of stored) if (typeof tab === "number") this.touched.add(tab);
  }

  isTouched(tab: number): boolean {
    return this.touched.has(tab);
  }

  touch(tab: number): void {
    if (this.touched.has(tab)) return;
    this.touched.add(tab);
    this.save();
  }

  forget(tab: number): void {
    this.errored.delete(tab);
    if (this.touched.delete(tab)) this.save();
  }

  /** Chrome shows an error page in the main frame; null when it does no more. */
  setError(tab: number, error: string | null): void {
    if (error === null) this.errored.delete(tab);
    else this.errored.set(tab, error);
  }

  /** Null for what is no tab of a window. */
  describe(tab: ChromeTab): Tab | null {
    if (tab.id === undefined || tab.id < 0) return null;
    const url = tab.url !== undefined && tab.url !== "" ? tab.url : (tab.pendingUrl ?? "");
    const restricted = restriction(url, this.fileAccess) ?? (this.errored.has(tab.id) ? "error page" : undefined);
    const dialog = this.dialogs.current(tab.id);
    return {
      id: tab.id, window: Math.max(0, tab.windowId), url: url.toWellFormed(), title: (tab.title ?? "").toWellFormed(), active: tab.active,
      loading: tab.status === "loading", discarded: tab.discarded,
      ...(tab.openerTabId === undefined ? {} : { opener: tab.openerTabId }),
      ...(restricted === undefined ? {} : { restricted }),
      ...(dialog === undefined ? {} : { dialog }),
    };
  }

  /** The tab, or `no_tab`. */
  async get(tab: number): Promise<Tab> {
    return (await this.look(tab)).described;
  }

  private async look(tab: number): Promise<{ described: Tab; lifeless: boolean; frozen: boolean }> {
    const found = await this.browser.tabs.get(tab).catch(() => undefined);
    const described = found === undefined ? null : this.describe(found);
    if (described === null) throw new Failure("no_tab", `there is no tab ${tab}`);
    // Chrome's word for a tab with no process behind it: a crash leaves it so too.
    return { described, lifeless: found?.status === "unloaded", frozen: found?.frozen === true };
  }

  /** The tab, when pages of its kind may be read and acted on; it counts as touched from now on. */
  async page(tab: number): Promise<Tab> {
    const { described, lifeless, frozen } = await this.look(tab);
    if (described.restricted !== undefined) throw new Failure("restricted_page", `Chrome lets no extension act on this ${described.restricted}: ${cut(described.url, 120)}`);
    if (described.discarded) throw new Failure("unsupported", `Chrome has unloaded tab ${tab} to save memory; navigate with action reload brings it back`);
    if (lifeless) throw new Failure("unsupported", `the page in tab ${tab} crashed, or was never loaded; navigate with action reload brings it back`);
    // Nothing of it runs: a question to it would wait for as long as it is.
    if (frozen) throw new Failure("unsupported", `Chrome has frozen tab ${tab} to save power; tabs select brings it back`);
    this.touch(tab);
    return described;
  }

  async list(): Promise<Tab[]> {
    return (await this.browser.tabs.all()).map((tab) => this.describe(tab)).filter((tab) => tab !== null);
  }

  /** Nobody can see it now. */
  async hidden(tab: Tab): Promise<boolean> {
    return !tab.active || await this.browser.tabs.windowMinimized(tab.window).catch(() => false);
  }

  private save(): void {
    this.browser.store.setSession(KEY, [...this.touched]).catch(() => undefined);
  }
}
