import type { DialectName } from '../dialects/dialect';

/** How a database writes texts inside a statement, and names with the dot before them: each may hold the quotes of the others. */
const standard = /'(?:[^']|'')*'|(\.?)"((?:[^"]|"")+)"/g;
const quoted: Readonly<Record<DialectName, RegExp>> = {
  sqlite: standard,
  postgres: standard,
  mysql: /'(?:[^'\\]|\\.|'')*'|(\.?)`((?:[^`]|``)+)`/gs,
};

/**
 * The tables that a statement of the store reads: of the names in it, which are all quoted, those that stand behind no dot,
 * as columns do, and are a table's.
 */
export function tablesRead(sql: string, dialect: DialectName, isTable: (name: string) => boolean): string[] {
  const quote = dialect === 'mysql' ? '`' : '"';
  const twice = quote.repeat(2);
  const found = new Set<string>();
  for (const [, dot, name] of sql.matchAll(quoted[dialect]))
    if (dot === '') found.add(name!.replaceAll(twice, quote).toLowerCase());
  return [...found].filter(isTable);
}
