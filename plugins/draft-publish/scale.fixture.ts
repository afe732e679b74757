import type { Documents } from '../../core';

// For tests: documents with much in them, and much that leads to them.

const parts = 30;
const levels = 5;

const range = (length: number): number[] => Array.from({ length }, (_, at) => at);

const relation = (form: string, target: string, rest: object = {}) => ({
  type: 'relation',
  relation: form,
  target: `api::${target}.${target}`,
  ...rest,
});

const typeFile = (name: string, attributes: object): [string, object] => [
  `src/api/${name}/content-types/${name}/schema.json`,
  {
    kind: 'collectionType',
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options: { draftAndPublish: true },
    attributes: { name: { type: 'string' }, ...attributes },
  },
];
const partFile = (name: string, attributes: object): [string, object] => [
  `src/components/part/${name}.json`,
  { collectionName: `components_part_${name}s`, info: { displayName: name }, attributes },
];

/** A page has a zone of thirty components, links in one and in two directions, and components in five levels. */
export const scaleFiles = (): Record<string, object> =>
  Object.fromEntries([
    typeFile('page', {
      links: relation('manyToMany', 'leaf', { inversedBy: 'pages' }),
      marks: relation('oneToMany', 'leaf'),
      nest: { type: 'component', component: 'part.level1', repeatable: true },
      zone: { type: 'dynamiczone', components: range(parts).map((at) => `part.block${at}`) },
    }),
    typeFile('leaf', { pages: relation('manyToMany', 'page', { mappedBy: 'links' }) }),
    ...range(parts).map((at) =>
      partFile(`block${at}`, { text: { type: 'string' }, leaf: relation('oneToOne', 'leaf') }),
    ),
    ...range(levels).map((at) =>
      partFile(`level${at + 1}`, {
        name: { type: 'string' },
        leaf: relation('oneToOne', 'leaf'),
        ...(at + 1 < levels && { nest: { type: 'component', component: `part.level${at + 2}`, repeatable: true } }),
      }),
    ),
  ]);

export interface Sizes {
  /** Relations in each of two attributes. */
  readonly links: number;
  /** Entries of the zone, of thirty components in turn. */
  readonly zone: number;
  /** Components of the first level, each with one of the next inside, down to the fifth. */
  readonly nests: number;
}

export interface Content {
  readonly leaves: readonly string[];
  body(sizes: Sizes): Record<string, unknown>;
}

/** As many leaves as a page may link, and pages' bodies made of them. */
export async function makeLeaves(documents: Documents, count: number): Promise<Content> {
  const leaves: string[] = [];
  for (const at of range(count))
    leaves.push(String((await documents.of('api::leaf.leaf').create({ name: `l${at}` }))['documentId']));
  const leafAt = (at: number): string => leaves[at % leaves.length]!;
  const nestOf = (level: number, at: number): object => ({
    name: `n${level}`,
    leaf: leafAt(at + level),
    ...(level < levels && { nest: [nestOf(level + 1, at)] }),
  });
  return {
    leaves,
    body: ({ links, zone, nests }) => ({
      name: 'page',
      links: range(links).map(leafAt),
      marks: range(links).map(leafAt),
      zone: range(zone).map((at) => ({ __component: `part.block${at % parts}`, text: `t${at}`, leaf: leafAt(at) })),
      nest: range(nests).map((at) => nestOf(1, at)),
    }),
  };
}
