import { type HeddleError, validationError } from '../../errors';
import type { Attribute } from '../attribute';
import type { ContentType } from '../content-type';
import { invalidKey, refuseKey } from './keys';

const malformed = 'Invalid fields parameter. Expected a string or an array of strings';
const alwaysShown = ['id', 'documentId'];

export const shownAttributes = (type: ContentType): Attribute[] =>
  [...type.attributes.values()].filter(({ hidden }) => !hidden);

const isName = (item: unknown): boolean => item === null || (typeof item === 'string' && !item.includes(','));

/** Why `fields` can't be read, whatever names it holds. */
export function refusedFields(fields: unknown): HeddleError | undefined {
  if (fields === undefined || fields === null || typeof fields === 'string') return undefined;
  return Array.isArray(fields) && fields.every(isName) ? undefined : validationError(malformed);
}

const names = (fields: string | readonly (string | null)[]): string[] =>
  (typeof fields === 'string' ? fields.split(',') : fields.filter((item) => item !== null)).map((name) => name.trim());

function shown(type: ContentType, name: string): Attribute {
  if (name === '') throw invalidKey('', null, 'fields');
  const attribute = type.attributes.get(name);
  if (!attribute || attribute.hidden) throw refuseKey(type, name, 'fields');
  return attribute;
}

/** What a request's `fields` lets through: identifiers first, then the others in the order in which they were named. */
export function selectedAttributes(type: ContentType, fields: unknown): Attribute[] {
  if (fields === undefined || fields === null) return shownAttributes(type);
  const refused = refusedFields(fields);
  if (refused) throw refused;
  const asked = names(fields as string | string[]);
  const chosen = asked.filter((name) => name !== '*').map((name) => shown(type, name));
  if (asked.includes('*')) return shownAttributes(type);
  const first = alwaysShown.map((name) => type.attributes.get(name)).filter((attribute) => attribute !== undefined);
  return [...new Set([...first, ...chosen])];
}
