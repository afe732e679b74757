import {
  type ContentType,
  copyRows,
  grouped,
  mayHold,
  type Nested,
  type Row,
  removeRows,
  rowId,
  rowIds,
  type Tie,
} from '../../core';
import { localeAttribute } from './locale';
import { type LocaleTwins, localeTwins } from './locale-twins';
import { comparable, isPart, type PartTree, partTrees, type Reading, tiesIn, valuesOf } from './part-trees';
import { bodyValue, isPerLocale } from './shared-attributes';

/** The components and zones that a document has in common in all its locales. */
export const sharedParts = (type: ContentType): Nested[] =>
  [...type.nested.values()].filter((nested) => isPart(nested) && !nested.system && !isPerLocale(nested.definition));

const localeOf = (row: Row): string => String(row[localeAttribute]);

const told = (trees: readonly PartTree[], show: Parameters<typeof comparable>[1]): string =>
  JSON.stringify(trees.map((tree) => comparable(tree, show)));

/** Makes one row's components copies of another's, whose links lead to the documents' versions in its locale. */
async function replace(
  type: ContentType,
  nested: Nested,
  own: readonly PartTree[],
  row: Row,
  old: readonly PartTree[],
  twins: LocaleTwins,
  reading: Reading,
): Promise<void> {
  const { transaction, registry } = reading;
  const targets = async (target: ContentType, rows: readonly number[]): Promise<Map<number, number | undefined>> =>
    new Map(rows.map((each) => [each, twins.twin({ uid: target.uid, target: each }, localeOf(row))]));
  const copies = new Map<PartTree, number>();
  for (const [partType, trees] of grouped(own, (tree) => tree.type)) {
    const copied = trees.map((tree) => ({ from: rowId(tree.row), values: {} }));
    const ids = await copyRows(partType, copied, { transaction, registry, targets });
    for (const [at, tree] of trees.entries()) copies.set(tree, ids[at]!);
  }
  const held = own.map((tree) => ({ target: copies.get(tree)!, uid: tree.type.uid }));
  await transaction.tie(type, nested, [{ owner: rowId(row), targets: held }]);
  for (const [partType, trees] of grouped(old, (tree) => tree.type))
    await removeRows(partType, rowIds(trees.map(({ row }) => row)), reading);
}

/**
 * Keeps shared components equal: those of the written row are copied to the others where they differ. A link to a document
 * that isn't there in a locale makes no difference. Answers the rows that were changed.
 */
export async function shareParts(
  type: ContentType,
  own: Row,
  others: readonly Row[],
  reading: Reading,
): Promise<Set<Row>> {
  const changed = new Set<Row>();
  if (others.length === 0) return changed;
  for (const nested of sharedParts(type)) {
    const trees = await partTrees(type, nested, rowIds([own, ...others]), reading);
    const written = trees.get(rowId(own))!;
    const twins = await localeTwins(tiesIn([...trees.values()].flat()), reading.transaction, reading.registry);
    const asItIs = ({ target }: Tie): number => target;
    for (const row of others) {
      const held = trees.get(rowId(row))!;
      if (told(held, (tie) => twins.twin(tie, localeOf(own))) === told(written, asItIs)) continue;
      if (told(written, (tie) => twins.twin(tie, localeOf(row))) === told(held, asItIs)) continue;
      await replace(type, nested, written, row, held, twins, reading);
      changed.add(row);
    }
  }
  return changed;
}

/** A row's shared components as a body would give them, for another locale. */
export async function sharedPartsAsBody(
  type: ContentType,
  row: Row,
  locale: string,
  reading: Reading,
): Promise<Record<string, unknown>> {
  const body: Record<string, unknown> = {};
  for (const nested of sharedParts(type)) {
    const trees = (await partTrees(type, nested, [rowId(row)], reading)).get(rowId(row))!;
    const twins = await localeTwins(tiesIn(trees), reading.transaction, reading.registry);
    body[nested.name] = partsAsBody(trees, nested, locale, twins);
  }
  return body;
}

/** Those that may stand there. */
function partsAsBody(trees: readonly PartTree[], nested: Nested, locale: string, twins: LocaleTwins): unknown {
  const parts = trees
    .filter(({ type }) => mayHold(nested, type.uid))
    .map((tree) => asBody(tree, nested, locale, twins));
  return nested.many ? parts : (parts[0] ?? null);
}

function asBody(
  { type, row, links, parts }: PartTree,
  within: Nested,
  locale: string,
  twins: LocaleTwins,
): Record<string, unknown> {
  const values = valuesOf(type).map((attribute) => [attribute.name, bodyValue(attribute, row[attribute.name] ?? null)]);
  const linked = [...links].map(([nested, ties]) => {
    const there = ties.filter((tie) => nested.storage === 'attached' || twins.twin(tie, locale) !== undefined);
    const refs = there.map((tie) =>
      nested.storage === 'attached'
        ? { id: tie.target }
        : { documentId: twins.documentId(tie), ...(nested.storage === 'morph' && { __type: tie.uid }) },
    );
    return [nested.name, nested.many ? refs : (refs[0] ?? null)];
  });
  const inside = [...parts].map(([nested, trees]) => [nested.name, partsAsBody(trees, nested, locale, twins)]);
  const kind = within.storage === 'zone' ? [['__component', type.uid]] : [];
  return Object.fromEntries([...kind, ...values, ...linked, ...inside]);
}
