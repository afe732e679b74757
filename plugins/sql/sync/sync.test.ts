import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Knex } from 'knex';

import type { LayoutModel } from '../layout/model';
import { layoutOf } from '../layout/tables';
import { openDatabase, rowsIn } from './databases.fixture';
import { definitionsIn } from './definitions.fixture';
import { lookupsOn } from './lookups-on';
import { pendingFor, syncTables } from './sync';

const note = (attributes: LayoutModel['attributes']): LayoutModel => ({
  uid: 'api::note.note',
  modelKind: 'collectionType',
  collectionName: 'notes',
  singularName: 'note',
  attributes: { title: { storage: 'string' }, ...attributes },
});

const before = layoutOf([note({})]);
const after = layoutOf([
  note({
    rating: { storage: 'integer', column: { unique: true } },
    parent: { storage: 'link', relation: 'manyToOne', target: 'api::note.note', useJoinTable: false },
    next: { storage: 'link', relation: 'oneToOne', target: 'api::note.note' },
  }),
]);

let folder: string;
const opened: Knex[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-sync-'));
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((knex) => knex.destroy()));
  rmSync(folder, { recursive: true });
});

function open(): Knex {
  const knex = openDatabase('sqlite', join(folder, 'data.db'));
  opened.push(knex);
  return knex;
}

/** A database that looks like one of the peer: its tables, and nothing of Heddle's. */
async function adopted(): Promise<Knex> {
  const knex = open();
  await syncTables(knex, 'sqlite', before);
  await knex.schema.dropTable('heddle_meta');
  await knex.raw('drop index h_notes_row');
  return knex;
}

function statementsOf(knex: Knex): string[] {
  const statements: string[] = [];
  knex.on('query', ({ sql }: { sql: string }) => statements.push(sql));
  return statements;
}

const descriptions = (changes: readonly { readonly description: string }[]): string[] =>
  changes.map(({ description }) => description);

test('an empty database gets all tables and the rows of a first start', async () => {
  const knex = open();
  const report = await syncTables(knex, 'sqlite', before);
  expect(report.madeBy).toBe('heddle');
  expect(report.changes).toHaveLength(before.tables.length + 1);
  expect(await knex('i18n_locale').pluck('code')).toEqual(['en']);
  expect(await knex('up_roles').orderBy('id').pluck('type')).toEqual(['authenticated', 'public']);
  expect(await knex('up_permissions_role_lnk').where({ role_id: 2 })).toHaveLength(8);
  expect(await knex('strapi_migrations_internal')).toHaveLength(8);
});

test('a start that finds nothing changed asks once', async () => {
  await syncTables(open(), 'sqlite', before);
  const knex = open();
  const statements = statementsOf(knex);
  expect(await syncTables(knex, 'sqlite', before)).toEqual({ madeBy: 'heddle', changes: [] });
  expect(statements).toHaveLength(1);
  expect(await pendingFor(knex, 'sqlite', before)).toEqual([]);
});

test('what a layout adds is added, and rows stay', async () => {
  const knex = open();
  await syncTables(knex, 'sqlite', before);
  await knex('notes').insert({ document_id: 'a', title: 'kept' });
  const expected = [
    'add column "rating" (integer) to table "notes"',
    'add column "parent_id" (integer) to table "notes", pointing to "notes"',
    'add unique index "notes_rating_uq" on "notes" ("rating")',
    'add index "notes_parent_id_fk" on "notes" ("parent_id")',
    'create table "notes_next_lnk" with 3 columns',
  ];
  expect(descriptions(await pendingFor(knex, 'sqlite', after))).toEqual(expected);
  expect(descriptions((await syncTables(knex, 'sqlite', after)).changes)).toEqual(expected);
  expect(await pendingFor(knex, 'sqlite', after)).toEqual([]);
  expect(await knex('notes').select('title', 'rating')).toEqual([{ title: 'kept', rating: null }]);
  await knex.raw('pragma foreign_keys = on');
  await expect(knex('notes').insert({ document_id: 'b', parent_id: 9 })).rejects.toMatchObject({
    code: 'SQLITE_CONSTRAINT_FOREIGNKEY',
  });
});

test('the index that stands for a table is made anew where a column is added to it', async () => {
  const listed = { storage: 'string', listed: true } as const;
  const one = layoutOf([note({ title: listed })]);
  const two = layoutOf([note({ title: listed, motto: listed })]);
  const knex = open();
  await syncTables(knex, 'sqlite', one);
  expect(descriptions((await syncTables(knex, 'sqlite', two)).changes)).toEqual([
    'add column "motto" (string) to table "notes"',
    `make Heddle's index "h_notes_narrow" on "notes" anew`,
  ]);
  expect(await knex.raw("select name from pragma_index_info('h_notes_narrow')")).toEqual(
    ['published_at', 'locale', 'created_at', 'updated_at', 'title', 'motto'].map((name) => ({ name })),
  );
  expect((await syncTables(knex, 'sqlite', one)).changes).toEqual([]);
});

