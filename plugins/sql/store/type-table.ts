import type { Attribute, ContentType, Nested, OrderTerm, ScalarStorage } from '../../../core';
import type { Dialect } from '../dialects/dialect';
import type { Layout } from '../layout/layout';
import type { Place } from '../layout/places';

/** A type's table, as statements name it. */
export interface TypeTable {
  readonly type: ContentType;
  /** Quoted. */
  readonly name: string;
  /** The column of an attribute, quoted and with a prefix where one is given. */
  column(attribute: Attribute, prefix?: string): string;
  storage(attribute: Attribute): ScalarStorage;
  /** Whether an index has the rows in the order of this value, and of their ids where it is the same. */
  isSought(term: OrderTerm): boolean;
  /** Whether it tells versions of a document apart: their status, or their locale. */
  isVariant(attribute: Attribute): boolean;
  /** Whether the index that stands for the table holds this value. */
  isNarrow(attribute: Attribute): boolean;
  /** Where a nested attribute is kept. */
  place(nested: Nested): Place;
}

/** Finds each type's table once. */
export function createTypeTables(layout: Layout, dialect: Dialect): (type: ContentType) => TypeTable {
  const tables = new Map<ContentType, TypeTable>();
  const sought = new Map<string, ReadonlySet<string>>();
  const narrow = new Map<string, ReadonlySet<string>>();
  for (const { name, lookups = [] } of layout.tables) {
    sought.set(name, new Set(lookups.flatMap((each) => (each.narrow ? [] : each.columns.slice(0, 1)))));
    narrow.set(name, new Set(lookups.flatMap((each) => (each.narrow ? each.columns : []))));
  }

  function make(type: ContentType): TypeTable {
    const { table, places } = layout.types[type.uid]!;
    return {
      type,
      name: dialect.id(table),
      column({ name }, prefix = '') {
        const place = places[name];
        if (place?.in !== 'column') throw new Error(`${type.uid}.${name} is in no column of its own`);
        return `${prefix}${dialect.id(place.column)}`;
      },
      storage: ({ kind }) => kind.storage,
      isSought({ attribute, through = [] }) {
        const place = places[attribute.name];
        return place?.in === 'column' && through.length === 0 && sought.get(table)?.has(place.column) === true;
      },
      isVariant: ({ name }) => type.dimensions.some(({ attribute }) => attribute.name === name),
      isNarrow({ name }) {
        const place = places[name];
        return place?.in === 'column' && narrow.get(table)!.has(place.column);
      },
      place({ name }) {
        const place = places[name];
        if (!place) throw new Error(`${type.uid}.${name} is kept nowhere`);
        return place;
      },
    };
  }

  return (type) => {
    const table = tables.get(type) ?? make(type);
    tables.set(type, table);
    return table;
  };
}
