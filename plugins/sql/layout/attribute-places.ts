import { componentPlace } from './components';
import { columnName, joinColumnName, tableName } from './identifiers';
import {
  heldByColumn,
  inverseJoinColumnPlace,
  inverseLinkPlace,
  joinColumnPlace,
  linkPlace,
  type OwnedLink,
  toMany,
} from './links';
import type { LayoutAttribute, LayoutModel, LinkAttribute } from './model';
import { inverseMorphPlace, mediaPlace, morphColumnsPlace, morphTablePlace } from './morphs';
import type { Place } from './places';
import { isDocument, standardAttributes, standardNames } from './type-table';

export type ModelOf = (uid: string) => LayoutModel;

/** The uids that the layout itself refers to. */
export const authorUid = 'admin::user';
export const fileUid = 'plugin::upload.file';

export function placesOf(model: LayoutModel, modelOf: ModelOf): Record<string, Place> {
  const places: Record<string, Place> = { id: { in: 'column', column: 'id', storage: 'integer' } };
  if (isDocument(model)) {
    places.documentId = { in: 'column', column: 'document_id', storage: 'string' };
    for (const name of standardNames) places[name] = standardPlace(name, modelOf);
  }
  for (const [name, attribute] of Object.entries(model.attributes)) {
    places[name] = placeOf(model, name, attribute, modelOf);
  }
  return places;
}

function standardPlace(name: keyof typeof standardAttributes, modelOf: ModelOf): Place {
  const storage = standardAttributes[name];
  if (storage !== 'author') return { in: 'column', column: columnName(name), storage };
  const targetTable = tableName(modelOf(authorUid));
  return { in: 'joinColumn', column: joinColumnName(name), target: authorUid, targetTable };
}

function placeOf(model: LayoutModel, name: string, attribute: LayoutAttribute, modelOf: ModelOf): Place {
  switch (attribute.storage) {
    case 'link':
      return linkedPlace(model, name, attribute, modelOf);
    case 'component':
    case 'zone':
      return componentPlace(model, name, attribute, modelOf);
    case 'media':
      return mediaPlace(model.uid, name, modelOf(fileUid), attribute.multiple);
    default:
      return { in: 'column', column: columnName(name, attribute.columnName), storage: attribute.storage };
  }
}

function linkedPlace(model: LayoutModel, name: string, attribute: LinkAttribute, modelOf: ModelOf): Place {
  switch (attribute.relation) {
    case 'morphToOne':
      return morphColumnsPlace;
    case 'morphToMany':
      return morphTablePlace(model, name);
    case 'morphOne':
    case 'morphMany': {
      const target = targetOf(model, name, attribute, modelOf);
      return inverseMorphPlace(model.uid, name, target, attribute.morphBy ?? '', toMany(attribute.relation));
    }
    default: {
      const link = linkOf(model, name, attribute, modelOf);
      const inverse = attribute.mappedBy !== undefined;
      if (heldByColumn(link)) return inverse ? inverseJoinColumnPlace(link) : joinColumnPlace(link);
      return inverse ? inverseLinkPlace(link) : linkPlace(link);
    }
  }
}

/** The link as its owner has it, from either side. */
export function linkOf(model: LayoutModel, name: string, attribute: LinkAttribute, modelOf: ModelOf): OwnedLink {
  const target = targetOf(model, name, attribute, modelOf);
  if (attribute.mappedBy === undefined) return { owner: model, name, attribute, target };
  const owning = target.attributes[attribute.mappedBy];
  if (owning?.storage === 'link' && owning.mappedBy === undefined) {
    return { owner: target, name: attribute.mappedBy, attribute: owning, target: model };
  }
  throw new Error(
    `${model.uid}, attribute "${name}": it is mapped by "${attribute.mappedBy}" of ${target.uid}, ` +
      'which is not a relation that owns the link. Name the attribute that has "inversedBy" there.',
  );
}

function targetOf(model: LayoutModel, name: string, attribute: LinkAttribute, modelOf: ModelOf): LayoutModel {
  if (attribute.target !== undefined) return modelOf(attribute.target);
  throw new Error(`${model.uid}, attribute "${name}": a ${attribute.relation} relation needs a "target".`);
}
