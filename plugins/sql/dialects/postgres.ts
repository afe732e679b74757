import { type Bound, type Comparison, type ScalarStorage, UnfitValue } from '../../../core';
import { behindPlace, nextText } from './apart';
import {
  asIs,
  type Dialect,
  foldAscii,
  nested,
  type Parameters,
  plusOne,
  singleQuoted,
  storedJson,
  symbols,
  type TextCondition,
} from './dialect';
import { clockTime, isoTime } from './iso-time';
import { type Marks, serverMark } from './marks';
import { inSettings } from './notes';
import { close, open } from './sentinels';

const marked = (text: string): string => `chr(${open.charCodeAt(0)})||${text}||chr(${close.charCodeAt(0)})`;
// From 1e15 on, the shortest digits are not always those of JavaScript; what is endless or no number at all is null.
const float = (column: string): string =>
  `case when abs(${column})<1e15 and abs(${column})>=1e-4 then ${column}::text when ${column}=0 then '0' when abs(${column})>=1e15 then case when abs(${column})<'infinity' then ${marked(`${column}::text`)} end when abs(${column})>=1e-6 then ${column}::text::numeric::text else regexp_replace(${column}::text,'e-0','e-') end`;
const orNull = (text: string): string => `coalesce(${text},'null')`;
const quoted = (text: string): string => orNull(`'"'||${text}||'"'`);
const milliseconds = (column: string): string => `(extract(epoch from ${column})*1000)::bigint`;

const jsonOf: Readonly<Record<ScalarStorage, (column: string) => string>> = {
  string: (column) => orNull(`to_json(${column})::text`),
  text: (column) => orNull(`to_json(${column})::text`),
  json: (column) => orNull(marked(`${column}::text`)),
  date: (column) => quoted(`${column}::text`),
  time: (column) => quoted(`to_char(${column},'HH24:MI:SS.MS')`),
  datetime: (column) => quoted(`to_char(${column},'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`),
  timestamp: (column) => quoted(milliseconds(column)),
  integer: (column) => orNull(`${column}::text`),
  biginteger: (column) => quoted(column),
  float: (column) => orNull(float(column)),
  decimal: (column) => orNull(`nullif(trim_scale(${column})::text,'NaN')`),
  boolean: (column) => `case when ${column} then 'true' when not ${column} then 'false' else 'null' end`,
};

/** The text that SQLite keeps of a value, since conditions on text compare that. */
const textOf: Partial<Record<ScalarStorage, (column: string) => string>> = {
  time: (column) => `to_char(${column},'HH24:MI:SS.MS')`,
  datetime: (column) => `${milliseconds(column)}::text`,
  timestamp: (column) => `${milliseconds(column)}::text`,
  boolean: (column) => `${column}::int::text`,
  float: (column) =>
    `case when ${column}=trunc(${column}) and abs(${column})<1e15 then ${column}::text||'.0' else ${column}::text end`,
  decimal: (column) =>
    `case when ${column}=trunc(${column}) then trunc(${column})::text||'.0' else trim_scale(${column})::text end`,
};

const most = 2n ** 63n - 1n;
const least = -(2n ** 63n);
const clamp = (value: bigint): string => String(value > most ? most : value < least ? least : value);

/**
 * A number as an integer column compares with: the whole number that gives the same answer, within 64 bits, so that the
 * column's index serves. Nothing equals a fraction: it becomes the least number, which no column holds.
 */
function wholeFor(comparison: Comparison, value: Bound): string {
  const given = Number(value);
  if (Number.isInteger(given)) return clamp(BigInt(given));
  if (comparison === 'eq' || comparison === 'ne') return String(least);
  return clamp(BigInt(comparison === 'lt' || comparison === 'gte' ? Math.ceil(given) : Math.floor(given)));
}

const types: Readonly<Record<ScalarStorage, string>> = {
  string: 'text',
  text: 'text',
  json: 'jsonb',
  date: 'date',
  time: 'time',
  datetime: 'timestamp',
  timestamp: 'timestamp',
  integer: 'bigint',
  // Of any size, for a filter may be beyond what the column holds.
  biginteger: 'numeric',
  float: 'double precision',
  decimal: 'numeric',
  boolean: 'boolean',
};

/** Without its zone: columns have none, and sessions run in UTC. */
const zoneless = (value: Bound): string => String(value).replace('T', ' ').replace('Z', '');

const hasDate: ReadonlySet<ScalarStorage> = new Set(['date', 'datetime', 'timestamp']);

/** A date to compare with: the year 0, which no column holds, has another name here. */
const withItsYear = (date: string): string => (date.startsWith('0000-') ? `0001${date.slice(4)} BC` : date);

function store(value: Bound, storage: ScalarStorage): unknown {
  if (value === null) return null;
  if (storage === 'datetime' || storage === 'timestamp') return zoneless(value);
  return typeof value === 'bigint' ? String(value) : value;
}

