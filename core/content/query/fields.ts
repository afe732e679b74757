import { validationError } from '../../errors';
import type { Attribute } from '../attribute';
import type { ContentType } from '../content-type';
import { invalidKey, refuseKey } from './keys';

const malformed = 'Invalid fields parameter. Expected a string or an array of strings';
const alwaysShown = ['id', 'documentId'];

export const shownAttributes = (type: ContentType): Attribute[] =>
  [...type.attributes.values()].filter(({ hidden }) => !hidden);

function names(fields: unknown): string[] {
  if (typeof fields === 'string') return fields.split(',').map((name) => name.trim());
  if (!Array.isArray(fields)) throw validationError(malformed);
  return fields
    .filter((item) => item !== null)
    .map((item) => {
      if (typeof item !== 'string' || item.includes(',')) throw validationError(malformed);
      return item.trim();
    });
}

function shown(type: ContentType, name: string): Attribute {
  if (name === '') throw invalidKey('', null, 'fields');
  const attribute = type.attributes.get(name);
  if (!attribute || attribute.hidden) throw refuseKey(type, name, 'fields');
  return attribute;
}

/** What a request's `fields` lets through: identifiers first, then the others in the order in which they were named. */
export function selectedAttributes(type: ContentType, fields: unknown): Attribute[] {
  if (fields === undefined || fields === null) return shownAttributes(type);
  const asked = names(fields);
  const chosen = asked.filter((name) => name !== '*').map((name) => shown(type, name));
  if (asked.includes('*')) return shownAttributes(type);
  const first = alwaysShown.map((name) => type.attributes.get(name)).filter((attribute) => attribute !== undefined);
  return [...new Set([...first, ...chosen])];
}
