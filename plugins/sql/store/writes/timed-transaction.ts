import { currentTiming, type DocumentStore, runTimed } from '../../../../core';

type Transaction = DocumentStore['transaction'];

/** What led to a transaction is its request's way to it; what is not marked inside is the database's. */
export const timedTransaction =
  (transaction: Transaction): Transaction =>
  (work) => {
    const timing = currentTiming();
    if (!timing) return transaction(work);
    timing.mark('parse');
    // Its turn may come while another request is at work.
    return transaction((inside) => runTimed(timing, () => work(inside))).finally(() => timing.mark('database'));
  };
