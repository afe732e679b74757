import { documentShapes, type Link } from './linked-project.fixture';
import { keyOf, type Node, type Part } from './stored-state.fixture';

// For tests: the rows of a model of the linked project, as plain data.

export type Version = 'draft' | 'published';

/** A step that a service has to refuse. */
export class Refused extends Error {}

export interface Row extends Node {
  readonly type: string;
  readonly name: string;
  readonly locale: string;
  readonly version: Version;
  values: Record<string, unknown>;
  parts: Record<string, Part[]>;
  /** Later rows have greater numbers. */
  born: number;
}

/** Behind the nearest of its predecessors elsewhere that the list has. */
export function placed(list: readonly string[], item: string, predecessors: readonly string[]): string[] {
  const near = predecessors.findLast((each) => list.includes(each));
  const at = near === undefined ? 0 : list.indexOf(near) + 1;
  return [...list.slice(0, at), item, ...list.slice(at)];
}

const typeIn = (key: string): string => key.split(' ')[0]!;

/** The key of the same document and locale in a version; types without drafts have one row for both. */
export const inVersion = (key: string, version: Version): string =>
  documentShapes[typeIn(key)]!.hasDrafts ? key.replace(/\w+$/, version) : key;

export function createRows() {
  const rows = new Map<string, Row>();
  let births = 0;

  const linksOf = (type: string): [string, Link][] => Object.entries(documentShapes[type]!.links);

  function added(type: string, name: string, locale: string, version: Version): Row {
    const { links, parts } = documentShapes[type]!;
    const row: Row = {
      type,
      name,
      locale,
      version,
      born: ++births,
      values: { title: null, code: null },
      lists: Object.fromEntries(Object.keys(links).map((attribute) => [attribute, []])),
      parts: Object.fromEntries(Object.keys(parts).map((attribute) => [attribute, []])),
    };
    rows.set(keyOf(type, name, locale, version), row);
    return row;
  }

  const keyOfRow = ({ type, name, locale, version }: Row): string => keyOf(type, name, locale, version);
  const rowsOf = (type: string, name: string): Row[] =>
    [...rows.values()].filter((row) => row.type === type && row.name === name);

  /** Makes a row's list this one. `place` says where the row goes in the lists of what it is newly linked to; else last. */
  function relink(
    row: Row,
    attribute: string,
    list: string[],
    place?: (target: Row, inverse: string) => readonly string[],
  ): void {
    const own = keyOfRow(row);
    const before = row.lists[attribute]!;
    row.lists[attribute] = list;
    const { inverse, to } = documentShapes[row.type]!.links[attribute]!;
    if (inverse === undefined) return;
    for (const key of before) if (!list.includes(key)) drop(rows.get(key)!, inverse, own);
    for (const key of list) {
      if (before.includes(key)) continue;
      const target = rows.get(key)!;
      if (!documentShapes[to]!.links[inverse]!.many) {
        for (const owner of target.lists[inverse]!) if (owner !== own) drop(rows.get(owner)!, attribute, key);
        target.lists[inverse] = [];
      }
      const there = target.lists[inverse]!.filter((each) => each !== own);
      target.lists[inverse] = place ? placed(there, own, place(target, inverse)) : [...there, own];
    }
  }

  const drop = (row: Row, attribute: string, key: string): void => {
    row.lists[attribute] = row.lists[attribute]!.filter((each) => each !== key);
  };

  function remove(row: Row): void {
    const gone = keyOfRow(row);
    rows.delete(gone);
    const without = (node: Node): void => {
      for (const attribute of Object.keys(node.lists))
        node.lists[attribute] = node.lists[attribute]!.filter((key) => key !== gone);
      for (const part of Object.values(node.parts).flat()) without(part);
    };
    for (const each of rows.values()) without(each);
  }

  const there = (key: string | undefined): string[] => (key !== undefined && rows.has(key) ? [key] : []);
  const mappedTo =
    (version: Version) =>
    (keys: readonly string[]): string[] =>
      keys.flatMap((key) => there(inVersion(key, version)));

  const copiedParts = (
    parts: Record<string, Part[]>,
    map: (keys: readonly string[]) => string[],
  ): Record<string, Part[]> =>
    Object.fromEntries(
      Object.entries(parts).map(([attribute, list]) => [
        attribute,
        list.map((part) => ({
          uid: part.uid,
          values: { ...part.values },
          lists: Object.fromEntries(Object.entries(part.lists).map(([name, keys]) => [name, map(keys)])),
          parts: copiedParts(part.parts, map),
        })),
      ]),
    );
  const toLocale =
    (locale: string) =>
    (keys: readonly string[]): string[] =>
      keys.flatMap((key) =>
        there(documentShapes[typeIn(key)]!.isLocalized ? key.replace(/ \S+ (\w+)$/, ` ${locale} $1`) : key),
      );

  return {
    rows,
    linksOf,
    added,
    keyOfRow,
    rowsOf,
    relink,
    remove,
    there,
    mappedTo,
    toLocale,
    copiedParts,
    /** A number greater than all before. */
    nextBirth: (): number => ++births,
    /** Runs work wholly or not at all. */
    undoing<T>(work: () => T): T {
      const before = structuredClone(rows);
      try {
        return work();
      } catch (error) {
        rows.clear();
        for (const [key, row] of before) rows.set(key, row);
        throw error;
      }
    },
  };
}

export type ModelRows = ReturnType<typeof createRows>;
