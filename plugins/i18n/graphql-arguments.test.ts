import { type FixtureApp, fixtureApp } from '../graphql/fixture-app.fixture';

let app: FixtureApp;
beforeAll(async () => {
  app = await fixtureApp();
});
afterAll(() => app.remove());

test('of a language that the application does not have, nothing is there', async () => {
  const { status, body } = await app.ask(
    '{ categories(locale: "it") { name } homepage(locale: "pt-BR") { headline } }',
  );
  expect([status, body]).toEqual([200, { data: { categories: [], homepage: null } }]);
});

test('nothing is written in such a one', async () => {
  const { status, body } = await app.ask(
    'mutation { createCategory(locale: "it", data: { name: "Uno" }) { documentId } }',
  );
  expect(status).toBe(200);
  expect(body.errors).toHaveLength(1);
  expect(body.errors[0]).toMatchObject({
    message: 'The locale "it" is none of this application. Its locales are de, en, fr.',
    extensions: { code: 'BAD_USER_INPUT' },
  });
});

test.each(['xx', 'EN', 'it_IT', '12', ''])(
  '%j is no language, and is refused before anything is read',
  async (code) => {
    const { status, body } = await app.ask(`{ categories(locale: "${code}") { name } }`);
    expect(status).toBe(400);
    expect(body.errors[0].message).toBe(
      `Expected value of type "I18NLocaleCode", found "${code}"; Unknown locale supplied`,
    );
  },
);
