import { stuck } from './failures';

/** Milliseconds in which whoever is inside does nothing: he may be waiting for one who waits for him. */
const longestStill = 10_000;
/** How often is looked in that time. */
const looks = 5;

/** Lets one at a time through, in the order of asking. */
export class Queue {
  private last: Promise<void> = Promise.resolve();
  private asked = 0;
  private steps = 0;

  constructor(private readonly patience = longestStill) {}

  /** Whether somebody is inside. */
  get isTaken(): boolean {
    return this.asked > 0;
  }

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
        this.goOn();
        resolve();
      };
    });
    await before;
    return leave;
  }

  /** To be called for whatever is done inside: those who wait know by it that it goes on. */
  goOn(): void {
    this.steps += 1;
  }

  /**
   * Hands over what those who wait are to be refused with, again and again, once nothing has been done inside for as long as they
   * are patient; answers what ends the watch.
   */
  watch(refuse: (error: Error) => void): () => void {
    let before = this.steps;
    let still = 0;
    const look = setInterval(() => {
      still = this.steps === before ? still + 1 : 0;
      before = this.steps;
      if (still >= looks) refuse(stuck(this.patience));
    }, this.patience / looks);
    return () => clearInterval(look);
  }

  /** As `enter`, for who is refused where nothing is done inside. */
  async enterUnlessStuck(): Promise<() => void> {
    if (!this.isTaken) return this.enter();
    const entering = this.enter();
    let end: () => void = () => undefined;
    const refused = new Promise<never>((_, refuse) => {
      end = this.watch(refuse);
    });
    try {
      return await Promise.race([entering, refused]);
    } catch (error) {
      void entering.then((leave) => leave());
      throw error;
    } finally {
      end();
    }
  }
}
