import cluster from 'node:cluster';
import { silentLogger } from './kernel/logger';
import { createLogger, isLogLevel } from './log';
import { asWorker } from './one-of-workers';
import { pretty } from './pretty-log';

function written(level: string, act: (log: ReturnType<typeof createLogger>) => void, lines = false): string {
  const write = jest.spyOn(process.stdout, 'write').mockImplementation(() => true);
  try {
    act(createLogger({ level, pretty: lines }));
    return write.mock.calls.map(([text]) => String(text)).join('');
  } finally {
    write.mockRestore();
  }
}

test('lines are JSON, from the level on, without secrets', () => {
  const lines = written('info', (log) => {
    log.debug({}, 'hidden');
    log.child({ plugin: 'p' }).info({ user: { password: 'x', name: 'n' } }, 'shown');
    log.error({ err: new TypeError('oh') }, 'broken');
  });
  const [shown, broken] = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(shown).toEqual({
    level: 'info',
    time: expect.any(String),
    plugin: 'p',
    user: { password: '[secret]', name: 'n' },
    msg: 'shown',
  });
  expect(broken).toMatchObject({ level: 'error', err: { type: 'TypeError', message: 'oh' } });
});

test('a worker that shares a stream with others tells which one it is', () => {
  const [replaced, worker] = [jest.replaceProperty(cluster, 'isWorker', true), cluster.worker];
  try {
    Object.assign(process.env, asWorker);
    Object.assign(cluster, { worker: { id: 3 } });
    expect(JSON.parse(written('info', (log) => log.info({}, 'listening')))).toMatchObject({ worker: 3 });
  } finally {
    replaced.restore();
    Object.assign(cluster, { worker });
    for (const name of Object.keys(asWorker)) delete process.env[name];
  }
});

test('an error is told without what others hung on it, and with its cause', () => {
  const cause = Object.assign(new Error('no such table'), {
    code: 'E1',
    sql: "insert 'secret-sql'",
    parameters: ['secret-p'],
  });
  const line = written('info', (log) => log.error({ err: new Error('writing failed', { cause }) }, 'broken'));
  expect(JSON.parse(line).err).toEqual({
    type: 'Error',
    message: 'writing failed',
    stack: expect.stringContaining('writing failed'),
    cause: { type: 'Error', message: 'no such table', code: 'E1', stack: expect.any(String) },
  });
  expect(line).not.toContain('secret-');
});

test('levels of existing projects are understood', () => {
  expect(['http', 'silly', 'info', 'loud'].map(isLogLevel)).toEqual([true, true, true, false]);
  expect(written('verbose', (log) => log.debug({}, 'shown'))).toContain('shown');
});

test('a silent logger is none', () => {
  expect(createLogger({ level: 'silent' })).toBe(silentLogger);
});

test('on a terminal, lines are for people', () => {
  const line = JSON.stringify({
    level: 'warn',
    time: '2020-01-02T03:04:05.678Z',
    msg: 'slow',
    ms: 12,
    path: '/x',
    err: { stack: 'Error: x\n    at y' },
  });
  expect(pretty(line).replace(/\u001b\[\d+m/g, '')).toBe('03:04:05.678 WARN  slow ms=12 path=/x\nError: x\n    at y\n');
  expect(written('info', (log) => log.info({ a: 1 }, 'hello'), true)).toContain('hello');
});
