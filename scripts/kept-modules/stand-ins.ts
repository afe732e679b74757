import { sep } from 'node:path';

type Called = (...given: unknown[]) => unknown;

/** Stands for a file that no start needs, and has it read when it is used. */
export type StandIn = (read: () => unknown) => unknown;

/** For an object; what is in it by those names may be taken before it is read: functions, until they are called. */
const standIn =
  (functions: readonly string[], constants: Readonly<Record<string, unknown>> = {}): StandIn =>
  (read) => {
    let object: object | undefined;
    function whole(): object {
      object ??= read() as object;
      return object;
    }
    const called = (name: string): Called => {
      let own: Called | undefined;
      return (...given) => {
        own ??= Reflect.get(whole(), name) as Called;
        return own(...given);
      };
    };
    const known = new Map<PropertyKey, unknown>([
      ...functions.map((name) => [name, called(name)] as const),
      ...Object.entries(constants),
    ]);
    return new Proxy(
      {},
      {
        get: (_, name) => (object ? undefined : known.get(name)) ?? Reflect.get(whole(), name),
        set: (_, name, value) => Reflect.set(whole(), name, value),
        has: (_, name) => Reflect.has(whole(), name),
        ownKeys: () => Reflect.ownKeys(whole()),
        getOwnPropertyDescriptor(_, name) {
          const descriptor = Reflect.getOwnPropertyDescriptor(whole(), name);
          // What the object has for good, the one in front of it has not.
          return descriptor && { ...descriptor, configurable: true };
        },
      },
    );
  };

const standIns: ReadonlyArray<readonly [file: string, StandIn]> = [
  // Two and a half thousand names.
  ['mime-types/index.js', standIn(['charset', 'contentType', 'extension', 'lookup'])],
  // The names of two thousand failures.
  ['mysql2/lib/constants/errors.js', standIn([])],
  // What zod says, in sixty languages: English is read by itself.
  ['zod/v4/locales/index.cjs', standIn([], { __esModule: true })],
];
const byName = new Map(standIns.map(([file, made]) => [file.replaceAll('/', sep), made]));
const packages = `${sep}node_modules${sep}`;

/** What is to stand for a file, if no start needs it. */
export function standInFor(path: string): StandIn | undefined {
  const at = path.lastIndexOf(packages);
  return at < 0 ? undefined : byName.get(path.slice(at + packages.length));
}
