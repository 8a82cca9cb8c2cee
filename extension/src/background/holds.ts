// Marks the tabs that sessions hold: a tab group with the agent's name, and the popup's list.

import type { Held } from "../generated/protocol";
import { cut } from "../shared/text";
import type { Browser } from "./chrome";

const KEY = "held";
const PREFIX = "Tegata · ";

function isHeld(value: unknown): value is Held {
  return typeof value === "object" && value !== null && "tab" in value && typeof value.tab === "number" && "label" in value && typeof value.label === "string";
}

/** See the file's head. */
export class Holds {
  private held: Held[] = [];
  private readonly browser: Pick<Browser, "tabs" | "groups" | "store">;

  constructor(browser: Pick<Browser, "tabs" | "groups" | "store">) {
    this.browser = browser;
  }

  async load(): Promise<void> {
    const stored = await this.browser.store.session(KEY);
    if (Array.isArray(stored)) this.held = stored.filter(isHeld);
  }

  get list(): readonly Held[] {
    return this.held;
  }

  holds(tab: number): boolean {
    return this.held.some((one) => one.tab === tab);
  }

  /** The whole list, each time. Marks are a courtesy: where Chrome gives no group the hold stands all the same. */
  async set(held: readonly Held[]): Promise<void> {
    this.held = [...held];
    await this.browser.store.setSession(KEY, this.held);
    const titles = await this.browser.groups.titles().catch(() => new Map<number, string>());
    const tabs = await this.browser.tabs.all();
    const labels = new Map(held.map((one) => [one.tab, PREFIX + cut(one.label, 40)]));
    for (const tab of tabs) {
      if (tab.id === undefined) continue;
      const now = titles.get(tab.groupId);
      const wanted = labels.get(tab.id);
      try {
        if (wanted === undefined) {
          if (now?.startsWith(PREFIX) === true) await this.browser.groups.leave(tab.id);
        } else if (now !== wanted && !tab.pinned) {
          const group = await this.browser.groups.find(wanted, tab.windowId);
          const added = await this.browser.groups.add(tab.id, group);
          if (group === undefined) await this.browser.groups.name(added, wanted);
        }
      } catch {
        // The tab went away, is being dragged, or lives in a window without groups.
      }
    }
  }

  /** A held tab lost its group, or moved: mark it again. */
  async again(): Promise<void> {
    await this.set(this.held);
  }
}
