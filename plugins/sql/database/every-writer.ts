/** The lock that all writers share on PostgreSQL, among the numbers of other locks. */
const everyWriter = 0;

/** Waits until nobody else writes, and keeps everybody from it until the transaction ends. */
export const asOnlyWriter = `select pg_advisory_xact_lock(${everyWriter})`;

export const asOneOfWriters = `select pg_advisory_xact_lock_shared(${everyWriter})`;
