import type { Logger } from '../../../core';
import type { Database } from '../../sql';
import { statement } from '../access/statements';

const minute = 60_000;
const hour = 60 * minute;

/**
 * Writes down when API tokens were last used: some time after the first use, then once an hour, and when the application stops.
 * Any write may make what others know of the data be looked for again, so that it should not come by itself more often.
 */
export function createTokenUse(database: () => Database, log: Logger) {
  const used = new Map<number, number>();
  const written = new Map<number, number>();
  let timer: NodeJS.Timeout | undefined;

  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const uses = [...used];
    used.clear();
    if (uses.length === 0) return;
    const db = database();
    const update = statement(db, 'update strapi_api_tokens set last_used_at = ? where id = ?');
    try {
      await db.transaction(async (connection) => {
        for (const [id, at] of uses)
          await connection.run(update, [db.dialect.store(new Date(at).toISOString(), 'datetime'), id]);
      });
    } catch (error) {
      // The next use tries again, with these.
      for (const [id, at] of uses) if (!used.has(id)) used.set(id, at);
      throw error;
    }
    const now = Date.now();
    for (const [id] of uses) written.set(id, now);
  }

  return {
    note(id: number): void {
      const now = Date.now();
      used.set(id, now);
      if (timer || now - (written.get(id) ?? 0) < hour) return;
      timer = setTimeout(() => {
        write().catch((error) => log.warn({ err: error }, 'the last use of API tokens could not be written down'));
      }, minute).unref();
    },
    write,
  };
}

export type TokenUse = ReturnType<typeof createTokenUse>;
