import type { GraphqlHooks } from '../graphql';
import { filterParameter, publicationFilters, versionParameter } from './publication-filter';
import { hasDrafts, statusParameter, wantsPublished } from './status';

const enumOf = (name: string, values: readonly string[]): string => `enum ${name} {\n  ${values.join('\n  ')}\n}\n`;

/** `never-published` → `NEVER_PUBLISHED`. */
const named = (filter: string): string => filter.toUpperCase().replaceAll('-', '_');

/** The parameters of this plugin as arguments of GraphQL's root fields. */
export function addGraphqlArguments({ contribute, events, arguments: args }: GraphqlHooks): void {
  contribute.tap({ name: 'draft-publish', mayWait: true }, (contributions) =>
    contributions.add({
      plugin: 'draft-publish',
      typeDefs: [
        enumOf('PublicationStatus', ['DRAFT', 'PUBLISHED']),
        enumOf('PublicationFilter', publicationFilters.map(named)),
      ].join('\n'),
    }),
  );

  events.tap('draft-publish', (kinds) =>
    kinds.add({
      name: 'Published',
      appliesTo: ({ definition }) => hasDrafts(definition),
      isMadeBy: ({ action, type, query }) =>
        action === 'publish' ||
        ((action === 'create' || action === 'update') &&
          hasDrafts(type.definition) &&
          wantsPublished(query.parameters?.[statusParameter])),
    }),
  );

  args.tap({ name: 'draft-publish', mayWait: true }, (all) => {
    all.add({
      name: 'status',
      definition: 'status: PublicationStatus = PUBLISHED',
      parameter: statusParameter,
      toParameter: (value) => String(value).toLowerCase(),
      // What is not exactly published is a draft.
      takesNull: 'write',
      appliesTo: (_type, use) => use !== 'delete',
    });
    all.add({
      name: 'hasPublishedVersion',
      definition: 'hasPublishedVersion: Boolean',
      parameter: versionParameter,
      toParameter: String,
      appliesTo: (_type, use) => use === 'read',
    });
    all.add({
      name: 'publicationFilter',
      definition: 'publicationFilter: PublicationFilter',
      parameter: filterParameter,
      toParameter: (value) => publicationFilters.find((filter) => named(filter) === value),
      appliesTo: (_type, use) => use === 'read',
    });
  });
}
