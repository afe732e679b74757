import { sqliteDriver } from './sqlite-driver';
import { standingTriggers } from './standing-triggers';

const sql = 'CREATE TRIGGER "a" after insert on "t" begin select 1; end';

function made() {
  const Driver = sqliteDriver();
  const connection = new Driver(':memory:');
  connection.exec('create table t (a)');
  connection.exec(sql);
  let time = 5;
  const standing = standingTriggers(connection, new Map([['a', sql]]), () => time);
  const version = () => Number(connection.pragma('schema_version', { simple: true }));
  const wait = (ms: number): void => {
    time += ms;
  };
  return { connection, standing, version, wait };
}

test('tells the number of the schema, which is looked at once a second', () => {
  const { connection, standing, version, wait } = made();
  const first = version();
  expect(standing()).toBe(first);
  connection.exec('create table u (a)');
  expect(version()).not.toBe(first);
  wait(999);
  expect(standing()).toBe(first);
  wait(1);
  expect(standing()).toBe(version());
  connection.close();
});

test.each([
  ['is gone', 'drop table t'],
  ['is another', 'drop trigger a; create trigger "a" after delete on "t" begin select 1; end'],
])('tells none where a trigger %s, and one again once it is back', (_, gone) => {
  const { connection, standing, version, wait } = made();
  connection.exec(gone);
  expect(standing()).toBe(-1);
  connection.exec(`drop trigger if exists a; create table if not exists t (a); ${sql}`);
  expect(standing()).toBe(-1);
  wait(1_000);
  expect(standing()).toBe(version());
  connection.close();
});
