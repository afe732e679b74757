import type { ScalarStorage } from '../../../core';
import { nested, type Renderings } from './dialect';
import { close, open } from './sentinels';

// Whatever writes into the file makes these texts, with the SQLite that it has: functions of this service are unknown to it,
// and those that are younger than five years may be. An expression that is NULL says that this way doesn't do.

const safest = Number.MAX_SAFE_INTEGER;
const closing = `char(${close.charCodeAt(0)})`;
const marked = (text: string): string => `char(${open.charCodeAt(0)})||${text}||${closing}`;
const text = (column: string): string => `json_quote(cast(${column} as text))`;
const orNull = (column: string, cases: string): string => `case when ${column} is null then 'null' ${cases} end`;

const integer = (column: string): string =>
  orNull(column, `when typeof(${column})='integer' and ${column} between -${safest} and ${safest} then ${column}`);

const quotedInteger = (column: string): string =>
  orNull(column, `when typeof(${column})='integer' then '"'||${column}||'"'`);

/** Milliseconds of the year 0; those before it are not spelt alike by all. */
const firstYear = Date.parse('0000-01-01T00:00:00.000Z');

const datetime = (column: string): string =>
  orNull(
    column,
    `when typeof(${column})='integer' and ${column}>=${firstYear} then ifnull(strftime('"%Y-%m-%dT%H:%M:%fZ"',${column}/1000.0,'unixepoch'),'null')`,
  );

/** What has four decimals at most, and not more digits than every SQLite prints, it spells as JavaScript does. */
const float = (column: string): string =>
  orNull(
    column,
    `when ${column}=cast(${column} as integer) and ${column} between -1e15 and 1e15 then cast(${column} as integer) when cast(${column}*1e4+0.5 as integer)/1e4=${column} and ${column} between 1e-4 and 1e9 then ${column}`,
  );

const jsonOf: Readonly<Record<ScalarStorage, (column: string) => string>> = {
  string: text,
  text,
  date: text,
  time: text,
  json: (column) =>
    `case typeof(${column}) when 'null' then 'null' when 'real' then null when 'blob' then null else case when not instr(${column},${closing}) then ${marked(column)} end end`,
  datetime,
  timestamp: quotedInteger,
  integer,
  biginteger: quotedInteger,
  float,
  decimal: float,
  boolean: (column) => `case ${column} when 1 then 'true' when 0 then 'false' else 'null' end`,
};

/**
 * Texts are made by triggers, which vanish where a program makes a table anew: so the schema must be the one in which they
 * were seen last.
 */
export const sqliteRenderings: Renderings = {
  isSpelt: (storage) => storage !== 'float' && storage !== 'decimal',
  json: (column, storage) => jsonOf[storage](column),
  // Joined one to the other by an operator, a text would be copied as often as it has pieces.
  kept(pieces, needed, standing) {
    const isWhole = needed.map((piece) => ` and ${piece} is not null`).join('');
    const isKept = `(select schema_version from pragma_schema_version)=${standing()}${isWhole}`;
    return `case when ${isKept} then ${nested('concat', pieces, 900)} end`;
  },
};
