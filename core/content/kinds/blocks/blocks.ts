import { z } from 'zod';
import { jsonFilter, toStoredJson, unwrapped } from '../json';
import type { AttributeKind } from '../kind';
import { wrongType } from '../messages';
import { block } from './nodes';
import { listOf } from './readers';

const blockList = listOf(block);

/** Rich text as a list of block objects. */
export const blocks: AttributeKind = {
  name: 'blocks',
  storage: 'json',
  typeName: 'array',
  options: z.object({ default: z.unknown().optional() }),
  check:
    ({ required }) =>
    (given, label, strictness) => {
      const list = unwrapped(given);
      if (!Array.isArray(list))
        return required === true && strictness === 'complete'
          ? { refusals: [wrongType(label, 'array', null, given)] }
          : { value: null };
      const { value, refusals } = blockList(list, label, []);
      return refusals.length > 0 ? { refusals } : { value: toStoredJson(value) };
    },
  toFilter: jsonFilter,
};
