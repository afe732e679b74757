import { z } from 'zod';
import { textOf } from '../../text-of';
import type { AttributeKind } from './kind';
import { wrongType } from './messages';

const words: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

const falseInFilters = new Set(['false', '0', 'f', '']);

export const boolean: AttributeKind = {
  name: 'boolean',
  storage: 'boolean',
  options: z.object({ default: z.boolean().nullable().optional() }),
  check: () => (given, label) => {
    const value = words.get(textOf(given).toLowerCase());
    return value === undefined ? { refusals: [wrongType(label, 'boolean', given)] } : { value };
  },
  toFilter: (given) => !falseInFilters.has(textOf(given)),
};
