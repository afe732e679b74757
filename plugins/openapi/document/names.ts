import type { ContentType } from '../../../core';

const pascal = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

function wanted({ uid, modelKind, singularName }: ContentType): string {
  if (modelKind === 'component') return `${pascal(uid)}Component`;
  const plugin = /^plugin::([^.]+)/.exec(uid)?.[1] ?? '';
  return pascal(plugin) + pascal(singularName);
}

/** Names of schemas by uid; two types never share one. */
export function schemaNames(types: Iterable<ContentType>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const type of types) {
    const name = wanted(type);
    const free = [name, `${name}_${pascal(type.uid)}`].find((each) => !taken.has(each)) ?? type.uid;
    taken.add(free);
    names.set(type.uid, free);
  }
  return names;
}
