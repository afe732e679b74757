import { TypedParameter } from 'mysql2';
import type { Bound, Comparison, ScalarStorage } from '../../../core';
import {
  asIs,
  comparableJson,
  type Dialect,
  foldAscii,
  nested,
  type Parameter,
  type Parameters,
  plusOne,
  symbols,
  type TextCondition,
} from './dialect';
import { clockTime, isoTime } from './iso-time';
import { type Marks, serverMark } from './marks';
import { inVariables } from './notes';
import { unfit } from './sentinels';

const orNull = (text: string): string => `ifnull(${text},'null')`;
const quoted = (text: string): string => orNull(`concat('"',${text},'"')`);

const jsonOf: Readonly<Record<ScalarStorage, (column: string) => string>> = {
  string: (column) => orNull(`json_quote(${column})`),
  text: (column) => orNull(`json_quote(${column})`),
  // A table of somebody else may lack the constraint that keeps out what the server takes for no JSON, be it a text with marks of
  // its own or lists nested deeper than the server goes: all of that is shown as text.
  json: (column) => orNull(`if(json_valid(${column}),concat(char(1),${column},char(2)),json_quote(${column}))`),
  date: (column) => quoted(column),
  time: (column) => quoted(`left(time_format(${column},'%H:%i:%s.%f'),12)`),
  datetime: (column) => quoted(`left(${column},10),'T',substr(${column},12,12),'Z'`),
  timestamp: (column) => quoted(`round(unix_timestamp(${column})*1000)`),
  integer: (column) => orNull(column),
  biginteger: (column) => quoted(column),
  float: (column) =>
    orNull(
      `if(${column}=0,'0',if(abs(${column})>=1e-6 and abs(${column})<1e15,${column}+0e0,concat(char(1),${column}+0e0,char(2))))`,
    ),
  decimal: (column) => orNull(`${column}+0e0`),
  boolean: (column) => `case ${column} when 1 then 'true' when 0 then 'false' else 'null' end`,
};

/** The text that SQLite keeps of a value, since conditions on text compare that. */
const textOf: Partial<Record<ScalarStorage, (column: string) => string>> = {
  // `unix_timestamp` is NULL for what no timestamp can hold: before 1970, and after 2038 on most servers.
  datetime: (column) => `round(timestampdiff(microsecond,'1970-01-01',${column})/1000)`,
  timestamp: (column) => `round(unix_timestamp(${column})*1000)`,
  float: (column) => `if(${column}=floor(${column}),concat(${column}+0e0,'.0'),${column}+0e0)`,
  decimal: (column) => `if(${column}=floor(${column}),concat(${column}+0e0,'.0'),${column}+0e0)`,
};

const zoneless = (value: Bound): string => String(value).replace('T', ' ').replace('Z', '');

function store(value: Bound, storage: ScalarStorage): unknown {
  if (value === null) return null;
  if (storage === 'boolean') return value ? 1 : 0;
  if (storage === 'datetime' || storage === 'timestamp') return zoneless(value);
  return typeof value === 'bigint' ? String(value) : value;
}

function load(value: unknown, storage: ScalarStorage): Bound {
  if (value === null) return null;
  if (storage === 'boolean') return Number(value) === 1;
  if (storage === 'datetime' || storage === 'timestamp') return isoTime(String(value));
  if (storage === 'time') return clockTime(String(value));
  if (storage === 'biginteger') return BigInt(value as string);
  return storage === 'decimal' || storage === 'float' ? Number(value) : (value as Bound);
}

/** Equal to the last blank: the collations pad texts with blanks before they compare. */
const unpadded = (column: string, slot: number, parameters: Parameters): string =>
  `(${column}=${parameters.add(slot, String)} and char_length(${column})=${parameters.add(slot, (value) => [...String(value)].length)})`;

function compare(
  column: string,
  storage: ScalarStorage,
  comparison: Comparison,
  slot: number,
  parameters: Parameters,
): string {
  const isText = storage === 'string' || storage === 'text';
  if (isText && comparison === 'eq') return unpadded(column, slot, parameters);
  if (isText && comparison === 'ne') return `not ${unpadded(column, slot, parameters)}`;
  const value = parameters.add(slot, (given) =>
    storage === 'json' ? comparableJson(given, comparison) : store(given, storage),
  );
  return `${column}${symbols[comparison]}${value}`;
}

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/** ASCII letters in lower case: `lower` would fold others, too. */
const folded = (text: string): string =>
  letters.reduce((inner, letter) => `replace(${inner},'${letter}','${letter.toLowerCase()}')`, text);

