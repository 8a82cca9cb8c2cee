// The isolated end of the channel to the MAIN world. Nothing that comes over it is trusted: the page can forge or silence all of it.

import { ASK, OPEN, readPageWord, TOUCHED } from "../shared/channel";
import type { PageEvent } from "../shared/pageCalls";

export class Channel {
  readonly #name = `t${crypto.randomUUID()}`;

  constructor(tell: (event: PageEvent) => void) {
    window.addEventListener(this.#name, (event) => {
      const word = event instanceof CustomEvent ? readPageWord(event.detail) : undefined;
      if (word !== undefined) tell(word);
    }, true);
    // Whichever world starts second finds the other: both say the name.
    window.addEventListener(ASK, () => { this.#open(); }, true);
    this.#open();
  }

  #open(): void {
    window.dispatchEvent(new CustomEvent(OPEN, { detail: this.#name }));
  }

  /** A session drives this tab from now on. */
  touched(): void {
    window.dispatchEvent(new CustomEvent(`${this.#name}:${TOUCHED}`));
  }
}
