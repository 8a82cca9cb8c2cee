// The user's word on pictures: whether secret fields may be seen on them. Kept in the extension, out of an agent's reach.

import type { Browser } from "./chrome";

const KEY = "picturesShowSecrets";

/** See the file's head. */
export class Pictures {
  showSecrets = false;
  private readonly store: Pick<Browser["store"], "local" | "setLocal">;

  constructor(store: Pick<Browser["store"], "local" | "setLocal">) {
    this.store = store;
  }

  async load(): Promise<void> {
    this.showSecrets = await this.store.local(KEY) === true;
  }

  async set(show: boolean): Promise<void> {
    this.showSecrets = show;
    await this.store.setLocal(KEY, show);
  }
}
