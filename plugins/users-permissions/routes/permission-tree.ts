import { validationError } from '../../../core';
import { isRecord } from '../auth/body';

interface Grant {
  readonly enabled: boolean;
  readonly policy: string;
}

type Tree = Record<string, { controllers: Record<string, Record<string, Grant>> }>;

/** `api::article.article.find` → `api::article`, `article`, `find`. */
function partsOf(action: string): [owner: string, controller: string, name: string] | undefined {
  const [owner, controller, name, ...rest] = action.split('.');
  return owner && controller && name && rest.length === 0 ? [owner, controller, name] : undefined;
}

/** Without what every object has, so that a name such as `constructor` is one like others. */
const bare = <T extends object>(): T => Object.create(null) as T;

/** Actions as the tree in which they are shown, with those that are granted marked. */
export function treeOf(actions: Iterable<string>, granted: ReadonlySet<string> = new Set()): Tree {
  const tree = bare<Tree>();
  for (const action of new Set([...actions, ...granted])) {
    const [owner, controller, name] = partsOf(action) ?? [];
    if (!owner || !controller || !name) continue;
    tree[owner] ??= { controllers: bare() };
    tree[owner].controllers[controller] ??= bare();
    tree[owner].controllers[controller][name] = { enabled: granted.has(action), policy: '' };
  }
  return tree;
}

const form = /^[\w-]+::[\w-]+\.[\w-]+\.[\w-]+$/;

function wellFormed(action: string): string {
  if (form.test(action)) return action;
  throw validationError(`"${action.slice(0, 255)}" is no name of an action such as api::article.article.find`);
}

const entriesOf = (value: unknown): [string, unknown][] => (isRecord(value) ? Object.entries(value) : []);

/** The actions that a tree as it is sent grants; undefined where none is sent. */
export function actionsIn(tree: unknown): string[] | undefined {
  if (!isRecord(tree)) return undefined;
  return entriesOf(tree).flatMap(([owner, inside]) =>
    entriesOf(isRecord(inside) && inside['controllers']).flatMap(([controller, names]) =>
      entriesOf(names)
        .filter(([, grant]) => isRecord(grant) && grant['enabled'] === true)
        .map(([name]) => wellFormed(`${owner}.${controller}.${name}`)),
    ),
  );
}
