import type { AttributeDefinition, TypeDefinition } from '../../core';
import { type Mutation, name } from './mutation';

const definition = (id: string, rules: string[], change: (given: TypeDefinition) => TypeDefinition): Mutation => ({
  id: `schema.${id}`,
  rules,
  tap: (hooks) => void hooks.content.type.tap(name, (given) => (given.uid.startsWith('api::') ? change(given) : given)),
});

const attributes =
  (change: (given: AttributeDefinition) => AttributeDefinition) =>
  (given: TypeDefinition): TypeDefinition => ({
    ...given,
    attributes: Object.fromEntries(
      Object.entries(given.attributes).map(([key, attribute]) => [key, change(attribute)]),
    ),
  });

const withoutOption = (option: string) =>
  attributes((attribute) => {
    const { [option]: _, ...left } = attribute;
    return left as AttributeDefinition;
  });

/** Schema files that are read wrongly. */
export const definitionMutations: readonly Mutation[] = [
  definition('required.ignored', ['spec.schema-file.attributes', 'spec.service.1a'], withoutOption('required')),
  definition('unique.ignored', ['spec.schema-file.attributes'], withoutOption('unique')),
  definition('default.ignored', ['spec.schema-file.attributes'], withoutOption('default')),
  definition('private.ignored', ['spec.schema-file.attributes', 'spec.kinds.default'], withoutOption('private')),
  definition(
    'max-length.ignored',
    ['spec.schema-file.attributes', 'spec.kinds.default.string'],
    withoutOption('maxLength'),
  ),
  definition('max.ignored', ['spec.schema-file.attributes', 'spec.kinds.default.integer'], withoutOption('max')),
  definition(
    'drafts.ignored',
    ['spec.schema-file.options', 'spec.states.p1', 'spec.status.1', 'spec.service.7a'],
    (given) => ({
      ...given,
      options: { ...given.options, draftAndPublish: false },
    }),
  ),
  definition(
    'localized.ignored',
    ['spec.schema-file.plugin-options', 'spec.service.7b', 'spec.locale.b1'],
    (given) => ({
      ...given,
      pluginOptions: {},
    }),
  ),
  definition(
    'localized.everything',
    ['spec.locale.b1', 'spec.states.p2b'],
    attributes((attribute) => {
      const { pluginOptions: _, ...left } = attribute as AttributeDefinition & { pluginOptions?: unknown };
      return left as AttributeDefinition;
    }),
  ),
];