const binary = (text: string): string => `${text} collate utf8mb4_bin`;

const asText = (value: string): string => value;
const lowered = (value: string): string => `lower(convert(${value} using utf8mb4))`;

function matched(
  subject: string,
  { match, slot }: TextCondition,
  spell: (value: string) => string,
  parameters: Parameters,
  inServer: (value: string) => string = asText,
): string {
  const value = (): string => inServer(parameters.add(slot, (given) => spell(String(given))));
  const length = (): string => parameters.add(slot, (given) => [...String(given)].length);
  if (match === 'equals') return `${binary(subject)}=${value()} and char_length(${subject})=${length()}`;
  if (match === 'contains') return `locate(${value()},${binary(subject)})>0`;
  if (match === 'startsWith')
    return `${binary(`left(${subject},${length()})`)}=${value()} and char_length(${subject})>=${length()}`;
  return `${binary(`right(${subject},${length()})`)}=${value()} and char_length(${subject})>=${length()}`;
}

function text(column: string, storage: ScalarStorage, condition: TextCondition, parameters: Parameters): string {
  const kept = `convert(${textOf[storage]?.(column) ?? column} using utf8mb4)`;
  if (!condition.caseless) return `(${matched(kept, condition, asText, parameters)})`;
  // `lower` sorts out nearly all rows at a low price; folding by letters decides about the rest. The server folds both sides: of
  // some letters, as a sigma at the end of a word, JavaScript makes others.
  const likely = matched(`lower(${kept})`, condition, asText, parameters, lowered);
  return `(${likely} and ${matched(folded(kept), condition, foldAscii, parameters)})`;
}

/** A group is limited by what is sent as an integer only. */
const asInteger = (value: Bound): unknown => TypedParameter.BIGINT(value);
const asSum =
  (other: number): Parameter['spell'] =>
  (value, all) =>
    asInteger(Math.min(Number(value) + Number(all[other]), Number.MAX_SAFE_INTEGER));

const ordered = (order: string | undefined): string => (order === undefined ? '' : ` order by ${order}`);

/** A text would be compared with a whole number, and with one of fixed digits, as a double that loses digits. */
const meantAs: Readonly<Partial<Record<ScalarStorage, string>>> = {
  integer: 'signed',
  biginteger: 'signed',
  boolean: 'signed',
  decimal: 'decimal(65,30)',
};

const marks: Marks = {
  told: (column) => column,
  meant(placeholder, storage) {
    const type = meantAs[storage];
    return type ? `cast(${placeholder} as ${type})` : placeholder;
  },
  bound: serverMark,
};

/**
 * Bytes of a value that are compared when rows are ordered, which the server takes for equal beyond; and how many characters
 * they are at four bytes each, so that whoever compares values says the same of them: the server counts so when it keeps the
 * first of many rows, though it sorts all of them by three bytes each.
 */
export const orderedBytes = 1024;
const orderedCharacters = orderedBytes / 4;

const isLong = new Set<ScalarStorage>(['text', 'json']);

const leastText = (value: string): string => `ifnull(concat('1',${value}),'0')`;
const leastDate = (value: string): string => `ifnull(${value},'')`;
const least =
  (number: string) =>
  (value: string): string =>
    `ifnull(${value},${number})`;
const leastInteger = least('-9223372036854775809');

/** A value, or what is less than any of its kind, but for the least of all floats and times. */
const orLeast: Readonly<Record<ScalarStorage, (value: string) => string>> = {
  string: leastText,
  text: leastText,
  json: leastText,
  date: leastDate,
  time: least(`time'-838:59:59'`),
  datetime: leastDate,
  timestamp: leastDate,
  integer: leastInteger,
  biginteger: leastInteger,
  boolean: leastInteger,
  float: least('-1.7976931348623157e308'),
  decimal: least(`-${'9'.repeat(35)}`),
};

