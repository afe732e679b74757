import { spawnSync } from 'node:child_process';
import type { RawConfig } from '../../core';
import { pluginOf, sends } from '../../core/testing/test-application';
import { shipped } from '../shipped';
import { fullKey, noteUid, type UsersApp, type UsersAppOptions, usersApp } from '../users-permissions/app.fixture';

async function withApp(options: UsersAppOptions, use: (app: UsersApp) => Promise<void>): Promise<void> {
  const app = await usersApp(options);
  try {
    await use(app);
  } finally {
    await app.remove();
  }
}

const configured = (config: object): RawConfig => ({ openapi: { config } }) as RawConfig;

/** The package is an ES module, which Jest does not load. */
const judge = `
  import { Validator } from '@seriousme/openapi-schema-validator';
  import { text } from 'node:stream/consumers';
  const validator = new Validator();
  const result = await validator.validate(JSON.parse(await text(process.stdin)));
  console.log(JSON.stringify({ ...result, version: validator.version }));`;

function verdictOn(document: object): unknown {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', judge], {
    cwd: __dirname,
    input: JSON.stringify(document),
    encoding: 'utf8',
  });
  if (stderr) throw new Error(stderr);
  return JSON.parse(stdout);
}

test('the description is valid OpenAPI 3.1, and describes every type', async () => {
  await withApp({}, async (app) => {
    const { body } = await app
      .get('/api/openapi.json')
      .expect(200)
      .expect('Content-Type', /application\/json/);
    expect(verdictOn(body)).toEqual({ valid: true, version: '3.1' });
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining(['/api/notes', '/api/notes/{documentId}', '/api/upload/files/{id}', '/graphql']),
    );
    expect(Object.keys(body.components.schemas)).toEqual(
      expect.arrayContaining(['Note', 'NoteInput', 'Tag', 'UploadFile', 'UsersPermissionsUser', 'Error']),
    );
    const { get } = body.paths['/api/notes'];
    expect(get).toMatchObject({ operationId: `${noteUid}.find`, security: [{ token: [] }, {}] });
    expect(get.description).toBe(`Needs the permission \`${noteUid}.find\`.`);
  });
});

test('files are described as coming in a form', async () => {
  await withApp({ files: { 'config/api.json': { rest: { prefix: '/v1' } } } }, async (app) => {
    const { body } = await app.get('/v1/openapi.json').expect(200);
    expect(verdictOn(body)).toMatchObject({ valid: true });
    const { requestBody, parameters, description, responses } = body.paths['/v1/upload'].post;
    expect(Object.keys(requestBody.content)).toEqual(['multipart/form-data', 'application/json']);
    const form = { $ref: '#/components/schemas/UploadForm' };
    expect(requestBody.content['multipart/form-data'].schema).toEqual(form);
    const { properties } = body.components.schemas.UploadForm;
    expect(Object.keys(properties)).toEqual(['files', 'fileInfo', 'ref', 'refId', 'field']);
    expect(parameters).toMatchObject([{ name: 'id', in: 'query' }]);
    expect(description).toBe('Needs the permission `plugin::upload.content-api.upload`.');
    expect(responses).toHaveProperty('2XX');
  });
});

test('what is never shown is not described as shown', async () => {
  await withApp({}, async (app) => {
    const { Note, NoteInput } = (await app.get('/api/openapi.json')).body.components.schemas;
    expect(Note.properties).not.toHaveProperty('secret');
    expect(NoteInput.properties.secret).toMatchObject({ writeOnly: true, minLength: 4 });
    expect(NoteInput.properties).not.toHaveProperty('createdAt');
  });
});

test('the validator can tell', () => {
  expect(verdictOn({ openapi: '3.1.0', info: {}, paths: {} })).toMatchObject({ valid: false });
});

test.each<[string, object, string, number, number]>([
  ['outside production everybody may read and browse', {}, 'development', 200, 200],
  ['in production nobody may read, and there is no page', {}, 'production', 403, 404],
  ['public opens it in production', { public: true }, 'production', 200, 404],
  ['it can be private anywhere', { public: false }, 'development', 403, 200],
  ['the page can be there in production', { page: true }, 'production', 403, 200],
  ['and gone elsewhere', { page: false }, 'development', 200, 404],
])('%s', async (_what, config, NODE_ENV, read, browsed) => {
  await withApp({ plugins: configured(config), env: { NODE_ENV } }, async (app) => {
    expect((await app.get('/api/openapi.json')).status).toBe(read);
    expect((await app.get('/api/openapi')).status).toBe(browsed);
    expect((await app.get('/api/openapi/page.js')).status).toBe(browsed);
    expect((await app.get('/api/openapi.json', fullKey)).status).toBe(200);
  });
});

test('where it is private, it can be granted', async () => {
  await withApp({ env: { NODE_ENV: 'production' } }, async (app) => {
    await app.grant(['plugin::openapi.description.find']);
    await app.get('/api/openapi.json').expect(200);
  });
});

test('the page needs nothing from elsewhere, and no wider policy than others', async () => {
  await withApp({}, async (app) => {
    const page = await app.get('/api/openapi').expect('Content-Type', /html/);
    expect(page.text).toContain('<base href="/api/openapi/">');
    expect(page.text).not.toMatch(/https?:\/\//);
    const usual = await app.get('/api/tags');
    expect(page.headers['content-security-policy']).toBe(usual.headers['content-security-policy']);
    for (const [file, type] of [
      ['page.js', /javascript/],
      ['page.css', /css/],
    ] as const)
      await app.get(`/api/openapi/${file}`).expect(200).expect('Content-Type', type);
    await app.get('/api/openapi/../../package.json').expect(404);
  });
});

test('it follows the prefix, and says what it was told of itself', async () => {
  const options = configured({ info: { title: 'Shop', version: '2', description: 'What we sell.' } });
  const files = { 'config/api.json': { rest: { prefix: '/v1' } } };
  await withApp({ plugins: options, files }, async (app) => {
    const { body } = await app.get('/v1/openapi.json').expect(200);
    expect(body.info).toEqual({ title: 'Shop', version: '2', description: 'What we sell.' });
    expect(body.paths).toHaveProperty(['/v1/notes', 'get', 'operationId'], `${noteUid}.find`);
    await app.get('/api/openapi.json').expect(404);
  });
});

test('other plugins describe their routes', async () => {
  const own = pluginOf(
    'own',
    ({ hooks }) => {
      hooks.http.routes.tap('own', (routes) => {
        routes.add({ method: 'GET', path: '/sums/:name', access: 'open', handle: sends({ sum: 1 }) });
      });
      hooks.openapi.describe.tap('own', ({ operation, schema }) => {
        schema('Sum', { type: 'object', properties: { sum: { type: 'integer' } } });
        operation('GET', '/sums/:name', {
          summary: 'A sum',
          responses: {
            200: {
              description: 'The sum',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Sum' } } },
            },
          },
        });
      });
    },
    { after: ['openapi'] },
  );
  const catalogue = { ...shipped, plugins: { ...shipped.plugins, own: { default: true, load: () => own } } };
  await withApp({ catalogue }, async (app) => {
    const { body } = await app.get('/api/openapi.json');
    expect(verdictOn(body)).toMatchObject({ valid: true });
    expect(body.paths['/sums/{name}'].get).toMatchObject({
      summary: 'A sum',
      security: [],
      parameters: [{ name: 'name', in: 'path', required: true }],
    });
    expect(body.components.schemas).toHaveProperty('Sum');
  });
});
