import { z } from 'zod';
import type { AttributeKind } from './kind';
import { textFilter } from './text';

const refused = (): never => {
  throw new Error('identifiers are not written by bodies');
};

/** The number of a row. A filter may hold anything; what is no number equals none and is greater than all. */
export const idKind: AttributeKind = {
  name: 'id',
  storage: 'integer',
  options: z.object({}),
  check: () => refused,
  toFilter(given) {
    const value = Number(given === '' ? Number.NaN : given);
    return Number.isFinite(value) ? value : Number.MAX_SAFE_INTEGER;
  },
};

export const documentIdKind: AttributeKind = {
  name: 'documentId',
  storage: 'string',
  options: z.object({}),
  check: () => refused,
  toFilter: textFilter,
};
