import type { ContentRegistry } from '../../../core';
import type { Database } from '../database/database';
import { sqlite } from '../dialects/sqlite';
import type { Layout } from '../layout/layout';
import { findStrays, type Strays, strayKey } from './strays';

const zone = { name: 'zone', storage: 'zone', targets: ['blocks.quote'] };
const page = { uid: 'api::page.page', nested: new Map([['zone', zone]]) };
const types = new Map<string, unknown>([
  [page.uid, page],
  ['blocks.quote', { uid: 'blocks.quote', nested: new Map() }],
  ['blocks.hero', { uid: 'blocks.hero', nested: new Map() }],
]);
const registry = { types } as unknown as ContentRegistry;
const place = { in: 'components', table: 'pages_cmps', typeColumn: 'component_type', fieldColumn: 'field' };
const layout = { types: { [page.uid]: { places: { zone: place } } } } as unknown as Layout;

test('what stands in a zone and is not listed there is found, unless nothing is known of it', async () => {
  const asked: [string, readonly unknown[]][] = [];
  const database = {
    dialect: sqlite,
    rows(statement: { sql: string }, values: readonly unknown[]) {
      asked.push([statement.sql, values]);
      return [['blocks.quote'], ['blocks.hero'], ['blocks.gone']];
    },
  } as unknown as Database;
  const strays: Strays = new Map();
  await findStrays(database, registry, layout, strays);
  expect([...strays]).toEqual([[strayKey(page.uid, 'zone'), [types.get('blocks.hero')]]]);
  expect(asked).toEqual([['select distinct "component_type" from "pages_cmps" where "field"=?', ['zone']]]);
});
