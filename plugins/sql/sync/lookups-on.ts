import type { ColumnType, Index, Table } from '../layout/layout';
import type { Dialect } from './dialect';

/** Of a few bytes in any row: the key of an index on a server is bounded, and texts may be longer than that. */
const isShort: ReadonlySet<ColumnType> = new Set<ColumnType>([
  'date',
  'time',
  'datetime',
  'timestamp',
  'integer',
  'bigInteger',
  'double',
  'decimal',
  'boolean',
]);

/** What decides whether a row is seen is in every such index, though it be a text. */
const always = new Set(['published_at', 'locale']);

/**
 * The index that stands for a table, as this database has it: servers without the texts of rows, and PostgreSQL with their
 * ids, which are in any index of the others.
 */
function narrowOn(dialect: Dialect, index: Index, { columns }: Table): Index {
  if (dialect === 'sqlite') return index;
  const short = new Set(columns.flatMap(({ name, type }) => (always.has(name) || isShort.has(type) ? [name] : [])));
  const held = index.columns.filter((name) => short.has(name));
  return { ...index, columns: dialect === 'postgres' ? [...held, 'id'] : held };
}

/** A table's lookups as this database has them. */
export const lookupsOn = (dialect: Dialect, table: Table): readonly Index[] =>
  (table.lookups ?? []).map((each) => (each.narrow ? narrowOn(dialect, each, table) : each));
