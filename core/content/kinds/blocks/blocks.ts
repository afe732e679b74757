import { z } from 'zod';
import { jsonFilter, toStoredJson, unwrapped } from '../json';
import type { AttributeKind } from '../kind';
import { block } from './nodes';
import { listOf } from './readers';

const blockList = listOf(block);

/** Rich text as a list of block objects. */
export const blocks: AttributeKind = {
  name: 'blocks',
  storage: 'json',
  typeName: 'array',
  options: z.object({ default: z.unknown().optional() }),
  check: () => (given, label) => {
    const list = unwrapped(given);
    if (!Array.isArray(list)) return { value: null };
    const { value, refusals } = blockList(list, label, []);
    return refusals.length > 0 ? { refusals } : { value: toStoredJson(value) };
  },
  toFilter: jsonFilter,
};
