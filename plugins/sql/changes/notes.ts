import type { Connection } from '../database/database';
import { anything } from './numbers';
import { writtenBy } from './written';

/** What is known of the tables when their changes are noted. */
export interface KnownTables {
  /** The tables whose rows change, or go, with rows of this one that are deleted; undefined for what is none of the layout's. */
  dependents(table: string): readonly string[] | undefined;
  /** Whether the database runs something of somebody's own at writes, which may change whatever it likes. */
  readonly doesMore: boolean;
}

/** What one transaction changes. */
export interface Notes {
  readonly tables: Set<string>;
  /** To be called with every statement. */
  add(sql: string): void;
}

/** Tables that Heddle keeps for itself, of which no answer is made. */
const isOwn = (table: string): boolean => table.startsWith('heddle_');

export function createNotes(known: KnownTables): Notes {
  const tables = new Set<string>();
  return {
    tables,
    add(sql) {
      const written = writtenBy(sql);
      if (written === undefined) return;
      const dependents = written === 'anything' ? undefined : known.dependents(written.table);
      // A name that is no table's may be a view's, or that of a part of a table.
      if (written === 'anything' || known.doesMore || !(dependents || isOwn(written.table))) {
        tables.add(anything);
        return;
      }
      tables.add(written.table);
      if (written.deletes) for (const table of dependents ?? []) tables.add(table);
    },
  };
}

/** A connection whose statements are noted. */
export const noting = (connection: Connection, notes: Notes): Connection => ({
  rows(statement, values) {
    notes.add(statement.sql);
    return connection.rows(statement, values);
  },
  run(statement, values) {
    notes.add(statement.sql);
    return connection.run(statement, values);
  },
  post(statement, values) {
    notes.add(statement.sql);
    return connection.post(statement, values);
  },
});
