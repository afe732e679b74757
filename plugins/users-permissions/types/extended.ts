import type { AttributeDefinition, TypeDefinition } from '../../../core';
import { ownTypes } from './definitions';

type Attributes = Readonly<Record<string, AttributeDefinition>>;

/** What an extension of a type may not take away: nobody is shown it, and it is kept as it is kept. */
const isSecret = ({ private: hidden }: AttributeDefinition): boolean => hidden === true;
const isTie = ({ type }: AttributeDefinition): boolean => type === 'relation';

/** The extension's attributes in their order, then those of the original that it leaves out. */
function extendedAttributes(original: Attributes, extension: Attributes): Attributes {
  const attributes: Record<string, AttributeDefinition> = { ...extension };
  for (const [name, definition] of Object.entries(original)) {
    const given = extension[name];
    if (!given) attributes[name] = definition;
    else if (isTie(definition)) attributes[name] = { ...given, ...definition };
    else if (isSecret(definition)) attributes[name] = { ...given, type: definition.type, private: true };
  }
  return attributes;
}

/** The definitions with this plugin's types among them, as the application extends them. */
export function withOwnTypes(definitions: readonly TypeDefinition[]): TypeDefinition[] {
  const extensions = new Map(definitions.map((definition) => [definition.uid, definition]));
  const own = ownTypes.map((original): TypeDefinition => {
    const extension = extensions.get(original.uid);
    if (!extension) return original;
    return {
      ...extension,
      modelKind: original.modelKind,
      collectionName: original.collectionName,
      options: { ...extension.options, draftAndPublish: false },
      attributes: extendedAttributes(original.attributes, extension.attributes),
    };
  });
  const names = new Set(ownTypes.map(({ uid }) => uid));
  return [...definitions.filter(({ uid }) => !names.has(uid)), ...own];
}
