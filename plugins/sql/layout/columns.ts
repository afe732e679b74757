import type { Column, ColumnType, ForeignKey, Index } from './layout';
import type { ColumnArgument, ScalarAttribute, ScalarStorage } from './model';

interface PlainType {
  readonly type: ColumnType;
  readonly args?: readonly ColumnArgument[];
}

const microseconds = [{ useTz: false, precision: 6 }];

const typeOfStorage: Readonly<Record<ScalarStorage, PlainType>> = {
  string: { type: 'string' },
  text: { type: 'text', args: ['longtext'] },
  json: { type: 'jsonb' },
  date: { type: 'date' },
  time: { type: 'time', args: [{ precision: 3 }] },
  datetime: { type: 'datetime', args: microseconds },
  timestamp: { type: 'timestamp', args: microseconds },
  integer: { type: 'integer' },
  biginteger: { type: 'bigInteger' },
  float: { type: 'double' },
  decimal: { type: 'decimal', args: [10, 2] },
  boolean: { type: 'boolean' },
};

export const idColumn: Column = { name: 'id', type: 'increments', notNull: true };

export const orderColumn = (name: string): Column => ({ name, type: 'double', unsigned: true });

export const keyColumn = (name: string): Column => ({ name, type: 'integer', unsigned: true });

export const stringColumn = (name: string): Column => ({ name, type: 'string' });

export const storageColumn = (name: string, storage: ScalarStorage): Column => ({ name, ...typeOfStorage[storage] });

export function scalarColumn(name: string, attribute: ScalarAttribute): Column {
  const { type, args, notNullable, unsigned, defaultTo } = attribute.column ?? {};
  const own = type === undefined ? typeOfStorage[attribute.storage] : { type: columnType(type, name), args };
  return {
    name,
    ...own,
    ...(args !== undefined && { args }),
    ...(notNullable && { notNull: true }),
    ...(unsigned && { unsigned: true }),
    ...(defaultTo !== undefined && defaultTo !== null && { default: defaultTo }),
  };
}

export const index = (name: string, ...columns: readonly string[]): Index => ({ name, columns });

export const orderedIndex = (name: string, orderedBy: string, ...columns: readonly string[]): Index => ({
  name,
  columns,
  orderedBy,
});

export const uniqueIndex = (name: string, ...columns: readonly string[]): Index => ({ name, columns, unique: true });

export const cascade = (name: string, column: string, table: string): ForeignKey => ({
  name,
  column,
  table,
  onDelete: 'CASCADE',
});

export const setNull = (name: string, column: string, table: string): ForeignKey => ({
  name,
  column,
  table,
  onDelete: 'SET NULL',
});

const columnTypes: readonly ColumnType[] = [
  ...Object.values(typeOfStorage).map(({ type }) => type),
  'increments',
  'json',
];

function columnType(type: string, column: string): ColumnType {
  const known = columnTypes.find((each) => each === type);
  if (known) return known;
  throw new Error(`Column "${column}": unknown column type "${type}". Known are ${columnTypes.join(', ')}.`);
}
