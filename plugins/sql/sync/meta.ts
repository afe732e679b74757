import type { DialectName } from '../dialects/dialect';
import { metaTable } from './heddle-tables';
import type { MadeBy } from './made-by';
import { quote } from './quote';
import type { Run } from './run';

/** What earlier starts wrote down, and the state that the catalog is in now. */
export interface Meta {
  readonly madeBy?: MadeBy;
  readonly seeded: boolean;
  /** The layout that the tables were last brought to. */
  readonly layout?: string;
  /** The catalog's state when that was done, and now: they differ if anyone has changed a table since. */
  readonly catalog?: string;
  readonly catalogNow: string;
}

type Key = 'made_by' | 'seeded' | 'layout' | 'catalog';

/** Written before all others, and there from then on. */
export const firstKey: Key = 'made_by';

// Cheap to read and different after almost any change of a table by others.
const catalogStates: Readonly<Record<DialectName, string>> = {
  sqlite: 'select cast(schema_version as text) from pragma_schema_version',
  postgres: `select count(*)::text from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and c.relnamespace = quote_ident(current_schema())::regnamespace`,
  mysql: 'select cast(count(*) as char) from information_schema.columns where table_schema = database()',
};

/** One statement. Undefined where no start was before this one. */
export async function readMeta(run: Run, dialect: DialectName): Promise<Meta | undefined> {
  const [key, value] = [quote(dialect, 'key'), quote(dialect, 'value')];
  try {
    const rows = await run(
      `select ${key} as k, ${value} as v, (${catalogStates[dialect]}) as now from ${metaTable.name}`,
    );
    const values = new Map(rows.map((row) => [String(row.k), String(row.v)]));
    const madeBy = values.get('made_by');
    return {
      madeBy: madeBy === 'heddle' || madeBy === 'adopted' ? madeBy : undefined,
      seeded: values.has('seeded'),
      layout: values.get('layout'),
      catalog: values.get('catalog'),
      catalogNow: String(rows[0]?.now),
    };
  } catch (error) {
    if (isMissingTable(error)) return undefined;
    throw error;
  }
}

export async function writeMeta(run: Run, dialect: DialectName, key: Key, value: string): Promise<void> {
  const [keyColumn, valueColumn] = [quote(dialect, 'key'), quote(dialect, 'value')];
  await run(`delete from ${metaTable.name} where ${keyColumn} = ?`, [key]);
  await run(`insert into ${metaTable.name} (${keyColumn}, ${valueColumn}) values (?, ?)`, [key, value]);
}

export async function catalogState(run: Run, dialect: DialectName): Promise<string> {
  const [row] = await run(`select (${catalogStates[dialect]}) as now`);
  return String(row?.now);
}

function isMissingTable(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return code === '42P01' || code === 'ER_NO_SUCH_TABLE' || /no such table/.test(message ?? '');
}
