import type { Json, Row, Step } from '../runner/row';
import { isList, isPopulated, isPrivate, isSecret, kindOf } from './kinds';
import type { ContentType } from './schemas';

/** What a target keeps of a type, as far as a look tells. */
export interface Look {
  status: number;
  /** The first document by id, where there is one. */
  sample?: Record<string, Json>;
  total: number;
}

export type DerivedRow = Omit<Row, 'area' | 'source' | 'needs'>;

type Query = Record<string, string | number | boolean>;
const get = (path: string, query: Query, body: Json): Step => ({
  request: { method: 'GET', path, query },
  expect: { status: 200, type: 'application/json', body },
});
const listOf = (data: Json): Json => ({ $partial: { data } });
const noneOr = (item: Json): Json => ({ $anyOf: [[], { $each: item }] });
const invalid: Json = { data: null, error: { $partial: { status: 400, name: 'ValidationError' } } };
const refused = (path: string, query: Query): Step => ({
  request: { method: 'GET', path, query },
  expect: { status: 400, type: 'application/json', body: invalid },
});

/** What any document of a type looks like where nothing is populated. */
export function shapeOf(type: ContentType): Json {
  const shape: Record<string, Json> = {
    id: '$integer',
    documentId: '$string',
    createdAt: '$iso',
    updatedAt: '$iso',
    publishedAt: { $anyOf: ['$iso', null] },
  };
  if (type.isLocalized) shape['locale'] = { $anyOf: ['$string', null] };
  for (const [name, attribute] of Object.entries(type.attributes)) {
    const kind = kindOf(attribute);
    if (isSecret(attribute) || isPopulated(attribute)) shape[name] = { $absent: true };
    else if (kind) shape[name] = { $anyOf: [kind.looksLike, null] };
  }
  return { $partial: shape };
}

/** Only what a query string can say as it stands, and a template leaves alone. */
const isPlain = (value: Json | undefined): value is string | number | boolean =>
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && value.length > 0 && value.length < 200 && !value.includes('{{'));

function filterRows({ name, path, attributes }: ContentType, sample: Record<string, Json>): DerivedRow[] {
  return Object.entries(attributes).flatMap(([key, attribute]): DerivedRow[] => {
    const value = sample[key];
    if (isPrivate(attribute) || !kindOf(attribute)?.filters || !isPlain(value)) return [];
    const without = noneOr({ $partial: { [key]: { $not: { $is: value } } } });
    return [
      {
        id: `own.${name}.filter.${key}`,
        title: `${name}: a filter on ${key} finds what has the value, and its contrary nothing that has it`,
        level: 'MUST',
        rules: ['spec.filters.op.eq', 'spec.filters.op.ne'],
        steps: [
          get(path, { [`filters[${key}][$eq]`]: value }, listOf({ $each: { $partial: { [key]: { $is: value } } } })),
          get(path, { [`filters[${key}][$ne]`]: value }, listOf(without)),
          get(path, { [`filters[${key}][$null]`]: true }, listOf(noneOr({ $partial: { [key]: null } }))),
        ],
      },
    ];
  });
}

function sortRows({ name, path, attributes }: ContentType): DerivedRow[] {
  const keys = Object.entries(attributes).filter(([, attribute]) => !isPrivate(attribute) && kindOf(attribute)?.sorts);
  return ['id', 'createdAt', ...keys.map(([key]) => key)].map((key) => ({
    id: `own.${name}.sort.${key}`,
    title: `${name}: sorts by ${key}, up and down`,
    level: 'MUST',
    rules: ['spec.sort.1a', 'spec.sort.2'],
    steps: [
      get(path, { sort: key }, listOf({ $sorted: `${key}:asc` })),
      get(path, { sort: `${key}:desc` }, listOf({ $sorted: `${key}:desc` })),
    ],
  }));
}

function secretRows({ name, path, attributes }: ContentType): DerivedRow[] {
  const secrets = Object.entries(attributes).filter(([, attribute]) => isSecret(attribute));
  return secrets.map(([key]) => ({
    id: `own.${name}.secret.${key}`,
    title: `${name}: nothing can be found out about ${key} by filters and sorts`,
    level: 'MUST',
    rules: ['spec.filters.p1'],
    steps: [refused(path, { [`filters[${key}][$startsWith]`]: 'a' }), refused(path, { sort: key })],
  }));
}

function populateRow({ name, path, attributes }: ContentType): DerivedRow[] {
  const keys = Object.entries(attributes).filter(([, attribute]) => isPopulated(attribute) && !isPrivate(attribute));
  if (keys.length === 0) return [];
  const steps = keys.map(([key, attribute]) => {
    const form: Json = isList(attribute)
      ? { $anyOf: [[], { $each: { $partial: {} } }] }
      : { $anyOf: [{ $partial: {} }, null] };
    // Relations to what may not be read are left out.
    const populated: Json = attribute.type === 'relation' ? { $anyOf: [form, { $absent: true }] } : form;
    const query: Query = { 'populate[0]': key, 'pagination[pageSize]': 5 };
    return get(path, query, listOf({ $each: { $partial: { [key]: populated } } }));
  });
  return [
    {
      id: `own.${name}.populate`,
      title: `${name}: populates what it is asked to`,
      level: 'MUST',
      rules: ['spec.populate.1a'],
      steps,
    },
  ];
}

