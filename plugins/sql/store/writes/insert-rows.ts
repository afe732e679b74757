import { chunksOf, type Row } from '../../../../core';
import type { Connection } from '../../database/database';
import type { Dialect } from '../../dialects/dialect';
import { createTexts } from '../tables/kept-texts';
import { placeholders } from '../tables/match-sql';
import type { TypeTable } from '../tables/type-table';

/** Values of one statement: below what the most modest database takes. */
const valuesAtOnce = 10_000;

/** How far apart the ids of one statement's rows are on MySQL and MariaDB: more than one where servers share the numbers. */
const steps = new WeakMap<Connection, Promise<number>>();

async function askStep(connection: Connection): Promise<number> {
  const [row] = await connection.rows({ sql: 'select @@auto_increment_increment' }, []);
  return Number(row?.[0] ?? 1);
}

/** Asked once in a transaction, however many rows are added at once. What is added next tells if that fails. */
function stepOf(connection: Connection, dialect: Dialect): number | Promise<number> {
  if (dialect.name !== 'mysql') return 1;
  const known = steps.get(connection);
  if (known) return known;
  const step = askStep(connection);
  step.catch(() => undefined);
  steps.set(connection, step);
  return step;
}

/** Components may have no value of their own. */
async function insertEmpty(
  connection: Connection,
  dialect: Dialect,
  table: TypeTable,
  count: number,
): Promise<number[]> {
  const forms = {
    sqlite: 'default values',
    postgres: 'default values returning id',
    mysql: '() values ()',
  };
  const ids: number[] = [];
  for (let at = 0; at < count; at++)
    ids.push((await connection.run({ sql: `insert into ${table.name} ${forms[dialect.name]}` }, [])).firstId);
  return ids;
}

/** What rows are given, in the order in which it is named first. */
function namesIn(rows: readonly Row[]): string[] {
  const names = new Set<string>();
  for (const row of rows) for (const name of Object.keys(row)) names.add(name);
  return [...names];
}

/** Adds rows to a type's table; answers their ids in the same order. */
export function createInserts(dialect: Dialect) {
  const textOf = createTexts();
  const returning = dialect.name === 'postgres' ? ' returning id' : '';

  return async function insertRows(connection: Connection, table: TypeTable, rows: readonly Row[]): Promise<number[]> {
    const names = namesIn(rows);
    if (names.length === 0) return insertEmpty(connection, dialect, table, rows.length);
    const attributes = names.map((name) => table.type.attributes.get(name)!);
    const storages = attributes.map((attribute) => table.storage(attribute));
    const step = rows.length > 1 ? stepOf(connection, dialect) : 1;
    const ids: number[] = [];
    for (const chunk of chunksOf(rows, Math.max(1, Math.min(500, Math.floor(valuesAtOnce / names.length))))) {
      const sql = textOf(`${table.name} ${names} ${chunk.length}`, () => {
        const next = placeholders(dialect);
        const columns = attributes.map((attribute) => table.column(attribute)).join(',');
        const values = chunk.map(() => `(${names.map(next).join(',')})`).join(',');
        return `insert into ${table.name} (${columns}) values ${values}${returning}`;
      });
      const bound: unknown[] = [];
      for (const row of chunk)
        for (let at = 0; at < names.length; at++) bound.push(dialect.store(row[names[at]!] ?? null, storages[at]!));
      if (dialect.name === 'postgres') for (const [id] of await connection.rows({ sql }, bound)) ids.push(Number(id));
      else {
        const { firstId } = await connection.run({ sql }, bound);
        const apart = await step;
        for (let at = 0; at < chunk.length; at++) ids.push(firstId + at * apart);
      }
    }
    return ids;
  };
}
