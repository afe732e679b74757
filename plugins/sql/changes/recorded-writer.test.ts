import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteDriver } from '../database/sqlite-driver';
import { recordWriter } from './recorded-writer';

const folder = mkdtempSync(join(tmpdir(), 'heddle-'));
afterAll(() => rmSync(folder, { recursive: true }));

const question = 'pragma data_version';

test('all who come in one turn are told by one question what others had committed when it ended', async () => {
  const Driver = sqliteDriver();
  const [writer, other] = [new Driver(join(folder, 'data.db')), new Driver(join(folder, 'data.db'))];
  writer.exec('create table notes (text)');
  let asked = 0;
  const { prepare } = writer;
  writer.prepare = ((sql: string) => {
    const statement = prepare.call(writer, sql) as unknown as { get(): unknown };
    const { get } = statement;
    if (sql === question)
      statement.get = () => {
        asked += 1;
        return get.call(statement);
      };
    return statement;
  }) as typeof prepare;
  const changes = recordWriter(writer, () => []);
  const before = await changes.catchUp();

  asked = 0;
  const first = changes.catchUp();
  other.exec("insert into notes values ('one')");
  const [known, same] = await Promise.all([first, changes.catchUp()]);
  expect([asked, same]).toEqual([1, known]);
  expect(known).toBeGreaterThan(before);
  expect(changes.latest(['notes'])).toBe(known);
  expect([await changes.catchUp(), asked]).toEqual([known, 2]);
  other.close();
  writer.close();
});

test('triggers count from when they are made, by this connection or another', async () => {
  const Driver = sqliteDriver();
  const file = join(folder, 'triggers.db');
  const [writer, other] = [new Driver(file), new Driver(file)];
  writer.exec('create table notes (text); create table others (text)');
  const changes = recordWriter(writer, () => []);
  await changes.begin();
  const isOthersChanged = async (): Promise<boolean> => {
    const before = await changes.catchUp();
    writer.prepare("insert into notes values ('one')").run();
    return changes.latest(['others']) > before;
  };
  const trigger = (name: string): string =>
    `create trigger ${name} after insert on notes begin insert into others values ('two'); end`;

  expect(await isOthersChanged()).toBe(false);
  writer.exec(trigger('meddling'));
  expect(await isOthersChanged()).toBe(true);
  writer.exec('drop trigger meddling');
  expect(await isOthersChanged()).toBe(false);
  other.exec(trigger('foreign_one'));
  expect(await isOthersChanged()).toBe(true);
  other.close();
  writer.close();
});

test('so do triggers that are there for this connection alone, and keys by which rows go that nobody foresaw', async () => {
  const Driver = sqliteDriver();
  const layout =
    'create table notes (id integer primary key, text); create table others (id integer primary key, note int';
  const foreseen = `${layout}); create temp trigger h_notes_rendered_o after insert on main.notes begin select 1; end`;
  const temporary = `${layout}); create temp trigger meddling after insert on main.notes begin delete from others; end`;
  const key = `${layout} references notes (id) on delete cascade)`;
  for (const [at, [definitions, isSeen]] of (
    [
      [foreseen, false],
      [temporary, true],
      [key, true],
    ] as const
  ).entries()) {
    const writer = new Driver(join(folder, `more-${at}.db`));
    const changes = recordWriter(writer, () => []);
    await changes.begin();
    writer.exec(definitions);
    const before = await changes.catchUp();
    writer.prepare("insert into notes (text) values ('one')").run();
    expect([definitions, changes.latest(['others']) > before]).toEqual([definitions, isSeen]);
    writer.close();
  }
});
