import { sep } from 'node:path';

type Called = (...given: unknown[]) => unknown;

/** Stands for a file that no start needs, and has it read when it is used. */
export type StandIn = (read: () => unknown) => unknown;

/** For a function. */
const whenCalled: StandIn = (read) => {
  let called: Called | undefined;
  return (...given: unknown[]) => {
    called ??= read() as Called;
    return called(...given);
  };
};

/** For an object with those functions, which may be taken from it before they are called. */
const withFunctions =
  (...names: readonly string[]): StandIn =>
  (read) => {
    let object: object | undefined;
    function whole(): object {
      object ??= read() as object;
      return object;
    }
    const functions = new Map<PropertyKey, unknown>(
      names.map((name) => [name, whenCalled(() => Reflect.get(whole(), name))]),
    );
    return new Proxy(
      {},
      {
        get: (_, name) => (object ? undefined : functions.get(name)) ?? Reflect.get(whole(), name),
        set: (_, name, value) => Reflect.set(whole(), name, value),
        has: (_, name) => Reflect.has(whole(), name),
        ownKeys: () => Reflect.ownKeys(whole()),
        getOwnPropertyDescriptor: (_, name) => Reflect.getOwnPropertyDescriptor(whole(), name),
      },
    );
  };

const languages = `${sep}zod${sep}v4${sep}locales${sep}`;
const languagesApart = ['index.cjs', 'en.cjs'];
const mediaTypes = `${sep}mime-types${sep}index.js`;
const namingMediaTypes = withFunctions('charset', 'contentType', 'extension', 'lookup');

/**
 * What is to stand for a file: zod's messages in one of the sixty languages that nobody has chosen yet, or the list of all
 * media types, which two thousand names make a long one.
 */
export function standInFor(path: string): StandIn | undefined {
  if (path.endsWith(mediaTypes)) return namingMediaTypes;
  if (!path.endsWith('.cjs') || !path.includes(languages)) return undefined;
  return languagesApart.some((name) => path.endsWith(sep + name)) ? undefined : whenCalled;
}
