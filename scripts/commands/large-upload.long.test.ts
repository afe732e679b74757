import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type AppFolder, appFolder } from '../../core/testing/app-folder';
import { type Running, running } from '../ci/running';

// A real process takes a gigabyte and hands it out again, and its memory is watched.

const gigabyte = 1_000_000_000;
const block = Buffer.alloc(1_000_000, 'heddle keeps nothing of this ');
const plugin = `module.exports = {
  name: 'open',
  apply({ hooks }) { hooks.http.authorize.tap('open', () => true); },
};`;

let folder: AppFolder;
let service: Running;

beforeAll(async () => {
  folder = appFolder({
    'config/plugins.js': "module.exports = { open: { resolve: './open.js' } };",
    'open.js': plugin,
  });
  service = await running(folder.appDir, folder.dataDir);
});
afterAll(async () => {
  await service.stop();
  folder.remove();
});

/** Megabytes that the service holds. */
const resident = (): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))![1]) / 1_000;

function* form(): Generator<Buffer> {
  yield Buffer.from(
    '--X\r\nContent-Disposition: form-data; name="files"; filename="large.bin"\r\nContent-Type: application/octet-stream\r\n\r\n',
  );
  for (let sent = 0; sent < gigabyte; sent += block.length) yield block;
  yield Buffer.from('\r\n--X--\r\n');
}

async function send(body: Iterable<Buffer>): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(service.url);
  const headers = { 'content-type': 'multipart/form-data; boundary=X', 'transfer-encoding': 'chunked' };
  const sending = request({ hostname, port, path: '/api/upload', method: 'POST', headers });
  const answered = new Promise<{ status: number; text: string }>((resolve, reject) => {
    sending.on('error', reject);
    sending.on('response', async (response) => {
      let text = '';
      for await (const chunk of response) text += String(chunk);
      resolve({ status: response.statusCode!, text });
    });
  });
  await pipeline(Readable.from(body), sending);
  return answered;
}

test('a gigabyte goes in and out, and memory stays flat', async () => {
  await send([
    Buffer.from('--X\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\nwarm\r\n--X--\r\n'),
  ]);
  const before = resident();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, resident());
  }, 50);
  const started = performance.now();
  const { status, text } = await send(form());
  const seconds = (performance.now() - started) / 1_000;
  expect([status, JSON.parse(text)[0].size]).toEqual([201, gigabyte / 1_000]);

  const digest = createHash('sha1');
  let length = 0;
  for await (const chunk of (await fetch(service.url + JSON.parse(text)[0].url)).body!) {
    digest.update(chunk);
    length += chunk.length;
  }
  clearInterval(watch);
  const wanted = createHash('sha1');
  for (let made = 0; made < gigabyte; made += block.length) wanted.update(block);
  expect([length, digest.digest('hex')]).toEqual([gigabyte, wanted.digest('hex')]);
  console.log(`${before.toFixed(0)} MB before, ${most.toFixed(0)} MB at most, taken in ${seconds.toFixed(1)} s`);
  expect(most - before).toBeLessThan(100);
}, 300_000);

test('a byte more than is taken is refused, and nothing of it is kept', async () => {
  const before = readdirSync(join(folder.dataDir, 'uploads'));
  function* larger(): Generator<Buffer> {
    const [head, ...blocks] = form();
    yield head!;
    yield Buffer.from('x');
    yield* blocks;
  }
  const { status } = await send(larger());
  expect(status).toBe(413);
  expect(readdirSync(join(folder.dataDir, 'uploads'))).toEqual(before);
  const staging = join(folder.dataDir, 'upload-staging');
  expect(readdirSync(staging).flatMap((name) => readdirSync(join(staging, name)))).toEqual([]);
}, 300_000);
