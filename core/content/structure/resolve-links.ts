import { validationError } from '../../errors';
import { flatMapped } from '../../flat-mapped';
import { together } from '../../together';
import type { ContentRegistry, ContentType } from '../content-type';
import type { Choice } from '../dimension';
import { parameterOf } from '../dimension';
import type { Nested } from '../nested';
import { attributeOf, type Chosen, shapeOfChoices } from '../query/choices';
import { rowId, rowIds } from '../row-id';
import type { Bound, Row, RowMatch, StoreTransaction } from '../store';
import { grouped } from './grouped';
import { type DocumentRef, demandedRefs, isRowRef, type LinkChange, type Ref, refsOf } from './link-change';
import type { LinkInput } from './row-input';

/** The rows that a body's references lead to. */
export type Resolved = ReadonlyMap<Ref, readonly number[]>;

/** The variant that links start from: dimension name → value in the row, for the dimensions that its type has. */
export type Variant = ReadonlyMap<string, Bound>;

/** The variant that a write chose, before its row is there. */
export function chosenVariant(type: ContentType, chosen: readonly Chosen[]): Variant {
  const chosenValue = (choice: Choice | undefined): Bound => {
    if (choice && 'is' in choice) return choice.is;
    return choice && 'present' in choice && choice.present ? '' : null;
  };
  return new Map(type.dimensions.map(({ name }, at) => [name, chosenValue(chosen[at]?.choice)]));
}

export function variantOf(type: ContentType, row: Row): Variant {
  return new Map(type.dimensions.map(({ name, attribute }) => [name, row[attribute.name] ?? null]));
}

/** The choices that find the variant of a type that a link from this one leads to. */
export function tiedVariants(type: ContentType, source: Variant, parameters: DocumentRef['parameters'] = {}): Chosen[] {
  return type.dimensions.map((dimension) => ({
    attribute: attributeOf(type, dimension.attribute.name),
    choice: dimension.tie?.(parameters[parameterOf(dimension)], source.get(dimension.name)) ?? { any: true },
  }));
}

/** The rows that lose a target to this one where it can have one owner only: those of the same variant. */
export const rivalsOf = (type: ContentType, row: Row): RowMatch => ({
  where: tiedVariants(type, variantOf(type, row)),
});

/** What a link is taken to say of the dimensions that its own type lacks: parameter → value. */
export const assumedVariant = (type: ContentType, { dimensions }: ContentRegistry): Record<string, string> =>
  Object.fromEntries(
    dimensions
      .filter((dimension) => dimension.assumed && !type.dimensions.includes(dimension))
      .map((dimension) => [parameterOf(dimension), dimension.assumed!()]),
  );

interface Wanted {
  readonly type: ContentType;
  readonly where: readonly Chosen[];
  readonly refs: DocumentRef[];
}

export function targetOf(nested: Nested, ref: Ref): string {
  const uid = ref.uid ?? nested.targets[0];
  if (uid === undefined)
    throw validationError(`Invalid relation ${nested.name}: "__type" must say of which type each document is`);
  return uid;
}

function targetTypeOf(nested: Nested, ref: Ref, { types }: ContentRegistry): ContentType {
  const uid = targetOf(nested, ref);
  const type = types.get(uid);
  if (!type || type.modelKind === 'component')
    throw validationError(`Invalid relation ${nested.name}: there is no type "${uid}"`);
  return type;
}

/** Sorts references by what one statement can find together. */
function wantedBy(links: readonly LinkInput[], source: Variant, registry: ContentRegistry): Wanted[] {
  const wanted = new Map<string, Wanted>();
  for (const { nested, change } of links) {
    for (const ref of refsOf(change)) {
      if (isRowRef(ref)) continue;
      const type = targetTypeOf(nested, ref, registry);
      const where = tiedVariants(type, source, ref.parameters);
      const { shape, values } = shapeOfChoices(where);
      const key = `${type.uid} ${shape} ${JSON.stringify(values)}`;
      const group = wanted.get(key) ?? { type, where, refs: [] };
      wanted.set(key, group);
      group.refs.push(ref);
    }
  }
  return [...wanted.values()];
}

function describedVariant({ type, where }: Wanted, registry: ContentRegistry): string {
  const choiceOf = (name: string): Choice | undefined =>
    where[type.dimensions.findIndex((dimension) => dimension.name === name)]?.choice;
  const parts = registry.dimensions.map((dimension) => dimension.describe?.(choiceOf(dimension.name)));
  return parts
    .filter((part) => part !== undefined)
    .map((part) => `, ${part}`)
    .join('');
}

