import { validationError } from '../../errors';
import type { ContentType } from '../content-type';
import type { ScalarStorage } from '../kinds/kind';
import { shownAttributes } from './fields';
import { type Predicate, some } from './predicate';
import { asText, type Slots } from './slots';

const searched: ReadonlySet<ScalarStorage> = new Set(['string', 'text', 'integer', 'biginteger', 'decimal', 'float']);

/**
 * Matches documents in which any readable text or number holds the searched text, whatever its case. Texts that the service itself
 * keeps count, as documentId; the number of a row does not.
 */
export function searchPredicate(type: ContentType, search: unknown, slots: Slots): Predicate | undefined {
  if (search === undefined || search === null || search === '') return undefined;
  if (typeof search !== 'string') throw validationError('_q takes a text.');
  const slot = slots.next(asText);
  const attributes = shownAttributes(type).filter(
    ({ name, kind }) => name !== 'id' && !kind.opaque && searched.has(kind.storage),
  );
  return some(
    attributes.map(
      (attribute): Predicate => ({ op: 'text', attribute, match: 'contains', caseless: true, negated: false, slot }),
    ),
  );
}
