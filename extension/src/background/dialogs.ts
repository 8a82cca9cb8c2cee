// Native dialogs. The page's own announcement gives the debugger time to attach (probed order: attach, then Page.enable
// unawaited); only a debugger that was there before the dialog can close it.

import type { Dialog, DialogKind, Event } from "../generated/protocol";
import { cut } from "../shared/text";
import { Failure } from "./failure";
import { field } from "./debug";
import type { Debug } from "./debug";

/** The page holds the native call back for 100 ms of its own time, 400 ms at most; after this no announcement of the debugger comes any more. */
const HOLD_MS = 430;
/** A page that answers within this has no dialog open. */
const STUCK_MS = 250;

/** Longest wait for a dialog to close once it is answered. */
const CLOSED_MS = 2_000;

/** A page ask met an open dialog. */
export class DialogOpened extends Failure {
  readonly dialog: Dialog;
  constructor(dialog: Dialog) {
    super("dialog_open", `a native ${dialog.kind.toLowerCase()} is open: ${JSON.stringify(dialog.text)}`);
    this.dialog = dialog;
  }
}

interface Pending {
  dialog: Dialog;
  timer: ReturnType<typeof setTimeout>;
}

function kindOf(word: unknown): DialogKind {
  switch (word) {
    case "confirm": return "confirm";
    case "prompt": return "prompt";
    case "beforeunload": return "beforeUnload";
    default: return "alert";
  }
}

/** See the file's head. */
export class Dialogs {
  private readonly open = new Map<number, Dialog>();
  private readonly pending = new Map<number, Pending>();
  /** What prompts propose: without it Chrome would answer with nothing. */
  private readonly proposed = new WeakMap<Dialog, string>();
  private readonly waiting = new Map<number, Set<(dialog: Dialog) => void>>();
  private readonly debug: Debug;
  private readonly tell: (event: Event) => void;
  /** Every dialog that came, for the watch of the tab; `confirmed`: the browser said so, not only the page. */
  private readonly seen: (tab: number, dialog: Dialog, confirmed: boolean) => void;
  /** Whether the page's main thread answers within the bound. */
  private readonly answers: (tab: number, limitMs: number) => Promise<boolean>;

  constructor(
    debug: Debug, tell: (event: Event) => void, seen: (tab: number, dialog: Dialog, confirmed: boolean) => void,
    answers: (tab: number, limitMs: number) => Promise<boolean>,
  ) {
    this.debug = debug;
    this.tell = tell;
    this.seen = seen;
    this.answers = answers;
    debug.keep = (tab) => this.open.has(tab);
  }

  current(tab: number): Dialog | undefined {
    return this.open.get(tab);
  }

  /** The page is about to open one. */
  announced(tab: number, kind: DialogKind, text: string): void {
    this.drop(tab);
    const dialog: Dialog = { kind, text: cut(text, 500), closable: false };
    const timer = setTimeout(() => { void this.unconfirmed(tab, dialog); }, HOLD_MS);
    this.pending.set(tab, { dialog, timer });
    // Where no debugger can be had the dialog is still told, as one that cannot be closed from here.
    this.debug.attach(tab).catch(() => undefined);
  }

  /** The native call came back, says the page. */
  done(tab: number): void {
    const pending = this.pending.get(tab);
    if (pending !== undefined) {
      // It was never shown (a sandboxed frame), or Chrome answered it by itself at once (a background tab without a debugger).
      this.drop(tab);
      this.seen(tab, pending.dialog, false);
      return;
    }
    // One that the debugger announced is closed when the debugger says so; the page's word can be forged.
    if (this.open.get(tab)?.closable === false) this.closed(tab);
  }

  /** Announced by the page alone. The page can forge that, but not that its thread stands still. */
  private async unconfirmed(tab: number, dialog: Dialog): Promise<void> {
    const answers = await this.answers(tab, STUCK_MS);
    if (this.pending.get(tab)?.dialog !== dialog) return;
    if (answers) this.drop(tab);
    else this.opened(tab, dialog);
  }

  /** What the debugger tells. */
  debuggerEvent(tab: number, method: string, params: unknown): void {
    if (method === "Page.javascriptDialogOpening") {
      const message = field(params, "message");
      const dialog: Dialog = { kind: kindOf(field(params, "type")), text: cut(typeof message === "string" ? message : "", 500), closable: true };
      const proposed = field(params, "defaultPrompt");
      if (typeof proposed === "string") this.proposed.set(dialog, proposed);
      this.opened(tab, dialog);
    } else if (method === "Page.javascriptDialogClosed") this.closed(tab);
  }

  /** A dialog that no one announced, found out by its effects. */
  opened(tab: number, dialog: Dialog): void {
    this.drop(tab);
    const known = this.open.has(tab);
    this.open.set(tab, dialog);
    if (known) return;
    this.seen(tab, dialog, true);
    this.tell({ event: "dialog/opened", params: { tab, dialog } });
    for (const wake of [...(this.waiting.get(tab) ?? [])]) wake(dialog);
  }

  closed(tab: number): void {
    this.drop(tab);
    if (this.open.delete(tab)) this.tell({ event: "dialog/closed", params: { tab } });
  }

  /** Answers the open one; the browser says itself when it is closed. */
  async answer(tab: number, dialog: Dialog, accept: boolean, text: string | undefined): Promise<void> {
    if (!dialog.closable) {
      throw new Failure("unsupported", `the ${dialog.kind} opened where no debugger could meet it: only the user can answer it, or it goes with its tab`);
    }
    // Another one may open right behind it: then this one is closed too.
    const gone = () => this.open.get(tab) !== dialog;
    await this.debug.send(tab, "Page.handleJavaScriptDialog", { accept, promptText: text ?? this.proposed.get(dialog) ?? "" });
    const end = performance.now() + CLOSED_MS;
    while (!gone()) {
      if (performance.now() > end) throw new Failure("timeout", `the ${dialog.kind} did not close`);
      await new Promise((resolve) => { setTimeout(resolve, 5); });
    }
  }

  /** The tab is gone, or has a new document: no dialog survives that. */
  forget(tab: number): void {
    this.closed(tab);
  }

  /** Throws when one is open. */
  refuse(tab: number): void {
    const dialog = this.open.get(tab);
    if (dialog !== undefined) throw new DialogOpened(dialog);
  }

  /** The next one that opens on the tab; `stop` ends the waiting. */
  next(tab: number): { dialog: Promise<Dialog>; stop: () => void } {
    const wakers = this.waiting.get(tab) ?? new Set();
    this.waiting.set(tab, wakers);
    let wake: (dialog: Dialog) => void = () => undefined;
    const dialog = new Promise<Dialog>((resolve) => { wake = resolve; });
    wakers.add(wake);
    return {
      dialog,
      stop: () => {
        wakers.delete(wake);
        if (wakers.size === 0) this.waiting.delete(tab);
      },
    };
  }

  /** `answer`, or `DialogOpened` when a dialog comes first: the page cannot answer while it is open. */
  async guard<T>(tab: number, answer: Promise<T>): Promise<T> {
    this.refuse(tab);
    const next = this.next(tab);
    try {
      return await Promise.race([answer, next.dialog.then((dialog) => { throw new DialogOpened(dialog); })]);
    } finally {
      next.stop();
    }
  }

  private drop(tab: number): void {
    const pending = this.pending.get(tab);
    if (pending === undefined) return;
    clearTimeout(pending.timer);
    this.pending.delete(tab);
  }
}
