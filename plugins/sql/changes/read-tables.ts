/** Texts inside a statement, which may hold quotes of names. */
const texts = /'(?:[^']|'')*'/g;
/** Names, with the dot before them where there is one. */
const names = { '"': /(\.?)"([^"]+)"/g, '`': /(\.?)`([^`]+)`/g } as const;

/**
 * The tables that a statement of the store reads: of the names in it, which are all quoted, those that stand behind no dot,
 * as columns do, and are a table's.
 */
export function tablesRead(sql: string, isTable: (name: string) => boolean): string[] {
  // Texts of MariaDB and MySQL have no such quotes in them that could be taken for a name's.
  const quote = sql.includes('`') ? '`' : '"';
  const bare = quote === '"' ? sql.replace(texts, "''") : sql;
  const found = new Set<string>();
  for (const [, dot, name] of bare.matchAll(names[quote])) if (dot === '') found.add(name!.toLowerCase());
  return [...found].filter(isTable);
}
