import type { Bound, Comparison, ScalarStorage } from '../../../core';
import {
  asIs,
  comparableJson,
  type Dialect,
  foldAscii,
  nested,
  type Parameters,
  plusOne,
  singleQuoted,
  symbols,
  type TextCondition,
} from './dialect';
import type { Marks } from './marks';
import { close, open } from './sentinels';
import { sqliteRenderings } from './sqlite-renderings';

/** SQL function that prints a number as JavaScript does; every connection defines it. */
export const numberFunction = 'heddle_number';

/** SQL function that ends a statement whose lists are too long, and is 1 otherwise; connections that read documents define it. */
export const lengthFunction = 'heddle_length';

/** The function that ends a statement which has taken too long. It is given something of each row, so that it is asked for each. */
export const timeFunction = 'heddle_time';

const closing = `char(${close.charCodeAt(0)})`;
const marked = (text: string): string => `char(${open.charCodeAt(0)})||${text}||${closing}`;
// Any column may hold a value of any type, for others write into the file, too: all of them must come out as JSON.
const text = (column: string): string => `json_quote(cast(${column} as text))`;
const safest = Number.MAX_SAFE_INTEGER;
const otherNumber = (column: string): string =>
  `case when ${column} is null then 'null' when ${column}=cast(${column} as integer) and ${column} between -1e15 and 1e15 then cast(${column} as integer) else ${numberFunction}(${column}) end`;
const integer = (column: string): string =>
  `case when typeof(${column})='integer' and ${column} between -${safest} and ${safest} then ${column} else ${otherNumber(column)} end`;
/** What has four decimals at most, and not more digits than every SQLite prints, it spells as JavaScript does. */
const float = (column: string): string =>
  `case when ${column}=cast(${column} as integer) and ${column} between -1e15 and 1e15 then cast(${column} as integer) when cast(${column}*1e4+0.5 as integer)/1e4=${column} and ${column} between 1e-4 and 1e9 then ${column} else ${otherNumber(column)} end`;
/** A whole number in quotes; others may have left one that is too large for the column, as a fraction. */
const quotedInteger = (column: string): string =>
  `case typeof(${column}) when 'integer' then '"'||${column}||'"' when 'real' then '"'||${numberFunction}(${column})||'"' else ${text(column)} end`;

/** Julian days need no modifier to be known. */
const datetime = (column: string): string =>
  `ifnull('"'||replace(datetime(${column}/86400000.0+2440587.5,'subsec'),' ','T')||'Z"','null')`;

/** No JSON holds the closing mark: what does is shown as the text that it is. */
const unlessMarked = (column: string, isMarked: string): string =>
  `case when ${isMarked} then ${text(column)} else ${marked(column)} end`;
const carefully = (column: string): string => unlessMarked(column, `instr(${column},${closing})`);
// Takes a tenth of that time. It looks into no blob, and not behind a NUL: what stands before that is no JSON, which is noticed.
const quickly = (column: string): string => unlessMarked(column, `${column} like '%'||${closing}||'%'`);

const json = (column: string, fit: string): string =>
  `case typeof(${column}) when 'null' then 'null' when 'real' then ${numberFunction}(${column}) when 'blob' then ${carefully(column)} else ${fit} end`;

const jsonOf: Readonly<Record<ScalarStorage, (column: string) => string>> = {
  string: text,
  text,
  date: text,
  time: text,
  json: (column) => json(column, quickly(column)),
  datetime,
  timestamp: quotedInteger,
  integer,
  biginteger: quotedInteger,
  float,
  decimal: float,
  boolean: (column) => `case ${column} when 1 then 'true' when 0 then 'false' else 'null' end`,
};

const isText = new Set<ScalarStorage>(['string', 'text']);

function store(value: Bound, storage: ScalarStorage): Bound {
  if (value === null) return null;
  if (storage === 'boolean') return value ? 1 : 0;
  if (storage === 'datetime' || storage === 'timestamp') return Date.parse(String(value));
  // Half of a pair of code units would be kept as bytes that are no text, which no cursor leads back to.
  return typeof value === 'string' && isText.has(storage) ? value.toWellFormed() : value;
}

function load(value: unknown, storage: ScalarStorage): Bound {
  if (value === null) return null;
  if (storage === 'boolean') return value === 1;
  if (storage === 'datetime' || storage === 'timestamp') return new Date(Number(value)).toISOString();
  if (storage === 'biginteger') return BigInt(value as string);
  return storage === 'json' ? String(value) : (value as Bound);
}

/** Beyond 64 bits there are no integers to compare with, but what is endless is beyond them likewise. */
function comparable(value: Bound): Bound {
  if (typeof value !== 'bigint' || BigInt.asIntN(64, value) === value) return value;
  return value > 0n ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
}

const comparedAs =
  (storage: ScalarStorage, comparison: Comparison) =>
  (value: Bound): unknown =>
    storage === 'json' ? comparableJson(value, comparison) : comparable(store(value, storage));

