import type { DialectName } from '../dialects/dialect';

/** How a database writes texts inside a statement, which may hold quotes of names, and names with the dot before them. */
interface Quoting {
  readonly texts: RegExp;
  readonly names: RegExp;
}

const standard: Quoting = { texts: /'(?:[^']|'')*'/g, names: /(\.?)"([^"]+)"/g };
const quotings: Readonly<Record<DialectName, Quoting>> = {
  sqlite: standard,
  postgres: standard,
  mysql: { texts: /'(?:[^'\\]|\\.|'')*'/gs, names: /(\.?)`([^`]+)`/g },
};

/**
 * The tables that a statement of the store reads: of the names in it, which are all quoted, those that stand behind no dot,
 * as columns do, and are a table's.
 */
export function tablesRead(sql: string, dialect: DialectName, isTable: (name: string) => boolean): string[] {
  const { texts, names } = quotings[dialect];
  const found = new Set<string>();
  for (const [, dot, name] of sql.replace(texts, "''").matchAll(names)) if (dot === '') found.add(name!.toLowerCase());
  return [...found].filter(isTable);
}
