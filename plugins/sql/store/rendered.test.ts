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
  /** The columns of texts, those of the last definition last. */
  const columns = async (): Promise<string[]> =>
    Object.keys(await foreign('h_things_rendered').columnInfo()).filter((name) => name !== 'id');
  const kept = async (): Promise<Record<string, unknown>[]> => {
    const rows: Record<string, unknown>[] = await foreign('h_things_rendered').select('*').orderBy('id');
    const place = (name: string): string => name.replace(/^t_\w{8}_/, 't');
    return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [place(name), value])));
  };
  const again = async (settings = {}): Promise<void> => {
    await app.close();
    app = await openApp(place, undefined, {}, settings);
  };

  test('are what is answered, and those of values that only Heddle spells, too', async () => {
    await create('one');
    expect(await kept()).toEqual([
      { id: 1, t0: expect.stringContaining(',"title":"one",'), t1: '0.14285714285714285', t2: expect.any(String) },
    ]);
    const [t0, t1] = await columns();
    await foreign.raw(`update h_things_rendered set ${t0} = replace(${t0}, '"one"', '"kept"'), ${t1} = '7'`);
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
    const [t0] = await columns();
    await foreign('h_things_rendered').insert([2, 7].map((id) => ({ id, [t0!]: 'old' })));
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

  test('are true beside triggers of others, whichever comes first', async () => {
    const lower = 'begin update things set secret = lower(new.title), title = upper(new.title) where id = new.id; end';
    await foreign.raw(`create trigger a after insert on things ${lower}`);
    await foreign.raw(`create trigger z after update of title on things ${lower}`);
    await again();
    await create('one', 2);
    expect(await shown()).toEqual([['ONE', 2]]);
    await foreign('things').update({ title: 'two' });
    expect(await shown()).toEqual([['TWO', 2]]);
    expect(await foreign('things').pluck('secret')).toEqual(['two']);
  });

  test('are those of each process where two show different things of one type', async () => {
    const { at: _, ...less } = attributes;
    const other = await makePlace({ extra: { type: 'decimal' }, ...less, secret: { type: 'string' } });
    const there = await openApp({ ...other, name: place.name });
    const one = await app.things.create({ title: 'one', price: 1 / 7, secret: 'hidden' });
    const two = await there.things.create({ title: 'two', price: 2 / 7, extra: 1.123456 });
    await app.things.update(String(two.documentId), { price: 3 / 7 });
    await there.things.update(String(one.documentId), { price: 4 / 7, extra: 0.5 });
    expect(await shown()).toEqual([
      ['one', 4 / 7],
      ['two', 3 / 7],
    ]);
    for (const row of (await list()) as object[]) expect(row).not.toHaveProperty('secret');
    expect(await there.things.find({ sort: 'id' })).toMatchObject([
      { title: 'one', price: 4 / 7, extra: 0.5, secret: 'hidden' },
      { title: 'two', price: 3 / 7, extra: 1.123456, secret: null },
    ]);
    await there.close();
    await other.remove();
  });

  test('of a table that is gone are forgotten once it is there again', async () => {
    await create('one');
    await app.close();
    await foreign.raw('drop table things');
    app = await openApp(place);
    expect([await list(), await kept()]).toEqual([[], []]);
    await create('two', 2);
    expect(await shown()).toEqual([['two', 2]]);
  });

  test('are done without, and made anew, where somebody dropped them', async () => {
    await create('one', 2);
    await foreign.raw('drop table h_things_rendered');
    await again({ renderings: false });
    expect(await foreign('sqlite_master').where({ type: 'trigger' })).toEqual([]);
    await foreign('things').update({ title: 'two' });
    expect(await shown()).toEqual([['two', 2]]);
    await again();
    expect(await kept()).toHaveLength(1);
    expect(await shown()).toEqual([['two', 2]]);
  });

  test('may have very many attributes', async () => {
    const names = Array.from({ length: 700 }, (_, index) => `a${index}`);
    const wide = await makePlace(Object.fromEntries(names.map((name) => [name, { type: 'string' }])));
    const there = await openApp(wide);
    await there.things.create(Object.fromEntries(names.map((name) => [name, name])));
    const [row] = await there.things.find();
    expect(names.map((name) => row![name])).toEqual(names);
    await there.close();
    await wide.remove();
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