export interface Finding {
  readonly transaction: StoreTransaction;
  readonly registry: ContentRegistry;
  readonly found: Map<Ref, readonly number[]>;
  /** The documents that the rows named by number belong to. */
  readonly owners: Map<Ref, string>;
}

/**
 * Of all variants of a document, those that reads show without being asked come last: a column keeps one of what is linked, the
 * last one.
 */
function shownLast({ type, where }: Wanted, rows: readonly Row[]): readonly Row[] {
  const open = type.dimensions.filter((_dimension, at) => 'any' in where[at]!.choice);
  const isShown = (row: Row): boolean =>
    open.every(({ attribute, show }) => {
      const choice = show?.(undefined, { action: 'find', type: type.definition });
      return !choice || !('present' in choice) || (row[attribute.name] !== null) === choice.present;
    });
  return open.length === 0 ? rows : [...rows.filter((row) => !isShown(row)), ...rows.filter(isShown)];
}

/**
 * Finds the documents that are named, one statement for each type and variant. The first that is missing, in the order of
 * the links, is refused.
 */
export async function findDocuments(links: readonly LinkInput[], source: Variant, finding: Finding): Promise<void> {
  const { transaction, registry, found } = finding;
  const groups = new Map<Ref, Wanted>();
  const rowsOf = async ({ type, where, refs }: Wanted): Promise<Row[]> => {
    const documentIds = [...new Set(refs.map(({ documentId }) => documentId))];
    const open = where.filter(({ choice }) => 'any' in choice).map(({ attribute }) => attribute.name);
    return transaction.rows(type, { documentId: documentIds, where }, ['id', 'documentId', ...open]);
  };
  const wanted = wantedBy(links, source, registry);
  for (const [at, rows] of (await together(wanted.map(rowsOf))).entries()) {
    const group = wanted[at]!;
    const ids = grouped(shownLast(group, rows), ({ documentId }) => documentId);
    for (const ref of group.refs) {
      const own = ids.get(ref.documentId);
      if (own) found.set(ref, rowIds(own));
      else groups.set(ref, group);
    }
  }
  if (groups.size === 0) return;
  const missing = flatMapped(links, ({ change }) => refsOf(change)).find((ref) => groups.has(ref)) as DocumentRef;
  const variant = describedVariant(groups.get(missing)!, registry);
  throw validationError(`Document with id "${missing.documentId}"${variant} not found`);
}

/** The rows that a change ties to, as far as they were found. */
export const rowsDemanded = (change: LinkChange, { found }: Finding): number[] =>
  flatMapped(demandedRefs(change), (ref) => found.get(ref) ?? []);

const isRowNumber = (id: number): boolean => Number.isSafeInteger(id) && id > 0 && id < 2 ** 31;

/** Finds the rows that are named by number; answers what to say of those that are missing, of one type. */
export async function findRows(links: readonly LinkInput[], finding: Finding): Promise<string | undefined> {
  const { transaction, registry, found, owners } = finding;
  const named = flatMapped(links, ({ nested, change }) => {
    const demanded = new Set<Ref>(demandedRefs(change));
    return refsOf(change)
      .filter(isRowRef)
      .map((ref) => ({ ref, type: targetTypeOf(nested, ref, registry), isDemanded: demanded.has(ref) }));
  });
  let complaint: string | undefined;
  for (const [type, group] of grouped(named, (each) => each.type)) {
    const asked = [...new Set(group.map(({ ref }) => ref.id))];
    const rows = await transaction.rows(type, { id: asked.filter(isRowNumber) }, ['id', 'documentId']);
    const documentIds = new Map(rows.map((row) => [rowId(row), String(row['documentId'])]));
    const missing = new Set<number>();
    for (const { ref, isDemanded } of group) {
      const owner = documentIds.get(ref.id);
      if (owner !== undefined) {
        found.set(ref, [ref.id]);
        owners.set(ref, owner);
        continue;
      }
      found.delete(ref);
      owners.delete(ref);
      if (isDemanded) missing.add(ref.id);
    }
    if (missing.size > 0)
      complaint ??= `${missing.size} relation(s) of type ${type.uid} associated with this entity do not exist`;
  }
  return complaint;
}
