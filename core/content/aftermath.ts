/** What a transaction leaves to be done once it is committed, and what becomes of other writes that are made along in it. */
export class Aftermath {
  private readonly works: (() => Promise<unknown>)[] = [];
  private failure: { readonly error: unknown } | undefined;
  private isUsed = false;

  /** Whether no other write was made along. */
  get isNone(): boolean {
    return !this.isUsed;
  }

  /** Makes another write; where that fails, the transaction is undone in the end, also if somebody catches the failure. */
  async along<T>(write: () => Promise<T>): Promise<T> {
    this.isUsed = true;
    try {
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

  /** To be called after the commit, which stands whatever fails here: all is done, one after the other, and the first failure told. */
  async carryOut(): Promise<void> {
    let failure: { readonly error: unknown } | undefined;
    for (const work of this.works)
      await work().catch((error: unknown) => {
        failure ??= { error };
      });
    if (failure) throw failure.error;
  }
}
