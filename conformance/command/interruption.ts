/** One press may arrive twice, from a terminal and from npm. */
const sameWish = 1_000;

export interface Interruption {
  signal: AbortSignal;
  /** Leaves signals to whoever had them before. */
  end(): void;
}

/** SIGINT and SIGTERM end a run in good order; whoever insists ends it at once. */
export function untilInterrupted(tell: () => void): Interruption {
  const stop = new AbortController();
  let since = 0;
  const interrupt = () => {
    if (stop.signal.aborted) {
      if (Date.now() - since > sameWish) process.exit(2);
      return;
    }
    since = Date.now();
    tell();
    stop.abort();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  return { signal: stop.signal, end: () => void process.off('SIGINT', interrupt).off('SIGTERM', interrupt) };
}
