import type { Attribute, ContentRegistry, ContentType, Nested } from '../../../core';
import type { RootArgument } from '../hooks';
import { enumName, isName, wordName } from '../names';
import { membersOf, valueType, wordsOf } from './fields';
import type { FieldUse, Shadow } from './shadow';

export interface TypeWriterOptions {
  readonly registry: ContentRegistry;
  readonly shadow: Shadow;
  readonly rootArguments: readonly RootArgument[];
  /** Whether there are the forms of Strapi 4, too. */
  readonly v4Forms: boolean;
  /** The uids of the types with documents that are served. */
  readonly served: ReadonlySet<string>;
}

export const listArguments = (filters: string): string =>
  `(filters: ${filters}, pagination: PaginationArg = {}, sort: [String] = [])`;

export const block = (head: string, lines: readonly string[]): string => `${head} {\n  ${lines.join('\n  ')}\n}\n`;

/** Collects definitions, each once, and knows what of the content types they are made of. */
export function createTypeWriter(options: TypeWriterOptions) {
  const { registry, shadow, served } = options;
  const definitions: string[] = [];
  const written = new Set<string>();

  /** Writes what has this name, unless it is written already. */
  function once(name: string, write: () => void): string {
    if (written.has(name)) return name;
    written.add(name);
    write();
    return name;
  }

  const isServed = (uid: string): boolean =>
    served.has(uid) || (registry.types.get(uid)?.modelKind === 'component' && shadow.isServed(uid));

  /** The type behind a nested attribute, where it is served. */
  function targetOf({ targets }: Nested): ContentType | undefined {
    const [uid] = targets;
    return uid !== undefined && isServed(uid) ? registry.types.get(uid) : undefined;
  }

  function usable(type: ContentType, use: FieldUse): (Attribute | Nested)[] {
    return membersOf(type).filter(({ name }) => isName(name) && shadow.servesField(type.uid, name, use));
  }

  const enumOf = (type: string, attribute: Attribute): string =>
    once(enumName(type, attribute.name), () => {
      const names = new Set(wordsOf(attribute)!.map(wordName));
      definitions.push(block(`enum ${enumName(type, attribute.name)}`, [...names]));
    });

  /** What a value of an attribute is; `type` is how its content type is called. */
  function valueTypeOf(type: string, attribute: Attribute): string {
    return wordsOf(attribute) ? enumOf(type, attribute) : valueType(type, attribute);
  }

  return { ...options, definitions, once, isServed, targetOf, usable, valueTypeOf };
}

export type TypeWriter = ReturnType<typeof createTypeWriter>;
