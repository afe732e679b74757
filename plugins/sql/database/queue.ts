/** Lets one at a time through, in the order of asking. */
export class Queue {
  private last: Promise<void> = Promise.resolve();

  /** Waits for its turn; the answer ends it. */
  async enter(): Promise<() => void> {
    const before = this.last;
    let leave!: () => void;
    this.last = new Promise((resolve) => {
      leave = resolve;
    });
    await before;
    return leave;
  }
}
