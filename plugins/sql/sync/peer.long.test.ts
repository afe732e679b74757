import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Knex } from 'knex';
import type { DialectName } from '../dialects/dialect';
import type { LayoutModel } from '../layout/model';
import { modelsIn } from '../layout/schema-files.fixture';
import { layoutOf } from '../layout/tables';
import { createDatabase, dropDatabase, openDatabase, rowsIn } from './databases.fixture';
import { asThePeerHasThem, definitionsIn, isLookup, withoutLookups } from './definitions.fixture';
import { heddleTables } from './heddle-tables';
import { type Peer, startPeer } from './peer.fixture';
import { syncTables } from './sync';

const peerFolder = process.env.PEER_DIR;
const reason =
  'PEER_DIR is not set. Name the folder of a Strapi 5 project with the content types of conformance/fixtures, ' +
  'whose configuration reads PORT and the DATABASE_ variables, and have MariaDB and PostgreSQL on this machine.';

if (peerFolder === undefined) {
  console.warn(`Skipped: ${reason}`);
  test.skip(reason, () => undefined);
} else {
  jest.setTimeout(300_000);
  const dialects: readonly DialectName[] = ['sqlite', 'mysql', 'postgres'];
  describe.each(dialects)('on %s', (dialect) => againstPeer(peerFolder, dialect));
}

