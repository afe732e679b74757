import { flatMapped, HeddleError, joinedBytes, type StoreAnswer } from '../../../../core';
import type { Database, Rows } from '../../database/database';
import { renderMarked, renderMarkedBytes, unfit } from '../../dialects/sentinels';

const escapes = /\\(?:\\|u00([01][0-9A-F]))/g;

/** U+000B and its like: MariaDB writes their digits in upper case, JavaScript in lower. Most texts have none. */
const lowerEscapes = (text: string): string =>
  text.includes('\\u00')
    ? text.replace(escapes, (all, digits?: string) => (digits ? `\\u00${digits.toLowerCase()}` : all))
    : text;

export const tooLarge = (): HeddleError =>
  new HeddleError(
    'PayloadTooLargeError',
    'A document is larger than the database lets an answer be: ask for less of it, or raise its max_allowed_packet.',
  );

/** A text of a document, or several, as MariaDB has made it. */
function toldByMysql(text: string): string {
  if (text.includes(unfit)) throw tooLarge();
  return lowerEscapes(text);
}

const unfitByte = unfit.charCodeAt(0);
const codeOf = (sign: string): number => sign.charCodeAt(0);
const [backslash, digitOne, upperA, upperF] = [codeOf('\\'), codeOf('1'), codeOf('A'), codeOf('F')];
const lowerCase = 0x20;

/** The digits of escapes in lower case, in place. */
function lowerEscapesIn(bytes: Buffer): void {
  for (let at = bytes.indexOf('\\u00'); at >= 0; at = bytes.indexOf('\\u00', at + 1)) {
    let first = at;
    while (bytes[first - 1] === backslash) first--;
    // Behind an escaped one it is text.
    if ((at - first) % 2 === 1) continue;
    const [tens, last] = [bytes[at + 4]!, bytes[at + 5]!];
    if (tens <= digitOne && last >= upperA && last <= upperF) bytes[at + 5] = last | lowerCase;
  }
}

/** A list of documents that come in bytes. */
export function listedBytes(rows: Rows): Buffer {
  if (rows.length === 0) return Buffer.from('[]');
  const parts = flatMapped(rows, ([bytes], index) => [index === 0 ? '[' : ',', bytes as Buffer]);
  return joinedBytes([...parts, ']']);
}

/** A list of documents as MariaDB has made them. */
function listedByMysql(rows: Rows): Buffer {
  const bytes = listedBytes(rows);
  if (bytes.includes(unfitByte)) throw tooLarge();
  lowerEscapesIn(bytes);
  return bytes;
}

const asTold = (text: string): string => text;

const textOf = (row: Rows[number]): string => row[0] as string;

function joined(rows: Rows): string {
  let text = '[';
  for (let at = 0; at < rows.length; at++) text += at === 0 ? textOf(rows[at]!) : `,${textOf(rows[at]!)}`;
  return `${text}]`;
}

/** Characters; for a text that is larger V8 takes memory from the system, and gives it back with each. */
const largestText = 2 ** 16;

function lengthOf(rows: Rows): number {
  let length = 0;
  for (const row of rows) length += textOf(row).length;
  return length;
}

const [opening, comma, closing] = Buffer.from('[,]') as unknown as [number, number, number];

/** The bytes of the texts of one row or more, each written where it belongs at once: no large text is made of them. */
function listed(texts: readonly string[]): Buffer {
  let size = texts.length + 1;
  for (const text of texts) size += Buffer.byteLength(text);
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (const text of texts) {
    bytes[at] = at === 0 ? opening : comma;
    at += 1 + bytes.write(text, at + 1);
  }
  bytes[at] = closing;
  return bytes.subarray(0, at + 1);
}

export type Page = Pick<StoreAnswer, 'json' | 'count'>;

/** A page of rows that begin with the text of a document each, on MariaDB also in bytes. */
export function joinedTexts(rows: Rows, database: Database): Page {
  const isMysql = database.dialect.name === 'mysql';
  if (isMysql && rows.some(([document]) => document === null)) throw tooLarge();
  if (Buffer.isBuffer(rows[0]?.[0])) {
    const json = renderMarkedBytes(listedByMysql(rows)) ?? Buffer.from(renderMarked(listedByMysql(rows).toString()));
    return { json, count: rows.length };
  }
  const told = isMysql ? toldByMysql : asTold;
  const bytes =
    lengthOf(rows) > largestText ? listed(rows.map((row) => told(textOf(row)))) : Buffer.from(told(joined(rows)));
  return { json: renderMarkedBytes(bytes) ?? Buffer.from(renderMarked(told(joined(rows)))), count: rows.length };
}
