import type { Connection } from 'mysql2';
import type { KnexClientClass } from '../changes/recording-knex';

interface Asked {
  readonly sql: string;
  options?: object;
}

interface Client {
  new (
    config: object,
  ): {
    _query(raw: Connection, asked: Asked): Promise<unknown>;
    _stream(raw: Connection, asked: Asked, stream: unknown, options: unknown): Promise<unknown>;
    checkVersion(raw: Pick<Connection, 'query'>): Promise<string | null>;
  };
}

const asObjects = { rowsAsArray: false };

/** knex's client of MySQL for connections whose rows are arrays where nobody says otherwise: knex wants objects. */
export function mysqlKnexClient(): KnexClientClass<Connection> {
  const Base = require('knex/lib/dialects/mysql2/index.js') as Client;
  const wanting = (asked: Asked): Asked => Object.assign(asked, { options: { ...asObjects, ...asked.options } });
  return class extends Base {
    override _query(raw: Connection, asked: Asked): Promise<unknown> {
      return super._query(raw, wanting(asked));
    }

    override _stream(raw: Connection, asked: Asked, stream: unknown, options: unknown): Promise<unknown> {
      return super._stream(raw, wanting(asked), stream, options);
    }

    override checkVersion(raw: Connection): Promise<string | null> {
      const query = (sql: string, done: () => void) => raw.query({ sql, ...asObjects }, done);
      return super.checkVersion({ query } as unknown as Connection);
    }
  } as unknown as KnexClientClass<Connection>;
}
