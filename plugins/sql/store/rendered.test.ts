import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { client, makePlace, type Opened, openApp, openForeign, type Place } from './database-app.fixture';

// Where the database keeps the texts of rows, whoever writes. What they say of any value is compared in bytes.test.ts.

const onFile = client === 'sqlite' ? describe : describe.skip;

const attributes = {
  title: { type: 'string' },
  secret: { type: 'string', private: true },
  price: { type: 'float' },
  at: { type: 'datetime' },
  on: { type: 'boolean' },
};

onFile('texts of rows', () => {
  let place: Place;
  let app: Opened;
  let foreign: Knex;

  beforeEach(async () => {
    place = await makePlace(attributes);
    app = await openApp(place);
    foreign = openForeign(place);
  });
  afterEach(async () => {
    await app.close();
    await foreign.destroy();
    await place.remove();
  });

  const create = (title: string, price = 1 / 7): Promise<unknown> => app.things.create({ title, price });
  const list = (): Promise<unknown> => app.things.find({ sort: 'id' });
  const shown = async (): Promise<[unknown, unknown][]> =>
    ((await list()) as { title: unknown; price: unknown }[]).map(({ title, price }) => [title, price]);
  const kept = (): Promise<Record<string, unknown>[]> => foreign('h_things_rendered').select('*').orderBy('id');
  const again = async (settings = {}): Promise<void> => {
    await app.close();
    app = await openApp(place, undefined, {}, settings);
  };

  test('are what is answered, and those of values that only Heddle spells, too', async () => {
    await create('one');
    expect(await kept()).toEqual([
      { id: 1, t0: expect.stringContaining(',"title":"one",'), t1: '0.14285714285714285', t2: expect.any(String) },
    ]);
    await foreign.raw(`update h_things_rendered set t0 = replace(t0, '"one"', '"kept"'), t1 = '7'`);
    expect(await shown()).toEqual([['kept', 7]]);
  });

  test('are made by whoever writes', async () => {
    await create('one');
    await foreign('things').update({ title: 'two', price: 2 / 7 });
    await foreign('things').insert({ id: 5, document_id: 'five', title: 'five', price: 5 / 7 });
    expect((await kept()).map(({ id, t1 }) => [id, t1])).toEqual([
      [1, null],
      [5, null],
    ]);
    expect(await shown()).toEqual([
      ['two', 2 / 7],
      ['five', 5 / 7],
    ]);
    await foreign('things').where({ id: 1 }).delete();
    expect((await kept()).map(({ id }) => id)).toEqual([5]);
  });

  test.each([
    [
      "insert or ignore into things (id, document_id, title) values (2, 'b', 'new')",
      [
        ['one', null],
        ['new', null],
      ],
    ],
    ["insert or replace into things (id, document_id, title) values (1, 'b', 'new')", [['new', null]]],
    ["insert into things (id, document_id) values (1, 'b') on conflict do update set title = 'new'", [['new', null]]],
    ["update or ignore things set title = 'new'", [['new', null]]],
    ["update or fail things set id = 7, title = 'new'", [['new', null]]],
    ['update things set id = id + 1', [['one', null]]],
    ["replace into things (id, document_id, title) select id, document_id, 'new' from things", [['new', null]]],
  ])('are true after %s', async (sql, expected) => {
    await app.things.create({ title: 'one' });
    // A text that is there already, as of a row that went by without a word.
    await foreign('h_things_rendered').insert([
      { id: 2, t0: 'old' },
      { id: 7, t0: 'old' },
    ]);
    await foreign.raw(sql);
    expect(await shown()).toEqual(expected);
  });

  test('are not relied on where a program has made the table anew, and are made anew at the next start', async () => {
    await create('one', 2);
    expect(await shown()).toEqual([['one', 2]]);
    await foreign.raw('create table other as select * from things');
    await foreign.raw('drop table things');
    await foreign.raw('alter table other rename to things');
    await foreign('things').update({ title: 'two' });
    expect((await kept())[0]!['t0']).toContain('"one"');
    expect(await shown()).toEqual([['two', 2]]);
    await again();
    expect((await kept())[0]!['t0']).toContain('"two"');
    await foreign('things').update({ title: 'three' });
    expect((await kept())[0]!['t0']).toContain('"three"');
    expect(await shown()).toEqual([['three', 2]]);
  });

  test('are made anew where the content type shows something else', async () => {
    await create('one', 2);
    const file = join(place.folder.appDir, 'src/api/thing/content-types/thing/schema.json');
    const { at: _, ...less } = attributes;
    const more = { ...less, rank: { type: 'integer', default: 3 }, rate: { type: 'decimal' } };
    writeFileSync(file, JSON.stringify({ info: { singularName: 'thing', pluralName: 'things' }, attributes: more }));
    await again();
    const [row] = (await list()) as Record<string, unknown>[];
    expect(Object.keys(row!)).toEqual(expect.arrayContaining(['title', 'price', 'on', 'rank', 'rate']));
    expect(row).not.toHaveProperty('at');
    expect((await kept())[0]).toMatchObject({ t2: ',"on":null,"rank":null,"rate":', t3: 'null' });
  });

  test('are kept no longer where the configuration says so, until it says otherwise', async () => {
    await create('one');
    await again({ renderings: false });
    const triggers = foreign('sqlite_master').where({ type: 'trigger' });
    expect([await kept(), await triggers]).toEqual([[], []]);
    await foreign('things').update({ title: 'two' });
    expect(await shown()).toEqual([['two', 1 / 7]]);
    await again();
    expect((await kept())[0]!['t0']).toContain('"two"');
    expect(await shown()).toEqual([['two', 1 / 7]]);
  });

  test('leave out what is hidden', async () => {
    await app.things.create({ title: 'one', secret: 'hidden' });
    expect(await foreign('things').pluck('secret')).toEqual(['hidden']);
    expect(JSON.stringify(await kept())).not.toMatch(/secret|hidden|createdBy/);
  });
});
