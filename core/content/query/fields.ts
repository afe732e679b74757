import { type HeddleError, validationError } from '../../errors';
import type { Attribute } from '../attribute';
import type { ContentType } from '../content-type';
import { invalidKey, type QueryParam, refuseKey } from './keys';

const malformed = 'Invalid fields parameter. Expected a string or an array of strings';
const alwaysShown = ['id', 'documentId'];

export const shownAttributes = (type: ContentType): Attribute[] =>
  [...type.attributes.values()].filter(({ hidden }) => !hidden);

/** What is wrong with the form of `fields`, whatever it names. */
export function fieldsRefusal(fields: unknown): HeddleError | undefined {
  if (fields === undefined || fields === null || typeof fields === 'string') return undefined;
  const isList =
    Array.isArray(fields) && fields.every((item) => item === null || (typeof item === 'string' && !item.includes(',')));
  return isList ? undefined : validationError(malformed);
}

function names(fields: unknown): string[] {
  if (typeof fields === 'string') return fields.split(',').map((name) => name.trim());
  const refusal = fieldsRefusal(fields);
  if (refusal) throw refusal;
  return (fields as (string | null)[]).filter((item) => item !== null).map((item) => item.trim());
}

function shown(type: ContentType, name: string, param: QueryParam): Attribute {
  if (name === '') throw invalidKey('', null, param);
  const attribute = type.attributes.get(name);
  if (!attribute || attribute.hidden) throw refuseKey(type, name, param);
  return attribute;
}

/** What a request's `fields` lets through: identifiers first, then the others in the order in which they were named. */
export function selectedAttributes(type: ContentType, fields: unknown, param: QueryParam = 'fields'): Attribute[] {
  if (fields === undefined || fields === null) return shownAttributes(type);
  const asked = names(fields);
  const chosen = asked.filter((name) => name !== '*').map((name) => shown(type, name, param));
  if (asked.includes('*')) return shownAttributes(type);
  const first = alwaysShown.map((name) => type.attributes.get(name)).filter((attribute) => attribute !== undefined);
  return [...new Set([...first, ...chosen])];
}
