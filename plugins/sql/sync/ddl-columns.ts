import type { DialectName } from '../dialects/dialect';
import type { Column } from '../layout/layout';
import type { MadeBy } from './made-by';
import { quote } from './quote';

type TypeSpelling = (column: Column) => string;

const numbers = ({ args = [] }: Column, ...defaults: readonly number[]): string =>
  defaults.map((each, i) => (typeof args[i] === 'number' ? args[i] : each)).join(', ');

/** `(6)` of `{ precision: 6 }`; nothing where the schema asks for none. */
function precision({ args = [] }: Column): string {
  const [options] = args;
  return typeof options === 'object' && options.precision !== undefined ? `(${options.precision})` : '';
}

const withTimeZone = ({ args = [] }: Column): boolean => {
  const [options] = args;
  return !(typeof options === 'object' && options.useTz === false);
};

const varchar: TypeSpelling = (column) => `varchar(${numbers(column, 255)})`;
const bigint: TypeSpelling = () => 'bigint';
const date: TypeSpelling = () => 'date';

const spellings: Readonly<Record<DialectName, Readonly<Record<Column['type'], TypeSpelling>>>> = {
  sqlite: {
    increments: () => 'integer not null primary key autoincrement',
    string: varchar,
    text: () => 'text',
    json: () => 'json',
    jsonb: () => 'json',
    date,
    time: () => 'time',
    datetime: () => 'datetime',
    timestamp: () => 'datetime',
    integer: () => 'integer',
    bigInteger: bigint,
    double: () => 'float',
    decimal: () => 'float',
    boolean: () => 'boolean',
  },
  postgres: {
    increments: () => 'serial primary key',
    string: varchar,
    text: () => 'text',
    json: () => 'json',
    jsonb: () => 'jsonb',
    date,
    time: () => 'time',
    datetime: (column) => `timestamp${withTimeZone(column) ? 'tz' : ''}${precision(column)}`,
    timestamp: (column) => `timestamp${withTimeZone(column) ? 'tz' : ''}${precision(column)}`,
    integer: () => 'integer',
    bigInteger: bigint,
    double: () => 'double precision',
    decimal: (column) => `decimal(${numbers(column, 8, 2)})`,
    boolean: () => 'boolean',
  },
  mysql: {
    increments: () => 'int unsigned not null auto_increment primary key',
    string: varchar,
    text: ({ args = [] }) => (args[0] === 'longtext' || args[0] === 'mediumtext' ? args[0] : 'text'),
    json: () => 'json',
    jsonb: () => 'json',
    date,
    time: (column) => `time${precision(column)}`,
    datetime: (column) => `datetime${precision(column)}`,
    timestamp: (column) => `timestamp${precision(column)}`,
    integer: () => 'int',
    bigInteger: bigint,
    double: () => 'double',
    decimal: (column) => `decimal(${numbers(column, 8, 2)})`,
    boolean: () => 'boolean',
  },
};

const isText = ({ type }: Column): boolean => type === 'string' || type === 'text';

/** One column as it stands in `create table` and `add column`. */
export function columnDefinition(dialect: DialectName, column: Column, madeBy: MadeBy): string {
  const spelt = `${quote(dialect, column.name)} ${spellings[dialect][column.type](column)}`;
  if (column.type === 'increments') return spelt;
  return [
    spelt,
    // SQLite has no unsigned numbers and PostgreSQL refuses the word.
    column.unsigned && dialect === 'mysql' ? 'unsigned' : '',
    // Byte order is the order of SQLite, and what an index can serve without regard to a locale.
    isText(column) && dialect === 'postgres' && madeBy === 'heddle' ? 'collate "C"' : '',
    column.notNull ? 'not null' : 'null',
    defaultOf(dialect, column),
  ]
    .filter(Boolean)
    .join(' ');
}

function defaultOf(dialect: DialectName, column: Column): string {
  if (column.default === undefined) return '';
  if (dialect === 'mysql' && column.type === 'text') return '';
  return `default '${String(spellDefault(dialect, column.default)).replaceAll("'", "''")}'`;
}

function spellDefault(dialect: DialectName, value: string | number | boolean): string | number | boolean {
  return typeof value === 'boolean' && dialect !== 'postgres' ? Number(value) : value;
}
