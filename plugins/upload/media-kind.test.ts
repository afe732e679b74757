import { valuesIn } from '../../core';
import draftPublish from '../draft-publish';
import i18n from '../i18n';
import rest from '../rest';
import { watchStatements } from '../sql/store/database-app.fixture';
import { type LinkedApp, openLinkedApp } from '../sql/store/linked-app.fixture';
import upload from '.';
import { fileUid } from './content-types';
import { sortOf } from './media-kind';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

const localized = { i18n: { localized: true } };
const info = (name: string) => ({ singularName: name, pluralName: `${name}s`, displayName: name });
const files = {
  'config/plugins.ts': "export default { i18n: { config: { locales: ['en', 'fr', 'de'] } } };",
  'src/api/shot/content-types/shot/schema.json': {
    info: info('shot'),
    options: { draftAndPublish: true },
    pluginOptions: localized,
    attributes: {
      title: { type: 'string', pluginOptions: localized },
      cover: { type: 'media', allowedTypes: ['images'], pluginOptions: localized },
      album: { type: 'media', multiple: true, pluginOptions: localized },
      logo: { type: 'media' },
      marks: { type: 'media', multiple: true },
      frame: { type: 'component', component: 'part.frame', pluginOptions: localized },
    },
  },
  'src/components/part/frame.json': {
    info: info('frame'),
    attributes: { text: { type: 'string' }, picture: { type: 'media', allowedTypes: ['images', 'videos'] } },
  },
};

let app: LinkedApp;
const ids: Record<string, number> = {};

beforeAll(async () => {
  app = await openLinkedApp(files, [draftPublish, i18n, rest, upload]);
  for (const [name, mime] of Object.entries({
    a: 'image/png',
    b: 'image/gif',
    c: 'image/webp',
    text: 'text/plain',
    told: 'image/png',
  })) {
    const url = `/uploads/${name}`;
    const file = { name, mime, hash: name, size: 1, url, provider: 'local', folderPath: '/' };
    ids[name] = Number((await app.documents.of(fileUid).create(file))['id']);
  }
});
afterAll(() => app.remove());

const shots = () => app.documents.of('api::shot.shot');
const nameOf = (value: unknown): unknown => (value as { name?: string } | null)?.name ?? null;
const namesIn = (value: unknown): unknown[] => (value as unknown[]).map(nameOf);

async function shown(documentId: string, parameters = {}): Promise<Record<string, unknown>> {
  const shot = (await shots().findOne(documentId, { populate: '*', parameters }))!;
  return {
    cover: nameOf(shot['cover']),
    album: namesIn(shot['album']),
    logo: nameOf(shot['logo']),
    marks: namesIn(shot['marks']),
  };
}

async function created(data: object): Promise<string> {
  return String((await shots().create(data as Record<string, unknown>))['documentId']);
}

async function tiesKept(): Promise<number> {
  return Number((await app.database.rows({ sql: 'select count(*) from files_related_mph' }, []))[0]![0]);
}

test('what is attached is kept in order, and named by number, text, object or document', async () => {
  const { a, b, c } = ids;
  const id = await created({ title: 'x', cover: a, album: [String(c), { id: a }, b] });
  expect(await shown(id)).toMatchObject({ cover: 'a', album: ['c', 'a', 'b'] });
  const steps: [unknown, string[]][] = [
    [{ connect: [c] }, ['a', 'b', 'c']],
    [{ disconnect: [{ id: b }] }, ['a', 'c']],
    [{ connect: [b, b], disconnect: [a] }, ['c', 'b']],
    [{ set: [a, c] }, ['a', 'c']],
    [{ connect: [{ id: b, position: { start: true } }] }, ['a', 'c', 'b']],
    [b, ['b']],
    [{}, []],
    [[a, a], ['a']],
    [null, []],
  ];
  for (const [album, names] of steps) {
    await shots().update(id, { album });
    expect(await shown(id)).toMatchObject({ cover: 'a', album: names });
  }
  await shots().update(id, { cover: { connect: [b] } });
  expect(await shown(id)).toMatchObject({ cover: 'a' });
  await shots().update(id, { cover: [b, a] });
  expect(await shown(id)).toMatchObject({ cover: 'b' });
});

test('files of a sort that the attribute does not take are refused wherever it stands', async () => {
  const cover = { cover: ids['text'] };
  await expect(shots().create(cover)).rejects.toThrow(
    `cover takes images only, and file ${ids['text']} is of the sort files`,
  );
  await expect(shots().create({ frame: { picture: { connect: [ids['text']] } } })).rejects.toThrow(
    `frame.picture takes images, videos only`,
  );
  await expect(shots().create(cover, { parameters: { status: 'draft' } })).rejects.toThrow('cover takes images only');
  await expect(shots().create({ album: [999_999] })).rejects.toThrow(
    '1 relation(s) of type plugin::upload.file associated with this entity do not exist',
  );
  expect([sortOf('video/mp4'), sortOf('audio/ogg'), sortOf('application/pdf'), sortOf('')]).toEqual([
    'videos',
    'audios',
    'files',
    'files',
  ]);
});

