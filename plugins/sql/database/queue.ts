/** Lets one at a time through, in the order of asking. */
export class Queue {
  private last: Promise<void> = Promise.resolve();
  private asked = 0;

  /** Whether somebody waits for whoever is inside. */
  get isAwaited(): boolean {
    return this.asked > 1;
  }

  /** Waits for its turn; the answer ends it. */
  async enter(): Promise<() => void> {
    const before = this.last;
    let leave!: () => void;
    this.asked += 1;
    this.last = new Promise((resolve) => {
      leave = () => {
        this.asked -= 1;
        resolve();
      };
    });
    await before;
    return leave;
  }
}
