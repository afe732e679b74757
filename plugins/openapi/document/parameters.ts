import { type ContentType, parameterOf } from '../../../core';
import type { Json } from '../hooks';

const query = (name: string, description: string, schema: Json, more: Json = {}): Json => ({
  name,
  in: 'query',
  description,
  schema,
  ...more,
});
const deep: Json = { style: 'deepObject', explode: true };
const text: Json = { type: 'string' };

/** Parameters that every type takes, to be referred to. */
export const commonParameters: Readonly<Record<string, Json>> = {
  fields: query('fields', 'The attributes to show, by commas; all unless given.', text),
  populate: query('populate', '`*`, or what to show of relations, components and media, by commas.', text),
  filters: query(
    'filters',
    'Conditions: `filters[title][$containsi]=loom`, `filters[$or][0][minutes][$lt]=5`, through relations, too.',
    { type: 'object', additionalProperties: true },
    deep,
  ),
  sort: query('sort', 'By commas: `minutes:desc,title`.', text),
  search: query('_q', 'Text to look for in all readable attributes.', text),
  pagination: query(
    'pagination',
    'The part of the list: `pagination[page]` and `pagination[pageSize]`, or `pagination[start]` and `pagination[limit]`, or ' +
      '`pagination[cursor]` and `pagination[pageSize]`: the cursor is empty for the first page, then the `nextCursor` of the ' +
      'page before.',
    {
      type: 'object',
      properties: {
        page: { type: 'integer', minimum: 1 },
        pageSize: { type: 'integer', minimum: 1 },
        start: { type: 'integer', minimum: 0 },
        limit: { type: 'integer' },
        cursor: { type: 'string' },
        withCount: { type: 'boolean' },
      },
    },
    deep,
  ),
};

const referred = (...names: readonly string[]): Json[] =>
  names.map((name) => ({ $ref: `#/components/parameters/${name}` }));

const variants = ({ dimensions }: ContentType): Json[] =>
  dimensions.map((dimension) => query(parameterOf(dimension), `Selects by ${dimension.name}.`, text));

export function parametersFor(type: ContentType, action: string): Json[] {
  const shown = referred('fields', 'populate');
  if (action === 'delete') return variants(type);
  if (action !== 'find' || type.modelKind === 'singleType') return [...shown, ...variants(type)];
  return [...shown, ...referred('filters', 'sort', 'search', 'pagination'), ...variants(type)];
}
