import type { Client } from 'pg';
import { type ClosableUpkeep, createUpkeep, type UpkeepWays } from './upkeep';

/**
 * The tables of this account of which nothing is known, or a tenth has changed since they were analyzed, or a fifth of the rows
 * are dead, much as autovacuum counts; it is urgent where far more than all has changed. Of a table that is known no lock is taken.
 */
const dueTables = `with t as (
select n.nspname s, c.relname r, greatest(c.reltuples,0) has, pg_stat_get_mod_since_analyze(c.oid) changed, pg_stat_get_dead_tuples(c.oid) dead,
case when c.reltuples=0 or exists (select from pg_stats k where k.schemaname=n.nspname and k.tablename=c.relname) then false
else pg_relation_size(c.oid)>0 end as is_unknown
from unnest($1::text[]) named join pg_class c on c.oid=to_regclass(quote_ident(named)) join pg_namespace n on n.oid=c.relnamespace
where c.relkind='r' and pg_has_role(c.relowner,'usage'))
select quote_ident(s)||'.'||quote_ident(r), changed>1000+has from t
where is_unknown or changed>50+0.1*has or dead>50+0.2*has`;

/** It waits between pages as autovacuum does by default. */
const gently = "set statement_timeout = 0; set vacuum_cost_delay = '2ms'; set max_parallel_maintenance_workers = 0";
/** What others have locked is left out. */
const vacuum = 'vacuum (analyze, skip_locked, truncate false)';

/** For as long as the connection is open, beside the locks of writers, which have one number. */
const beTheOne = 'select pg_try_advisory_lock(1751475564, 1)';

/** Whoever waits, an account that may know nothing of others sees their locks. */
const isWaitedFor = 'select 1 from pg_locks where not granted and $1::int=any(pg_blocking_pids(pid)) limit 1';

interface Line {
  readonly raw: Client;
  /** For what has to be asked and told meanwhile: those who wait for a table may have all connections of the pool. */
  readonly beside: Client;
  readonly process: number;
}

/** Behind a pooler, a connection is another one for the server, and not always the same. */
const isDirect = (raw: Client, process: number): boolean =>
  (raw as Client & { readonly processID: number }).processID === process;

async function asked(raw: Client, text: string, values: readonly unknown[] = []): Promise<unknown[][]> {
  const { rows } = await raw.query<unknown[]>({ text, values: [...values], rowMode: 'array' });
  return rows;
}

/** What has the server know its tables, and which of their rows all can see, where its own upkeep is switched off. */
export function createPostgresUpkeep({ rows, open, close }: UpkeepWays<Client>): ClosableUpkeep {
  return createUpkeep<Line>({
    isWanted: async () => {
      const [[setting] = []] = await rows({ sql: 'show autovacuum' }, []);
      return setting === 'off';
    },
    due: async (tables) =>
      (await rows({ sql: dueTables }, [tables])).map(([table, isUrgent]) => ({
        table: String(table),
        isUrgent: isUrgent === true,
      })),
    async open() {
      const raw = await open();
      try {
        const [[process] = []] = await asked(raw, 'select pg_backend_pid()');
        if (!isDirect(raw, process as number))
          throw new Error('its connections go through a pooler: set "upkeep" to false');
        const [[isTheOne] = []] = await asked(raw, beTheOne);
        if (isTheOne === true) {
          await raw.query(gently);
          return { raw, beside: await open(), process: process as number };
        }
      } catch (error) {
        await close(raw);
        throw error;
      }
      await close(raw);
      return undefined;
    },
    tend: async ({ raw }, table) => {
      await raw.query(`${vacuum} ${table}`);
    },
    isInTheWay: async ({ beside, process }) => (await asked(beside, isWaitedFor, [process])).length > 0,
    giveUp: async ({ beside, process }) => {
      await asked(beside, 'select pg_cancel_backend($1::int)', [process]);
    },
    async close({ raw, beside }) {
      await Promise.all([close(raw), close(beside)]);
    },
  });
}
