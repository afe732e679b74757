import { sqliteDriver } from '../database/sqlite-driver';
import { collectParameters } from '../store/statement-parts';
import { sqlite } from './sqlite';

const shortest = (work: () => unknown): number => {
  const times = Array.from({ length: 50 }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return Math.min(...times);
};

test('a statement with a window is compiled once, whatever values it is given', () => {
  const database = new (sqliteDriver())(':memory:');
  const columns = Array.from({ length: 300 }, (_, index) => `c${index}`);
  database.exec(`create table things (${columns.join(',')})`);
  const parameters = collectParameters(sqlite);
  const texts = sqlite.concat(columns.map((column) => sqlite.json(column, 'string')));
  const sql = sqlite.window(`select ${texts} from things order by c0`, 0, 1, parameters);

  const statement = database.prepare(sql);
  let limit = 0;
  const running = shortest(() => statement.all(...parameters.values([0, ++limit])));
  expect(running).toBeLessThan(shortest(() => database.prepare(sql)) / 4);
  database.close();
});
