// The one place of the content script that touches chrome.*: messages, and shadow roots that the page closed.

import type { PageEvent } from "../shared/pageCalls";
import * as dom from "./dom";

/** False once the extension was reloaded under this script: it can neither hear nor answer any more. */
export function alive(): boolean {
  try {
    return chrome.runtime.id !== undefined;
  } catch {
    return false;
  }
}

/** Tells the worker; nobody may be listening, and that is no error here. */
export function tell(event: PageEvent): void {
  try {
    chrome.runtime.sendMessage(event).catch(() => undefined);
  } catch {
    // The extension was reloaded: this script is an orphan.
  }
}

/** Answers calls of the worker. The listener returns a promise of the answer, or nothing for messages that are not ours. */
export function answer(listener: (message: unknown) => Promise<unknown> | undefined): void {
  chrome.runtime.onMessage.addListener((message: unknown, _sender, respond) => {
    const answered = listener(message);
    if (answered === undefined) return false;
    void answered.then(respond);
    return true;
  });
}

/** The shadow root of an element, open or closed. */
export function anyShadowRoot(element: HTMLElement): ShadowRoot | null {
  try {
    return chrome.dom.openOrClosedShadowRoot(element);
  } catch {
    return dom.shadowRoot(element);
  }
}
