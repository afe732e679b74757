import { validationError } from '../../errors';

const mostEntries = 100;

/** What dot paths mean: `a.b` populates `a`, and `b` in it. */
export interface PathTree extends Map<string, PathTree> {}

/** The names of one path, from the outside in. */
export type Path = readonly string[];

/** The names of a path, up to a gap in it. */
export function namesIn(path: string): Path {
  const names = path.replace(/^\.+/, '').split('.');
  const gap = names.indexOf('');
  return gap < 0 ? names : names.slice(0, gap);
}

/** Paths with commas between them. */
export const pathsInText = (text: string): Path[] => text.split(',').map((path) => namesIn(path.trim()));

function refuseLong(count: number): void {
  if (count <= mostEntries) return;
  const advice =
    'Consider using object notation (populate[field]=true), nested population, or reducing the number of fields.';
  const message = `Too many populate entries (${count}). The maximum number of populate entries when using array notation is ${mostEntries}. ${advice}`;
  throw validationError(message, { source: 'query', param: 'populate' });
}

/** A list that is too long comes as an object whose keys count from 0. */
export function refuseLongList(record: Readonly<Record<string, unknown>>): void {
  const keys = Object.keys(record);
  if (keys.every((key, index) => key === String(index))) refuseLong(keys.length);
}

export function pathsInList(list: readonly unknown[]): Path[] {
  refuseLong(list.length);
  return list.flatMap((item) => {
    if (typeof item !== 'string')
      throw validationError('Invalid populate parameter. Expected a string, an array of strings, a populate object');
    return pathsInText(item);
  });
}

/** Where a later path replaces, one without more behind it stands for all that was said of it before. */
export function treeOf(paths: readonly Path[], replaces: boolean): PathTree {
  const tree: PathTree = new Map();
  for (const names of paths) {
    let at = tree;
    for (const [index, name] of names.entries()) {
      const isLast = index === names.length - 1;
      const next = isLast && replaces ? new Map() : (at.get(name) ?? new Map());
      at.set(name, next);
      at = next;
    }
  }
  return tree;
}
