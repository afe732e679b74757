import { preparedOn } from './prepared-statements';

/** A connection that tells what it is asked, and refuses what it is told to. */
function connection(refusal: (sql: string, kept: number) => Error | null = () => null) {
  const asked: string[] = [];
  const kept = new Set<string>();
  const raw = {
    prepare(sql: string, done: (error: Error | null, statement?: unknown) => void): void {
      asked.push(`prepare ${sql}`);
      const statement = {
        execute(values: readonly unknown[], answered: (error: Error | null, result: unknown) => void): void {
          asked.push(`${sql} ${values}`);
          answered(values[0] === 'bad' ? new Error('bad value') : null, values);
        },
      };
      const refused = refusal(sql, kept.size);
      if (!refused) kept.add(sql);
      done(refused, statement);
    },
    unprepare(sql: string): void {
      asked.push(`forget ${sql}`);
      kept.delete(sql);
    },
  };
  return { raw: raw as unknown as Parameters<typeof preparedOn>[0], asked };
}

function executeOn(raw: Parameters<typeof preparedOn>[0], most = 10) {
  const runOf = preparedOn(raw, most);
  return async (sql: string, values: readonly unknown[]): Promise<unknown> => (await runOf(sql))(values);
}

test('a statement is prepared when it first comes', async () => {
  const { raw, asked } = connection();
  const execute = executeOn(raw);
  expect(await execute('a', [1])).toEqual([1]);
  expect(await execute('a', [2])).toEqual([2]);
  expect(asked).toEqual(['prepare a', 'a 1', 'a 2']);
});

test('one that was not used for longest makes room', async () => {
  const { raw, asked } = connection();
  const execute = executeOn(raw, 2);
  for (const sql of ['a', 'b', 'a', 'c', 'a', 'b']) await execute(sql, []);
  expect(asked.filter((each) => /prepare|forget/.test(each))).toEqual([
    'prepare a',
    'prepare b',
    'prepare c',
    'forget b',
    'prepare b',
    'forget c',
  ]);
});

test('many that are long make room for each other, and one that is too long is not kept', async () => {
  const { raw, asked } = connection();
  const execute = executeOn(raw, 100);
  const long = (name: string, length: number) => name.repeat(length);
  // Not by a pattern: a repetition of millions of characters is more than V8 always has the stack for.
  const inShort = (text: string) =>
    text
      .split(' ')
      .map((word) => (word.length > 100 ? word[0] : word))
      .join(' ');
  for (const name of ['a', 'b', 'c']) await execute(long(name, 900_000), []);
  expect(await execute(long('d', 3_000_000), [1])).toEqual([1]);
  await expect(execute(long('d', 3_000_000), ['bad'])).rejects.toThrow('bad value');
  expect(asked.map(inShort)).toEqual([
    'prepare a',
    'a ',
    'prepare b',
    'b ',
    'prepare c',
    'forget a',
    'c ',
    'prepare d',
    'd 1',
    'forget d',
    'prepare d',
    'd bad',
    'forget d',
  ]);
});

test('one that can not be prepared is told, and tried again', async () => {
  let isBroken = true;
  const { raw, asked } = connection((sql) => (isBroken ? new Error(`no ${sql}`) : null));
  const execute = executeOn(raw);
  await expect(execute('a', [])).rejects.toThrow('no a');
  isBroken = false;
  expect(await execute('a', [1])).toEqual([1]);
  expect(asked).toEqual(['prepare a', 'prepare a', 'a 1']);
});

/** Refuses more than so many statements at once, as a server does of all connections together. */
const withRoomFor = (most: number) =>
  connection((_, kept) =>
    kept < most ? null : Object.assign(new Error('no room'), { code: 'ER_MAX_PREPARED_STMT_COUNT_REACHED' }),
  );

test('where the server has no room for more, the one that was used longest ago makes some', async () => {
  const { raw, asked } = withRoomFor(2);
  const execute = executeOn(raw);
  for (const sql of ['a', 'b', 'c', 'b']) await execute(sql, []);
  expect(await execute('a', [1])).toEqual([1]);
  expect(asked.filter((each) => /prepare|forget/.test(each))).toEqual([
    'prepare a',
    'prepare b',
    'prepare c',
    'forget a',
    'prepare c',
    'prepare a',
    'forget b',
    'prepare a',
  ]);
});

test('where there is none that could make room, that is told', async () => {
  const { raw, asked } = withRoomFor(0);
  await expect(executeOn(raw)('a', [])).rejects.toThrow('no room');
  expect(asked).toEqual(['prepare a']);
});

test('one that fails stays prepared', async () => {
  const { raw, asked } = connection();
  const execute = executeOn(raw);
  await expect(execute('a', ['bad'])).rejects.toThrow('bad value');
  expect(await execute('a', ['good'])).toEqual(['good']);
  expect(asked).toEqual(['prepare a', 'a bad', 'a good']);
});
