/** Column values as JSON shows them; SQLite keeps moments as milliseconds, truths as 1 and 0. */
const moment = (value: unknown): string | null => (value === null ? null : new Date(value as number).toISOString());
const truth = (value: unknown): boolean | null => (value === null ? null : value === 1);
const text = (value: unknown): string | null => (value === null ? null : String(value));
const parsed = (value: unknown): unknown => (value === null ? null : JSON.parse(value as string));

export type Row = Record<string, unknown>;

const times = (row: Row) => ({
  createdAt: moment(row['created_at']),
  updatedAt: moment(row['updated_at']),
  publishedAt: moment(row['published_at']),
});

export const article = (row: Row) => ({
  id: row['id'],
  documentId: row['document_id'],
  title: row['title'],
  slug: row['slug'],
  summary: row['summary'],
  body: row['body'],
  content: parsed(row['content']),
  kind: row['kind'],
  contact: row['contact'],
  day: row['day'],
  hour: row['hour'],
  at: moment(row['at']),
  stamp: text(row['stamp']),
  rating: row['rating'],
  views: text(row['views']),
  score: row['score'],
  price: row['price'],
  featured: truth(row['featured']),
  extra: parsed(row['extra']),
  ...times(row),
});

export const author = (row: Row) => ({
  id: row['id'],
  documentId: row['document_id'],
  name: row['name'],
  email: row['email'],
  bio: row['bio'],
  born: row['born'],
  active: truth(row['active']),
  ...times(row),
});

export const category = (row: Row) => ({
  id: row['id'],
  documentId: row['document_id'],
  name: row['name'],
  description: row['description'],
  code: row['code'],
  position: row['position'],
  ...times(row),
  locale: row['locale'],
});

export const tag = (row: Row) => ({
  id: row['id'],
  documentId: row['document_id'],
  label: row['label'],
  color: row['color'],
  weight: row['weight'],
  ...times(row),
});

export const seo = (row: Row) => ({
  id: row['id'],
  metaTitle: row['meta_title'],
  metaDescription: row['meta_description'],
  noIndex: truth(row['no_index']),
});

export const section = (row: Row) => ({
  id: row['id'],
  heading: row['heading'],
  text: row['text'],
  position: row['position'],
});

export const file = (row: Row) => ({
  id: row['id'],
  documentId: row['document_id'],
  name: row['name'],
  alternativeText: row['alternative_text'],
  caption: row['caption'],
  focalPoint: parsed(row['focal_point']),
  width: row['width'],
  height: row['height'],
  formats: parsed(row['formats']),
  hash: row['hash'],
  ext: row['ext'],
  mime: row['mime'],
  size: row['size'],
  url: row['url'],
  previewUrl: row['preview_url'],
  provider: row['provider'],
  provider_metadata: parsed(row['provider_metadata']),
  ...times(row),
});

export const blocks: Readonly<Record<string, (row: Row) => object>> = {
  'blocks.hero': (row) => ({ id: row['id'], title: row['title'], __component: 'blocks.hero' }),
  'blocks.quote': (row) => ({ id: row['id'], text: row['text'], by: row['by'], __component: 'blocks.quote' }),
  'blocks.media-list': (row) => ({ id: row['id'], title: row['title'], __component: 'blocks.media-list' }),
};

export const blockTables: Readonly<Record<string, string>> = {
  'blocks.hero': 'components_blocks_heros',
  'blocks.quote': 'components_blocks_quotes',
  'blocks.media-list': 'components_blocks_media_lists',
};
