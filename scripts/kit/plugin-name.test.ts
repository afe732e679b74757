import supertest from 'supertest';
import { createApplication } from '../../core';
import { appFolder } from '../../core/testing/app-folder';
import { shipped } from '../../plugins/shipped';
import { camelCase, shippedFields } from './plugin-name';

const folder = appFolder({});
afterAll(folder.remove);

test('the fields that every application has are known, and no type of it is called as that of a new plugin', async () => {
  const database = { connection: { client: 'sqlite', connection: { filename: 'data.db' } } };
  const app = await createApplication({
    ...folder,
    shipped,
    env: { NODE_ENV: 'test', LOG_LEVEL: 'silent' },
    overrides: { database, plugins: { graphql: { enabled: true, config: { landingPage: false } } } },
  });
  await app.start();
  const query = '{ __schema { types { name } queryType { fields { name } } } }';
  const { body } = await supertest(app.handler).post('/graphql').send({ query });
  await app.close();
  const { types, queryType } = body.data.__schema;
  const namesOf = (named: { name: string }[]) => named.map(({ name }) => name);
  // No name of a plugin has "_" in it.
  const fields = namesOf(queryType.fields).filter((name) => !name.includes('_'));
  expect([...shippedFields].sort()).toEqual(fields.sort());
  expect(namesOf(types).filter((name) => name.endsWith('Report'))).toEqual([]);
});

test('a name is written as its field is', () => {
  expect(['me', 'upload-file', 'i18-n-locale'].map(camelCase)).toEqual(['me', 'uploadFile', 'i18NLocale']);
});
