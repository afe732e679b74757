import { sqliteDriver } from '../database/sqlite-driver';
import { collectParameters } from '../store/select/statement-parts';
import { sqlite } from './sqlite';

type Collected = ReturnType<typeof collectParameters>;

const shortest = (work: () => unknown): number => {
  const times = Array.from({ length: 50 }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return Math.min(...times);
};

/** How many times quicker a statement is run, with other values each time, than it is compiled. */
function gain(plan: (texts: string, parameters: Collected) => string, isAnalyzed: boolean): number {
  const database = new (sqliteDriver())(':memory:');
  const columns = Array.from({ length: 300 }, (_, index) => `c${index}`);
  database.exec(`create table things (${columns.join(',')}); create index sought on things (c0)`);
  database.exec(
    `insert into things (c0) with n(v) as (select 1 union all select v+1 from n limit 50) select v%5 from n`,
  );
  if (isAnalyzed) database.exec('analyze');
  const parameters = collectParameters(sqlite);
  const sql = plan(sqlite.concat(columns.map((column) => sqlite.json(column, 'string'))), parameters);
  const statement = database.prepare(sql);
  let other = 10;
  const running = shortest(() => statement.all(...parameters.values([0, ++other])));
  const result = shortest(() => database.prepare(sql)) / running;
  database.close();
  return result;
}

test.each([false, true])(
  'a statement is compiled once, whatever its values, be the table analyzed: %p',
  (isAnalyzed) => {
    const window = (texts: string, parameters: Collected): string =>
      sqlite.window(`select ${texts} from things where c1=1 order by c2`, 0, 1, parameters);
    const condition = (texts: string, parameters: Collected): string =>
      `select ${texts} from things where ${sqlite.compare('c0', 'integer', 'eq', 1, parameters)}`;
    expect(gain(window, isAnalyzed)).toBeGreaterThan(4);
    expect(gain(condition, isAnalyzed)).toBeGreaterThan(4);
  },
);
