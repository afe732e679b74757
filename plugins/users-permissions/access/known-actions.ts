import { actionsFor, type ContentRegistry, type ContentType, type RegisteredRoute } from '../../../core';
import { grantedBy, seededGrants } from '../../sql';

/** All that can be granted in this application. */
export interface KnownActions {
  list(): readonly string[];
}

const written = { collectionType: ['find', 'findOne', 'create'], singleType: ['find'] } as const;

function actionsOn({ uid, modelKind, dimensions }: ContentType): string[] {
  const reading = modelKind === 'component' ? [] : written[modelKind];
  const localized = dimensions.some(({ name }) => name === 'locale') ? ['createLocalization'] : [];
  return [...reading, 'update', 'delete', ...localized].map((action) => `${uid}.${action}`);
}

/** What routes ask for, and what may be done with documents by other ways. */
export function knownActions(routes: readonly RegisteredRoute[], registry: ContentRegistry): string[] {
  const ofDocuments = registry.documents.filter(({ uid }) => uid.startsWith('api::')).flatMap(actionsOn);
  const seeded = Object.values(seededGrants).flatMap((actions) => actions.map((action) => `${grantedBy}.${action}`));
  return [...new Set([...routes.flatMap(actionsFor), ...ofDocuments, ...seeded])].sort();
}
