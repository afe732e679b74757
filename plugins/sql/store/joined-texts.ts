import { HeddleError, type StoreAnswer } from '../../../core';
import type { Database, Rows } from '../database/database';
import { renderMarked, unfit } from '../dialects/sentinels';

/** U+000B and its like: MariaDB writes their digits in upper case, JavaScript in lower. */
const lowerEscapes = (text: string): string =>
  text.replace(/\\(?:\\|u00([01][0-9A-F]))/g, (all, digits?: string) =>
    digits ? `\\u00${digits.toLowerCase()}` : all,
  );

const tooLarge = (): HeddleError =>
  new HeddleError(
    'PayloadTooLargeError',
    'A document is larger than the database lets an answer be: ask for less of it, or raise its max_allowed_packet.',
  );

export type Page = Pick<StoreAnswer, 'json' | 'count'>;

/** A page of rows that begin with the text of a document each. */
export function joinedTexts(rows: Rows, database: Database): Page {
  if (database.dialect.name === 'mysql' && rows.some(([text]) => text === null || String(text).includes(unfit)))
    throw tooLarge();
  let text = '[';
  for (let at = 0; at < rows.length; at++) text += at === 0 ? rows[at]![0] : `,${rows[at]![0]}`;
  const spelt = database.dialect.name === 'mysql' ? lowerEscapes(text) : text;
  return { json: Buffer.from(`${renderMarked(spelt)}]`), count: rows.length };
}
