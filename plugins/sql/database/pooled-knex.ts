import type { Knex } from 'knex';
import type { Connections, ServerConfig } from './connections';
import { quietKnex } from './quiet-knex';
import type { Turns } from './turns';

/** What knex writes on a connection: which it is, and that it is not to be used again. */
interface Marked {
  __knexUid?: string;
  readonly __knex__disposed?: unknown;
}

interface Client {
  new (
    config: Knex.Config,
  ): {
    version?: string | null;
    checkVersion(connection: unknown): Promise<string | null>;
    acquireConnection(): Promise<Marked>;
    releaseConnection(connection: Marked): Promise<void>;
  };
}

let connections = 0;

/**
 * A client that does with connections that it is lent what it does with those that it opens: asks the server which it is,
 * once, and gives none back to be used on which a statement was left that took too long.
 */
function borrowing(
  Base: Client,
  broke: (connection: Marked) => void,
  lacking: (error: unknown) => unknown,
  turns: Turns<Marked>,
): Client {
  return class extends Base {
    override async acquireConnection(): Promise<Marked> {
      const connection = await super.acquireConnection().catch((error: unknown) => {
        throw lacking(error);
      });
      connection.__knexUid ??= `heddle${++connections}`;
      try {
        if (this.version === undefined) this.version = await this.checkVersion(connection);
        return connection;
      } catch (error) {
        await this.releaseConnection(connection);
        throw error;
      }
    }

    override async releaseConnection(connection: Marked): Promise<void> {
      if (connection.__knex__disposed || !(await turns.ended(connection))) broke(connection);
      return super.releaseConnection(connection);
    }
  };
}

/**
 * Query builder and schema builder on the connections of a pool, which stays when they go. Loaded here: reading and
 * writing documents needs none of it.
 */
export function knexOnPool<Raw extends object>(
  client: typeof Knex.Client,
  { pool, broke, lacking }: Pick<Connections<Raw>, 'pool' | 'broke' | 'lacking'>,
  turns: Turns<Raw>,
  { connection, searchPath }: Pick<ServerConfig, 'connection' | 'searchPath'>,
): Knex {
  const { knex: knexFactory } = require('knex') as typeof import('knex');
  const Borrowing = borrowing(
    client as unknown as Client,
    (marked) => broke(marked as Raw),
    lacking,
    turns as Turns<object>,
  );
  const knex = knexFactory({
    client: Borrowing as unknown as typeof Knex.Client,
    connectionPool: pool,
    ...(searchPath && { searchPath }),
    ...quietKnex,
  });
  // What it asks the server about tables names the database; whoever prints it does not print the password.
  const settings = Object.defineProperty({ ...connection }, 'password', { enumerable: false });
  knex.client.connectionSettings = settings;
  knex.client.config.connection = settings;
  return knex;
}
