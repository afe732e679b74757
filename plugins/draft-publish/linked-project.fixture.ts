// For tests: a small project in which documents with and without versions and locales link each other in every way.

export interface Link {
  readonly to: string;
  readonly many: boolean;
  /** The attribute of the target that shows the same link; there is none for one-way links. */
  readonly inverse?: string;
  readonly definition: object;
}

const one = (form: 'oneToOne' | 'manyToOne', to: string, inverse?: string, owns = true): Link =>
  link(form, to, false, inverse, owns);
const many = (form: 'oneToMany' | 'manyToMany', to: string, inverse?: string, owns = true): Link =>
  link(form, to, true, inverse, owns);

function link(form: string, to: string, isMany: boolean, inverse: string | undefined, owns: boolean): Link {
  const side = inverse === undefined ? {} : { [owns ? 'inversedBy' : 'mappedBy']: inverse };
  return {
    to,
    many: isMany,
    inverse,
    definition: { type: 'relation', relation: form, target: `api::${to}.${to}`, ...side },
  };
}

export interface PartSlot {
  readonly many: boolean;
  readonly uids: readonly string[];
  readonly definition: object;
}

export interface Shape {
  readonly links: Readonly<Record<string, Link>>;
  readonly parts: Readonly<Record<string, PartSlot>>;
}

export interface DocumentShape extends Shape {
  readonly hasDrafts: boolean;
  readonly isLocalized: boolean;
}

const perLocale = { pluginOptions: { i18n: { localized: true } } };
const component = (uid: string, isMany: boolean, options: object = {}): PartSlot => ({
  many: isMany,
  uids: [uid],
  definition: { type: 'component', component: uid, ...(isMany && { repeatable: true }), ...options },
});

const cardsAndDecks: PartSlot = {
  many: true,
  uids: ['part.card', 'part.deck'],
  definition: { type: 'dynamiczone', components: ['part.card', 'part.deck'] },
};

export const documentShapes: Readonly<Record<string, DocumentShape>> = {
  paper: {
    hasDrafts: true,
    isLocalized: false,
    links: {
      author: one('manyToOne', 'person', 'papers'),
      next: many('oneToMany', 'paper'),
      pair: one('oneToOne', 'paper', 'paired'),
      paired: one('oneToOne', 'paper', 'pair', false),
      cites: many('manyToMany', 'paper', 'citedBy'),
      citedBy: many('manyToMany', 'paper', 'cites', false),
      topics: many('oneToMany', 'topic'),
      main: one('oneToOne', 'topic'),
    },
    parts: {
      card: component('part.card', false),
      zone: cardsAndDecks,
    },
  },
  note: {
    hasDrafts: true,
    isLocalized: true,
    links: {
      topics: many('manyToMany', 'topic', 'notes'),
      lead: one('oneToOne', 'topic'),
      labels: many('oneToMany', 'label'),
    },
    parts: {
      mentions: component('part.mention', true, perLocale),
      facts: component('part.mention', true),
    },
  },
  topic: {
    hasDrafts: true,
    isLocalized: true,
    links: { notes: many('manyToMany', 'note', 'topics', false) },
    parts: {},
  },
  label: {
    hasDrafts: false,
    isLocalized: true,
    links: { kin: many('oneToMany', 'label') },
    parts: { mentions: component('part.mention', true, perLocale) },
  },
  person: {
    hasDrafts: false,
    isLocalized: false,
    links: { papers: many('oneToMany', 'paper', 'author', false), favourites: many('oneToMany', 'paper') },
    parts: { cards: component('part.card', true), zone: cardsAndDecks },
  },
};

export const partShapes: Readonly<Record<string, Shape>> = {
  'part.card': { links: { about: one('oneToOne', 'paper'), sources: many('oneToMany', 'paper') }, parts: {} },
  'part.deck': { links: {}, parts: { cards: component('part.card', true) } },
  'part.mention': { links: { topic: one('oneToOne', 'topic') }, parts: {} },
};

const definitionsOf = ({ links, parts }: Shape): object =>
  Object.fromEntries(
    [...Object.entries(links), ...Object.entries(parts)].map(([name, { definition }]) => [name, definition]),
  );

/** Titles are asked for when something is published; codes are the same in all locales. */
const valuesOf = ({ hasDrafts, isLocalized }: DocumentShape): object => ({
  title: { type: 'string', ...(hasDrafts && { required: true }), ...(isLocalized && perLocale) },
  code: { type: 'string' },
});

/** The project as files. */
export function projectFiles(): Record<string, object> {
  const files: Record<string, object> = {};
  for (const [name, shape] of Object.entries(documentShapes)) {
    files[`src/api/${name}/content-types/${name}/schema.json`] = {
      kind: 'collectionType',
      collectionName: `${name}s`,
      info: { singularName: name, pluralName: `${name}s`, displayName: name },
      options: { draftAndPublish: shape.hasDrafts },
      pluginOptions: shape.isLocalized ? { i18n: { localized: true } } : {},
      attributes: { ...valuesOf(shape), ...definitionsOf(shape) },
    };
  }
  for (const [uid, shape] of Object.entries(partShapes)) {
    const name = uid.slice('part.'.length);
    files[`src/components/part/${name}.json`] = {
      collectionName: `components_part_${name}s`,
      info: { displayName: name },
      attributes: { text: { type: 'string' }, ...definitionsOf(shape) },
    };
  }
  return files;
}
