import type { Rows } from './database';
import { createSharedLine } from './shared-line';

const statement = (sql: string) => ({ sql });

/** A pool and a connection beside it; the test says when, by a clock of its own, which read is answered. */
function server({ refusals = 0 } = {}) {
  let at = 0;
  let refused = 0;
  const calls: string[] = [];
  const opened: { isOpen: boolean }[] = [];
  const waiting: { sql: string; answer(): void; fail(error: Error): void }[] = [];
  const line = createSharedLine<{ isOpen: boolean }>(
    {
      async open() {
        calls.push('open');
        if (refused++ < refusals) throw new Error('too many connections');
        opened.push({ isOpen: true });
        return opened.at(-1)!;
      },
      async close(raw) {
        raw.isOpen = false;
        calls.push('close');
      },
      isOpen: (raw) => raw.isOpen,
      rows(_raw, { sql }) {
        calls.push(`shared ${sql}`);
        return new Promise<Rows>((resolve, fail) => {
          waiting.push({ sql, answer: () => resolve([[sql]]), fail });
        });
      },
      async alone({ sql }) {
        calls.push(`alone ${sql}`);
        return [[sql]];
      },
    },
    () => at,
  );

  /** The next read that waits on the line is answered after so many milliseconds. */
  async function answer(milliseconds: number): Promise<void> {
    at += milliseconds;
    waiting.shift()!.answer();
    await new Promise(setImmediate);
  }
  async function fail(error: Error): Promise<void> {
    waiting.shift()!.fail(error);
    await new Promise(setImmediate);
  }
  const pass = (milliseconds: number): void => {
    at += milliseconds;
  };
  const told = (): string[] => calls.splice(0);

  async function ready(): Promise<void> {
    await line.rows(statement('first'), []);
    await new Promise(setImmediate);
    told();
  }
  /** Reads that many times, each answered after so many milliseconds. */
  async function play(sql: string, times: number, milliseconds: number): Promise<string[]> {
    for (let time = 0; time < times; time++) {
      const rows = line.rows(statement(sql), []);
      if (waiting.length > 0) await answer(milliseconds);
      await rows;
    }
    return told();
  }
  return { line, opened, answer, fail, pass, told, ready, play };
}

const repeated = (call: string, times: number): string[] => Array<string>(times).fill(call);

test('the connection is opened by the first read, which does not wait for it', async () => {
  const { line, told } = server();
  expect(await line.rows(statement('one'), [])).toEqual([['one']]);
  expect(told()).toEqual(['open', 'alone one']);
});

test('reads are sent ahead of each other’s answers', async () => {
  const { line, ready, answer, told } = server();
  await ready();
  const both = [line.rows(statement('one'), []), line.rows(statement('two'), [])];
  expect(told()).toEqual(['shared one', 'shared two']);
  await answer(0.3);
  await answer(0.3);
  expect(await Promise.all(both)).toEqual([[['one']], [['two']]]);
});

test('what takes longer goes its own way, but for a try now and then, and comes back when it is short', async () => {
  const { ready, play } = server();
  await ready();
  expect(await play('short', 200, 0.4)).toEqual(repeated('shared short', 200));
  expect(await play('long', 63, 3)).toEqual([...repeated('shared long', 8), ...repeated('alone long', 55)]);
  expect(await play('long', 65, 0.4)).toEqual(repeated('shared long', 65));
});

test('what takes very long is not tried twice', async () => {
  const { ready, play } = server();
  await ready();
  expect(await play('report', 3, 400)).toEqual(['shared report', 'alone report', 'alone report']);
});

test('what waits behind something long, or comes in one piece with it, is not taken for long or short by that', async () => {
  const { line, ready, answer, play } = server();
  await ready();
  for (let time = 0; time < 8; time++) {
    const all = [line.rows(statement('long'), []), line.rows(statement('short'), [])];
    await answer(3);
    await answer(time % 2 === 0 ? 0.01 : 0.5);
    await Promise.all(all);
  }
  expect(await play('long', 1, 3)).toEqual(expect.arrayContaining(['alone long']));
  expect(await play('short', 1, 0.5)).toEqual(['shared short']);
});

test('nobody joins those who hear nothing, or too many', async () => {
  const { line, ready, pass, told, answer } = server();
  await ready();
  const stuck = line.rows(statement('stuck'), []);
  pass(9);
  const joined = line.rows(statement('joined'), []);
  pass(2);
  await line.rows(statement('late'), []);
  expect(told()).toEqual(['shared stuck', 'shared joined', 'alone late']);
  await answer(1);
  await answer(1);
  await Promise.all([stuck, joined]);

  const many = Array.from({ length: 33 }, (_, at) => line.rows(statement(`read ${at}`), []));
  expect(told().filter((call) => call.startsWith('alone'))).toEqual(['alone read 32']);
  for (let at = 0; at < 32; at++) await answer(0.1);
  await Promise.all(many);
});

test('a read that fails fails alone', async () => {
  const { line, ready, fail, answer, play } = server();
  await ready();
  const all = [line.rows(statement('bad'), []), line.rows(statement('good'), [])];
  await fail(new Error('division by zero'));
  await answer(0.2);
  await expect(all[0]).rejects.toThrow('division by zero');
  expect(await all[1]).toEqual([['good']]);
  expect(await play('next', 1, 0.2)).toContain('shared next');
});

test('a connection that is lost is opened anew; one that was lost while nobody read is not used', async () => {
  const { line, opened, ready, fail, told, play } = server();
  await ready();
  const lost = line.rows(statement('lost'), []);
  await fail(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
  await expect(lost).rejects.toThrow('reset');
  expect(told()).toEqual(['shared lost', 'close']);
  expect(await play('next', 2, 0.2)).toEqual(['open', 'alone next', 'shared next']);
  opened.at(-1)!.isOpen = false;
  expect(await play('next', 2, 0.2)).toEqual(['open', 'alone next', 'shared next']);
});

test('where no connection can be had, the pool reads, and one is tried again after a while', async () => {
  const { pass, play, told } = server({ refusals: 1 });
  expect(await play('one', 2, 0.2)).toEqual(['open', 'alone one', 'alone one']);
  pass(4_000);
  expect(await play('one', 1, 0.2)).toEqual(['alone one']);
  pass(2_000);
  expect(await play('one', 2, 0.2)).toEqual(['open', 'alone one', 'shared one']);
  expect(told()).toEqual([]);
});

test('closing ends it, also one that is being opened', async () => {
  const { line, opened, ready, told } = server();
  await ready();
  await line.close();
  expect(told()).toEqual(['close']);
  await line.rows(statement('one'), []);
  expect(told()).toEqual(['alone one']);

  const other = server();
  const first = other.line.rows(statement('one'), []);
  await other.line.close();
  await first;
  await new Promise(setImmediate);
  expect(other.opened.map(({ isOpen }) => isOpen)).toEqual([false]);
  expect(opened.map(({ isOpen }) => isOpen)).toEqual([false]);
});
