import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import graphql from '../../graphql';
import { everyone, keysIn, openUploadApp, picture, type UploadApp } from '../upload-app.fixture';

type Shown = Record<string, unknown>;

/** As far as this file uses it: the package has no types. */
interface S3Server {
  configureBuckets(): Promise<unknown>;
  listen(port: number, host: string): Promise<Server>;
}
const S3rver = require('s3rver') as new (options: object) => S3Server;

/** A server that speaks S3's protocol, with one bucket, on a folder of its own. */
async function startS3() {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-s3-'));
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: 'media' }],
  });
  await server.configureBuckets();
  const listener = await server.listen(0, '127.0.0.1');
  const { port } = listener.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async stop() {
      listener.closeAllConnections();
      await new Promise((resolve) => listener.close(resolve));
      rmSync(directory, { recursive: true });
    },
  };
}

let s3: Awaited<ReturnType<typeof startS3>>;
let app: UploadApp | undefined;

beforeEach(async () => {
  s3 = await startS3();
});
afterEach(async () => {
  await app?.remove();
  app = undefined;
  await s3.stop();
});

const configured = (params = {}, more = {}) => ({
  provider: '@strapi/provider-upload-aws-s3',
  providerOptions: {
    ...more,
    s3Options: {
      credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
      region: 'eu-central-1',
      endpoint: s3.endpoint,
      forcePathStyle: true,
      params: { Bucket: 'media', ...params },
    },
  },
});

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status;

test('files and their smaller versions lie in the bucket, and go with their row', async () => {
  app = await openUploadApp(configured({}, { rootPath: '/site/' }));
  const { body } = await app.send([{ name: 'p.png', bytes: await picture(600, 300), type: 'image/png' }]);
  const file = body[0] as Shown & { formats: Record<string, Shown> };
  expect(file).toMatchObject({
    provider: 'aws-s3',
    url: `${s3.endpoint}/media/site/${file['hash']}.png`,
    isUrlSigned: false,
    formats: { thumbnail: { url: `${s3.endpoint}/media/site/thumbnail_${file['hash']}.png` } },
  });
  const urls = [file['url'], ...Object.values(file.formats).map(({ url }) => url)].map(String);
  for (const url of urls) expect((await fetch(url)).headers.get('content-type')).toBe('image/png');
  expect(app.kept()).toEqual([]);

  const { body: replaced } = await app.send<Shown>(
    [{ name: 'q.png', bytes: await picture(3, 2), type: 'image/png' }],
    {},
    `/api/upload?id=${file['id']}`,
  );
  expect([replaced['url'], replaced['width']]).toEqual([file['url'], 3]);
  expect(await Promise.all(urls.map(statusOf))).toEqual([200, ...urls.slice(1).map(() => 404)]);
  await app.request('DELETE', `/api/upload/files/${file['id']}`);
  expect(await statusOf(urls[0]!)).toBe(404);
});

test('a large file goes up in parts', async () => {
  app = await openUploadApp(configured());
  const bytes = Buffer.alloc(12_000_000, 'heddle ');
  const { body } = await app.send([{ name: 'large.bin', bytes, type: 'application/octet-stream' }]);
  const back = Buffer.from(await (await fetch(String(body[0]!['url']))).arrayBuffer());
  expect(back.equals(bytes)).toBe(true);
});

test.each([
  ['page.html', 'text/plain', 'attachment'],
  ['style.xsl', 'text/plain', 'attachment'],
  ['style', 'text/xsl', 'attachment'],
  ['feed', 'application/x-anything+xml', 'attachment'],
  ['data', 'image/xml', 'attachment'],
  ['book.xlsx', 'text/plain', null],
  ['note.txt', 'text/xml', null],
])('what a browser might run is a download there, too: %s, called %s', async (name, type, disposition) => {
  app = await openUploadApp(configured());
  const bytes = '<x:script xmlns:x="http://www.w3.org/1999/xhtml">1</x:script>';
  const { body } = await app.send([{ name, type, bytes }]);
  expect((await fetch(String(body[0]!['url']))).headers.get('content-disposition')).toBe(disposition);
});

test('of a private bucket, answers show addresses that work for a while, wherever a file stands', async () => {
  app = await openUploadApp(configured({ ACL: 'private', signedUrlExpires: 60 }));
  const { body } = await app.send([{ name: 'p.png', bytes: await picture(300, 300), type: 'image/png' }]);
  const file = body[0]!;
  expect(file['isUrlSigned']).toBe(true);
  const { body: shot } = await app.request<{ data: { documentId: string } }>('POST', '/api/shots', {
    data: { title: 'x', cover: file['id'], album: [file['id']] },
  });
  const { body: shown } = await app.request<{ data: { cover: Shown; album: Shown[] } }>(
    'GET',
    `/api/shots/${shot.data.documentId}?populate=*`,
  );
  const { body: listed } = await app.request<Shown[]>('GET', '/api/upload/files');
  for (const each of [file, shown.data.cover, shown.data.album[0]!, listed[0]!]) {
    const { url, formats } = each as { url: string; formats: Record<string, { url: string }> };
    for (const address of [url, formats['thumbnail']!.url]) {
      expect(new URL(address).searchParams.get('X-Amz-Expires')).toBe('60');
      expect(await statusOf(address)).toBe(200);
    }
  }
  // The row keeps the address itself.
  const { body: renamed } = await app.request('POST', `/api/upload?id=${file['id']}`, {
    fileInfo: { name: 'renamed' },
  });
  expect(keysIn(renamed)).toEqual(keysIn(file));
  const knex = app.app.kernel.services.get<{
    rows(statement: { sql: string }, values: unknown[]): unknown[][] | Promise<unknown[][]>;
  }>({ name: 'sql.database' });
  expect(await knex.rows({ sql: 'select url from files' }, [])).toEqual([[`${s3.endpoint}/media/${file['hash']}.png`]]);
});

