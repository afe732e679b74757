import type { Issue } from '../../errors';
import type { ContentType } from '../content-type';
import { isPart, type Nested } from '../nested';
import type { Row } from '../store';
import type { LinkChange } from './link-change';
import { isRowRef, refsOf } from './link-change';
import { isNumeric } from './link-input';
import { type BodyLinks, partsIn, partTypeOf } from './read-links';
import type { Finding } from './resolve-links';

type Data = Readonly<Record<string, unknown>>;

/** What every document has and no body says. */
const unshown = new Set(['id', 'documentId', 'createdAt', 'updatedAt']);

const isObject = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The rows of the documents that a link names, by their ids. */
function rowsNamed(change: LinkChange | undefined, { found }: Finding): Map<string, number> {
  const rows = new Map<string, number>();
  for (const ref of change ? refsOf(change) : []) {
    const [row] = isRowRef(ref) ? [] : (found.get(ref) ?? []);
    if (!isRowRef(ref) && row !== undefined) rows.set(ref.documentId, row);
  }
  return rows;
}

/** A link's value in its long form, naming rows where they are known. */
function shownLink(given: unknown, { many, storage }: Nested, rows: ReadonlyMap<string, number>): unknown {
  if (typeof given === 'boolean' || given === null) return given;
  const isAttached = storage === 'attached';
  const shownItem = (item: unknown): unknown => {
    if (typeof item === 'number' || isNumeric(item)) return { id: item };
    const documentId = isObject(item) ? item['documentId'] : item;
    const row = rows.get(String(documentId));
    if (row !== undefined) return { id: row };
    return typeof item === 'string' ? { documentId: item } : item;
  };
  const list = (value: unknown): unknown[] => [value].flat().map(shownItem);
  const isLong = isObject(given) && !('id' in given) && !('documentId' in given);
  if (!isLong) return { set: many || isAttached ? list(given) : list(given).slice(-1) };
  const isShort = (value: unknown): boolean =>
    value === '' || value === 0 || typeof value === 'boolean' || value === null;
  return Object.fromEntries(Object.entries(given).map(([verb, value]) => [verb, isShort(value) ? value : list(value)]));
}

interface Showing {
  readonly links: BodyLinks;
  readonly finding: Finding;
  /** A new row shows its defaults. */
  readonly isNew: boolean;
}

function shownRow(type: ContentType, data: Data, showing: Showing): Record<string, unknown> {
  const { links, finding, isNew } = showing;
  const body: Record<string, unknown> = { ...data };
  if (isNew) {
    for (const { name, definition, system } of type.attributes.values())
      if (!system && data[name] === undefined && definition['default'] !== undefined)
        body[name] = definition['default'];
  }
  const shownPart = (nested: Nested, item: unknown): unknown => {
    const [part] = partsIn(item);
    const partType = part && partTypeOf(nested, part, finding.registry);
    return partType ? shownRow(partType, part, showing) : item;
  };
  for (const nested of type.nested.values()) {
    const value = data[nested.name];
    if (value === undefined) {
      if (isNew && nested.many && isPart(nested)) body[nested.name] = [];
    } else if (!isPart(nested))
      body[nested.name] = shownLink(value, nested, rowsNamed(links.changeIn(data, nested), finding));
    else if (Array.isArray(value)) body[nested.name] = value.map((item) => shownPart(nested, item));
    else body[nested.name] = shownPart(nested, value);
  }
  return body;
}

/** Values that were refused are shown as they were understood. */
function understood(body: Record<string, unknown>, issues: readonly Issue[]): void {
  for (const { path, ...issue } of issues) {
    const parent = path.slice(0, -1).reduce<unknown>((inside, key) => (inside as Data | undefined)?.[key], body);
    const key = path.at(-1);
    if ('value' in issue && key !== undefined && typeof parent === 'object' && parent !== null)
      (parent as Record<string, unknown>)[key] = issue.value;
  }
}

/** A body as messages about its relations show it: with links in one form, defaults, and what the service adds. */
export function shownBody(
  type: ContentType,
  data: Data,
  { row, issues, ...showing }: Showing & { readonly row: Row; readonly issues: readonly Issue[] },
): Data {
  const body = shownRow(type, data, showing);
  understood(body, issues);
  for (const { name, system } of type.attributes.values())
    if (system && !unshown.has(name)) body[name] = row[name] ?? null;
  return body;
}
