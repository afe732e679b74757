import { type Bound, type ScalarStorage, UnfitValue } from '../../../core';

/** How a database tells a value that rows are ordered by, and finds the same place again, to the last digit. */
export interface Marks {
  /** A column, or an expression of its storage, as what `read` takes. */
  told(column: string, storage: ScalarStorage): string;
  /** A placeholder, as what is compared with the column. */
  meant(placeholder: string, storage: ScalarStorage): string;
  /** What is bound for a mark that a client gave back; throws UnfitValue for what the database can't have told. */
  bound(mark: Bound, storage: ScalarStorage): unknown;
}

const day = String.raw`\d{4}-\d\d-\d\d`;
const hour = String.raw`\d\d:\d\d:\d\d(?:\.\d{1,6})?`;
const number = /^-?(\d{1,400}(\.\d{1,400})?(e[+-]?\d{1,3})?|Infinity)$|^NaN$/i;
const moment = new RegExp(`^${day} ${hour}$`);

/** What each storage looks like as the text of a server. */
const forms: Readonly<Partial<Record<ScalarStorage, RegExp>>> = {
  date: new RegExp(`^${day}$`),
  time: new RegExp(`^${hour}$`),
  datetime: moment,
  timestamp: moment,
  integer: /^-?\d{1,19}$/,
  biginteger: /^-?\d{1,19}$/,
  float: number,
  decimal: number,
  boolean: /^(true|false|[01])$/,
};

const isWhole = new Set<ScalarStorage>(['integer', 'biginteger']);

/** Days and hours that the calendar and the clock have: what overflows comes out as another text. */
function isReal(text: string, storage: ScalarStorage): boolean {
  if (storage === 'time') return text < '24';
  if (storage !== 'date' && storage !== 'datetime' && storage !== 'timestamp') return true;
  const seconds = `${text.slice(0, 10)}T${storage === 'date' ? '00:00:00' : text.slice(11, 19)}`;
  const read = new Date(`${seconds}Z`);
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(seconds);
}

/** A server refuses what it can't read as a value of the column: that would be no caller's mistake. */
export function serverMark(mark: Bound, storage: ScalarStorage): unknown {
  const text = String(mark);
  const form = forms[storage];
  const fits = !form || (form.test(text) && isReal(text, storage));
  if (!fits || (isWhole.has(storage) && BigInt.asIntN(64, BigInt(text)) !== BigInt(text)))
    throw new UnfitValue(`"${text}" is no ${storage}`);
  // A server refuses a double that is too large or too small for one, where JavaScript takes the nearest.
  return storage === 'float' ? String(Number(text)) : text;
}
