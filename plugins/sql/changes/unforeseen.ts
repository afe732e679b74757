import type { Rows } from '../database/database';
import type { DialectName } from '../dialects/dialect';
import { renderedBy } from '../layout/identifiers';
import { changedWith } from './links';
import type { KnownTables } from './notes';

// What a write changes besides what its statement names, and of which the layout knows nothing: by triggers, rules and keys that
// somebody else made.

const changing = "('CASCADE','SET NULL','SET DEFAULT')";

/**
 * Answers a row for each trigger or rule, with its name; and for each key by which rows change with others the table of these, its
 * own, whether its rows go with those that are deleted, and whether they change with those that are changed.
 */
export const unforeseenSql: Readonly<Record<DialectName, string>> = {
  sqlite: `select name,null,null,0,0 from sqlite_master where type='trigger' union all select name,null,null,0,0 from sqlite_temp_master where type='trigger' union all select null,f."table",m.name,f.on_delete='CASCADE',f.on_update in ${changing} from sqlite_master m,pragma_foreign_key_list(m.name) f where m.type='table' and (f.on_delete in ${changing} or f.on_update in ${changing})`,
  postgres: `(select tgname::text,null::text,null::text,false,false from pg_trigger where not tgisinternal limit 1) union all (select r.rulename::text,null,null,false,false from pg_rewrite r join pg_class c on c.oid=r.ev_class where c.relkind in ('r','p') limit 1) union all select null,t.relname,c.relname,k.confdeltype='c',k.confupdtype in ('c','n','d') from pg_constraint k join pg_class t on t.oid=k.confrelid join pg_class c on c.oid=k.conrelid where k.contype='f' and (k.confdeltype in ('c','n','d') or k.confupdtype in ('c','n','d'))`,
  mysql: `select trigger_name,null,null,0,0 from information_schema.triggers where event_object_schema=database() union all select null,referenced_table_name,table_name,delete_rule='CASCADE',update_rule in ${changing} from information_schema.referential_constraints where constraint_schema=database() and unique_constraint_schema=database() and (delete_rule in ${changing} or update_rule in ${changing})`,
};

/** Whether anything of that changes what the layout's tables don't tell. */
export function isUnforeseen(rows: Rows, dependents: KnownTables['dependents']): boolean {
  const pointing = new Map<string, { table: string; goes: boolean }[]>();
  for (const [name, ofTable, ofKey, goes, changes] of rows) {
    if (name !== null) {
      if (!renderedBy(String(name))) return true;
      continue;
    }
    const [table, own] = [String(ofTable).toLowerCase(), String(ofKey).toLowerCase()];
    if (table === own) continue;
    if (Number(changes) === 1 && dependents(table)) return true;
    pointing.set(table, [...(pointing.get(table) ?? []), { table: own, goes: Number(goes) === 1 }]);
  }
  return [...pointing.keys()].some((table) => {
    const foreseen = dependents(table);
    return (
      foreseen &&
      changedWith(table, pointing).some((each) => each !== table && dependents(each) && !foreseen.includes(each))
    );
  });
}
