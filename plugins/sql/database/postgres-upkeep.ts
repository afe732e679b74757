import type { Client } from 'pg';
import { type ClosableUpkeep, createUpkeep, type UpkeepWays } from './upkeep';

/**
 * The tables of this account of which nothing is known, or a tenth has changed since they were analyzed, or a fifth of the rows
 * are dead, as autovacuum counts; it is urgent where more than all has changed.
 */
const dueTables = `with t as (
select n.nspname s, c.relname r, greatest(c.reltuples,0) has, pg_stat_get_mod_since_analyze(c.oid) changed, pg_stat_get_dead_tuples(c.oid) dead,
c.reltuples<>0 and pg_relation_size(c.oid)>0 and not exists (select from pg_stats k where k.schemaname=n.nspname and k.tablename=c.relname) unknown
from unnest($1::text[]) named join pg_class c on c.oid=to_regclass(quote_ident(named)) join pg_namespace n on n.oid=c.relnamespace
where c.relkind='r' and pg_has_role(c.relowner,'usage'))
select quote_ident(s)||'.'||quote_ident(r), unknown or changed>1000+has from t
where unknown or changed>50+0.1*has or dead>50+0.2*has`;

/** It waits between pages as autovacuum does, and leaves out what others have locked. */
const gently = "set statement_timeout = 0; set vacuum_cost_delay = '2ms'; set max_parallel_maintenance_workers = 0";
const vacuum = 'vacuum (analyze, skip_locked, truncate false)';

/** For as long as the connection is open, beside the locks of writers, which have one number. */
const beTheOne = 'select pg_backend_pid(), pg_try_advisory_lock(1751475564, 1)';

const isWaitedFor = `select 1 from pg_stat_activity where wait_event_type='Lock' and $1::int=any(pg_blocking_pids(pid)) limit 1`;

interface Line {
  readonly raw: Client;
  readonly process: number;
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
        await raw.query(gently);
        const { rows } = await raw.query<[number, boolean]>({ text: beTheOne, rowMode: 'array' });
        const [process, isTheOne] = rows[0]!;
        if (isTheOne) return { raw, process };
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
    isInTheWay: async ({ process }) => (await rows({ sql: isWaitedFor }, [process])).length > 0,
    giveUp: async ({ process }) => {
      await rows({ sql: 'select pg_cancel_backend($1::int)' }, [process]);
    },
    close: ({ raw }) => close(raw),
  });
}
