// What the command handlers work with.

import type { Switches } from "../generated/protocol";
import type { Bodies } from "./bodies";
import type { Browser } from "./chrome";
import type { Debug } from "./debug";
import type { Dialogs } from "./dialogs";
import type { Holds } from "./holds";
import type { Choosers } from "./choosers";
import type { Contexts } from "./listeners";
import type { MoneyGates } from "./money";
import type { Navigations } from "./navigation";
import type { Pages } from "./pages";
import type { Pictures } from "./pictures";
import type { Requests } from "./requests";
import type { Secrets } from "./secrets";
import type { TabBook } from "./tabs";
import type { Traffic } from "./traffic";
import type { Trusted } from "./trusted";
import type { Watches } from "./watch";

export interface Parts {
  browser: Browser;
  book: TabBook;
  pages: Pages;
  dialogs: Dialogs;
  debug: Debug;
  contexts: Contexts;
  choosers: Choosers;
  trusted: Trusted;
  watches: Watches;
  navigations: Navigations;
  requests: Requests;
  traffic: Traffic;
  bodies: Bodies;
  pictures: Pictures;
  holds: Holds;
  money: MoneyGates;
  /** Tabs that show a panel of ours. */
  panels: Set<number>;
  secrets: Secrets;
  switches: () => Switches;
  socketHolder: () => "offscreen" | "worker";
  generation: string;
}
