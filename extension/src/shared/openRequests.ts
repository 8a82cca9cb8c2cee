// Which requests of the daemon a life of the worker was given and has not answered. When that life ends they are orphans: nobody
// else would ever answer them.

const REQUEST = /^\{"kind":"request","id":(\d+)[,}]/;
const REPLY = /^\{"kind":"reply","id":(\d+)[,}]/;

function idOf(pattern: RegExp, text: string): number | undefined {
  const id = pattern.exec(text.slice(0, 64))?.[1];
  return id === undefined ? undefined : Number(id);
}

/** See the file's head. */
export class OpenRequests {
  private readonly open = new Set<number>();
  private readonly left = new Set<number>();

  /** The worker was given this frame. */
  given(text: string): void {
    const id = idOf(REQUEST, text);
    if (id !== undefined) this.open.add(id);
  }

  /** This frame goes to the daemon. */
  answered(text: string): void {
    const id = idOf(REPLY, text);
    if (id === undefined) return;
    this.open.delete(id);
    this.left.delete(id);
  }

  /** The worker that was given them is gone. */
  lifeEnded(): void {
    for (const id of this.open) this.left.add(id);
    this.open.clear();
  }

  /** What the next life has to answer for the earlier ones. It stays here until the answer went out. */
  get orphans(): number[] {
    return [...this.left];
  }

  /** Another socket: nobody waits for these any more. */
  clear(): void {
    this.open.clear();
    this.left.clear();
  }
}
