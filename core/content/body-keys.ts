import { validationError } from '../errors';
import type { ContentType } from './content-type';

const identifiers = ['id', 'documentId'];

/** Refuses keys of a body that no one may set: identifiers first, then those the service keeps, then unknown ones. */
export function refuseBodyKeys(type: ContentType, data: Readonly<Record<string, unknown>>): void {
  const keys = Object.keys(data);
  const identifier = identifiers.find((key) => keys.includes(key));
  if (identifier) throw validationError(`Invalid key ${identifier}`, { key: identifier, source: 'body' });

  const kept = keys.find((key) => isKept(type, key));
  if (kept) throw validationError(`Invalid key ${kept}`, { key: kept, path: kept, source: 'body' });

  const unknown = keys.find((key) => !type.attributes.has(key) && !isIgnored(type, key));
  if (unknown !== undefined)
    throw validationError(`Invalid key ${unknown}`, { key: unknown, path: null, source: 'body' });
}

const isIgnored = (type: ContentType, key: string): boolean => type.definition.ignoredInBodies?.includes(key) === true;

function isKept(type: ContentType, key: string): boolean {
  if (isIgnored(type, key)) return false;
  return type.attributes.get(key)?.system === true || type.definition.concealed?.includes(key) === true;
}