function compare(
  column: string,
  storage: ScalarStorage,
  comparison: Comparison,
  slot: number,
  parameters: Parameters,
): string {
  return `${column}${symbols[comparison]}${parameters.add(slot, comparedAs(storage, comparison))}`;
}

function textCondition(
  column: string,
  _storage: ScalarStorage,
  { match, caseless, slot }: TextCondition,
  parameters: Parameters,
): string {
  const kept = `cast(${column} as text)`;
  const subject = caseless ? `lower(${kept})` : kept;
  const wellFormed = (value: Bound): string => String(value).toWellFormed();
  const folded = (value: Bound): string => (caseless ? foldAscii(wellFormed(value)) : wellFormed(value));
  const length = (value: Bound): number => [...String(value)].length;
  const value = (): string => parameters.add(slot, folded);
  if (match === 'equals') return `${subject} = ${value()}`;
  if (match === 'contains') return `instr(${subject},${value()})>0`;
  if (match === 'startsWith') return `substr(${subject},1,${parameters.add(slot, length)})=${value()}`;
  return `substr(${subject},max(length(${kept})-${parameters.add(slot, length)}+1,1))=${value()}`;
}

/** Whole numbers as text, for the driver would round what is beyond 2^53; compared with a number, it is one again. */
const inFull = (value: string): string =>
  `case typeof(${value}) when 'integer' then cast(${value} as text) else ${value} end`;

const marks: Marks = {
  // What is looked up stands in the text once: it may have parameters.
  told: (value) => (value.startsWith('(') ? `(select ${inFull('v')} from (select ${value} as v))` : inFull(value)),
  meant: (placeholder) => placeholder,
  bound: (mark) => mark,
};

const quick: Dialect = {
  name: 'sqlite',
  id: (name) => `"${name.replaceAll('"', '""')}"`,
  // The sign changes no value. Of a mere parameter the planner looks at the value, in a limit or where tables were analyzed, and
  // compiles the statement anew at each run.
  placeholder: () => '+?',
  concat: (parts) => nested('concat', parts, 900),
  literal: singleQuoted,
  fitting: (text) => text,
  // The rows come in the page's order, and so are joined in it.
  wholePage: (text) => `cast('['||ifnull(group_concat(${text}),'')||']' as blob),count(*)`,
  joinedTexts: (text, order) =>
    `ifnull(group_concat(${text},','${order === undefined ? '' : ` order by ${order}`}),'')`,
  asFloat: (column) => `cast(${column} as real)`,
  between: (place, start, limit, parameters) =>
    `(${place}>${parameters.add(start, asIs)} and ${place}<=${parameters.add(start, asIs)}+${parameters.add(limit, asIs)})`,
  joinAfter: 'cross join',
  // The page is a subquery that is run as it stands, and a cross join takes its rows one after the other.
  pageKeepsOrder: true,
  foundFirst: (id, select) => `${id} in (${select})`,
  trustsOrder: true,
  // Without statistics its planner takes the index of a field's name for as good as that of the row; and it would count
  // versions by the unique index over them, which has a condition of that form but not the column, row for row.
  unindexed: (column) => `+${column}`,
  unindexedText: (column) => `+${column}`,
  json: (column, storage) => jsonOf[storage](column),
  compare,
  among: (column, storage, slots, negated, parameters) =>
    `${column}${negated ? ' not' : ''} in (${slots.map((slot) => parameters.add(slot, comparedAs(storage, 'eq'))).join()})`,
  text: textCondition,
  fence: '',
  order: (column, descending) => `${column}${descending ? ' desc' : ''}`,
  window: (select, start, limit, parameters) =>
    `${select} limit ${parameters.add(limit, asIs)} offset ${parameters.add(start, asIs)}`,
  oneMore: (limit, parameters) => `limit ${parameters.add(limit, plusOne)}`,
  marks,
  counted: (text, relations) =>
    `(select case when ${lengthFunction}(octet_length(x),${relations}) then x end from (select ${text} as x))`,
  amongAll: (subject, id, from) => `${subject} in (select ${id} from ${from})`,
  inTime: (column) => `${timeFunction}(${column})`,
  row: (text) => `cast(${text} as blob)`,
  // A cross join keeps its order: the planner would rather read the whole table and look its rows up in the page.
  joined: (page, table) => ` from ${page} cross join ${table} t on t."id"=p."id"`,
  // Every commit of another connection moves it, and those that write are others than those that read.
  snapshot: '(select cast(data_version as text) from pragma_data_version)',
  // As text, for the driver would round what is beyond 2^53.
  raw: (column, storage) => (storage === 'biginteger' ? `cast(cast(${column} as integer) as text)` : column),
  store,
  load,
};

export const sqlite: Dialect = {
  ...quick,
  renderings: sqliteRenderings,
  careful: {
    ...quick,
    json: (column, storage) => (storage === 'json' ? json(column, carefully(column)) : quick.json(column, storage)),
  },
};
