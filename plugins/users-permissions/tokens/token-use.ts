import type { Logger } from '../../../core';
import type { Database } from '../../sql';
import { statement } from '../access/statements';

/** How long uses of tokens are gathered before they are written down, in milliseconds. */
const pause = 60_000;

/** Writes down when API tokens were last used: all of them together, now and then, and when the application stops. */
export function createTokenUse(database: () => Database, log: Logger) {
  const used = new Map<number, number>();
  let timer: NodeJS.Timeout | undefined;

  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const uses = [...used];
    used.clear();
    if (uses.length === 0) return;
    const db = database();
    const update = statement(db, 'update strapi_api_tokens set last_used_at = ? where id = ?');
    await db.transaction(async (connection) => {
      for (const [id, at] of uses)
        await connection.run(update, [db.dialect.store(new Date(at).toISOString(), 'datetime'), id]);
    });
  }

  return {
    note(id: number): void {
      used.set(id, Date.now());
      timer ??= setTimeout(() => {
        write().catch((error) => log.warn({ err: error }, 'the last use of API tokens could not be written down'));
      }, pause).unref();
    },
    write,
  };
}

export type TokenUse = ReturnType<typeof createTokenUse>;
