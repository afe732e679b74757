import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { endIfUnreadable } from './postgres-driver';

/** What a process of its own finds: this one has loaded all of it. */
function found(expression: string): string {
  const script = `
    const before = 'navigator' in globalThis;
    const { postgresDriver } = require('./dist/plugins/sql/database/postgres-driver.js');
    const driver = postgresDriver();
    console.log(${expression});`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8', timeout: 20_000 });
  return (stdout + stderr).trim();
}

test('the driver is loaded without all of fetch', () => {
  expect(found("process.moduleLoadList.some((name) => name.includes('undici'))")).toBe('false');
});

test('what it was shown is gone, and what was there still is', () => {
  expect(found("before === ('navigator' in globalThis) && driver === postgresDriver() && typeof driver.Client")).toBe(
    'function',
  );
});

function reading(read: (piece: Buffer) => void): PassThrough {
  const stream = new PassThrough();
  stream.on('data', read);
  endIfUnreadable(stream as unknown as Socket);
  return stream;
}

test('what the driver reads, it goes on reading', async () => {
  const read: string[] = [];
  const stream = reading((piece) => read.push(String(piece)));
  stream.write('a');
  stream.end('b');
  await once(stream, 'end');
  expect(read).toEqual(['a', 'b']);
});

test('what it can not read ends the connection, for that reason', async () => {
  const reason = new Error('too long');
  const stream = reading(() => {
    throw reason;
  });
  stream.write('a');
  expect(await once(stream, 'error')).toEqual([reason]);
  expect(stream.destroyed).toBe(true);
});
