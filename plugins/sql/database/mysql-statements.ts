import type { Connection as RawConnection, ResultSetHeader } from 'mysql2';
import type { Answered, Asked } from './batched-line';
import { type Compound, createCompounds } from './compounds';
import type { Changed, Rows, Statement } from './database';
import { type Prepared, preparedOn, type Run } from './prepared-statements';

/** How many statements a connection keeps prepared, and how many that run several. */
const mostSingle = 160;
const mostCompounds = 40;

/** More than are ever prepared: one is, before another makes room. */
export const mostPrepared = mostSingle + mostCompounds + 2;

/** As MySQL says, and MariaDB before 10.6, that it knows or prepares no statement which runs several. */
const unknown: ReadonlySet<unknown> = new Set(['ER_PARSE_ERROR', 'ER_UNSUPPORTED_PS']);

/** A number would be sent as a double, which a limit does not take; as text, the server converts it exactly. */
const sendable = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;

export const plain = (raw: RawConnection, sql: string): Promise<unknown> =>
  new Promise((resolve, reject) => raw.query(sql, (error, result) => (error ? reject(error) : resolve(result))));

interface Kept {
  readonly single: Prepared;
  readonly compound: Prepared;
}

/** What runs statements on connections to MariaDB and MySQL. */
export interface Statements {
  rows(raw: RawConnection, statement: Statement, values: readonly unknown[]): Promise<Rows>;
  run(raw: RawConnection, statement: Statement, values: readonly unknown[]): Promise<Changed>;
  /** Runs statements in their order, with one way there and back where they often come together; none after a failure. */
  together(raw: RawConnection, all: readonly Asked[]): Promise<Answered[]>;
}

export function createStatements(): Statements {
  const kept = new WeakMap<RawConnection, Kept>();
  const compoundOf = createCompounds();
  let takesCompounds = true;

  function keptOn(raw: RawConnection): Kept {
    const known = kept.get(raw);
    if (known) return known;
    const made = { single: preparedOn(raw, mostSingle), compound: preparedOn(raw, mostCompounds) };
    kept.set(raw, made);
    return made;
  }

  async function execute(raw: RawConnection, sql: string, values: readonly unknown[]): Promise<unknown> {
    const run = keptOn(raw).single(sql);
    return (run instanceof Promise ? await run : run)(values.map(sendable));
  }

  const rows: Statements['rows'] = async (raw, { sql }, values) => (await execute(raw, sql, values)) as Rows;

  async function run(raw: RawConnection, { sql }: Statement, values: readonly unknown[]): Promise<Changed> {
    const { affectedRows, insertId } = (await execute(raw, sql, values)) as ResultSetHeader;
    return { changes: affectedRows, firstId: insertId };
  }

  async function one(raw: RawConnection, asked: Asked): Promise<Answered> {
    if (asked.kind === 'rows') return rows(raw, asked, asked.values);
    if (asked.kind === 'run') return run(raw, asked, asked.values);
    await (asked.kind === 'plain' ? plain(raw, asked.sql) : execute(raw, asked.sql, asked.values));
    return undefined;
  }

  /** Undefined where the server can't prepare it, which changes nothing: each is run by itself then. */
  async function prepared(raw: RawConnection, { sql }: Compound): Promise<Run | undefined> {
    try {
      return await keptOn(raw).compound(sql);
    } catch (error) {
      if (unknown.has((error as { code?: unknown }).code)) takesCompounds = false;
      return undefined;
    }
  }

  return {
    rows,
    run,
    async together(raw, all) {
      const compound = takesCompounds ? compoundOf(all) : undefined;
      const runAll = compound && (await prepared(raw, compound));
      if (runAll) return compound.answersIn(await runAll(all.flatMap(({ values }) => values.map(sendable))));
      const answers: Answered[] = [];
      for (const asked of all) answers.push(await one(raw, asked));
      return answers;
    },
  };
}
