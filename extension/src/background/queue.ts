// Calls on one tab run one after the other, in the order they came; calls on different tabs do not wait for each other.

/** See the file's head. */
export class TabQueue {
  private readonly tails = new Map<number, Promise<void>>();

  /** Runs `job` when all earlier ones of the tab are done; no tab, no waiting. */
  run<T>(tab: number | undefined, job: () => Promise<T>): Promise<T> {
    if (tab === undefined) return job();
    const before = this.tails.get(tab);
    const result = before === undefined ? job() : before.then(job);
    const tail = result.then(() => undefined, () => undefined).then(() => {
      if (this.tails.get(tab) === tail) this.tails.delete(tab);
    });
    this.tails.set(tab, tail);
    return result;
  }
}
