/** What InnoDB says of its transactions. */
export interface InnodbState {
  /** The number that the next one gets. */
  readonly counter: string;
  /** Whether none is under way that has written. */
  readonly isAtRest: boolean;
}

/** A longer report, in bytes, has its middle left out, and in it the transactions: where there is this instead. */
const longestReport = 1_000_000;
const cut = /^\.\.\. truncated/m;

const counters = /^Trx id counter (\d+)$/gm;
const list = /^LIST OF TRANSACTIONS FOR EACH SESSION:$/m;
const afterList = /^FILE I\/O$/m;
/** A transaction has a number from its first write on, and for as long as that can't be seen; others have an address. */
const writing = /^---TRANSACTION \d+, (?!not started)/m;

/**
 * The state that a report tells; undefined where it isn't as expected. The statements of others stand in a report as they
 * are, and may look like a part of it: a second counter makes all of it unbelievable, and a transaction too many does no harm.
 */
export function innodbState(report: string): InnodbState | undefined {
  const [counter, ...others] = [...report.matchAll(counters)].map(([, number]) => number!);
  const isWhole =
    Buffer.byteLength(report) < longestReport && !cut.test(report) && list.test(report) && afterList.test(report);
  if (counter === undefined || others.length > 0 || !isWhole) return undefined;
  return { counter, isAtRest: !writing.test(report) };
}
