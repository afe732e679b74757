import type { Layout } from '../layout/layout';

/** The tables, by their names in lower case, and how keys tie them to others. */
export interface Links {
  isTable(name: string): boolean;
  /** The tables whose rows change, or go, with rows of this one that are deleted; undefined for what is none of them. */
  dependents(table: string): readonly string[] | undefined;
}

/** By a table: those that have keys to it, and whether their rows go with its own, or only change. */
export type Pointing = ReadonlyMap<string, readonly { readonly table: string; readonly goes: boolean }[]>;

/** The tables whose rows change, or go, with rows of one that are deleted, itself among them where it points to itself. */
export function changedWith(deleted: string, pointing: Pointing): string[] {
  const found = new Set<string>();
  // Two keys of one table may differ in whether rows go; a set goes on to what is added to it meanwhile.
  const gone = new Set([deleted]);
  for (const each of gone)
    for (const { table, goes } of pointing.get(each) ?? []) {
      found.add(table);
      if (goes) gone.add(table);
    }
  return [...found];
}

export function linksOf({ tables }: Pick<Layout, 'tables'>): Links {
  /** By what is deleted; rows that go with others take further ones with them. */
  const pointing = new Map<string, { table: string; goes: boolean }[]>();
  for (const { name, foreignKeys } of tables)
    for (const { table, onDelete } of foreignKeys) {
      const among = pointing.get(table.toLowerCase()) ?? [];
      among.push({ table: name.toLowerCase(), goes: onDelete === 'CASCADE' });
      pointing.set(table.toLowerCase(), among);
    }
  const names = tables.map(({ name }) => name.toLowerCase());
  const dependents = new Map(names.map((name) => [name, changedWith(name, pointing)]));
  return { isTable: (name) => dependents.has(name), dependents: (table) => dependents.get(table) };
}
