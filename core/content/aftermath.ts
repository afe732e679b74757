/** What a transaction leaves to be done once it is committed, and what becomes of other writes that are made along in it. */
export class Aftermath {
  private readonly works: (() => Promise<unknown>)[] = [];
  private readonly beside: Promise<unknown>[] = [];
  private failure: { readonly error: unknown } | undefined;
  private isAccompanied = false;

  /** Whether no other write was made along. */
  get isAlone(): boolean {
    return !this.isAccompanied;
  }

  /** Work in the transaction that goes on beside others, and that no other write may meet. */
  goesOn(work: Promise<unknown>): void {
    this.beside.push(work);
  }

  /** Makes another write; where that fails, the transaction is undone in the end, also if somebody catches the failure. */
  async along<T>(write: () => Promise<T>): Promise<T> {
    this.isAccompanied = true;
    try {
      // What fails of it is told by whoever waits for it.
      await Promise.allSettled(this.beside);
      return await write();
    } catch (error) {
      this.failure ??= { error };
      throw error;
    }
  }

  /** Leaves work for after the commit, of which there is none where the transaction is undone or done again. */
  leave(work: () => Promise<unknown>): void {
    this.works.push(work);
  }

  /** To be called before the commit. */
  refuseFailed(): void {
    if (this.failure) throw this.failure.error;
  }

  /** To be called after the commit, which stands whatever fails here: all is done in turn, and the first failure told. */
  async carryOut(): Promise<void> {
    let failure: { readonly error: unknown } | undefined;
    for (const work of this.works)
      try {
        await work();
      } catch (error) {
        failure ??= { error };
      }
    if (failure) throw failure.error;
  }
}