test('versions have attachments of their own, and publishing copies them', async () => {
  const { a, b, c } = ids;
  const id = await created({ cover: a, album: [a, b], frame: { picture: c } });
  await shots().update(id, { cover: null, album: [c, b, a] }, { parameters: { status: 'draft' } });
  expect(await shown(id)).toMatchObject({ cover: 'a', album: ['a', 'b'] });
  expect(await shown(id, { status: 'draft' })).toMatchObject({ cover: null, album: ['c', 'b', 'a'] });
  await shots().update(id, {});
  expect(await shown(id)).toMatchObject({ cover: null, album: ['c', 'b', 'a'] });
  const { frame } = (await shots().findOne(id, { populate: 'frame.picture' }))!;
  expect(nameOf((frame as { picture: unknown }).picture)).toBe('c');
});

test('what is not localized is the same in all locales, of the version that is written', async () => {
  const { a, b, c } = ids;
  const id = await created({ logo: a, marks: [a, b], cover: a });
  const french = { parameters: { locale: 'fr' } };
  await shots().update(id, { title: 'x' }, french);
  expect(await shown(id, { locale: 'fr' })).toEqual({ cover: null, album: [], logo: 'a', marks: ['a', 'b'] });
  await shots().update(id, { logo: null, marks: [b, c] }, french);
  expect(await shown(id)).toEqual({ cover: 'a', album: [], logo: null, marks: ['b', 'c'] });
  await shots().update(id, { marks: [a] }, { parameters: { locale: 'de', status: 'draft' } });
  expect(await shown(id, { status: 'draft' })).toMatchObject({ marks: ['a'] });
  expect(await shown(id)).toMatchObject({ marks: ['b', 'c'] });
});

test('deleting a document leaves no link behind, and its files alone', async () => {
  const before = await tiesKept();
  const { a, b } = ids;
  const id = await created({ cover: a, album: [a, b], frame: { picture: a } });
  expect(await tiesKept()).toBe(before + 8);
  await shots().update(id, { frame: { picture: b } });
  expect(await tiesKept()).toBe(before + 8);
  await shots().delete(id, { parameters: { locale: '*' } });
  expect(await tiesKept()).toBe(before);
  expect(await app.documents.of(fileUid).find()).toHaveLength(5);
});

test('conditions and orders look at files, but not at what is hidden of them or what they are attached to', async () => {
  const id = await created({ title: 'only', cover: ids['b'], album: [ids['text'], ids['c']] });
  const found = async (filters: object): Promise<unknown[]> =>
    (await shots().find({ filters: { title: 'only', ...filters } })).map(({ documentId }) => documentId);
  expect(await found({ cover: { name: 'b' } })).toEqual([id]);
  expect(await found({ album: { mime: { $startsWith: 'text' } } })).toEqual([id]);
  expect(await found({ album: { name: 'a' } })).toEqual([]);
  expect(await found({ logo: { $null: true } })).toEqual([id]);
  await expect(found({ cover: { folderPath: '/' } })).rejects.toThrow('Invalid key folderPath at cover.folderPath');
  await expect(found({ cover: { related: 1 } })).rejects.toThrow('Invalid key related at cover.related');
});

test('everything with all that is attached is one statement', async () => {
  await created({ cover: ids['a'], album: [ids['a'], ids['b']], frame: { picture: ids['c'] } });
  const statements: string[] = [];
  const stop = watchStatements(app.database, (sql) => void statements.push(sql));
  await shots().find({ populate: '*' });
  await shots().find({ populate: { frame: { populate: '*' }, album: { populate: 'related' } } });
  stop();
  expect(statements).toHaveLength(2);
});

test('a file tells what of it can be seen: documents that the caller may read, in the versions that are shown', async () => {
  const id = await created({ title: 'told', cover: ids['told'] });
  await created({ frame: { picture: ids['told'] } });
  const related = async (parameters: object, may?: (action: string) => boolean): Promise<unknown> => {
    const type = app.registry.get('api::shot.shot');
    const populate = { cover: { populate: { related: { on: { 'api::shot.shot': { fields: 'title' } } } } } };
    const query = { populate, parameters: { ...parameters } };
    const operation = { action: 'findOne', type, documentId: id, rights: may ? 'none' : 'all', may, query };
    const [shot] = valuesIn<{ cover: { related: object[] } }>(await app.documents.read(operation));
    return shot!.cover.related.map((each) => ({ ...each, id: 0, documentId: '' }));
  };
  const told = [{ id: 0, documentId: '', title: 'told', __type: 'api::shot.shot' }];
  expect(await related({})).toEqual(told);
  expect(await related({ status: 'draft' })).toEqual(expect.arrayContaining(told));
  expect(await related({}, (action) => action !== 'api::shot.shot.find')).toEqual([]);
});
