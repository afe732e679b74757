import { type Problem, problem } from '../../kernel/problems';
import type { TypeDefinition } from '../definition';

function twice(
  definitions: readonly TypeDefinition[],
  what: string,
  keysOf: (definition: TypeDefinition) => readonly string[],
): Problem[] {
  const owners = new Map<string, TypeDefinition>();
  return definitions.flatMap((definition) =>
    [...new Set(keysOf(definition))].flatMap((key) => {
      const other = owners.get(key);
      owners.set(key, definition);
      return other
        ? [
            problem(
              definition.file,
              `has the same ${what} as ${other.file}: "${key}".`,
              'Give one of the two another name.',
            ),
          ]
        : [];
    }),
  );
}

/** Names that two types or components want at once. */
export function clashingNames(definitions: readonly TypeDefinition[]): Problem[] {
  const ofApi = definitions.filter(({ uid }) => uid.startsWith('api::'));
  return [
    ...twice(definitions, 'uid', ({ uid }) => [uid]),
    ...twice(definitions, 'collectionName', ({ collectionName }) => [collectionName.toLowerCase()]),
    ...twice(ofApi, 'name in the API', ({ modelKind, info }) =>
      modelKind === 'singleType' ? [info.singularName] : [info.pluralName],
    ),
    ...ofApi
      .filter(({ info }) => info.singularName === info.pluralName)
      .map(({ file }) =>
        problem(file, 'has one name for singular and plural.', 'Give it another pluralName.', '/info/pluralName'),
      ),
  ];
}
