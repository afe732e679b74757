import type { Connection as RawConnection } from 'mysql2';
import type { Asked } from './batched-line';
import { createStatements } from './mysql-statements';

/** How often a batch is run one by one: until it is made one, and until a connection prepares that. */
const timesApart = 4;

type Done = (error: Error | null, result?: unknown) => void;

const problem = (code: string): Error => Object.assign(new Error(code), { code });

/** A connection that tells what is sent, and prepares no statement that runs several but as it is told to. */
function connection(prepareCompound: (sql: string) => Error | null) {
  const sent: string[] = [];
  const raw = {
    prepare(sql: string, done: Done): void {
      const isCompound = sql.startsWith('begin not atomic');
      if (isCompound) sent.push('prepare');
      const refused = isCompound ? prepareCompound(sql) : null;
      done(refused, {
        execute(values: readonly unknown[], answered: Done): void {
          sent.push(isCompound ? `together ${values}` : `${sql} ${values}`);
          // A compound answers the rows of each select, and at last what became of the whole.
          const answer = isCompound && sql.includes('select') ? [[...values], {}] : [[...values]];
          answered(
            sql.includes('fails') ? problem('ER_DUP_ENTRY') : null,
            isCompound && answer.length < 2 ? {} : answer,
          );
        },
      });
    },
    unprepare: () => undefined,
    query(sql: string, done: Done): void {
      sent.push(sql);
      done(null);
    },
  };
  return { sent, raw: raw as unknown as RawConnection };
}

const asked = (kind: Asked['kind'], sql: string, ...values: unknown[]): Asked => ({ kind, sql, values });
const all = [
  asked('plain', 'begin'),
  asked('post', 'insert', 1),
  asked('rows', 'select', 2n),
  asked('post', 'delete', 'x'),
];
const apart = ['begin', 'insert 1', 'select 2', 'delete x'];

const manyTimes = (times: number): string[] => Array.from({ length: times }, () => apart).flat();

test('statements are run one after the other at first, and together once they came often', async () => {
  const { sent, raw } = connection(() => null);
  const { together } = createStatements();
  for (let time = 0; time < timesApart; time++)
    expect(await together(raw, all)).toEqual([undefined, undefined, [['2']], undefined]);
  for (let time = 0; time < 2; time++)
    expect(await together(raw, all)).toEqual([undefined, undefined, ['1', '2', 'x'], undefined]);
  expect(sent).toEqual([...manyTimes(timesApart), 'prepare', 'together 1,2,x', 'together 1,2,x']);
});

test('what is asked once and has no values is not prepared', async () => {
  const { sent, raw } = connection(() => null);
  const { rows } = createStatements();
  const once = { sql: 'select', isAskedOnce: true };
  await rows(raw, once, []);
  for (const statement of [once, { sql: 'select' }]) await rows(raw, statement, [1]);
  expect(sent).toEqual(['select', 'select 1', 'select 1']);
});

test('a server that knows no such statement is not asked again', async () => {
  const { sent, raw } = connection(() => problem('ER_PARSE_ERROR'));
  const { together } = createStatements();
  const others = [...all, asked('post', 'd')];
  for (let time = 0; time <= timesApart; time++) await together(raw, all);
  for (let time = 0; time <= timesApart; time++) await together(raw, others);
  expect(sent.filter((each) => each === 'prepare')).toHaveLength(1);
  expect(sent.slice(0, 21)).toEqual([...manyTimes(timesApart), 'prepare', ...apart]);
});

test('a failure that says nothing of the form keeps no other batch from being one', async () => {
  const { sent, raw } = connection((sql) => (sql.includes('bad') ? problem('ER_NO_SUCH_TABLE') : null));
  const { together } = createStatements();
  const bad = [asked('post', 'update bad'), asked('post', 'delete')];
  for (let time = 0; time <= timesApart; time++) await together(raw, bad);
  for (let time = 0; time <= timesApart; time++) await together(raw, all);
  expect(sent.slice(-2)).toEqual(['prepare', 'together 1,2,x']);
});

test('one that is refused where others were not is run one by one from then on', async () => {
  const { sent, raw } = connection((sql) => (sql.includes('bad') ? problem('ER_SP_BADSTATEMENT') : null));
  const { together } = createStatements();
  const bad = [asked('post', 'update bad'), asked('post', 'delete')];
  for (let time = 0; time <= timesApart; time++) await together(raw, all);
  for (let time = 0; time <= timesApart + 1; time++) await together(raw, bad);
  await together(raw, all);
  expect(sent.filter((each) => each === 'prepare')).toHaveLength(2);
  expect(sent.slice(-3)).toEqual(['update bad ', 'delete ', 'together 1,2,x']);
});

test('one that a server has no room for is tried again', async () => {
  let refusal: Error | null = problem('ER_MAX_PREPARED_STMT_COUNT_REACHED');
  const { sent, raw } = connection(() => refusal);
  const { together } = createStatements();
  for (let time = 0; time <= timesApart; time++) await together(raw, all);
  refusal = null;
  await together(raw, all);
  expect(sent.slice(timesApart * apart.length)).toEqual(['prepare', ...apart, 'prepare', 'together 1,2,x']);
});

test('a connection that goes away is no server without such statements', async () => {
  let isGone = false;
  const { sent, raw } = connection(() => (isGone ? problem('ECONNRESET') : null));
  const { together } = createStatements();
  for (let time = 0; time < timesApart; time++) await together(raw, all);
  isGone = true;
  await expect(together(raw, all)).rejects.toMatchObject({ code: 'ECONNRESET' });
  isGone = false;
  await together(raw, all);
  expect(sent.slice(timesApart * apart.length)).toEqual(['prepare', 'prepare', 'together 1,2,x']);
});

test('where a compound had to make room, its statements are run one by one for longer', async () => {
  const { sent, raw } = connection(() => null);
  const { together } = createStatements();
  const batches = Array.from({ length: 41 }, (_, at) => [asked('post', `insert ${at}`), asked('post', 'delete')]);
  for (const batch of batches) for (let time = 0; time <= timesApart; time++) await together(raw, batch);
  sent.length = 0;
  for (let time = 0; time < 9; time++) await together(raw, batches[0]!);
  expect(sent).toEqual([...Array.from({ length: 8 }, () => ['insert 0 ', 'delete ']).flat(), 'prepare', 'together ']);
});

test('none is run after one that fails', async () => {
  const { sent, raw } = connection(() => null);
  const { together } = createStatements();
  const failing = [asked('post', 'update a'), asked('post', 'delete what fails'), asked('post', 'delete c')];
  for (let time = 0; time <= timesApart; time++)
    await expect(together(raw, failing)).rejects.toMatchObject({ code: 'ER_DUP_ENTRY' });
  expect(sent.slice(-4)).toEqual(['update a ', 'delete what fails ', 'prepare', 'together ']);
});
