import type { ContentRegistry } from '../../../core';
import { isName } from '../names';
import { isField, isNested, nameless } from './fields';

/** What GraphQL has no names for, and how it is served instead. */
export function unnamedParts({ types }: Pick<ContentRegistry, 'types'>): string[] {
  return [...types.values()].flatMap((type) =>
    [...type.attributes.values(), ...type.nested.values()].filter(isField).flatMap((member) => {
      const place = `${type.definition.file} /attributes/${member.name}`;
      if (!isName(member.name)) return [`${place} is not served over GraphQL: no field can have its name`];
      const words = isNested(member) ? [] : nameless(member);
      if (words.length === 0) return [];
      return [
        `${place}/enum is a String over GraphQL, and no enumeration: ${words.map((word) => `"${word}"`).join(', ')} can be no name there; names begin with a letter`,
      ];
    }),
  );
}
