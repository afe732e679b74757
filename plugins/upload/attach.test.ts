import { DOCUMENTS } from '../../core';
import { pluginOf } from '../../core/testing/test-application';
import { LOCALES } from '../i18n';
import { everyone, openUploadApp, type UploadApp } from './upload-app.fixture';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

type Shown = Record<string, unknown>;

let app: UploadApp;
afterEach(() => app.remove());

const text = (name: string, bytes = 'hello') => ({ name, bytes });

describe('documents', () => {
  const granted: string[] = [];
  const some = pluginOf('some', ({ hooks }) =>
    hooks.http.authorize.tap('some', ({ action }) => granted.some((name) => action.startsWith(name))),
  );

  beforeEach(async () => {
    granted.splice(0, granted.length, 'plugin::upload', 'api::');
    app = await openUploadApp({}, { plugins: [some] });
  });

  const shot = async () => {
    const { body } = await app.request<{ data: Shown }>('POST', '/api/shots?status=draft', { data: { title: 'x' } });
    return body.data;
  };
  const shownOf = async ({ documentId }: Shown) =>
    (await app.request<{ data: Shown }>('GET', `/api/shots/${documentId}?status=draft&populate=*`)).body.data;

  test('files are attached to the document that a form names, once it may be changed', async () => {
    const draft = await shot();
    const ref = { ref: 'api::shot.shot', refId: String(draft['id']), field: 'album' };
    await app.send([text('a.txt'), text('b.txt')], ref);
    await app.send([text('c.txt')], ref);
    expect((await shownOf(draft))['album']).toMatchObject([{ name: 'a.txt' }, { name: 'b.txt' }, { name: 'c.txt' }]);
    granted.splice(1, 1, 'api::shot.shot.find');
    expect((await app.send([text('d.txt')], ref)).status).toBe(403);
    expect((await shownOf(draft))['album']).toHaveLength(3);
    expect(await app.mismatches()).toEqual([]);
    expect(app.kept()).toHaveLength(3);
  });

  test.each([
    [{ ref: 'api::shot.shot', refId: 'ID', field: 'cover' }, 400],
    [{ ref: 'api::none.none', refId: 'ID', field: 'cover' }, 400],
    [{ ref: 'api::shot.shot', refId: "1' or 1=1", field: 'album' }, 400],
    [{ ref: '__proto__', refId: 'ID', field: 'album' }, 400],
  ])('%j is refused, and no file stays', async (fields, status) => {
    const draft = await shot();
    const answer = await app.send([text('a.txt')], {
      ...fields,
      refId: fields.refId.replace('ID', String(draft['id'])),
    });
    expect(answer.status).toBe(status);
    expect(app.kept()).toEqual([]);
    await app.quiet();
  });

  test('where there is no such document or attribute, files belong to nothing', async () => {
    for (const more of [
      { refId: '9999', field: 'album' },
      { refId: '1', field: 'title' },
      { refId: '1', field: '__proto__' },
    ])
      expect((await app.send([text('a.txt')], { ref: 'api::shot.shot', ...more })).status).toBe(201);
    expect(await app.mismatches()).toEqual([]);
  });

  test('a file that is removed is gone from its documents', async () => {
    const draft = await shot();
    const { body } = await app.send([text('a.txt')], {
      ref: 'api::shot.shot',
      refId: String(draft['id']),
      field: 'album',
    });
    await app.request('DELETE', `/api/upload/files/${body[0]!['id']}`);
    expect((await shownOf(draft))['album']).toEqual([]);
    expect(app.kept()).toEqual([]);
  });
});

describe('documents in locales', () => {
  const localized = { pluginOptions: { i18n: { localized: true } } };
  const project = {
    'src/api/story/content-types/story/schema.json': {
      info: { singularName: 'story', pluralName: 'stories', displayName: 'story' },
      options: { draftAndPublish: true },
      ...localized,
      attributes: {
        title: { type: 'string', ...localized },
        album: { type: 'media', multiple: true },
        own: { type: 'media', ...localized },
      },
    },
  };

  test('files are attached in all locales where these share the attribute', async () => {
    app = await openUploadApp({}, { project });
    await app.app.kernel.services.get(LOCALES).add({ code: 'fr', name: 'French (fr)' });
    const send = async (method: string, path: string, data: object) =>
      (await app.request<{ data: Shown }>(method, path, { data })).body.data;
    const english = await send('POST', '/api/stories?status=draft', { title: 'a' });
    const path = `/api/stories/${english['documentId']}`;
    const french = await send('PUT', `${path}?status=draft&locale=fr`, { title: 'b' });
    const attach = (story: Shown, field: string, name: string) =>
      app.send([text(name)], { ref: 'api::story.story', refId: String(story['id']), field });
    await attach(english, 'album', 'a.txt');
    await attach(french, 'album', 'b.txt');
    await attach(french, 'own', 'c.txt');
    await send('PUT', `${path}?status=draft&locale=fr`, { title: 'c' });
    for (const [locale, own] of Object.entries({ en: null, fr: { name: 'c.txt' } })) {
      const { body } = await app.request<{ data: Shown }>('GET', `${path}?status=draft&populate=*&locale=${locale}`);
      expect(body.data).toMatchObject({ album: [{ name: 'a.txt' }, { name: 'b.txt' }], own });
    }
  });

  const market = pluginOf('market', ({ hooks }) =>
    hooks.content.dimensions.tap('market', (dimensions) =>
      dimensions.add('market', {
        name: 'market',
        attribute: { name: 'market', definition: { type: 'string' } },
        extends: true,
        appliesTo: ({ uid }) => uid === 'api::story.story',
        choose: (given) => ({ is: given === undefined ? 'us' : String(given) }),
      }),
    ),
  );

  test('but not in what differs otherwise', async () => {
    app = await openUploadApp({}, { project, plugins: [everyone, market] });
    await app.app.kernel.services.get(LOCALES).add({ code: 'fr', name: 'French (fr)' });
    const documents = app.app.kernel.services.get(DOCUMENTS).of('api::story.story');
    const at = (variant: object) => ({ parameters: { status: 'draft', ...variant }, populate: 'album' });
    const us = await documents.create({ title: 'a' }, at({}));
    const id = String(us['documentId']);
    await documents.update(id, { title: 'b' }, at({ locale: 'fr' }));
    await documents.update(id, { title: 'c' }, at({ market: 'eu' }));
    const ref = { ref: 'api::story.story', refId: String(us['id']), field: 'album' };
    expect((await app.send([text('a.txt')], ref)).status).toBe(201);
    const albums = [{}, { locale: 'fr' }, { market: 'eu' }].map(async (variant) => {
      const shown = await documents.findOne(id, at(variant));
      return (shown!['album'] as unknown[] | null)?.length ?? 0;
    });
    expect(await Promise.all(albums)).toEqual([1, 1, 0]);
  });
});
