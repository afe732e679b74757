import { problem, refuseIfAny } from './problems';
import { didYouMean } from './suggest';

/** A set of named things that plugins add to during start-up, and that is closed afterwards. */
export interface Registry<T> {
  add(name: string, value: T): void;
  get(name: string): T | undefined;
  /** The value, or an error that says who asked and what was probably meant. */
  require(name: string, asker: string): T;
  has(name: string): boolean;
  names(): string[];
  entries(): IterableIterator<[string, T]>;
  /** The plugin that added it. */
  ownerOf(name: string): string | undefined;
}

/** What is wrong with a value, and what to do; the compiler sees neither in a plugin written in JavaScript. */
export type Refusal = (value: unknown) => { readonly what: string; readonly remedy: string } | undefined;

/** `whoIsAdding` tells the plugin at work, so that a clash can name both sides. */
export function createRegistry<T>(
  what: string,
  whoIsAdding: () => string,
  refusal: Refusal = () => undefined,
): Registry<T> & { seal(): void } {
  const values = new Map<string, T>();
  const owners = new Map<string, string>();
  let sealed = false;
  return {
    add(name, value) {
      const owner = whoIsAdding();
      if (sealed) {
        refuseIfAny([
          problem(
            `plugin "${owner}"`,
            `registers ${what} "${name}" after start-up.`,
            'Register in the hook made for it.',
          ),
        ]);
      }
      if (values.has(name)) {
        refuseIfAny([
          problem(
            `${what} "${name}"`,
            `is registered by plugin "${owners.get(name)}" and by plugin "${owner}".`,
            'Switch one of the two off, or rename one.',
          ),
        ]);
      }
      const wrong = refusal(value);
      if (wrong)
        refuseIfAny([problem(`plugin "${owner}"`, `registers ${what} "${name}", which ${wrong.what}`, wrong.remedy)]);
      values.set(name, value);
      owners.set(name, owner);
    },
    get: (name) => values.get(name),
    require(name, asker) {
      const value = values.get(name);
      if (value === undefined) {
        refuseIfAny([
          problem(
            asker,
            `asks for ${what} "${name}", which no plugin registers.`,
            didYouMean(name, values.keys()).trim() || `Known: ${[...values.keys()].join(', ') || 'none'}.`,
          ),
        ]);
      }
      return value as T;
    },
    has: (name) => values.has(name),
    names: () => [...values.keys()],
    entries: () => values.entries(),
    ownerOf: (name) => owners.get(name),
    seal() {
      sealed = true;
    },
  };
}
