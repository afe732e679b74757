import {
  type Attribute,
  type ContentType,
  flatMapped,
  type Nested,
  type OrderTerm,
  type ScalarStorage,
} from '../../../../core';
import type { Dialect, Parameters } from '../../dialects/dialect';
import type { Index, Layout, Rendered } from '../../layout/layout';
import type { Place } from '../../layout/places';
import { piecesOf } from '../../layout/rendered';
import { lookupsOn } from '../../sync/lookups-on';

export interface RenderedRows {
  /** Attributes by name, in their order, without the id in front of them. */
  readonly names: readonly string[];
  /** The table of what is kept, quoted: a row each, with the id of the row that it is of. */
  readonly table: string;
  /** The text of the row called `row`, made of what is kept of it, called `kept`; NULL where that can't be relied on. */
  text(row: string, kept: string, parameters: Parameters): string;
}

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
  /**
   * The index of its rows by their ids, quoted, where it also has what tells versions of a document apart, and the table one
   * that stands for it.
   */
  readonly idIndex: string | undefined;
  /** The index that stands for the table, quoted: it holds what lists ask of rows that no other index finds or sorts. */
  readonly narrowIndex: string | undefined;
  /** Whether it tells versions of a document apart: their status, or their locale. */
  isVariant(attribute: Attribute): boolean;
  /** Whether the index that stands for the table holds this value. */
  isNarrow(attribute: Attribute): boolean;
  /** What texts of its rows hold that the database keeps; absent where it keeps none. */
  readonly rendered?: RenderedRows;
  /** Where a nested attribute is kept. */
  place(nested: Nested): Place;
}

function renderedRows(rendered: Rendered, dialect: Dialect, standing: () => number): RenderedRows | undefined {
  const { renderings } = dialect;
  const pieces = renderings ? piecesOf(rendered, renderings.isSpelt) : [];
  if (!renderings || pieces.length === 0) return undefined;
  return {
    names: rendered.columns.map(({ key }) => key),
    table: dialect.id(rendered.table),
    text(row, kept, parameters) {
      const at = (piece: { readonly in: string }): string => `${kept}.${dialect.id(piece.in)}`;
      const texts = pieces.map((piece) => {
        if ('known' in piece) return dialect.literal(piece.known);
        if ('parts' in piece) return at(piece);
        return `coalesce(${at(piece)},${dialect.json(`${row}.${dialect.id(piece.value.column)}`, piece.value.storage)})`;
      });
      const needed = flatMapped(pieces, (piece) => ('parts' in piece ? [at(piece)] : []));
      return renderings.kept(texts, needed, () => parameters.add(0, standing));
    },
  };
}

/** Finds each type's table once; `standing` tells the number that the schema must have for kept texts of rows to be true. */
export function createTypeTables(
  layout: Layout,
  dialect: Dialect,
  standing: () => number = () => 0,
): (type: ContentType) => TypeTable {
  const tables = new Map<ContentType, TypeTable>();
  const sought = new Map<string, ReadonlySet<string>>();
  const narrow = new Map<string, Index>();
  const rendered = new Map<string, RenderedRows>();
  const byId = new Map<string, Index>();
  for (const table of layout.tables) {
    const { name, rendered: texts } = table;
    const lookups = lookupsOn(dialect.name, table);
    const rows = texts && renderedRows(texts, dialect, standing);
    if (rows) rendered.set(name, rows);
    const standIn = lookups.find((each) => each.narrow);
    if (standIn) narrow.set(name, standIn);
    const ids = lookups.find(({ columns: [first] }) => first === 'id');
    if (ids && standIn) byId.set(name, ids);
    sought.set(name, new Set(flatMapped(lookups, (each) => (each.narrow ? [] : each.columns.slice(0, 1)))));
  }

  function make(type: ContentType): TypeTable {
    const { table, places } = layout.types[type.uid]!;
    const ids = byId.get(table);
    const isInIds = (name: string): boolean => {
      const place = places[name];
      return place?.in === 'column' && ids?.columns.includes(place.column) === true;
    };
    const standIn = narrow.get(table);
    const hasVersions = type.dimensions.every(({ attribute }) => isInIds(attribute.name));
    return {
      type,
      name: dialect.id(table),
      rendered: rendered.get(table),
      idIndex: ids && hasVersions ? dialect.id(ids.name) : undefined,
      narrowIndex: standIn && dialect.id(standIn.name),
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
        return place?.in === 'column' && standIn?.columns.includes(place.column) === true;
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
