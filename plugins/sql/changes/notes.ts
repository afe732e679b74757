import type { Connection } from '../database/database';
import { anything } from './numbers';
import { writtenBy } from './written';

/** What is known of the tables when their changes are noted. */
export interface KnownTables {
  /** The tables whose rows change, or go, with rows of this one that are deleted. */
  dependents(table: string): readonly string[];
  /** Whether the database runs something of somebody's own at writes, which may change whatever it likes. */
  readonly hasTriggers: boolean;
}

/** What one transaction changes. */
export interface Notes {
  readonly tables: Set<string>;
  /** To be called with every statement. */
  add(sql: string): void;
}

export function createNotes(known: KnownTables): Notes {
  const tables = new Set<string>();
  return {
    tables,
    add(sql) {
      const written = writtenBy(sql);
      if (written === undefined) return;
      if (written === 'anything' || known.hasTriggers) {
        tables.add(anything);
        return;
      }
      tables.add(written.table);
      if (written.deletes) for (const table of known.dependents(written.table)) tables.add(table);
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