const inBytes = (text: string): string => `convert(convert(${text} using utf8mb4) using binary)`;

export const mysql: Dialect = {
  name: 'mysql',
  id: (name) => `\`${name.replaceAll('`', '``')}\``,
  placeholder: () => '?',
  concat: (parts) => nested('concat', parts, 900),
  literal: (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`,
  fitting: (text) => `ifnull(${text},char(${unfit.charCodeAt(0)} using utf8mb4))`,
  // A group is cut where no more is taken, so that the text that it becomes a part of doesn't fit.
  joinedTexts: (text, order) => `ifnull(group_concat(${text}${ordered(order)} separator ','),'')`,
  joinedPage: (text, order, { start, limit }, parameters) =>
    `ifnull(group_concat(${text} order by ${order} separator ',' limit ${parameters.add(start, asInteger)},${parameters.add(limit, asInteger)}),'')`,
  // Found once for each list: a condition with the subquery in it would run it for each row, unless its results happen to be kept.
  pageEnd: (behind, { start, limit }, place, alias, parameters) => {
    // Otherwise all rows of a small table are gone through for those that are linked.
    const select = 'select straight_join';
    const first = (found: string): string => `(${select} ${found} limit ${parameters.add(start, asSum(limit))},1)`;
    const link = first(behind.link);
    const end = `if(${link},${first(behind.place())},null)`;
    return {
      select,
      before: `json_table(ifnull(${end},'1e308'),'$' columns(place double path '$')) ${alias} straight_join `,
      condition: `not ifnull(${place}>${alias}.place,false)`,
    };
  },
  // In variables, since a select that has a name is run by each that selects from it.
  apart: {
    as: 'rows',
    // It would rather go through a table that has few pages, or through what two indexes have in common, and compare each row with
    // all that are in a buffer.
    settings: 'join_cache_level=0',
    noted(name, id, from, order) {
      const ids = order === undefined ? `distinct ${id}` : `${id} order by ${order}`;
      const list = `(select concat('[',ifnull(group_concat(${ids} separator ','),''),']') from ${from})`;
      return inBytes(`if(length(@heddle_ids_${name}:=${list})>0,'',null)`);
    },
    notedIds: (name, alias) =>
      `json_table(convert(@heddle_ids_${name} using utf8mb4),'$[*]' columns(n for ordinality,id bigint path '$')) ${alias}`,
  },
  asFloat: (column) => `(${column}+0e0)`,
  between: (place, start, limit, parameters) =>
    `(${place}>${parameters.add(start, asInteger)} and ${place}<=${parameters.add(start, asInteger)}+${parameters.add(limit, asInteger)})`,
  joinAfter: 'straight_join',
  // It would find all that is linked first, and then go through the list for them, few or many.
  // What is distinct is not joined with the rest, and so found once.
  amongAll: (subject, id, from) => `${subject} in (select a.id from (select distinct ${id} as id from ${from}) a)`,
  foundForEach: (exists) => `${exists} is true`,
  // An index that has rows of one status together makes it sort all of them for a page that is not near the first.
  byIndex: (index) => ` force index (${index})`,
  trustsOrder: true,
  unindexed: (column) => column,
  unindexedText: (column) => column,
  json: (column, storage) => jsonOf[storage](column),
  compare,
  text,
  isOneWay: true,
  fence: '',
  order: (column, descending) => `${column}${descending ? ' desc' : ''}`,
  // MariaDB compares what NULL happens to have left, https://jira.mariadb.org/browse/MDEV-41220.
  orderedInGroup: (value, storage) => orLeast[storage](value),
  orderedBy: (value, storage) => (isLong.has(storage) ? `left(${value},${orderedCharacters})` : value),
  window: (select, start, limit, parameters) =>
    `${select} limit ${parameters.add(limit, asIs)} offset ${parameters.add(start, asIs)}`,
  oneMore: (limit, parameters) => `limit ${parameters.add(limit, plusOne)}`,
  marks,
  // Its driver would make a text of all else, and those of several collations can't be joined.
  row: inBytes,
  travels: 'dearly',
  notes: inVariables,
  joined: (page, table) => ` from ${page} join ${table} t on t.id=p.id`,
  raw: (column) => column,
  store,
  load,
};
