import { HeddleError, type StoreAnswer } from '../../../core';
import type { Database, Rows } from '../database/database';
import { renderMarked, renderMarkedBytes, unfit } from '../dialects/sentinels';

const escapes = /\\(?:\\|u00([01][0-9A-F]))/g;

/** U+000B and its like: MariaDB writes their digits in upper case, JavaScript in lower. Most texts have none. */
const lowerEscapes = (text: string): string =>
  text.includes('\\u00')
    ? text.replace(escapes, (all, digits?: string) => (digits ? `\\u00${digits.toLowerCase()}` : all))
    : text;

const tooLarge = (): HeddleError =>
  new HeddleError(
    'PayloadTooLargeError',
    'A document is larger than the database lets an answer be: ask for less of it, or raise its max_allowed_packet.',
  );

export type Page = Pick<StoreAnswer, 'json' | 'count'>;

/** A page of rows that begin with the text of a document each. */
export function joinedTexts(rows: Rows, database: Database): Page {
  let text = '[';
  for (let at = 0; at < rows.length; at++) text += at === 0 ? rows[at]![0] : `,${rows[at]![0]}`;
  text += ']';
  if (database.dialect.name === 'mysql') {
    if (text.includes(unfit) || rows.some(([document]) => document === null)) throw tooLarge();
    text = lowerEscapes(text);
  }
  return { json: renderMarkedBytes(Buffer.from(text)) ?? Buffer.from(renderMarked(text)), count: rows.length };
}
