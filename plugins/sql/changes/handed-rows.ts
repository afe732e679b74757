import type { Readable } from 'node:stream';

/** What knex hands rows to, one by one. */
export type Taker = Pick<Readable, 'on' | 'emit' | 'prependOnceListener'> & {
  write(row: unknown): unknown;
  end(): unknown;
};

/** The rows of what was answered at once, one by one: of a procedure on MySQL there are several lists of them. */
export function handedTo(stream: Taker, response: unknown): Promise<unknown> {
  const { rows: given = (response as readonly unknown[] | undefined)?.[0] } = (response ?? {}) as { rows?: unknown };
  const all: readonly unknown[] = Array.isArray(given) ? given : [];
  const lists = all.filter(Array.isArray);
  return new Promise((resolve, reject) => {
    stream.on('error', reject);
    stream.on('end', resolve);
    for (const row of lists.length > 0 ? lists.flat() : all) stream.write(row);
    stream.end();
  });
}
