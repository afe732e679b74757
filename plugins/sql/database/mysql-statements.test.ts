import type { Connection as RawConnection } from 'mysql2';
import type { Asked } from './batched-line';
import { createStatements } from './mysql-statements';

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
          answered(sql.includes('fails') ? problem('ER_DUP_ENTRY') : null, [[...values]]);
        },
      });
    },
    query(sql: string, done: Done): void {
      sent.push(sql);
      done(null);
    },
  };
  return { sent, raw: raw as unknown as RawConnection };
}

const asked = (kind: Asked['kind'], sql: string, ...values: unknown[]): Asked => ({ kind, sql, values });
const all = [asked('plain', 'begin'), asked('post', 'a', 1), asked('rows', 'b', 2n), asked('post', 'c', 'x')];
const apart = ['begin', 'a 1', 'b 2', 'c x'];

test('statements are run one after the other at first, and together once they came often', async () => {
  const { sent, raw } = connection(() => null);
  const { together } = createStatements();
  for (let time = 0; time < 5; time++) await together(raw, all);
  expect(sent).toEqual([...apart, ...apart, ...apart, 'prepare', 'together 1,2,x', 'together 1,2,x']);
});

test('a server that knows no such statement is not asked again', async () => {
  for (const code of ['ER_PARSE_ERROR', 'ER_UNSUPPORTED_PS']) {
    const { sent, raw } = connection(() => problem(code));
    const { together } = createStatements();
    for (let time = 0; time < 5; time++)
      expect(await together(raw, all)).toEqual([undefined, undefined, [['2']], undefined]);
    expect(sent).toEqual([...apart, ...apart, ...apart, 'prepare', ...apart, ...apart]);
  }
});

test('one that can not be prepared for another reason is tried again', async () => {
  let refusal: Error | null = problem('ER_MAX_PREPARED_STMT_COUNT_REACHED');
  const { sent, raw } = connection(() => refusal);
  const { together } = createStatements();
  for (let time = 0; time < 4; time++) await together(raw, all);
  refusal = null;
  await together(raw, all);
  expect(sent.slice(3 * apart.length)).toEqual(['prepare', ...apart, 'prepare', 'together 1,2,x']);
});

test('none is run after one that fails', async () => {
  const { sent, raw } = connection(() => null);
  const { together } = createStatements();
  const failing = [asked('post', 'a'), asked('post', 'this fails'), asked('post', 'c')];
  for (let time = 0; time < 4; time++)
    await expect(together(raw, failing)).rejects.toMatchObject({ code: 'ER_DUP_ENTRY' });
  expect(sent.slice(-4)).toEqual(['a ', 'this fails ', 'prepare', 'together ']);
});
