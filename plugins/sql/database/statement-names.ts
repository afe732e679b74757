import { Lru } from '../../../core';

const mostNames = 1_000;
/** Characters in all texts that have names. */
const mostText = 8_000_000;
const usesBeforeName = 3;

/**
 * Names for statements that a server should keep prepared. A name is only given to a text that comes again, and only
 * to a limited number, since servers keep them for as long as a connection lives.
 */
export function createStatementNames(): (sql: string) => string | undefined {
  const names = new Map<string, string>();
  const seen = new Lru<number>(mostNames, mostText);
  let room = mostText;
  return (sql) => {
    const known = names.get(sql);
    if (known || names.size >= mostNames || sql.length > room) return known;
    const uses = (seen.get(sql) ?? 0) + 1;
    if (uses < usesBeforeName) {
      seen.set(sql, uses);
      return undefined;
    }
    seen.delete(sql);
    const name = `h${names.size}`;
    names.set(sql, name);
    room -= sql.length;
    return name;
  };
}
