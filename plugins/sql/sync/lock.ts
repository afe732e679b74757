import { setTimeout as sleep } from 'node:timers/promises';

import type { Knex } from 'knex';

import type { DialectName } from '../dialects/dialect';
import { type Run, runOn } from './run';

interface Lock {
  readonly enter: (run: Run) => Promise<void>;
  readonly leave: string;
  readonly abandon: string;
}

const waitSeconds = 60;

// MariaDB's locks are the whole server's.
const lockName = `concat('heddle_', md5(database()))`;

// On SQLite and PostgreSQL the lock is a transaction, so that all changes are made or none. MariaDB ends a transaction
// at every change of a table: there the lock is only a lock, and the next start goes on where this one broke off.
const locks: Readonly<Record<DialectName, Lock>> = {
  sqlite: { enter: beginAlone, leave: 'commit', abandon: 'rollback' },
  postgres: {
    enter: async (run) => {
      await run('begin');
      await run(`set local lock_timeout = '${waitSeconds}s'`);
      // Any number will do that no one else uses in this database.
      await run('select pg_advisory_xact_lock(1751475564)');
    },
    leave: 'commit',
    abandon: 'rollback',
  },
  mysql: {
    enter: async (run) => {
      const [row] = await run(`select get_lock(${lockName}, ${waitSeconds}) as locked`);
      if (Number(row?.locked) !== 1) throw tooLong();
    },
    leave: `select release_lock(${lockName})`,
    abandon: `select release_lock(${lockName})`,
  },
};

/** Does the work on one connection while no other instance does the same on this database. */
export async function underLock<T>(knex: Knex, dialect: DialectName, work: (run: Run) => Promise<T>): Promise<T> {
  const lock = locks[dialect];
  const connection: unknown = await knex.client.acquireConnection();
  const run = runOn(knex, dialect, connection);
  try {
    await attempt(lock.enter, run, lock);
    const result = await attempt(work, run, lock);
    await run(lock.leave);
    return result;
  } finally {
    await knex.client.releaseConnection(connection);
  }
}

async function attempt<T>(work: (run: Run) => Promise<T>, run: Run, lock: Lock): Promise<T> {
  try {
    return await work(run);
  } catch (error) {
    // The first error is the one to tell: a connection that is gone cannot roll back either.
    await run(lock.abandon).catch(() => undefined);
    throw error;
  }
}

/**
 * SQLite would wait by itself, but stop the whole process meanwhile, and with it an instance in the same process that
 * holds the lock.
 */
async function beginAlone(run: Run): Promise<void> {
  const [before] = await run('pragma busy_timeout');
  await run('pragma busy_timeout = 0');
  try {
    for (let waited = 0; !(await begun(run)); waited += 1) {
      if (waited > waitSeconds * 100) throw tooLong();
      await sleep(10);
    }
  } finally {
    await run(`pragma busy_timeout = ${Number(before?.timeout ?? 0)}`);
  }
}

async function begun(run: Run): Promise<boolean> {
  try {
    await run('begin immediate');
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return false;
    throw error;
  }
}

const tooLong = (): Error =>
  new Error(
    `Another instance has been changing the tables of this database for ${waitSeconds} seconds. ` +
      'Start again once it is done.',
  );