test('on a server, the index that stands for a table has no texts but the locale', () => {
  const texts = { title: { storage: 'string', listed: true }, wide: { storage: 'integer', listed: true } } as const;
  const wide = { ...texts.wide, column: { type: 'string' } } as const;
  const numbers = { rating: { storage: 'integer', listed: true }, day: { storage: 'date', listed: true } } as const;
  const { tables } = layoutOf([note({ ...texts, wide, ...numbers })]);
  const table = tables.find(({ name }) => name === 'notes')!;
  const columnsOn = (dialect: 'mysql' | 'postgres') => lookupsOn(dialect, table).find(({ narrow }) => narrow)?.columns;
  const held = ['published_at', 'locale', 'rating', 'day', 'created_at', 'updated_at'];
  expect(columnsOn('mysql')).toEqual(held);
  // A column that was made for a text is one, whatever it is to hold now.
  const turned = lookupsOn('mysql', table, new Set(['rating']));
  expect(turned.find(({ narrow }) => narrow)?.columns).toEqual(held.filter((name) => name !== 'rating'));
  // It reads rows for what an index lacks, though it be their ids.
  expect(columnsOn('postgres')).toEqual([...held, 'id']);
});

test('nothing is dropped that a layout no longer has', async () => {
  const knex = open();
  await syncTables(knex, 'sqlite', after);
  const there = await definitionsIn(knex, 'sqlite');
  expect((await syncTables(knex, 'sqlite', before)).changes).toEqual([]);
  expect(await definitionsIn(knex, 'sqlite')).toEqual(there);
});

test('a database of Heddle holds one row per document, locale and status', async () => {
  const knex = open();
  await syncTables(knex, 'sqlite', before);
  const draft = { document_id: 'a', locale: null, published_at: null };
  await knex('notes').insert([draft, { ...draft, published_at: 1 }, { ...draft, locale: 'fr' }]);
  await expect(knex('notes').insert(draft)).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_UNIQUE' });
});

test('an adopted database keeps its rows and definitions and gets only what is missing', async () => {
  const knex = await adopted();
  const [rows, definitions] = [await rowsIn(knex, 'sqlite'), await definitionsIn(knex, 'sqlite')];
  const report = await syncTables(knex, 'sqlite', before);
  expect(report.madeBy).toBe('adopted');
  expect(descriptions(report.changes)).toEqual(['create table "heddle_meta" with 3 columns']);
  expect(await rowsIn(knex, 'sqlite')).toMatchObject(rows);
  expect(await definitionsIn(knex, 'sqlite')).toMatchObject(definitions);
});

test('an adopted database gets the lookups of Heddle', async () => {
  const knex = await adopted();
  await knex.raw('drop index h_notes_id_idx');
  const report = await syncTables(knex, 'sqlite', before);
  expect(report.changes.map(({ description }) => description)).toContain(
    'add index "h_notes_id_idx" on "notes" ("id", "published_at", "locale")',
  );
});

test('an index that the owner of an adopted database removed stays removed', async () => {
  const knex = await adopted();
  await knex.raw('drop index notes_documents_idx');
  const { changes } = await syncTables(knex, 'sqlite', after);
  expect(changes.filter(({ kind }) => kind === 'addIndex')).toHaveLength(2);
});

test('a table that somebody dropped is noticed though the layout is the same', async () => {
  const knex = open();
  await syncTables(knex, 'sqlite', after);
  await knex.schema.dropTable('notes_next_lnk');
  expect(descriptions((await syncTables(knex, 'sqlite', after)).changes)).toEqual([
    'create table "notes_next_lnk" with 3 columns',
  ]);
});

test('of two instances that start at once one makes the tables', async () => {
  const reports = await Promise.all([open(), open()].map((knex) => syncTables(knex, 'sqlite', before)));
  expect(reports.map(({ changes }) => changes.length).sort((a, b) => a - b)).toEqual([0, before.tables.length + 1]);
  expect(await open()('i18n_locale')).toHaveLength(1);
});

test('a change that fails is named and leaves nothing behind', async () => {
  const knex = open();
  await syncTables(knex, 'sqlite', before);
  await knex.raw('create view notes_next_lnk as select 1');
  const there = await definitionsIn(knex, 'sqlite');
  await expect(syncTables(knex, 'sqlite', after)).rejects.toThrow('Could not create table "notes_next_lnk"');
  expect(await definitionsIn(knex, 'sqlite')).toEqual(there);
});
