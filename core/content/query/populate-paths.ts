import { validationError } from '../../errors';

const mostEntries = 100;

/** What dot paths mean: `a.b` populates `a`, and `b` in it. */
export interface PathTree extends Map<string, PathTree> {}

/** The names of a path, up to a gap in it. */
function namesIn(path: string): string[] {
  const names = path.replace(/^\.+/, '').split('.');
  const gap = names.indexOf('');
  return gap < 0 ? names : names.slice(0, gap);
}

function add(tree: PathTree, path: string, replaces: boolean): void {
  let at = tree;
  const names = namesIn(path);
  for (const [index, name] of names.entries()) {
    const isLast = index === names.length - 1;
    const next = isLast && replaces ? new Map() : (at.get(name) ?? new Map());
    at.set(name, next);
    at = next;
  }
}

const pathsIn = (text: string): string[] => text.split(',').map((path) => path.trim());

export const treeOfPath = (path: string): PathTree => {
  const tree: PathTree = new Map();
  add(tree, path, false);
  return tree;
};

/** Names with commas between them. */
export function treeOfText(text: string): PathTree {
  const tree: PathTree = new Map();
  for (const path of pathsIn(text)) add(tree, path, false);
  return tree;
}

/** A list of names: a later name without more behind it stands for all that was said of it before. */
export function treeOfList(list: readonly unknown[]): PathTree {
  if (list.length > mostEntries)
    throw validationError(`Too many populate entries (${list.length}). The maximum is ${mostEntries}.`);
  const tree: PathTree = new Map();
  for (const item of list) {
    if (typeof item !== 'string')
      throw validationError('Invalid populate parameter. Expected a string, an array of strings, a populate object');
    for (const path of pathsIn(item)) add(tree, path, true);
  }
  return tree;
}
