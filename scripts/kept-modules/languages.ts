import { sep } from 'node:path';

const folder = `${sep}zod${sep}v4${sep}locales${sep}`;
const apart = ['index.cjs', 'en.cjs'];

/** Whether a file holds zod's messages in one of the sixty languages that nobody has chosen yet. */
export const isLanguage = (path: string): boolean =>
  path.endsWith('.cjs') && path.includes(folder) && !apart.some((name) => path.endsWith(sep + name));

/** What stands for such a file, which exports a function without arguments, until it is called. */
export function readWhenUsed(load: () => unknown): () => unknown {
  let language: (() => unknown) | undefined;
  return () => {
    language ??= load() as () => unknown;
    return language();
  };
}
