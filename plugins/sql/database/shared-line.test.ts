import { setTimeout as sleep } from 'node:timers/promises';
import type { Rows } from './database';
import { createSharedLine } from './shared-line';

const statement = (sql: string) => ({ sql });

/** A pool and a connection beside it; the test says when, by a clock of its own, which read is answered. */
function server({ refusals = 0, idleAfter = 1_000_000, saysGoodbye = true, opens = Promise.resolve() } = {}) {
  let at = 0;
  let aloneTakes = 0.4;
  let refused = 0;
  const calls: string[] = [];
  const opened: { isOpen: boolean }[] = [];
  const waiting: { sql: string; answer(): void; fail(error: Error): void }[] = [];
  const line = createSharedLine<{ isOpen: boolean }>(
    {
      async open() {
        calls.push('open');
        if (refused++ < refusals) throw new Error('too many connections');
        await opens;
        opened.push({ isOpen: true });
        return opened.at(-1)!;
      },
      async close(raw) {
        raw.isOpen = false;
        calls.push('close');
        if (!saysGoodbye) await new Promise(() => undefined);
      },
      isOpen: (raw) => raw.isOpen,
      rows(_raw, { sql }) {
        calls.push(`shared ${sql}`);
        return new Promise<Rows>((resolve, fail) => {
          waiting.push({ sql, answer: () => resolve([[sql]]), fail });
        });
      },
      async alone({ sql }, _values, took) {
        calls.push(`alone ${sql}`);
        took(aloneTakes);
        return [[sql]];
      },
    },
    idleAfter,
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

  /** The connection is open, and these statements have run alone so often that they are known. */
  async function ready(...known: string[]): Promise<void> {
    for (let time = 0; time < 4; time++) await line.rows(statement('first'), []);
    for (const sql of known) for (let time = 0; time < 3; time++) await line.rows(statement(sql), []);
    await new Promise(setImmediate);
    told();
  }
  /** Reads that many times, each answered after so many milliseconds. */
  async function play(sql: string, times: number, milliseconds: number): Promise<string[]> {
    aloneTakes = milliseconds;
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

test('the connection is opened for the first statement that is known, which does not wait for it', async () => {
  const { play } = server();
  expect(await play('one', 5, 0.4)).toEqual([...repeated('alone one', 3), 'open', 'alone one', 'shared one']);
});

test('reads are sent ahead of each other’s answers', async () => {
  const { line, ready, answer, told } = server();
  await ready('one', 'two');
  const both = [line.rows(statement('one'), []), line.rows(statement('two'), [])];
  expect(told()).toEqual(['shared one', 'shared two']);
  await answer(0.3);
  await answer(0.3);
  expect(await Promise.all(both)).toEqual([[['one']], [['two']]]);
});

test('what takes longer goes its own way, but for a try now and then, and comes back when it is short', async () => {
  const { ready, play } = server();
  await ready('short', 'long');
  expect(await play('short', 200, 0.4)).toEqual(repeated('shared short', 200));
  expect(await play('long', 60, 3)).toEqual([...repeated('shared long', 8), ...repeated('alone long', 52)]);
  const calls = await play('long', 200, 0.4);
  expect(calls.flatMap((call, at) => (call === 'shared long' ? [at] : [])).slice(0, 5)).toEqual([0, 64, 128, 129, 130]);
  expect(calls.slice(128)).toEqual(repeated('shared long', 72));
});

test('what takes very long by itself never comes on the line; what does so there does not come back soon', async () => {
  const { ready, play } = server();
  await ready('list');
  expect(await play('report', 200, 400)).toEqual(repeated('alone report', 200));
  expect(await play('list', 50, 400)).toEqual(['shared list', ...repeated('alone list', 49)]);
});

test('what waits behind something long, or comes in one piece with it, is not taken for long or short by that', async () => {
  const { line, ready, answer, play } = server();
  await ready('long', 'short');
  for (let time = 0; time < 8; time++) {
    const all = [line.rows(statement('long'), []), line.rows(statement('short'), [])];
    await answer(3);
    await answer(time % 2 === 0 ? 0.01 : 0.5);
    await Promise.all(all);
  }
  expect(await play('long', 1, 3)).toContain('alone long');
  expect(await play('short', 1, 0.5)).toEqual(['shared short']);
});

test('nobody joins those who hear nothing, or too many', async () => {
  const { line, ready, pass, told, answer } = server();
  await ready('stuck', 'joined', 'late', 'read');
  const stuck = line.rows(statement('stuck'), []);
  pass(9);
  const joined = line.rows(statement('joined'), []);
  pass(2);
  await line.rows(statement('late'), []);
  expect(told()).toEqual(['shared stuck', 'shared joined', 'alone late']);
  await answer(1);
  await answer(1);
  await Promise.all([stuck, joined]);

  const many = Array.from({ length: 33 }, () => line.rows(statement('read'), []));
  expect(told()).toEqual([...repeated('shared read', 32), 'alone read']);
  for (let at = 0; at < 32; at++) await answer(0.1);
  await Promise.all(many);
});

test('a read that fails fails alone', async () => {
  const { line, ready, fail, answer } = server();
  await ready('bad', 'good');
  const all = Promise.allSettled([line.rows(statement('bad'), []), line.rows(statement('good'), [])]);
  const error = new Error('division by zero');
  await fail(error);
  await answer(0.2);
  expect(await all).toEqual([
    { status: 'rejected', reason: error },
    { status: 'fulfilled', value: [['good']] },
  ]);
});

test.each(['55P03', '57014', '26000'])('what is cut short with %s is read by itself', async (code) => {
  const { line, ready, fail, told } = server();
  await ready('one');
  const read = line.rows(statement('one'), []);
  await fail(Object.assign(new Error('not now'), { code }));
  expect(await read).toEqual([['one']]);
  expect(told()).toEqual(['shared one', 'alone one']);
});

test('a connection that is lost is opened anew; one that was lost while nobody read is not used', async () => {
  const { line, opened, ready, fail, told, play } = server();
  await ready('lost', 'next');
  const lost = line.rows(statement('lost'), []);
  await fail(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
  await lost;
  expect(told()).toEqual(['shared lost', 'close', 'alone lost']);
  expect(await play('next', 2, 0.2)).toEqual(['open', 'alone next', 'shared next']);
  opened.at(-1)!.isOpen = false;
  expect(await play('next', 2, 0.2)).toEqual(['close', 'open', 'alone next', 'shared next']);
});

test('all who wait on a connection that is lost are answered by the pool, and wait for no goodbye', async () => {
  const { line, ready, fail, told } = server({ saysGoodbye: false });
  await ready('one', 'two');
  const both = [line.rows(statement('one'), []), line.rows(statement('two'), [])];
  told();
  for (let time = 0; time < 2; time++) await fail(new Error('Connection terminated unexpectedly'));
  expect(await Promise.all(both)).toEqual([[['one']], [['two']]]);
  expect(told()).toEqual(['close', 'alone one', 'alone two']);
});

test('of those who wait on a connection that ends by what one could not read, each is answered by the pool', async () => {
  const { line, opened, ready, fail, told } = server();
  await ready('one', 'two');
  const both = [line.rows(statement('one'), []), line.rows(statement('two'), [])];
  told();
  opened.at(-1)!.isOpen = false;
  for (let time = 0; time < 2; time++) await fail(Object.assign(new Error('long'), { code: 'ERR_STRING_TOO_LONG' }));
  expect(await Promise.all(both)).toEqual([[['one']], [['two']]]);
  expect(told()).toEqual(['alone one', 'alone two']);
});

test('where no connection can be had, the pool reads, and one is tried again after a while', async () => {
  const { pass, play } = server({ refusals: 1 });
  expect(await play('one', 5, 0.2)).toEqual([...repeated('alone one', 3), 'open', 'alone one', 'alone one']);
  pass(4_000);
  expect(await play('one', 1, 0.2)).toEqual(['alone one']);
  pass(2_000);
  expect(await play('one', 2, 0.2)).toEqual(['open', 'alone one', 'shared one']);
});

test('a connection that nobody uses for a while is given back', async () => {
  const { ready, pass, told, play } = server({ idleAfter: 30 });
  await ready('one');
  pass(31);
  await sleep(50);
  expect(told()).toEqual(['close']);
  expect(await play('one', 2, 0.2)).toEqual(['open', 'alone one', 'shared one']);
});

test('closing ends it, also one that is being opened', async () => {
  const { line, ready, told, play } = server();
  await ready('one');
  await line.close();
  expect(told()).toEqual(['close']);
  expect(await play('one', 1, 0.2)).toEqual(['alone one']);

  const other = server();
  await other.play('one', 3, 0.2);
  const fourth = other.line.rows(statement('one'), []);
  await other.line.close();
  await fourth;
  expect(other.told()).toEqual(['open', 'alone one', 'close']);
  expect(await other.play('one', 1, 0.2)).toEqual(['alone one']);
});

test('closing does not wait for one that a silent server does not let in, which is closed when it does', async () => {
  let letIn = (): void => undefined;
  const { line, told, play } = server({ opens: new Promise((resolve) => (letIn = resolve)) });
  await play('one', 4, 0.2);
  const begun = performance.now();
  await line.close();
  expect(performance.now() - begun).toBeLessThan(4_000);
  told();
  letIn();
  await new Promise(setImmediate);
  expect(told()).toEqual(['close']);
});
