import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApplication } from '../core';
import { shipped } from '../plugins/shipped';
import { sqliteDriver } from '../plugins/sql/database/sqlite-driver';
import { encodeForm } from './runner/form';
import { load } from './runner/load';
import { isBad, rowsOf } from './runner/result';
import { type RunOptions, run } from './runner/run';
import { inProcessTarget } from './targets/in-process';
import type { Target } from './targets/target';

const token = 'conformance-token';

/** What somebody else keeps there: documents in several versions, single types, files. */
const theirs: [method: string, path: string, data: Record<string, unknown>][] = [
  ['POST', '/api/products', { name: 'Theirs', sku: 'theirs-1' }],
  ['POST', '/api/articles', { title: 'Theirs' }],
  ['POST', '/api/articles?status=draft', { title: 'Their draft' }],
  ['POST', '/api/authors', { name: 'Theirs', email: 'theirs@example.com' }],
  ['POST', '/api/restaurants?locale=fr', { name: 'Chez eux' }],
  ['POST', '/api/tags', { label: 'theirs' }],
  ['PUT', '/api/homepage', { headline: 'Theirs' }],
];

async function fill(target: Target): Promise<void> {
  const send = async (method: string, path: string, type: string, body: string | Buffer) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': type };
    const { status, text } = await target.send({ method, path, headers, body }, AbortSignal.timeout(10_000));
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  };
  for (const [method, path, data] of theirs) await send(method, path, 'application/json', JSON.stringify({ data }));
  const { type, bytes } = encodeForm(
    [{ name: 'files', file: 'theirs.txt', type: 'text/plain', text: 'hello' }],
    new Map(),
  );
  await send('POST', '/api/upload', type, bytes);
}

/** All rows of a project's tables, but for what a use of the token leaves on the token. The service's own are not meant. */
function contents(file: string): Record<string, unknown[]> {
  const Driver = sqliteDriver();
  const database = new Driver(file, { readonly: true });
  try {
    const tables = database.prepare<[], { name: string }>("select name from sqlite_master where type = 'table'").all();
    return Object.fromEntries(
      tables
        .filter(({ name }) => !/^(sqlite|heddle)_/.test(name))
        .map(({ name }) => {
          const rows = database.prepare<[], Record<string, unknown>>(`select * from "${name}"`).all();
          return [name, rows.map(({ last_used_at: _, ...row }) => row)];
        }),
    );
  } finally {
    database.close();
  }
}

/** Two runs at once, beside the content of somebody else, on an application of their own. */
export async function sideBySide(options: Partial<RunOptions>) {
  const dataDir = mkdtempSync(join(tmpdir(), 'heddle-side-by-side-'));
  const { DATABASE_CLIENT: _, DATABASE_FILENAME: __, ...env } = process.env;
  const appDir = join(__dirname, 'fixtures', 'app');
  const app = await createApplication({ appDir, dataDir, shipped, env: { ...env, CONFORMANCE_TOKEN: token } });
  try {
    await app.start();
    const target = inProcessTarget(app.handler, { token });
    await fill(target);
    const state = () => ({
      ...contents(join(dataDir, 'data.db')),
      files: readdirSync(join(dataDir, 'uploads')).sort(),
    });
    const before = state();
    const { specification } = load();
    const one = (exclusive: boolean) =>
      run({ ...specification, ...options, target: { ...target, exclusive }, concurrency: 3 });
    const results = await Promise.all([one(true), one(false)]);
    return {
      results,
      before,
      after: state(),
      bad: results
        .flatMap(rowsOf)
        .filter(isBad)
        .map(({ id }) => id),
    };
  } finally {
    await app.close();
    rmSync(dataDir, { recursive: true });
  }
}
