import type BetterSqlite3 from 'better-sqlite3';

/** How long the number of the schema is taken for what it was, in milliseconds: a statement compares it anyway. */
const lookedAtEvery = 1_000;

const none = -1;

/**
 * Tells the number that the schema has while these triggers stand in it. Whoever makes a table anew drops them, and moves the
 * number: a statement that compares it trusts nothing that nobody keeps any longer. Where it moved for other reasons, they are
 * looked up again.
 */
export function standingTriggers(
  connection: BetterSqlite3.Database,
  wanted: ReadonlyMap<string, string>,
  now: () => number = () => performance.now(),
): () => number {
  const version = connection.prepare<unknown[]>('pragma schema_version').pluck();
  const triggers = connection.prepare<unknown[]>("select name, sql from sqlite_master where type='trigger'").raw();
  let seen = none;
  let standing = none;
  let lookAt = 0;

  const stands = (): boolean => {
    const there = new Map(triggers.all() as [string, string][]);
    return [...wanted].every(([name, sql]) => there.get(name) === sql);
  };

  function look(): void {
    // Before the triggers: whoever changes them in between moves it on from here.
    const current = Number(version.get());
    if (current === seen) return;
    standing = stands() ? current : none;
    seen = current;
  }

  return () => {
    const at = now();
    if (at >= lookAt) {
      lookAt = at + lookedAtEvery;
      look();
    }
    return standing;
  };
}
