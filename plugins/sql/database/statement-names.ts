const mostNames = 1_000;
const usesBeforeName = 3;

/**
 * Names for statements that a server should keep prepared. A name is only given to a text that comes again, and only
 * to a limited number, since servers keep them for as long as a connection lives.
 */
export function createStatementNames(): (sql: string) => string | undefined {
  const names = new Map<string, string>();
  let seen = new Map<string, number>();
  return (sql) => {
    const known = names.get(sql);
    if (known || names.size >= mostNames) return known;
    const uses = (seen.get(sql) ?? 0) + 1;
    if (uses < usesBeforeName) {
      if (seen.size >= mostNames) seen = new Map();
      seen.set(sql, uses);
      return undefined;
    }
    seen.delete(sql);
    const name = `h${names.size}`;
    names.set(sql, name);
    return name;
  };
}
