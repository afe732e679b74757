import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { type Application, createApplication } from '../core';
import { type AppFolder, appFolder } from '../core/testing/app-folder';
import { shipped } from '../plugins/shipped';
import { packageRoot } from './package-root';

/** The example as CONTRIBUTING shows it. */
function example(): string {
  const guide = readFileSync(join(packageRoot, 'CONTRIBUTING.md'), 'utf8');
  const code = /```ts\n(\/\/ src\/plugins\/shop\/index\.ts\n[\s\S]*?)```/.exec(guide)?.[1];
  if (!code) throw new Error('CONTRIBUTING.md shows no src/plugins/shop/index.ts');
  return code;
}

const access = `
module.exports = {
  name: 'access',
  apply({ hooks }) { hooks.http.authorize.tap('access', () => true); },
};`;

let folder: AppFolder;
let app: Application;

beforeAll(async () => {
  folder = appFolder({
    'config/plugins.js':
      "module.exports = { shop: { resolve: './src/plugins/shop' }, access: { resolve: './access.js' } };",
    'access.js': access,
    'src/plugins/shop/index.ts': example(),
    'src/api/product/content-types/product/schema.json': {
      kind: 'collectionType',
      info: { singularName: 'product', pluralName: 'products', displayName: 'Product' },
      pluginOptions: { shop: { markets: true } },
      attributes: { name: { type: 'string' }, color: { type: 'color' } },
    },
  });
  app = await createApplication({ ...folder, shipped, env: { NODE_ENV: 'test' } });
  await app.start();
});
afterAll(async () => {
  await app.close();
  folder.remove();
});

const create = (data: object, query = '') => request(app.handler).post(`/api/products${query}`).send({ data });

test('it is short, and imports nothing but heddle', () => {
  const code = example();
  expect(code.trim().split('\n').length).toBeLessThan(60);
  expect([...code.matchAll(/from '([^']+)'|require\(/g)].map(([, name]) => name)).toEqual(['heddle']);
});

test('its attribute kind checks and filters', async () => {
  const { status, body } = await create({ name: 'scarf', color: '#FF0000' });
  expect(status).toBe(201);
  expect(body.data).toMatchObject({ name: 'scarf', color: '#ff0000' });
  expect((await create({ name: 'hat', color: 'reddish' })).body.error).toMatchObject({
    name: 'ValidationError',
    message: expect.stringContaining('color'),
  });
  const found = await request(app.handler).get('/api/products?filters[color]=%23FF0000');
  expect(found.body.data).toMatchObject([{ name: 'scarf' }]);
});

test('its dimension keeps variants apart, and refuses nonsense', async () => {
  expect((await create({ name: 'cap' }, '?market=jp')).status).toBe(201);
  const names = async (query: string): Promise<string[]> => {
    const { body } = await request(app.handler).get(`/api/products${query}`);
    return (body.data as { name: string }[]).map(({ name }) => name);
  };
  expect(await names('?market=jp')).toEqual(['cap']);
  expect(await names('')).toEqual(['scarf']);
  expect((await request(app.handler).get('/api/products?market=mars')).status).toBe(400);
});

test('its route answers from its service', async () => {
  const { body } = await request(app.handler).get('/shop/markets');
  expect(body).toEqual({ eu: 1, jp: 1 });
});
