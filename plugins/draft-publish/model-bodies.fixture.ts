import { changedOne, changedOrder } from '../../core/content/structure/link-order';
import { documentShapes, type Link, partShapes } from './linked-project.fixture';
import { type ModelRows, Refused, type Row, type Version } from './model-rows.fixture';
import { keyOf, type Part } from './stored-state.fixture';
import type { Change, Target, ToldNode } from './told-steps.fixture';

// For tests: what a body does to a row of the model.

export function createBodies({ rows, linksOf, relink, keyOfRow }: ModelRows) {
  /** A row that is being added can't be linked by itself yet. */
  let unborn: string | undefined;

  function resolve(source: Row, { to }: Link, { name, locale }: Target): string[] {
    const { hasDrafts, isLocalized } = documentShapes[to]!;
    const sourceShape = documentShapes[source.type]!;
    const where = isLocalized ? (sourceShape.isLocalized ? source.locale : (locale ?? 'en')) : '-';
    const versions: Version[] = !hasDrafts
      ? ['published']
      : sourceShape.hasDrafts
        ? [source.version]
        : ['draft', 'published'];
    const found = versions
      .map((version) => keyOf(to, name, where, version))
      .filter((key) => rows.has(key) && key !== unborn);
    if (found.length === 0) throw new Refused(`no ${name}`);
    return found;
  }

  function changedList(source: Row, link: Link, current: readonly string[], change: Change): string[] {
    const numbers = new Map<string, number>();
    const numberOf = (key: string): number => {
      if (!numbers.has(key)) numbers.set(key, numbers.size + 1);
      return numbers.get(key)!;
    };
    const numbered = (target: Target): number[] => resolve(source, link, target).map(numberOf);
    const now = current.map(numberOf);
    const order =
      'set' in change
        ? { set: change.set.map(numbered) }
        : {
            disconnect: change.disconnect.map(numbered),
            connect: change.connect.map(({ target, position }) => ({
              rows: numbered(target),
              position: 'anchor' in position ? { at: position.at, anchor: numbered(position.anchor) } : position,
            })),
          };
    const keys = new Map([...numbers].map(([key, number]) => [number, key]));
    return (link.many ? changedOrder : changedOne)(now, order).map((number) => keys.get(number)!);
  }

  const partsFrom = (source: Row, told: ToldNode): Record<string, Part[]> =>
    Object.fromEntries(
      Object.entries(told.parts).map(([attribute, parts]) => [
        attribute,
        parts.map((part): Part => {
          const { links, parts: slots } = partShapes[part.uid]!;
          const lists = Object.entries(links).map(([name, link]) => [
            name,
            part.links[name] ? changedList(source, link, [], part.links[name]!) : [],
          ]);
          const empty = Object.fromEntries(Object.keys(slots).map((name) => [name, [] as Part[]]));
          return {
            uid: part.uid,
            values: { text: part.values['text'] },
            lists: Object.fromEntries(lists),
            parts: { ...empty, ...partsFrom(source, part) },
          };
        }),
      ]),
    );

  function applyBody(row: Row, body: ToldNode): void {
    const parts = partsFrom(row, body);
    const lists = linksOf(row.type)
      .filter(([attribute]) => body.links[attribute])
      .map(([attribute, link]) => [attribute, link] as const);
    // What a body names is looked up before any of it is done.
    for (const [attribute, link] of lists) resolveAll(row, link, body.links[attribute]!);
    Object.assign(row.values, body.values);
    for (const [attribute, link] of lists)
      relink(row, attribute, changedList(row, link, row.lists[attribute]!, body.links[attribute]!));
    Object.assign(row.parts, parts);
  }

  function resolveAll(row: Row, link: Link, change: Change): void {
    const targets =
      'set' in change
        ? change.set
        : [
            ...change.disconnect,
            ...change.connect.flatMap(({ target, position }) =>
              'anchor' in position ? [target, position.anchor] : [target],
            ),
          ];
    for (const target of targets) resolve(row, link, target);
  }

  return {
    applyBody(row: Row, body: ToldNode, isNew: boolean): void {
      unborn = isNew ? keyOfRow(row) : undefined;
      applyBody(row, body);
    },
  };
}
