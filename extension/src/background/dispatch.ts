// Requests of the daemon: looked up in the handler table, ordered by tab, cancellable, answered exactly once.

import type { Command, Commands, Event, Frame } from "../generated/protocol";
import { errorOf, Failure, stopIfCancelled } from "./failure";
import { TabQueue } from "./queue";

/** A result that is JSON text already: passed on, never parsed. */
export class Raw {
  readonly json: string;
  constructor(json: string) {
    this.json = json;
  }
}

/** One handler for every command; a missing one does not compile. */
export type Handlers = { [M in keyof Commands]: (params: Commands[M]["params"], signal: AbortSignal) => Promise<Commands[M]["result"] | Raw> };

/** Commands that work while the user has paused the bridge. `tabs/hold` is the daemon's own bookkeeping: it reads and does nothing on a page. */
const WHILE_PAUSED: ReadonlySet<Command["method"]> = new Set<Command["method"]>(["link/echo", "tabs/list", "tabs/hold", "human/words"]);

/** Parameters and handler are of the same method by the type of the table; TypeScript cannot follow that through a union, so each row is called here. */
function call(handlers: Handlers, command: Command, signal: AbortSignal): Promise<unknown> {
  switch (command.method) {
    case "tabs/list": return handlers["tabs/list"](command.params, signal);
    case "tabs/create": return handlers["tabs/create"](command.params, signal);
    case "tabs/activate": return handlers["tabs/activate"](command.params, signal);
    case "tabs/close": return handlers["tabs/close"](command.params, signal);
    case "tabs/hold": return handlers["tabs/hold"](command.params, signal);
    case "navigate/go": return handlers["navigate/go"](command.params, signal);
    case "navigate/history": return handlers["navigate/history"](command.params, signal);
    case "navigate/reload": return handlers["navigate/reload"](command.params, signal);
    case "snapshot/take": return handlers["snapshot/take"](command.params, signal);
    case "snapshot/text": return handlers["snapshot/text"](command.params, signal);
    case "pointer/click": return handlers["pointer/click"](command.params, signal);
    case "pointer/facts": return handlers["pointer/facts"](command.params, signal);
    case "pointer/hover": return handlers["pointer/hover"](command.params, signal);
    case "pointer/scroll": return handlers["pointer/scroll"](command.params, signal);
    case "pointer/drag": return handlers["pointer/drag"](command.params, signal);
    case "pointer/listeners": return handlers["pointer/listeners"](command.params, signal);
    case "keyboard/type": return handlers["keyboard/type"](command.params, signal);
    case "keyboard/press": return handlers["keyboard/press"](command.params, signal);
    case "form/check": return handlers["form/check"](command.params, signal);
    case "form/select": return handlers["form/select"](command.params, signal);
    case "form/fill": return handlers["form/fill"](command.params, signal);
    case "form/owner": return handlers["form/owner"](command.params, signal);
    case "form/submit": return handlers["form/submit"](command.params, signal);
    case "form/upload": return handlers["form/upload"](command.params, signal);
    case "dialog/answer": return handlers["dialog/answer"](command.params, signal);
    case "watch/look": return handlers["watch/look"](command.params, signal);
    case "wait/probe": return handlers["wait/probe"](command.params, signal);
    case "capture/screenshot": return handlers["capture/screenshot"](command.params, signal);
    case "snapshot/html": return handlers["snapshot/html"](command.params, signal);
    case "snapshot/find": return handlers["snapshot/find"](command.params, signal);
    case "data/query": return handlers["data/query"](command.params, signal);
    case "data/console": return handlers["data/console"](command.params, signal);
    case "data/requests": return handlers["data/requests"](command.params, signal);
    case "data/body": return handlers["data/body"](command.params, signal);
    case "data/fetch": return handlers["data/fetch"](command.params, signal);
    case "data/download": return handlers["data/download"](command.params, signal);
    case "human/words": return handlers["human/words"](command.params, signal);
    case "data/eval": return handlers["data/eval"](command.params, signal);
    case "link/reload": return handlers["link/reload"](command.params, signal);
    case "human/panel": return handlers["human/panel"](command.params, signal);
    case "human/confirm": return handlers["human/confirm"](command.params, signal);
    case "link/echo": return handlers["link/echo"](command.params, signal);
  }
}

/** Text of a frame of ours. */
export function frameText(frame: Frame): string {
  return JSON.stringify(frame);
}

/** Text of an event. */
export function eventText(event: Event): string {
  return frameText({ kind: "event", event });
}

/** See the file's head. */
export class Dispatcher {
  private readonly open = new Map<number, AbortController>();
  private readonly queue = new TabQueue();
  private readonly handlers: Handlers;
  private readonly paused: () => boolean;
  private readonly reply: (text: string) => void;

  constructor(handlers: Handlers, paused: () => boolean, reply: (text: string) => void) {
    this.handlers = handlers;
    this.paused = paused;
    this.reply = reply;
  }

  /** Starts a request; its reply is sent when it is there. */
  request(id: number, command: Command): void {
    const stop = new AbortController();
    this.open.set(id, stop);
    const tab = "tab" in command.params ? command.params.tab : undefined;
    const job = async (): Promise<unknown> => {
      stopIfCancelled(stop.signal);
      if (this.paused() && !WHILE_PAUSED.has(command.method)) throw new Failure("paused", "the user has paused Tegata in this browser");
      return await call(this.handlers, command, stop.signal);
    };
    // An echo tells whether the page answers now: it does not stand in line.
    this.queue.run(command.method === "link/echo" ? undefined : tab, job).then(
      (result) => { this.answer(id, result); },
      (thrown: unknown) => { this.fail(id, thrown); },
    );
  }

  /** The caller gave up. What was dispatched is still answered. */
  cancel(id: number): void {
    this.open.get(id)?.abort();
  }

  /** A frame that asked for something but cannot be understood. */
  fail(id: number, thrown: unknown): void {
    this.open.delete(id);
    this.reply(frameText({ kind: "reply", id, error: errorOf(thrown) }));
  }

  private answer(id: number, result: unknown): void {
    this.open.delete(id);
    if (result instanceof Raw) this.reply(`{"kind":"reply","id":${id},"result":${result.json}}`);
    else this.reply(frameText({ kind: "reply", id, result }));
  }
}
