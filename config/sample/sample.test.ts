import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { type Application, createApplication } from '../../core';
import { type AppFolder, appFolder } from '../../core/testing/app-folder';
import { shipped } from '../../plugins/shipped';
import { greeting } from './greeting';

const root = join(__dirname, '..', '..');
let folder: AppFolder;
let app: Application;

async function start(): Promise<void> {
  app = await createApplication({ appDir: root, dataDir: folder.dataDir, shipped, env: { NODE_ENV: 'test' } });
  await app.start();
}

const ask = () => request(app.handler);
const key = (): string => readFileSync(join(folder.dataDir, 'secrets', 'sample-token'), 'utf8');

beforeAll(async () => {
  folder = appFolder();
  await start();
});
afterAll(async () => {
  await app.close();
  folder.remove();
});

test('everyone may read the entries, and nobody sees what is private', async () => {
  const { body } = await ask().get('/api/authors?sort=name');
  expect(body.meta.pagination.total).toBe(2);
  expect(body.data[0]).toMatchObject({ name: 'Ines Albrecht' });
  expect(body.data[0]).not.toHaveProperty('email');
  expect((await ask().get('/api/about')).body.data.title).toBe('The weaving notebook');
});

test('only the token may write, and another is refused', async () => {
  const data = { name: 'Dyeing', slug: 'dyeing' };
  const create = (authorization?: string) => {
    const post = ask().post('/api/categories').send({ data });
    return authorization === undefined ? post : post.set('Authorization', authorization);
  };
  expect((await create()).status).toBe(403);
  expect((await create('Bearer guessed')).status).toBe(401);
  expect((await create(`Bearer ${key()}`)).status).toBe(201);
});

test('a second start finds the entries and the token as they were', async () => {
  const before = key();
  await ask().delete(`/api/about`).set('Authorization', `Bearer ${before}`);
  await app.close();
  await start();
  expect(key()).toBe(before);
  expect((await ask().get('/api/articles')).body.meta.pagination.total).toBe(5);
  expect((await ask().get('/api/about')).status).toBe(404);
});

test('every address that is shown to be read answers', async () => {
  const text = greeting('http://host', folder.dataDir);
  const reads = [...text.matchAll(/curl -g 'http:\/\/host([^']+)'$/gm)].map(([, path]) => path!);
  expect(reads.length).toBeGreaterThan(3);
  for (const path of reads.filter((each) => each !== '/api/about')) expect((await ask().get(path)).status).toBe(200);
});