/** Rows that only read, for a collection type whose list may be read. */
export function collectionRows(type: ContentType, { sample, total }: Look): DerivedRow[] {
  const { name, path } = type;
  const pagination = (page: Json): Json => ({ pagination: page });
  const base: DerivedRow[] = [
    {
      id: `own.${name}.list`,
      title: `${name}: the list has an envelope with its pages, and documents as the schema has them`,
      level: 'MUST',
      rules: ['spec.collection.list'],
      steps: [
        get(
          path,
          { 'pagination[pageSize]': 5 },
          {
            data: sample ? { $each: shapeOf(type) } : [],
            meta: pagination({ page: 1, pageSize: 5, pageCount: '$integer', total: '$integer' }),
          },
        ),
      ],
    },
    {
      id: `own.${name}.unknown`,
      title: `${name}: what is not there is refused: documents, and keys of filters and sorts`,
      level: 'SHOULD',
      rules: ['spec.envelope.error'],
      steps: [
        {
          request: { method: 'GET', path: `${path}/{{row}}` },
          expect: { status: 404, body: { data: null, error: { $partial: { status: 404, name: 'NotFoundError' } } } },
        },
        refused(path, { 'filters[{{row}}][$eq]': 1 }),
        refused(path, { sort: '{{row}}' }),
      ],
    },
    ...sortRows(type),
    ...secretRows(type),
  ];
  if (!sample) return base;
  const documentId = sample['documentId'] as string;
  const others = { $each: { $partial: { documentId: { $not: { $is: documentId } } } } };
  const pages: DerivedRow = {
    id: `own.${name}.pages`,
    title: `${name}: the second page begins behind the first`,
    level: 'MUST',
    rules: ['spec.pagination.page'],
    steps: [
      get(
        path,
        { sort: 'id', 'pagination[page]': 2, 'pagination[pageSize]': 1 },
        {
          data: { $all: [{ $length: 1 }, others] },
          meta: pagination({ $partial: { page: 2, pageSize: 1 } }),
        },
      ),
      get(
        path,
        { sort: 'id', 'pagination[start]': 1, 'pagination[limit]': 1 },
        {
          data: { $all: [{ $length: 1 }, others] },
          meta: pagination({ $partial: { start: 1, limit: 1 } }),
        },
      ),
    ],
  };
  return [
    ...base,
    {
      id: `own.${name}.one`,
      title: `${name}: a document is read by its documentId, alone and in fields`,
      level: 'MUST',
      rules: ['spec.collection.one', 'spec.fields.1'],
      steps: [
        get(
          `${path}/${documentId}`,
          {},
          { data: { $all: [shapeOf(type), { $partial: { documentId: { $is: documentId } } }] }, meta: {} },
        ),
        get(
          `${path}/${documentId}`,
          { fields: 'updatedAt' },
          {
            data: { $partial: { documentId: { $is: documentId }, updatedAt: '$iso', createdAt: { $absent: true } } },
            meta: {},
          },
        ),
      ],
    },
    ...(total > 1 ? [pages] : []),
    ...filterRows(type, sample),
    ...populateRow(type),
    ...(type.hasDrafts ? [draftsRow(type)] : []),
  ];
}

const draftsRow = ({ name, path }: ContentType): DerivedRow => ({
  id: `own.${name}.drafts`,
  title: `${name}: drafts have no publishedAt, what is published has`,
  level: 'MUST',
  rules: ['spec.status.2.draft', 'spec.status.2.published'],
  steps: [
    get(path, { status: 'draft', 'pagination[pageSize]': 5 }, listOf(noneOr({ $partial: { publishedAt: null } }))),
    get(
      path,
      { status: 'published', 'pagination[pageSize]': 5 },
      listOf(noneOr({ $partial: { publishedAt: '$iso' } })),
    ),
  ],
});

/** A single type is there or it is not, and says so. */
export const singleRows = (type: ContentType, { sample }: Look): DerivedRow[] => [
  {
    id: `own.${type.name}.single`,
    title: `${type.name}: the single type is as the schema has it, or not there`,
    level: 'MUST',
    rules: ['spec.single.read'],
    steps: [
      sample
        ? get(type.path, {}, { data: shapeOf(type), meta: {} })
        : { request: { method: 'GET', path: type.path }, expect: { status: 404, body: { data: null, error: '$any' } } },
    ],
  },
];
