import type { Bound, ScalarStorage } from '../../../core';
import {
  asIs,
  type Dialect,
  foldAscii,
  nested,
  type Parameters,
  singleQuoted,
  storedJson,
  symbols,
  type TextCondition,
} from './dialect';
import { close, open } from './sentinels';

/** SQL function that prints a number as JavaScript does; every connection defines it. */
export const numberFunction = 'heddle_number';

const marked = (text: string): string => `char(${open.charCodeAt(0)})||${text}||char(${close.charCodeAt(0)})`;
const number = (column: string): string =>
  `case when ${column} is null then 'null' when ${column}=cast(${column} as integer) and abs(${column})<1e15 then cast(${column} as integer) else ${numberFunction}(${column}) end`;

const jsonOf: Readonly<Record<ScalarStorage, (column: string) => string>> = {
  string: (column) => `json_quote(${column})`,
  text: (column) => `json_quote(${column})`,
  date: (column) => `json_quote(${column})`,
  time: (column) => `json_quote(${column})`,
  json: (column) =>
    `case typeof(${column}) when 'null' then 'null' when 'real' then ${numberFunction}(${column}) else ${marked(column)} end`,
  datetime: (column) => `ifnull('"'||replace(datetime(${column}/1000.0,'unixepoch','subsec'),' ','T')||'Z"','null')`,
  timestamp: (column) => `ifnull('"'||${column}||'"','null')`,
  integer: (column) => `ifnull(${column},'null')`,
  biginteger: (column) => `ifnull('"'||${column}||'"','null')`,
  float: number,
  decimal: number,
  boolean: (column) => `case ${column} when 1 then 'true' when 0 then 'false' else 'null' end`,
};

function store(value: Bound, storage: ScalarStorage): unknown {
  if (value === null) return null;
  if (storage === 'boolean') return value ? 1 : 0;
  if (storage === 'datetime' || storage === 'timestamp') return Date.parse(String(value));
  return value;
}

function load(value: unknown, storage: ScalarStorage): Bound {
  if (value === null) return null;
  if (storage === 'boolean') return value === 1;
  if (storage === 'datetime' || storage === 'timestamp') return new Date(Number(value)).toISOString();
  if (storage === 'biginteger') return BigInt(value as number);
  return storage === 'json' ? String(value) : (value as Bound);
}

function text(
  column: string,
  _storage: ScalarStorage,
  { match, caseless, slot }: TextCondition,
  parameters: Parameters,
): string {
  const kept = `cast(${column} as text)`;
  const subject = caseless ? `lower(${kept})` : kept;
  const folded = (value: Bound): string => (caseless ? foldAscii(String(value)) : String(value));
  const length = (value: Bound): number => [...String(value)].length;
  const value = (): string => parameters.add(slot, folded);
  if (match === 'equals') return `${subject} = ${value()}`;
  if (match === 'contains') return `instr(${subject},${value()})>0`;
  if (match === 'startsWith') return `substr(${subject},1,${parameters.add(slot, length)})=${value()}`;
  return `substr(${subject},max(length(${kept})-${parameters.add(slot, length)}+1,1))=${value()}`;
}

export const sqlite: Dialect = {
  name: 'sqlite',
  id: (name) => `"${name.replaceAll('"', '""')}"`,
  placeholder: () => '?',
  concat: (parts) => nested('concat', parts, 900),
  literal: singleQuoted,
  json: (column, storage) => jsonOf[storage](column),
  compare: (column, storage, comparison, slot, parameters) =>
    `${column}${symbols[comparison]}${parameters.add(slot, (value) => (storage === 'json' ? storedJson(value) : store(value, storage)))}`,
  text,
  order: (column, descending) => `${column}${descending ? ' desc' : ''}`,
  window: (start, limit, parameters) => `limit ${parameters.add(limit, asIs)} offset ${parameters.add(start, asIs)}`,
  joined: (page, table) => ` from ${page} join ${table} t on t."id"=p."id"`,
  raw: (column) => column,
  store,
  load,
};
