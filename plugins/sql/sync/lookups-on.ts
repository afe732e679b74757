import type { DialectName } from '../dialects/dialect';
import type { Column, ColumnType, Index, Table } from '../layout/layout';

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

/** MySQL takes no more columns in an index; MariaDB takes twice as many. */
const mostColumns = 16;

/**
 * The index that stands for a table, as this database has it: servers without the texts of rows, `long` being columns that
 * turned out to be texts, and PostgreSQL with their ids, which are in any index of the others.
 */
function narrowOn(dialect: DialectName, index: Index, { columns }: Table, long: ReadonlySet<string>): Index {
  if (dialect === 'sqlite') return index;
  const isHeld = ({ name, type }: Column): boolean => always.has(name) || (isShort.has(type) && !long.has(name));
  const short = new Set(columns.filter(isHeld).map(({ name }) => name));
  const held = index.columns.filter((name) => short.has(name)).slice(0, mostColumns);
  return { ...index, columns: dialect === 'postgres' ? [...held, 'id'] : held };
}

/** A table's lookups as this database has them. */
export const lookupsOn = (
  dialect: DialectName,
  table: Table,
  long: ReadonlySet<string> = new Set(),
): readonly Index[] => (table.lookups ?? []).map((each) => (each.narrow ? narrowOn(dialect, each, table, long) : each));
