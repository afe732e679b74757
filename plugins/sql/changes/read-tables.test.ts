import { mysql } from '../dialects/mysql';
import { postgres } from '../dialects/postgres';
import { sqlite } from '../dialects/sqlite';
import { tablesRead } from './read-tables';

const isTable = (name: string): boolean => ['articles', 'authors'].includes(name);

test.each([sqlite, mysql, postgres])(
  'tables are found beside texts with quotes of names on $name',
  ({ id, literal, name }) => {
    for (const text of ['reader`s guide', '`authors`', '"authors"', 'the 5" disk', "it's \\", '\\`"\n`"']) {
      const sql = `select case ${id('t0')}.${id('kind')} when ${literal(text)} then ${literal(`"${text}"`)} end from ${id('articles')} as ${id('t0')}`;
      expect([text, tablesRead(sql, name, isTable)]).toEqual([text, ['articles']]);
      expect(tablesRead(`${sql} join ${id('authors')} on 1=1`, name, isTable)).toEqual(['articles', 'authors']);
    }
  },
);

test.each([sqlite, mysql, postgres])('names may hold any quotes on $name', ({ id, literal, name }) => {
  const odd = ["author's", 'my tags', 'my.tags', '5" disks', '`', '"', "it's"];
  const isOdd = (table: string): boolean => odd.includes(table);
  const sql = odd.map((table) => `select ${id('t')}.${id('x')},${literal("it's")} from ${id(table)} as ${id('t')}`);
  expect(tablesRead(sql.join(' union all '), name, isOdd)).toEqual(odd);
});
