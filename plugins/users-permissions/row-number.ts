import { textOf } from '../../core';

/** The greatest number that a column of ids holds on every database. */
const mostId = 2_147_483_647;

/** The number of a row; 0, which no row has, for what can be none. */
export function rowNumber(given: unknown): number {
  const text = textOf(given);
  return /^\d{1,15}$/.test(text) && Number(text) <= mostId ? Number(text) : 0;
}
