import { keysOf } from '../kernel/schema-problems';
import { didYouMean } from '../kernel/suggest';
import type { AttributeDefinition } from './definition';
import { isDormant, type KnownKind } from './kinds/kind';

/** What attributes of all kinds may say, to some effect. */
const common = ['type', 'customField', 'required', 'unique', 'private', 'default', 'conditions', 'pluginOptions'];
/** What they say in existing projects to none: nobody is pointed to it. */
const withoutEffect = ['configurable', 'visible', 'writable', 'editable', 'creatable', 'searchable', 'column'];

const optionsOf = (kind: KnownKind): string[] => (isDormant(kind) || !kind.options ? [] : keysOf(kind.options));

/**
 * Finds options that nobody knows and that are spelt nearly like one of the attribute's kind. Others may be a plugin's, and
 * what another kind has was meant as it stands.
 */
export function createSpelling(kinds: Iterable<KnownKind>) {
  const known = new Set([...common, ...withoutEffect, ...[...kinds].flatMap(optionsOf)]);
  return (attribute: AttributeDefinition, kind: KnownKind): { option: string; meant: string }[] =>
    Object.keys(attribute)
      .filter((option) => !known.has(option))
      .map((option) => ({ option, meant: didYouMean(option, [...common, ...optionsOf(kind)]) }))
      .filter(({ meant }) => meant !== '');
}
