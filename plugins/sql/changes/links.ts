import type { Layout } from '../layout/layout';

/** The tables, by their names in lower case, and how keys tie them to others. */
export interface Links {
  isTable(name: string): boolean;
  /** The tables whose rows change, or go, with rows of this one that are deleted; undefined for what is none of them. */
  dependents(table: string): readonly string[] | undefined;
}

export function linksOf({ tables }: Pick<Layout, 'tables'>): Links {
  const dependents = new Map<string, readonly string[]>(tables.map(({ name }) => [name.toLowerCase(), []]));
  /** By what is deleted; rows that go with others take further ones with them. */
  const pointing = new Map<string, { table: string; goes: boolean }[]>();
  for (const { name, foreignKeys } of tables)
    for (const { table, onDelete } of foreignKeys) {
      const among = pointing.get(table.toLowerCase()) ?? [];
      among.push({ table: name.toLowerCase(), goes: onDelete === 'CASCADE' });
      pointing.set(table.toLowerCase(), among);
    }
  for (const name of dependents.keys()) {
    const found = new Set<string>();
    // Two keys of one table may differ in whether rows go; a set goes on to what is added to it meanwhile.
    const gone = new Set([name]);
    for (const each of gone)
      for (const { table, goes } of pointing.get(each) ?? []) {
        found.add(table);
        if (goes) gone.add(table);
      }
    dependents.set(name, [...found]);
  }
  return { isTable: (name) => dependents.has(name), dependents: (table) => dependents.get(table) };
}
