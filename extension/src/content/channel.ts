// The isolated end of the channel to the MAIN world. Nothing that comes over it is trusted: the page can forge or silence all of it.

import { ASK, OPEN, readPageWord, TOUCHED } from "../shared/channel";
import type { PageEvent } from "../shared/pageCalls";

/** Words that are passed on in one second. */
const MOST_A_SECOND = 30;

export class Channel {
  #since = 0;
  #told = 0;
  readonly #name = `t${crypto.randomUUID()}`;

  constructor(tell: (event: PageEvent) => void) {
    window.addEventListener(this.#name, (event) => {
      // A page that forges words gets no more of our time than one that has as much to say.
      if (!this.#mayTell()) return;
      const word = event instanceof CustomEvent ? readPageWord(event.detail) : undefined;
      if (word !== undefined) tell(word);
    }, true);
    // Whichever world starts second finds the other: both say the name.
    window.addEventListener(ASK, () => { this.#open(); }, true);
    this.#open();
  }

  #mayTell(): boolean {
    const now = performance.now();
    if (now - this.#since >= 1_000) {
      this.#since = now;
      this.#told = 0;
    }
    return ++this.#told <= MOST_A_SECOND;
  }

  #open(): void {
    window.dispatchEvent(new CustomEvent(OPEN, { detail: this.#name }));
  }

  /** A session drives this tab from now on. */
  touched(): void {
    window.dispatchEvent(new CustomEvent(`${this.#name}:${TOUCHED}`));
  }
}