/** All addresses of files in an answer, at any depth. */
const addressesIn = (value: unknown): string[] => {
  if (typeof value === 'string') return value.startsWith('http') ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(addressesIn) : [];
};

/** The server hands out files without being shown that. */
const isSigned = (address: string): boolean => new URL(address).searchParams.has('X-Amz-Signature');

describe('of a private bucket, addresses work', () => {
  const project = {
    'src/components/parts/picture.json': {
      info: { displayName: 'Picture' },
      attributes: { image: { type: 'media' }, note: { type: 'string' } },
    },
    'src/components/parts/quote.json': { info: { displayName: 'Quote' }, attributes: { text: { type: 'string' } } },
    'src/api/page/content-types/page/schema.json': {
      info: { singularName: 'page', pluralName: 'pages', displayName: 'page' },
      attributes: {
        title: { type: 'string' },
        cover: { type: 'media' },
        album: { type: 'media', multiple: true },
        zone: { type: 'dynamiczone', components: ['parts.quote', 'parts.picture'] },
      },
    },
  };
  let fileId: unknown;
  const ask = async (query: string): Promise<unknown> =>
    (await app!.request<{ data: unknown }>('POST', '/graphql', { query })).body.data;

  beforeEach(async () => {
    app = await openUploadApp(configured({ ACL: 'private' }), { plugins: [everyone, graphql], project });
    const { body } = await app.send([{ name: 'p.png', bytes: await picture(300, 300), type: 'image/png' }]);
    fileId = body[0]!['id'];
    const data = {
      title: 'x',
      cover: fileId,
      album: [fileId],
      zone: [
        { __component: 'parts.quote', text: 'a' },
        { __component: 'parts.picture', image: fileId },
      ],
    };
    expect((await app.request('POST', '/api/pages', { data })).status).toBe(201);
  });

  test.each([
    ['of the address alone', '/api/pages?populate[cover][fields][0]=url', 1],
    ['of the smaller versions alone', '/api/pages?populate[cover][fields][0]=formats', 1],
    ['of what stands in a zone', '/api/pages?populate[zone][on][parts.picture][populate][image][fields][0]=url', 1],
  ])('over REST: %s', async (_what, path, count) => {
    const addresses = addressesIn((await app!.request('GET', path)).body);
    expect(addresses).toHaveLength(count);
    for (const address of addresses) expect([isSigned(address), await statusOf(address)]).toEqual([true, 200]);
  });

  test.each([
    ['the address alone', '{ pages { cover { url } } }', 1],
    ['under other names', '{ pages { a: cover { b: url } c: cover { name d: url formats } } }', 3],
    ['a list', '{ pages { album { url } b: album(sort: "name") { url } } }', 2],
    ['connections', '{ pages { album_connection { nodes { url } } b: album_connection { c: nodes { d: url } } } }', 2],
    ['a connection of pages', '{ pages_connection { nodes { cover { url } } } }', 1],
    ['a zone', '{ pages { zone { ... on ComponentPartsPicture { image { url } } } } }', 1],
    ['files themselves', '{ uploadFiles { url } b: uploadFiles { hash url } }', 2],
  ])('over GraphQL: %s', async (_what, query, count) => {
    const addresses = addressesIn(await ask(query));
    expect(addresses).toHaveLength(count);
    for (const address of addresses) expect([isSigned(address), await statusOf(address)]).toEqual([true, 200]);
  });

  test('in what mutations answer', async () => {
    const changed = await ask(`mutation { updateUploadFile(id: ${fileId}, info: { name: "n.png" }) { url } }`);
    expect(addressesIn(changed).map(isSigned)).toEqual([true]);
    const removed = addressesIn(await ask(`mutation { deleteUploadFile(id: ${fileId}) { url } }`));
    expect(removed.map(isSigned)).toEqual([true]);
  });
});

test('a bucket that does not answer is no file and no row, and says nothing of how to get in', async () => {
  app = await openUploadApp(configured({ Bucket: 'elsewhere' }));
  const { status, body } = await app.send<Shown>([{ name: 'a.txt', bytes: 'a' }]);
  expect(status).toBe(503);
  expect(JSON.stringify(body)).not.toContain('S3RVER');
  expect((await app.request('GET', '/api/upload/files')).body).toEqual([]);
});

test.each([
  [{ provider: 'aws-s3' }, /s3Options/],
  [{ provider: 'aws-s3', providerOptions: { s3Options: { region: 'x', params: {} } } }, /Bucket/],
  [{ provider: 'cloudinary' }, /names "cloudinary", which no plugin adds/],
  [{ provider: 'locale' }, /Did you mean "local"/],
  [{ sizeLimit: '1mb' }, /sizeLimit/],
  [{ breakpoints: { small: 0 } }, /breakpoints/],
  [{ unknown: 1 }, /unknown/],
])('%j keeps the application from starting, and is told', async (config, told) => {
  await expect(openUploadApp(config)).rejects.toThrow(told);
});
