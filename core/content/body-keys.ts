import { type HeddleError, validationError } from '../errors';
import { textOf } from '../text-of';
import type { ContentRegistry, ContentType } from './content-type';
import { isPart, type Nested } from './nested';
import type { Sees } from './sight';
import { linkKeys, typesNamed } from './structure/link-input';
import { partsIn, partTypeOf } from './structure/read-links';

type Data = Readonly<Record<string, unknown>>;

const identifiers = ['id', 'documentId'];

/** What keys are judged by: the types, and which of them the caller may read. */
interface Known {
  readonly registry: ContentRegistry;
  readonly sees: Sees;
}

/**
 * Refuses keys of a body that no one may set: identifiers first, then those the service keeps, then unknown ones,
 * wherever they stand, in the order of the body.
 */
export function refuseBodyKeys(type: ContentType, data: Data, known: Known): void {
  const keys = Object.keys(data);
  const identifier = identifiers.find((key) => keys.includes(key));
  if (identifier) throw validationError(`Invalid key ${identifier}`, { key: identifier, source: 'body' });

  const kept = keys.find((key) => isKept(type, key));
  if (kept) throw validationError(`Invalid key ${kept}`, { key: kept, path: kept, source: 'body' });

  refuseUnknown(type, data, [], null, known);
}

function unknownKey(key: string, path: string | null): HeddleError {
  const message = path === null ? `Invalid key ${key}` : `Invalid key ${key} at ${path}`;
  return validationError(message, { key, path, source: 'body' });
}

/** A link tells what it leads to, so that only who may read that may set it. */
function isUnseen({ storage, targets }: Nested, value: unknown, { sees }: Known): boolean {
  if (storage === 'morph' && targets.length === 0) return typesNamed(value).some((uid) => !sees(uid));
  return storage === 'link' && !targets.some((uid) => sees(uid));
}

function unseenKey(key: string, path: string): HeddleError {
  const message = path === key ? `Invalid key ${key}` : `Invalid key ${key} at ${path}`;
  return validationError(message, { key, path, source: 'body' });
}

const isIgnored = (type: ContentType, key: string): boolean => type.definition.ignoredInBodies?.includes(key) === true;

function isKept(type: ContentType, key: string): boolean {
  if (isIgnored(type, key)) return false;
  const attribute = type.attributes.get(key) ?? type.nested.get(key);
  return attribute?.system === true || type.definition.concealed?.includes(key) === true;
}

function refuseUnknown(
  type: ContentType,
  data: Data,
  allowed: readonly string[],
  path: string | null,
  known: Known,
): void {
  for (const [key, value] of Object.entries(data)) {
    if (allowed.includes(key)) continue;
    const nested = type.nested.get(key);
    if (!nested && !type.attributes.has(key) && !isIgnored(type, key)) throw unknownKey(key, path);
    if (!nested) continue;
    const inside = path === null ? key : `${path}.${key}`;
    if (isPart(nested)) for (const part of partsIn(value)) refuseInPart(nested, part, inside, known);
    else if (isUnseen(nested, value, known)) throw unseenKey(key, inside);
    else refuseInLink(nested, value, inside, known);
  }
}

/** The service gives components their `documentId` nowhere, and minds it as little. */
const partKeys: Readonly<Record<string, readonly string[]>> = {
  component: ['id', 'documentId'],
  zone: ['id', 'documentId', '__component'],
};

function refuseInPart(nested: Nested, part: Data, path: string, known: Known): void {
  const type = partTypeOf(nested, part, known.registry);
  if (type) refuseUnknown(type, part, partKeys[nested.storage]!, path, known);
  else if (known.registry.types.has(textOf(part['__component']))) throw unknownKey('__component', path);
}

/** A link's value may hold the attributes of its target beside what names it. */
function refuseInLink({ targets }: Nested, value: unknown, path: string, { registry }: Known): void {
  const target = registry.types.get(targets[0] ?? '');
  const isKnown = (key: string): boolean =>
    linkKeys.includes(key) ||
    !target ||
    target.attributes.has(key) ||
    target.nested.has(key) ||
    target.definition.concealed?.includes(key) === true;
  for (const item of Array.isArray(value) ? value : [value]) {
    if (typeof item !== 'object' || item === null) continue;
    const unknown = Object.keys(item).find((key) => !isKnown(key));
    if (unknown !== undefined) throw unknownKey(unknown, path);
  }
}
