import knexFactory from 'knex';
import { sqliteDriver } from '../../plugins/sql';
import { cleanedUp } from '../clean-up';
import { environmentOf, type Place } from './databases';
import { interrupted } from './interruption';

export type Row = Readonly<Record<string, unknown>>;

/** Runs a statement that no service would send, always on the same connection. */
export type Run = (sql: string) => Promise<readonly Row[]>;

interface Statements {
  readonly run: Run;
  close(): Promise<void>;
}

function onFile(file: string): Statements {
  const database = new (sqliteDriver())(file);
  return {
    async run(sql) {
      const statement = database.prepare(sql);
      if (statement.reader) return statement.all() as Row[];
      statement.run();
      return [];
    },
    async close() {
      database.close();
    },
  };
}

function onServer(place: Place): Statements {
  const given = environmentOf(place);
  const knex = knexFactory({
    client: place.client === 'mysql' ? 'mysql2' : 'pg',
    connection: {
      host: given['DATABASE_HOST']!,
      port: Number(given['DATABASE_PORT']),
      user: given['DATABASE_USERNAME']!,
      password: given['DATABASE_PASSWORD']!,
      database: place.name,
    },
    // What is set for the session holds for all statements only if they share one.
    pool: { min: 1, max: 1 },
  });
  return {
    async run(sql) {
      const answer = (await knex.raw(sql)) as { rows: Row[] } & [Row[]];
      const rows = place.client === 'postgres' ? answer.rows : answer[0];
      return Array.isArray(rows) ? rows : [];
    },
    close: () => knex.destroy(),
  };
}

/** Works on a connection that is closed behind that. */
export async function withStatements<T>(place: Place, work: (run: Run) => Promise<T>): Promise<T> {
  const { run, close } = place.client === 'sqlite' ? onFile(place.name) : onServer(place);
  return cleanedUp(() => {
    const unlessInterrupted: Run = async (sql) => {
      interrupted.throwIfAborted();
      return run(sql);
    };
    return work(unlessInterrupted);
  }, close);
}
