import type { Remembered } from '../../../core';
import type { Database } from '../database/database';
import { metaTable } from '../sync/heddle-tables';
import { firstKey } from '../sync/meta';

/** What is known of documents at later starts, beside what is known of their tables. */
export function rememberedIn({ rows, transaction, dialect }: Database): Remembered {
  const { name: table } = metaTable;
  const [key, value] = ['key', 'value'].map(dialect.id);
  const [first, second] = [1, 2].map(dialect.placeholder);
  // Beside the keys that are about tables.
  const noted = (asked: string): string => `note ${asked}`;
  return {
    async read(asked) {
      const [row] = await rows({ sql: `select ${value} from ${table} where ${key}=${first}` }, [noted(asked)]);
      return row && String(row[0]);
    },
    write: (written, text) =>
      transaction(async ({ run }) => {
        // Changes nothing, but makes the others wait: of several that write something for the first time, one adds it.
        await run({ sql: `update ${table} set ${value}=${value} where ${key}=${first}` }, [firstKey]);
        const change = `update ${table} set ${value}=${first} where ${key}=${second}`;
        const { changes } = await run({ sql: change }, [text, noted(written)]);
        if (changes > 0) return;
        await run({ sql: `insert into ${table} (${key},${value}) values (${first},${second})` }, [
          noted(written),
          text,
        ]);
      }),
  };
}
