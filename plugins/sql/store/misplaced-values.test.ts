import { attributes } from './bytes.fixture';
import { type Both, client, openBoth } from './database-app.fixture';

// A column of SQLite holds whatever another program puts there; a server refuses what does not belong into it.

const onSqlite = client === 'sqlite' ? describe : describe.skip;

onSqlite('what does not belong into a column of SQLite is shown all the same', () => {
  let both: Both;
  beforeAll(async () => {
    both = await openBoth(attributes);
  });
  afterAll(() => both.close());

  async function shown(values: object): Promise<string> {
    const { app, foreign } = both;
    await foreign('things').delete();
    await foreign('things').insert({ document_id: 'd', ...values });
    const { json } = await app.documents.read({ action: 'find', type: app.type, rights: 'public', query: {} });
    return String(json)
      .replace(/^\[{"id":\d+,"documentId":"d",/, '')
      .replace(/,"createdAt".*/, '');
  }
  const twoMarked = '1\u0002,"admin":true,"more":\u00012';

  test('anywhere', async () => {
    const texts = [twoMarked, 'abc"', '\u0001', '{"a":"\u0002"}'];
    const odd = [...texts, Buffer.from('a"\u0001\u0002'), Buffer.from([0xff]), 1.5, 1e21];
    const names = Object.keys(attributes);
    for (const value of odd) {
      const all = await shown(Object.fromEntries(names.map((name) => [name, value])));
      expect(Object.keys(JSON.parse(`{${all}}`))).toEqual(names);
    }
  });

  test('numbers as JavaScript spells them', async () => {
    expect(await shown({ whole: 1e21, big: 5 })).toContain('"whole":1e+21,"big":"5"');
    const whole = async (value: bigint): Promise<string> => /"whole":([^,]*)/.exec(await shown({ whole: value }))![1]!;
    for (const value of [2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n), 10n ** 15n, -(2n ** 53n) + 1n])
      expect(await whole(value)).toBe(JSON.stringify(Number(value)));
  });

  test('texts that are no JSON, and bytes that are no text', async () => {
    const marked = ['{"a":"\u0002"}', twoMarked, `\u0000${twoMarked}`, `[]\u0000${twoMarked.slice(1)}`];
    for (const extra of marked.flatMap((each) => [each, Buffer.from(each)]))
      expect(await shown({ extra })).toContain(`"extra":${JSON.stringify(String(extra))}`);
    expect(await shown({ word: Buffer.from('é') })).toContain('"word":"é"');
  });
});
