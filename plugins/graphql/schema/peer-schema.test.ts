import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, findBreakingChanges, printSchema, validateSchema } from 'graphql';
import { type FixtureApp, fixtureApp } from '../fixture-app.fixture';

let app: FixtureApp;

beforeAll(async () => {
  app = await fixtureApp();
});
afterAll(() => app.remove());

/** What belongs to a feature that is not there. */
const absent = /ReviewWorkflows|reviewWorkflows/;

test('whatever can be asked of Strapi can be asked of Heddle', () => {
  const peer = buildSchema(readFileSync(join(__dirname, '..', 'peer-schema.graphql'), 'utf8'));
  const changes = findBreakingChanges(peer, app.schema).map(({ description }) => description);
  expect(changes.filter((description) => !absent.test(description))).toEqual([]);
});

test('the schema is valid, and says the same when it is read again', () => {
  expect(validateSchema(app.schema)).toEqual([]);
  const printed = printSchema(app.schema);
  expect(printSchema(buildSchema(printed))).toBe(printed);
});
