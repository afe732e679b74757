import type { Connection as RawConnection, ResultSetHeader } from 'mysql2';
import { flatMapped, Lru } from '../../../core';
import type { Answered, Asked } from './batched-line';
import { type Compound, createCompounds } from './compounds';
import type { Changed, Rows, Statement } from './database';
import { isFull, isGone, isUnknownForm } from './failures';
import { longestRead } from './longest-read';
import { type Prepared, preparedOn, type Run } from './prepared-statements';

/** How many statements a connection keeps prepared, and how many that run several. */
const mostSingle = 160;
const mostCompounds = 40;

/** More than are ever prepared: one is, before another makes room. */
export const mostPrepared = mostSingle + mostCompounds + 2;

/**
 * How often a connection is asked for one before it prepares it, and how often once it had to make room: preparing takes
 * longer than one run of it saves.
 */
const timesBefore = 1;
const timesAfter = 8;

/** Compounds whose uses a connection counts. */
const mostUses = 500;

/** A number would be sent as a double, which a limit does not take; as text, the server converts it exactly. */
const sendable = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;

const seconds = longestRead / 1_000;

/** Has MariaDB end a read, which goes on where a list is too long for it and NULL. */
const bound = `max_statement_time=if(@@max_statement_time between 1e-6 and ${seconds},@@max_statement_time,${seconds})`;

/** A statement with what is set for it: all in one, for of several the last holds alone. For MySQL it is a comment. */
function withSettings({ sql, multiplies, settings }: Statement): string {
  const all = [...(multiplies ? [bound] : []), ...(settings === undefined ? [] : [settings])];
  return `/*M!100101 set statement ${all.join(',')} for */${sql}`;
}

export const plain = (raw: RawConnection, sql: string): Promise<unknown> =>
  new Promise((resolve, reject) => raw.query(sql, (error, result) => (error ? reject(error) : resolve(result))));

interface Kept {
  readonly single: Prepared;
  /** Undefined where it is not worth being prepared yet. */
  readonly compound: (sql: string) => Run | Promise<Run> | undefined;
}

function compoundsOn(raw: RawConnection): Kept['compound'] {
  const uses = new Lru<number>(mostUses);
  const prepared = preparedOn(raw, mostCompounds, (sql) => uses.set(sql, timesBefore - timesAfter));
  return (sql) => {
    const times = uses.get(sql) ?? 0;
    if (times >= timesBefore) return prepared(sql);
    uses.set(sql, times + 1);
    return undefined;
  };
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
  const compounds = createCompounds();
  const textOf = new WeakMap<Statement, string>();
  /** Not known until one was prepared or refused: MySQL knows no such statement, and MariaDB before 10.6 prepares none. */
  let takesCompounds: boolean | undefined;

  function keptOn(raw: RawConnection): Kept {
    const known = kept.get(raw);
    if (known) return known;
    const made = { single: preparedOn(raw, mostSingle), compound: compoundsOn(raw) };
    kept.set(raw, made);
    return made;
  }

  async function execute(raw: RawConnection, sql: string, values: readonly unknown[]): Promise<unknown> {
    const run = keptOn(raw).single(sql);
    return (run instanceof Promise ? await run : run)(values.map(sendable));
  }

  /** Made once: what a connection has prepared is found by its text. */
  function settingText(statement: Statement): string {
    const known = textOf.get(statement) ?? withSettings(statement);
    textOf.set(statement, known);
    return known;
  }

  const rows: Statements['rows'] = async (raw, statement, values) => {
    const { sql, isAskedOnce, multiplies, settings } = statement;
    const text = multiplies || settings !== undefined ? settingText(statement) : sql;
    if (isAskedOnce && values.length === 0) return (await plain(raw, text)) as Rows;
    return (await execute(raw, text, values)) as Rows;
  };

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

  /** Undefined where it is not prepared, which changes nothing: each is run by itself then. */
  async function prepared(raw: RawConnection, all: readonly Asked[], { sql }: Compound): Promise<Run | undefined> {
    try {
      const run = await keptOn(raw).compound(sql);
      if (run) takesCompounds = true;
      return run;
    } catch (error) {
      if (isGone(error)) throw error;
      if (isFull(error)) return undefined;
      if (isUnknownForm(error)) takesCompounds ??= false;
      compounds.refuse(all);
      return undefined;
    }
  }

  return {
    rows,
    run,
    async together(raw, all) {
      const compound = takesCompounds === false ? undefined : compounds.of(all);
      const runAll = compound && (await prepared(raw, all, compound));
      if (runAll) return compound.answersIn(await runAll(flatMapped(all, ({ values }) => values.map(sendable))));
      const answers: Answered[] = [];
      for (const asked of all) answers.push(await one(raw, asked));
      return answers;
    },
  };
}