function againstPeer(folder: string, dialect: DialectName): void {
  const models = modelsIn(join(folder, 'src'));
  const layout = layoutOf(models);
  const files = mkdtempSync(join(tmpdir(), 'heddle-peer-'));
  const nameOf = (name: string): string => (dialect === 'sqlite' ? join(files, `${name}.db`) : `peer_t_${name}`);
  const names = ['peers', 'ours', 'twice'];
  const opened: Knex[] = [];
  const running: Peer[] = [];

  const open = (name: string): Knex => {
    const knex = openDatabase(dialect, nameOf(name));
    opened.push(knex);
    return knex;
  };
  const start = async (name: string): Promise<Peer> => {
    const peer = await startPeer(folder, dialect, nameOf(name));
    running.push(peer);
    return peer;
  };
  const everything = async (knex: Knex) => ({
    rows: await rowsIn(knex, dialect),
    definitions: await definitionsIn(knex, dialect),
  });

  beforeAll(async () => {
    for (const name of names) await createDatabase(dialect, nameOf(name));
  });

  afterEach(async () => {
    await Promise.all(running.splice(0).map((peer) => peer.stop()));
    await Promise.all(opened.splice(0).map((knex) => knex.destroy()));
  });

  afterAll(async () => {
    for (const name of names) await dropDatabase(dialect, nameOf(name));
    rmSync(files, { recursive: true });
  });

  test('a database of the peer is the same after a start, but for our own tables', async () => {
    const peer = await start('peers');
    await writeDocuments(peer);
    await peer.stop();
    const knex = open('peers');
    const before = await everything(knex);

    const report = await syncTables(knex, dialect, layout);
    expect(report.madeBy).toBe('adopted');
    const ownNames = heddleTables(dialect).map(({ name }) => name);
    const others = report.changes.filter((change) => change.kind !== 'addIndex' || !isLookup(change.index.name));
    expect(others.map(({ table }) => table)).toEqual(ownNames);

    const { rows, definitions } = await everything(knex);
    expect(rows).toEqual({ ...before.rows, ...pick(rows, ownNames) });
    expect(withoutLookups(definitions)).toEqual({ ...before.definitions, ...pick(definitions, ownNames) });
    expect(Object.keys(definitions)).toEqual(expect.arrayContaining(ownNames));
    expect((await syncTables(open('peers'), dialect, layout)).changes).toEqual([]);
  });

  test('what we add to a database of the peer changes nothing else in it, and the peer still opens it', async () => {
    const knex = open('peers');
    const before = await everything(knex);
    await syncTables(knex, dialect, layoutOf(models.map(withMore).concat(novelty)));
    const { rows, definitions } = await everything(knex);
    expect(Object.keys(rows)).toEqual(expect.arrayContaining(['novelties', 'tags_novelties_lnk']));
    for (const [table, lines] of Object.entries(before.definitions)) {
      expect([table, definitions[table]]).toEqual([table, expect.arrayContaining([...lines])]);
    }
    for (const [table, texts] of Object.entries(before.rows)) {
      if (table !== 'tags' && !table.startsWith('heddle_')) expect([table, rows[table]]).toEqual([table, texts]);
    }
    expect(rows.tags?.map((text) => ({ ...JSON.parse(text), remark: undefined }))).toEqual(
      before.rows.tags?.map((text) => ({ ...JSON.parse(text), remark: undefined })),
    );
    const answer = await (await start('peers')).get('/api/tags');
    expect(answer).toMatchObject({ data: [{ label: 'first' }] });
  });

  test('a database that we make has the tables of the peer', async () => {
    const knex = open('ours');
    expect((await syncTables(knex, dialect, layout)).madeBy).toBe('heddle');
    await createDatabase(dialect, nameOf('peers'));
    await (await start('peers')).stop();
    const [peers, ours] = [await definitionsIn(open('peers'), dialect), await definitionsIn(knex, dialect)];
    expect(asThePeerHasThem(ours)).toEqual(asThePeerHasThem(peers));
  });

  test('the peer opens a database that we made, works in it, and leaves tables and rows as they were', async () => {
    const knex = open('ours');
    await syncTables(knex, dialect, layout);
    const row = { document_id: 'abcdefghijklmnopqrstuvwx', locale: 'en', name: 'ours', published_at: null };
    const at = dialect === 'sqlite' ? 1_700_000_000_000 : '2023-11-14 22:13:20.000';
    await knex('categories').insert([row, { ...row, published_at: at }]);
    const before = await everything(knex);

    const peer = await start('ours');
    await writeDocuments(peer);
    expect(await peer.get('/api/articles?populate=*')).toMatchObject({
      data: [{ title: 'Hello', seo: { metaTitle: 'm' }, sections: [{ heading: 'a' }, { heading: 'b' }] }],
    });
    expect(await peer.get('/api/categories')).toMatchObject({ data: [{ name: 'ours' }] });
    await peer.stop();

    const after = await everything(knex);
    expect(after.definitions).toEqual(before.definitions);
    for (const [table, texts] of Object.entries(before.rows)) {
      expect([table, after.rows[table]]).toEqual([table, expect.arrayContaining(texts)]);
    }
    expect(after.rows.categories).toEqual(before.rows.categories);
    expect((await syncTables(open('ours'), dialect, layout)).changes).toEqual([]);
  });

  test('of two instances that start at once one makes the tables', async () => {
    const reports = await Promise.all([open('twice'), open('twice')].map((knex) => syncTables(knex, dialect, layout)));
    expect(reports.map(({ changes }) => changes.length).sort((a, b) => a - b)).toEqual([
      ...[0, layout.tables.length + heddleTables(dialect).length],
    ]);
    expect(await open('twice')('i18n_locale')).toHaveLength(1);
  });

  test('a first start that breaks off is continued by the next', async () => {
    const knex = open('twice');
    const whole = await definitionsIn(knex, dialect);
    await knex('heddle_meta').whereIn('key', ['layout', 'seeded']).delete();
    for (const table of ['articles_author_lnk', 'i18n_locale']) await knex.schema.dropTable(table);
    await knex('up_permissions_role_lnk').delete();
    for (const table of ['up_permissions', 'up_roles', 'strapi_migrations_internal', 'strapi_core_store_settings']) {
      await knex(table).delete();
    }
    expect((await syncTables(knex, dialect, layout)).madeBy).toBe('heddle');
    expect(await definitionsIn(knex, dialect)).toEqual(whole);
    expect(await knex('i18n_locale').pluck('code')).toEqual(['en']);
    expect(await knex('up_permissions_role_lnk')).toHaveLength(13);
  });
}

async function writeDocuments(peer: Peer): Promise<void> {
  const tag = (await peer.post('/api/tags', { label: 'first' })) as { data: { documentId: string } };
  await peer.post('/api/articles', {
    title: 'Hello',
    price: 1.5,
    extra: { a: [1, 'two'] },
    tags: [tag.data.documentId],
    seo: { metaTitle: 'm' },
    sections: [{ heading: 'a' }, { heading: 'b' }],
    zone: [{ __component: 'blocks.quote', text: 'q' }],
  });
}

const pick = <T>(all: Readonly<Record<string, T>>, keys: readonly string[]): Record<string, T> =>
  Object.fromEntries(Object.entries(all).filter(([key]) => keys.includes(key)));

const novelty: LayoutModel = {
  uid: 'api::novelty.novelty',
  modelKind: 'collectionType',
  collectionName: 'novelties',
  singularName: 'novelty',
  attributes: { title: { storage: 'string' } },
};

const withMore = (model: LayoutModel): LayoutModel =>
  model.uid === 'api::tag.tag'
    ? {
        ...model,
        attributes: {
          ...model.attributes,
          remark: { storage: 'text' },
          novelties: { storage: 'link', relation: 'manyToMany', target: novelty.uid },
        },
      }
    : model;
