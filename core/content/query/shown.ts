import { forbidden, type HeddleError } from '../../errors';
import type { ContentType } from '../content-type';
import type { ScalarStorage } from '../kinds/kind';
import type { Nested } from '../nested';
import type { Entry, NestedSelection } from '../plan';
import { createFilters } from './filters';
import { refuseKey } from './keys';
import { all } from './predicate';
import { type Reader, shownVariants } from './reader';
import { type Shaped, shapeOf } from './shape';
import { asIs } from './slots';
import { parseSort, totalOrder } from './sort';

/**
 * How a value is spelt where not as its own storage is: as another storage is; as a number where that keeps all digits,
 * and as a text where it doesn't; or some texts in the place of others.
 */
export type Spelling =
  | { readonly as: ScalarStorage | 'exactNumber' }
  | { readonly words: Readonly<Record<string, string>> };

/** One key of what is shown of a document; `missing` stands in the place of null. */
export type ShownEntry =
  /** JSON that is the same for all documents of the type. */
  | { readonly key: string; readonly text: string }
  | { readonly key: string; readonly attribute: string; readonly spelling?: Spelling; readonly missing?: string }
  /** Keys of the same document in an object of their own. */
  | { readonly key: string; readonly inside: readonly ShownEntry[] }
  | ShownNested;

/** What is tied to a document: `given` is the place of what is asked of it, `of` what each type that may stand there shows. */
export interface ShownNested {
  readonly key: string;
  readonly nested: string;
  readonly missing?: string;
  readonly given: number;
  readonly of: Readonly<Record<string, readonly ShownEntry[]>>;
}

/** What is asked of the things behind a nested attribute. */
export interface Given {
  readonly filters?: unknown;
  readonly sort?: unknown;
  /** The part of a list; all of it, unless given. */
  readonly window?: { readonly start: number; readonly limit: number };
}

/** What is shown of documents, key by key and in this order, for adapters whose answers have a form of their own. */
export interface Shown {
  /** Equal for equal entries, and for nothing else; without it, the read is compiled each time. */
  readonly shape?: string;
  readonly entries: readonly ShownEntry[];
  readonly given: readonly Given[];
}

/** What is wrong with one nested entry, so that an adapter whose answers may be partial can leave it out. */
export class RefusedEntry extends Error {
  constructor(
    readonly given: number,
    override readonly cause: HeddleError,
  ) {
    super(cause.message);
  }
}

export interface ShapedShown extends Shaped {
  /** For each of what is given, the place of its first value. */
  readonly places: readonly number[];
}

const nothing: ShapedShown = { shape: '', values: [], places: [] };

/** The part of a read's shape that is shown, with the values in it: for each given, those of its filters and its window. */
export function shapeOfShown(shown: Shown | undefined): ShapedShown {
  if (!shown) return nothing;
  const values: unknown[] = [];
  const places: number[] = [];
  let shape = shown.shape ?? '';
  for (const { filters, sort, window } of shown.given) {
    places.push(values.length);
    const shaped = shapeOf(filters);
    values.push(...shaped.values);
    if (window) values.push(window.start, window.limit);
    shape += `\u0001${shaped.shape}|${sort === undefined ? '' : JSON.stringify(sort)}|${window ? 'w' : ''}`;
  }
  return { shape, values, places };
}

/** Compiles what a read shows key by key; `offset` is the place of the first of the values in it. */
export function createShown(reader: Reader, shown: Shown, { places }: ShapedShown, offset: number) {
  const { slots } = reader;
  const filtersOf = createFilters(reader, 'filters');

  function refusing<T>(given: number, work: () => T): T {
    try {
      const result = work();
      if (slots.refused) throw slots.refused;
      return result;
    } catch (error) {
      slots.refused = undefined;
      if (error instanceof RefusedEntry) throw error;
      throw new RefusedEntry(given, error as HeddleError);
    }
  }

  function selection(type: ContentType, { storage }: Nested, entry: ShownNested): NestedSelection {
    const { filters, sort, window } = shown.given[entry.given]!;
    return slots.from(offset + places[entry.given]!, () => {
      const where = [shownVariants(reader, type), filtersOf(type, filters)];
      const conditions = where.filter((predicate) => predicate !== undefined);
      const { terms, refused } = parseSort(reader, type, sort);
      if (refused) throw refused;
      // Pages of other variants are in the order in which these were added.
      const unsorted = storage === 'variants' && window ? totalOrder(type, []) : undefined;
      return {
        type,
        select: [],
        populate: [],
        where: conditions.length > 0 ? all(conditions) : undefined,
        order: terms.length > 0 ? terms : unsorted,
        ...(window && { window: { start: slots.next(asIs), limit: slots.next(asIs) } }),
        entries: entriesOf(type, entry.of[type.uid] ?? []),
      };
    });
  }

  /** The types that may stand behind a nested attribute, which the caller must be allowed to read. */
  function typesOf(nested: Nested, { of }: ShownNested): ContentType[] {
    const uids = nested.targets.length > 0 ? nested.targets : Object.keys(of);
    const types = uids.map((uid) => reader.typeOf(uid)).filter((type) => type !== undefined);
    if (nested.storage === 'attached') return types;
    const isSeen = ({ modelKind, uid }: ContentType): boolean => modelKind === 'component' || reader.sees(uid);
    if (nested.storage === 'morph') return types.filter(isSeen);
    if (!types.every(isSeen)) throw forbidden();
    return types;
  }

  function ofNested(type: ContentType, entry: ShownNested): Entry {
    const nested = type.nested.get(entry.nested);
    if (!nested || nested.hidden) throw refuseKey(type, entry.nested, 'fields');
    const selections = refusing(entry.given, () => {
      reader.enter.populate();
      return typesOf(nested, entry).map((target) => selection(target, nested, entry));
    });
    return { key: entry.key, populated: { nested, show: 'things', selections }, missing: entry.missing };
  }

  function entryOf(type: ContentType, entry: ShownEntry): Entry {
    if ('nested' in entry) return ofNested(type, entry);
    if ('inside' in entry) return { key: entry.key, inside: entriesOf(type, entry.inside) };
    if ('text' in entry) return entry;
    const attribute = type.attributes.get(entry.attribute);
    if (!attribute || attribute.hidden) throw refuseKey(type, entry.attribute, 'fields');
    return { key: entry.key, attribute, spelling: entry.spelling, missing: entry.missing };
  }

  const entriesOf = (type: ContentType, entries: readonly ShownEntry[]): Entry[] =>
    entries.map((entry) => entryOf(type, entry));

  return (type: ContentType): Entry[] => entriesOf(type, shown.entries);
}
