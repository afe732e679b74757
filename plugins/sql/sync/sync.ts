import type { Knex } from 'knex';

import type { Database } from '../database/database';
import type { DialectName } from '../dialects/dialect';
import type { Layout } from '../layout/layout';
import { applyChanges } from './apply';
import type { Change } from './changes';
import { heddleTables, metaTable } from './heddle-tables';
import { type Existing, introspect } from './introspect';
import { underLock } from './lock';
import type { MadeBy } from './made-by';
import { catalogState, type Meta, readMeta, writeMeta } from './meta';
import { changesOf } from './pending';
import { type Run, runOn } from './run';
import { seed } from './seed';

export interface SyncReport {
  /** Whether Heddle made this database, or found the tables of a Strapi 5 project in it. */
  readonly madeBy: MadeBy;
  /** What was missing and is there now. */
  readonly changes: readonly Change[];
}

// To be raised when the same layout comes to mean other tables, or other texts of their rows.
const rules = 5;

/** The report of a database that an earlier start has brought to this layout; undefined of any other. One statement. */
export async function upToDate(
  rows: Database['rows'],
  dialect: DialectName,
  layout: Layout,
): Promise<SyncReport | undefined> {
  const run: Run = async (sql) => (await rows({ sql, isAskedOnce: true }, [])).map(([k, v, now]) => ({ k, v, now }));
  const meta = await readMeta(run, dialect);
  return meta?.madeBy && isUpToDate(meta, layout) ? { madeBy: meta.madeBy, changes: [] } : undefined;
}

/** Adds what the database lacks. */
export async function syncTables(knex: Knex, dialect: DialectName, layout: Layout): Promise<SyncReport> {
  const meta = await readMeta(runOn(knex, dialect), dialect);
  if (meta?.madeBy && isUpToDate(meta, layout)) return { madeBy: meta.madeBy, changes: [] };
  return underLock(knex, dialect, (run) => bringUpToDate(run, dialect, layout));
}

/** What `syncTables` would change, without changing it. */
export async function pendingFor(knex: Knex, dialect: DialectName, layout: Layout): Promise<Change[]> {
  const run = runOn(knex, dialect);
  const meta = await readMeta(run, dialect);
  if (meta?.madeBy && isUpToDate(meta, layout)) return [];
  const existing = await introspect(run, dialect);
  return changesOf(dialect, layout, existing, madeByOf(meta, layout, existing));
}

async function bringUpToDate(run: Run, dialect: DialectName, layout: Layout): Promise<SyncReport> {
  const existing = await introspect(run, dialect);
  const meta = existing.has(metaTable.name) ? await readMeta(run, dialect) : undefined;
  const madeBy = madeByOf(meta, layout, existing);
  const changes = changesOf(dialect, layout, existing, madeBy);

  // Who made the database is written before anything else is made, so that a start that breaks off is continued.
  const ownNames = new Set(heddleTables(dialect).map(({ name }) => name));
  const [own, others] = [true, false].map((own) => changes.filter(({ table }) => ownNames.has(table) === own));
  await applyChanges(run, dialect, own ?? [], madeBy);
  if (meta?.madeBy === undefined) await writeMeta(run, dialect, 'made_by', madeBy);
  await applyChanges(run, dialect, others ?? [], madeBy);

  if (madeBy === 'heddle' && !meta?.seeded) await seedOnce(run, dialect);
  await writeMeta(run, dialect, 'layout', stateOf(layout));
  await writeMeta(run, dialect, 'catalog', await catalogState(run, dialect));
  return { madeBy, changes };
}

async function seedOnce(run: Run, dialect: DialectName): Promise<void> {
  // Elsewhere the lock is a transaction already.
  if (dialect === 'mysql') await run('start transaction');
  try {
    await seed(run, dialect);
    await writeMeta(run, dialect, 'seeded', 'true');
    if (dialect === 'mysql') await run('commit');
  } catch (error) {
    // The first error is the one to tell.
    if (dialect === 'mysql') await run('rollback').catch(() => undefined);
    throw error;
  }
}

function madeByOf(meta: Meta | undefined, layout: Layout, existing: Existing): MadeBy {
  if (meta?.madeBy) return meta.madeBy;
  return layout.tables.some(({ name }) => existing.has(name)) ? 'adopted' : 'heddle';
}

const stateOf = (layout: Layout): string => `${rules} ${layout.hash}`;

const isUpToDate = (meta: Meta, layout: Layout): boolean =>
  meta.layout === stateOf(layout) && meta.catalog === meta.catalogNow;
