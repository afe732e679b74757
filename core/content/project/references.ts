import { type Problem, problem } from '../../kernel/problems';
import { didYouMean } from '../../kernel/suggest';
import type { AttributeDefinition, TypeDefinition } from '../definition';

type ByUid = ReadonlyMap<string, TypeDefinition>;

/** Types of plugins and of the administration are there without a file of the project. */
const isForeign = (uid: string): boolean => uid.startsWith('plugin::') || uid.startsWith('admin::');

function missingType(definition: TypeDefinition, at: string, uid: string, types: ByUid): Problem[] {
  if (types.has(uid) || isForeign(uid)) return [];
  return [
    problem(
      definition.file,
      `names "${uid}", which is not there.`,
      `Correct the name or add the type.${didYouMean(uid, types.keys())}`,
      at,
    ),
  ];
}

function missingSide(definition: TypeDefinition, at: string, attribute: AttributeDefinition, types: ByUid): Problem[] {
  const side = (attribute['mappedBy'] ?? attribute['inversedBy']) as string | undefined;
  const target = types.get(String(attribute['target']));
  if (side === undefined || !target || target.attributes[side]) return [];
  return [
    problem(
      definition.file,
      `names attribute "${side}" of ${target.uid}, which is not there.`,
      `Add it to ${target.file}, or correct the name.${didYouMean(side, Object.keys(target.attributes))}`,
      at,
    ),
  ];
}

function ofAttribute(
  definition: TypeDefinition,
  name: string,
  attribute: AttributeDefinition,
  types: ByUid,
): Problem[] {
  const at = `/attributes/${name}`;
  const listed = [
    attribute['target'],
    attribute['component'],
    ...(Array.isArray(attribute['components']) ? attribute['components'] : []),
  ];
  const names = listed.filter((uid): uid is string => typeof uid === 'string');
  return [
    ...names.flatMap((uid) => missingType(definition, at, uid, types)),
    ...missingSide(definition, at, attribute, types),
  ];
}

/** Names in attributes that lead nowhere. */
export function brokenReferences(definitions: readonly TypeDefinition[]): Problem[] {
  const types: ByUid = new Map(definitions.map((definition) => [definition.uid, definition]));
  return definitions.flatMap((definition) =>
    Object.entries(definition.attributes).flatMap(([name, attribute]) =>
      ofAttribute(definition, name, attribute, types),
    ),
  );
}