function load(value: unknown, storage: ScalarStorage): Bound {
  if (value === null) return null;
  if (storage === 'datetime' || storage === 'timestamp') return isoTime(String(value));
  if (storage === 'time') return clockTime(String(value));
  if (storage === 'biginteger') return BigInt(value as string);
  return storage === 'decimal' || storage === 'float' ? Number(value) : (value as Bound);
}

function compare(
  column: string,
  storage: ScalarStorage,
  comparison: Comparison,
  slot: number,
  parameters: Parameters,
): string {
  const spell = (value: Bound): unknown => {
    if (storage === 'integer') return wholeFor(comparison, value);
    if (hasDate.has(storage)) return withItsYear(String(store(value, storage)));
    return storage === 'json' ? storedJson(value) : store(value, storage);
  };
  return `${column}${symbols[comparison]}${parameters.add(slot, spell)}::${types[storage]}`;
}

function text(
  column: string,
  storage: ScalarStorage,
  { match, caseless, slot }: TextCondition,
  parameters: Parameters,
): string {
  const kept = textOf[storage]?.(column) ?? `${column}::text`;
  const subject = caseless ? `lower((${kept}) collate "C")` : `(${kept})`;
  const value = (): string =>
    `${parameters.add(slot, (given) => (caseless ? foldAscii(String(given)) : String(given)))}::text`;
  if (match === 'equals') return `${subject}=${value()}`;
  if (match === 'contains') return `strpos(${subject},${value()})>0`;
  if (match === 'startsWith') return `starts_with(${subject},${value()})`;
  return `right(${subject},length(${value()}))=${value()}`;
}

const ordered = (order: string | undefined): string => (order === undefined ? '' : ` order by ${order}`);

const marks: Marks = {
  told: (column) => `${column}::text`,
  meant: (placeholder, storage) => `${placeholder}::${storage === 'biginteger' ? 'bigint' : types[storage]}`,
  bound(mark, storage) {
    // Its texts have none, and it takes none to compare with.
    if (String(mark).includes('\u0000')) throw new UnfitValue(`a NUL stands in no ${storage}`);
    return serverMark(mark, storage);
  },
};

// Without it, each EXISTS inside OR is planned in two ways, and what is inside of it in four.
const fence = ' offset 0';

export const postgres: Dialect = {
  name: 'postgres',
  id: (name) => `"${name.replaceAll('"', '""')}"`,
  placeholder: (number) => `$${number}`,
  concat: (parts) => nested('concat', parts, 90),
  literal: singleQuoted,
  fitting: (text) => text,
  joinedTexts: (text, order) => `coalesce(string_agg(${text},','${ordered(order)}),'')`,
  apart: {
    as: 'joined',
    texts: (place, text, order) =>
      `string_agg(${place}||${singleQuoted(behindPlace)}||${text},${singleQuoted(nextText)} order by ${order})`,
    // A table of a few pages would be read anew for each row of a page, or one of more for all of them.
    each: (select, alias) => `cross join lateral (${select}${fence}) ${alias}`,
    page: (name, ids) => `${name} as materialized (select * from unnest(array(${ids})) with ordinality as p(id,n))`,
  },
  asFloat: (column) => `${column}::double precision`,
  between: (place, start, limit, parameters) =>
    `(${place}>${parameters.add(start, asIs)}::bigint and ${place}<=${parameters.add(start, asIs)}::bigint+${parameters.add(limit, asIs)}::bigint)`,
  joinAfter: 'join',
  copyOrder: 'ctid',
  unindexed: (column) => column,
  // Before a table was analyzed, a pair of texts is taken for as rare as an id: all rows of an attribute would be gone through.
  unindexedText: (column) => `${column}||''`,
  json: (column, storage) => jsonOf[storage](column),
  compare,
  text,
  fence,
  order(column, descending, isFilled) {
    if (isFilled) return `${column}${descending ? ' desc' : ''}`;
    return `${column}${descending ? ' desc nulls last' : ' nulls first'}`;
  },
  window: (select, start, limit, parameters) =>
    `${select} limit ${parameters.add(limit, asIs)}::bigint offset ${parameters.add(start, asIs)}::bigint`,
  // Said again, the order is known to whoever joins rows to the part.
  windowWithin: (select, rows, size, start, parameters, order) =>
    `select * from (${select} limit ${rows}) w${order ? ` order by ${order('w')}` : ''} limit ${size} offset ${parameters.add(start, asIs)}::bigint`,
  // It knows how many links a row has on the average, not how many these have.
  foundFirst: (id, select) => `${id}=any(array(${select}))`,
  oneMore: (limit, parameters) => `limit ${parameters.add(limit, plusOne)}::bigint`,
  marks,
  row: (text) => text,
  travels: 'cheaply',
  // The fence keeps the planner from joining the whole table before it has the page.
  joined: (page, table) => ` from ${page} cross join lateral (select * from ${table} a where a."id"=p."id" offset 0) t`,
  notes: inSettings,
  snapshot: 'pg_current_snapshot()::text',
  raw: (column, storage) => (storage === 'json' ? `${column}::text` : column),
  store,
  load,
};
