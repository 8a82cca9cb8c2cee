// The worker: wires its parts together and registers every listener at once, so that none is missed when an event wakes it.

import type { Event } from "../generated/protocol";
import type { LinkState, PopupState } from "../shared/messages";
import { messageOf } from "../shared/text";
import { Bodies } from "./bodies";
import { browser, listen } from "./chrome";
import type { BrowserEvents } from "./chrome";
import { handlers } from "./commands/table";
import { Choosers } from "./choosers";
import { Debug } from "./debug";
import { Dialogs } from "./dialogs";
import { Dispatcher } from "./dispatch";
import { eventsOf } from "./events";
import { randomHex } from "./handshake";
import { Holds } from "./holds";
import { identity } from "./identity";
import { Link } from "./link";
import { Contexts } from "./listeners";
import { MoneyGates } from "./money";
import { Navigations } from "./navigation";
import { Outbox } from "./outbox";
import { Pages } from "./pages";
import { Pairing } from "./pairing";
import type { Parts } from "./parts";
import { Pictures } from "./pictures";
import { Requests } from "./requests";
import { Secrets } from "./secrets";
import { SocketHost } from "./socketHost";
import { TabLog } from "./tabLog";
import { TabBook } from "./tabs";
import { Traffic } from "./traffic";
import { Trusted } from "./trusted";
import { Watches } from "./watch";

const ALARM = "tegata-link";
const ALARM_MINUTES = 0.5;

const generation = randomHex(8);
const pairing = new Pairing(browser.store);
const outbox = new Outbox(browser.store);
const holds = new Holds(browser);
const pictures = new Pictures(browser.store);
const secrets = new Secrets();
const money = new MoneyGates(browser);
const debug = new Debug(browser.debug, () => pairing.switches.trustedInput);
const log = new TabLog();
const requests = new Requests();
const navigations = new Navigations();
const tell = (event: Event) => { link.tell(event); };
const dialogs: Dialogs = new Dialogs(debug, tell, (tab, dialog, confirmed) => {
  const what = `${dialog.kind} ${JSON.stringify(dialog.text)}`;
  // What only the page says raises no outcome: it is told like the page's other words.
  log.add(tab, confirmed ? { kind: "dialog", what, at: Date.now(), linked: true } : { kind: "exception", what: `${what}: not shown, or answered by Chrome itself`, at: Date.now() });
  if (dialog.kind === "beforeUnload") navigations.dialog(tab);
}, async (tab, limitMs): Promise<boolean> => await pages.answers(tab, limitMs));
const book = new TabBook(browser, dialogs);
const pages: Pages = new Pages(browser.pages, browser.store, dialogs);
const trusted = new Trusted(debug, dialogs);
const contexts = new Contexts(browser.self.id());
const choosers = new Choosers(debug);
const traffic = new Traffic();
const bodies = new Bodies(debug, traffic);
const keepForDialog = debug.keep;
debug.keep = (tab) => keepForDialog(tab) || bodies.isRecording(tab);
debug.left = (tab) => {
  contexts.detached(tab);
  bodies.detached(tab);
};
const watches = new Watches({ pages, dialogs, requests, log, book });
const host: SocketHost = new SocketHost(browser.offscreen, () => pairing.ports, (message) => { link.hear(message); });
const link: Link = new Link({
  pairing, outbox, identity: identity(browser.self.version()), generation, changed: showState,
  // The one way out: nothing that was typed into a secret field leaves by it.
  post: (message) => { host.post(message.do === "send" ? { ...message, text: secrets.scrub(message.text) } : message); },
});

const parts: Parts = {
  browser, book, pages, dialogs, debug, contexts, choosers, trusted, watches, navigations, requests, traffic, bodies, pictures, holds, money, panels: new Set(), secrets, generation,
  switches: () => pairing.switches, socketHolder: () => host.holder,
};
link.dispatcher = new Dispatcher(handlers(parts), () => pairing.switches.paused, (text) => { link.reply(text); });

/** Everything that must be read back before the socket may say a word. */
const loaded = Promise.all([pairing.load(), outbox.load(), holds.load(), book.load(), pages.load(), pictures.load(), money.load()])
  .catch((thrown: unknown) => { console.error("cannot read the storage:", messageOf(thrown)); });

function showState(state: LinkState): void {
  const { paused } = pairing.switches;
  const [text, title] = paused ? ["II", "Tegata: paused"]
    : state.kind === "open" ? ["", "Tegata: connected"]
    : state.kind === "refused" && state.why === "protocol" ? ["!", "Tegata: reload the extension"]
    : state.kind === "refused" || state.kind === "stranger" ? ["!", "Tegata: not connected"]
    : ["", "Tegata: not connected"];
  browser.self.badge(text, title).catch(() => undefined);
}

async function popupState(): Promise<PopupState> {
  const held = await Promise.all(holds.list.map(async (one) => ({ ...one, title: (await book.get(one.tab).catch(() => null))?.title ?? "" })));
  return {
    version: browser.self.version(), link: link.state, ports: [...pairing.ports], givenPort: pairing.givenPort,
    paired: pairing.paired, switches: pairing.switches, showSecrets: pictures.showSecrets, held,
  };
}

const events: BrowserEvents = {
  ...eventsOf({ book, pages, dialogs, debug, contexts, choosers, watches, navigations, requests, traffic, bodies, log, holds, secrets, trusted, tell }),
  woken: () => {
    browser.self.alarm(ALARM, ALARM_MINUTES).catch(() => undefined);
    void loaded.then(async () => {
      await host.ensure();
      if (link.state.kind !== "open") host.post({ do: "retry" });
    });
  },
  ask: async (message) => {
    await loaded;
    switch (message.ask) {
      case "state": return await popupState();
      case "pair": return await link.pair(message.port, message.code);
      case "card": return money.card(message.id);
      case "answer":
        money.answer(message.id, message.allow);
        return null;
      case "anyPort":
        await pairing.givePort(null);
        link.startOver();
        return null;
      case "pictures":
        await pictures.set(message.showSecrets);
        return null;
      case "switches": {
        const { switches } = message;
        if (switches.trustedInput && !pairing.switches.trustedInput) debug.forget();
        await pairing.setSwitches(switches);
        if (!switches.trustedInput) await debug.letGo();
        link.tell({ event: "switches/changed", params: { switches } });
        showState(link.state);
        return null;
      }
    }
  },
  windowClosed: (window) => { money.closed(window); },
  socket: (port) => { void loaded.then(() => { host.connected(port); }); },
};

listen(events);

// The worker's script runs at every wake, whatever woke it.
events.woken();
debug.reap().catch(() => undefined);
