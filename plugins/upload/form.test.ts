import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { openUploadApp, picture, type UploadApp } from './upload-app.fixture';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

type Shown = Record<string, unknown>;

let app: UploadApp;
afterEach(() => app.remove());

const text = (name: string, bytes = 'hello') => ({ name, bytes });

describe('forms', () => {
  beforeEach(async () => {
    app = await openUploadApp({ sizeLimit: 100_000, filesLimit: 3 });
  });

  test('one file or several are kept with what is said of them, and their rows tell where', async () => {
    const { status, body } = await app.send([text('a.txt', 'abc'), text('b.txt')], {
      fileInfo: [{ caption: 'A' }, { name: 'bee.txt' }],
    });
    expect(status).toBe(201);
    expect(body).toMatchObject([
      { name: 'a.txt', caption: 'A', ext: '.txt', mime: 'text/plain', size: 0, provider: 'local', isUrlSigned: false },
      { name: 'bee.txt', caption: null, size: 0.01 },
    ]);
    expect((await app.request('GET', String(body[1]!['url']))).body).toBe('hello');
    expect(await app.mismatches()).toEqual([]);
    await app.quiet();
  });

  test('what is changed of a file leaves when it was published', async () => {
    const made = (await app.send([text('a.txt')])).body[0] as Shown;
    const path = `/api/upload?id=${made['id']}`;
    for (const [files, said] of [
      [[], { fileInfo: { caption: 'said' } }],
      [[text('b.txt', 'other')], {}],
    ] as const) {
      await sleep(5);
      const changed = (await app.send([...files], said, path)).body as unknown as Shown;
      expect(changed['publishedAt']).toBe(made['publishedAt']);
      expect(changed['updatedAt']).not.toBe(made['updatedAt']);
    }
  });

  test.each([
    [
      'a file beyond the limit',
      [text('ok.txt'), text('big.txt', 'x'.repeat(100_001))],
      413,
      'big.txt exceeds size limit of 100 KB.',
    ],
    ['too many files', ['1', '2', '3', '4'].map((name) => text(name)), 413, 'The form has more than 3 files.'],
    ['a name that is none', [text('ok.txt'), text('a/b.txt')], 400, 'File name contains invalid characters'],
    ['an empty file', [text('e.txt', '')], 400, 'Files are empty'],
  ])('%s is refused, and nothing of the form is kept', async (_what, files, status, message) => {
    const answer = await app.send(files);
    expect(answer).toMatchObject({ status, body: { error: { status, message } } });
    expect((await app.request('GET', '/api/upload/files')).body).toEqual([]);
    expect(app.kept()).toEqual([]);
    await app.quiet();
  });

  test('inputs that were left empty beside others are no files', async () => {
    const { status, body } = await app.send([text('', ''), text('a.txt'), text('', ''), text('e.txt', '')]);
    expect([status, body.map(({ name }) => name)]).toEqual([201, ['a.txt', 'e.txt']]);
    expect(await app.send([text('', ''), text('', '')])).toMatchObject({ status: 400 });
  });

  test('what is wrong with what is said of a file has its keys in the order of all errors', async () => {
    const said = { caption: ['x'], alternativeText: 'x'.repeat(10_001), focalPoint: { x: 500, y: 0 } };
    const { body } = await app.send([text('a.txt')], { fileInfo: JSON.stringify(said) });
    const { details } = (body as unknown as { error: { details: { errors: object[] } } }).error;
    expect(details.errors.map(Object.keys)).toEqual(
      Array.from({ length: 3 }, () => ['path', 'message', 'name', 'value']),
    );
  });

  test('a file of just the size of the limit is taken', async () => {
    expect((await app.send([text('just.txt', 'x'.repeat(100_000))])).body[0]).toMatchObject({ size: 100 });
  });

  test('the texts of a form are bounded together, and those of files are not among them', async () => {
    const texts = (count: number, length: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, 'é'.repeat(length / 2)]));
    const message = 'The text of the form exceeds size limit of 2 MB.';
    expect(await app.send([text('a.txt')], texts(5, 500_000))).toMatchObject({
      status: 413,
      body: { error: { status: 413, name: 'PayloadTooLargeError', message } },
    });
    expect(app.kept()).toEqual([]);
    await app.quiet();
    expect((await app.send([text('a.txt', 'x'.repeat(90_000))], texts(4, 499_000))).status).toBe(201);
  });

  const boundary = 'multipart/form-data; boundary=X';
  const part = '--X\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\nabc';
  test.each([
    ['no boundary', 'multipart/form-data', 'x'],
    ['no form', boundary, 'garbage'],
    ['an end too early', boundary, part],
    ['an end too early inside of a file that nobody asks for', boundary, part.replace('"files"', '"avatar"')],
    ["headers that don't end", boundary, `--X\r\nContent-Disposition: form-data; ${'x'.repeat(30_000)}`],
    [
      'a name that is too long',
      boundary,
      `--X\r\nContent-Disposition: form-data; name="${'f'.repeat(500)}"\r\n\r\nabc\r\n--X--`,
    ],
    [
      'a field that is too large',
      boundary,
      `--X\r\nContent-Disposition: form-data; name="f"\r\n\r\n${'x'.repeat(1_100_000)}\r\n--X--`,
    ],
  ])("%s is the caller's mistake, and the service goes on", async (_what, type, body) => {
    const { status } = await app.request('POST', '/api/upload', body, { 'content-type': type });
    expect(status).toBe(400);
    expect((await app.send([text('next.txt')])).status).toBe(201);
    await app.quiet();
  });

  test.each([
    { files: [{ name: 'passwd', path: '/etc/passwd', filepath: '/etc/passwd', size: 3, type: 'text/plain' }] },
    { files: { name: 'passwd', tmpPath: '/etc/passwd' }, fileInfo: { name: 'x' } },
  ])('files that a body describes are none', async (body) => {
    const { status, body: answer } = await app.request('POST', '/api/upload', body);
    expect([status, (answer['error'] as Shown)['message']]).toEqual([400, 'Files are empty']);
  });

  test('keys of forms reach no prototype', async () => {
    const form = new FormData();
    form.append('__proto__', '{"polluted":true}');
    form.append('constructor', 'x');
    form.append('files', new Blob(['a']), 'a.txt');
    expect((await app.request('POST', '/api/upload', form)).status).toBe(201);
    expect(({} as Shown)['polluted']).toBeUndefined();
  });

  test('names of clients never become names on the disk', async () => {
    const names = [
      '..',
      '.htaccess',
      'con',
      'x.php%00.png',
      '%2e%2e%2fx',
      'a\\..\\b.txt',
      `${'y'.repeat(250)}.txt`,
      'x.a b/'.slice(0, 5),
    ];
    for (const name of names) {
      const { body } = await app.send<Shown[]>([text(name)]);
      expect(body[0]!['hash']).toMatch(/^[A-Za-z0-9_]*_[0-9a-f]{10}$/);
      expect(body[0]!['ext']).toMatch(/^(\.[A-Za-z0-9_-]*)?$/);
    }
    expect(app.kept()).toHaveLength(names.length);
    expect(await app.mismatches()).toEqual([]);
  });

  test('a client that goes away leaves nothing behind', async () => {
    await Promise.all(
      Array.from({ length: 20 }, async (_, at) => {
        const { hostname, port } = new URL(app.url);
        const sending = httpRequest({
          hostname,
          port,
          path: '/api/upload',
          method: 'POST',
          headers: { 'content-type': boundary, 'content-length': 50_000 },
        });
        sending.on('error', () => undefined);
        sending.write(part.slice(0, 20 + at * 4));
        if (at % 2 === 0) sending.write('x'.repeat(at * 500));
        await sleep(10 * at);
        sending.destroy();
      }),
    );
    await app.quiet();
    expect(app.kept()).toEqual([]);
    expect((await app.send([text('next.txt')])).status).toBe(201);
  });
});

describe('at once', () => {
  beforeEach(async () => {
    app = await openUploadApp();
  });

  test('two hundred uploads are all kept, in one folder', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, at) => app.send([text(`${at}.txt`, `content ${at}`)])),
    );
    expect(answers.every(({ status }) => status === 201)).toBe(true);
    expect(new Set(answers.map(({ body }) => body[0]!['url'])).size).toBe(200);
    expect(await app.mismatches()).toEqual([]);
    const some = answers[57]!.body[0]!;
    expect((await app.request('GET', String(some['url']))).body).toBe('content 57');
    await app.quiet();
  }, 120_000);

  test('of two that remove a file one finds it, and replacing waits for its turn', async () => {
    const { body } = await app.send([{ name: 'p.png', bytes: await picture(300, 300), type: 'image/png' }]);
    const path = `/api/upload?id=${body[0]!['id']}`;
    const replaced = await Promise.all(
      [100, 400, 600, 200].map(async (size) =>
        app.send<Shown>([{ name: `${size}.png`, bytes: await picture(size, size), type: 'image/png' }], {}, path),
      ),
    );
    expect(replaced.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await app.mismatches()).toEqual([]);
    const removed = await Promise.all(
      [1, 2, 3].map(() => app.request('DELETE', `/api/upload/files/${body[0]!['id']}`)),
    );
    expect(removed.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    expect(app.kept()).toEqual([]);
    await app.quiet();
  });
});

test('types may be allowed or denied', async () => {
  app = await openUploadApp({
    security: { allowedTypes: ['image/*', 'text/*'], deniedTypes: ['text/html', 'image/gif'] },
  });
  const types = [
    ['a.txt', 'x'],
    ['a.html', '<html>'],
    ['a.png', await picture(2, 2)],
    ['a.txt', await picture(2, 2, 'gif')],
    ['a.pdf', '%PDF-1.4'],
  ] as const;
  const statuses: number[] = [];
  for (const [name, bytes] of types) statuses.push((await app.send([{ name, bytes }])).status);
  expect(statuses).toEqual([201, 400, 201, 400, 400]);
  expect(await app.mismatches()).toEqual([]);
});

describe('the ending of a name, by which files are handed out', () => {
  const gif = 'GIF89a<script>alert(1)</script>';

  test('is to be of an allowed type, too', async () => {
    app = await openUploadApp({ security: { allowedTypes: ['image/*'] } });
    const names = ['a.html', 'a.HTML', 'a.svg.xhtml', 'a.js', 'a.gif', 'a.unknown', 'a'];
    expect((await app.send([{ name: 'a.jfif', bytes: await picture(2, 2, 'jpeg') }])).status).toBe(201);
    const sent = await Promise.all(names.map((name) => app.send<Shown>([{ name, bytes: gif, type: 'image/gif' }])));
    expect(sent.map(({ status }) => status)).toEqual([400, 400, 400, 400, 201, 201, 201]);
    expect(sent[0]!.body['error']).toMatchObject({ message: "File type 'text/html' is not allowed" });
    expect(app.kept()).toHaveLength(4);
    expect(await app.mismatches()).toEqual([]);
  });

  test('is not to be of a denied one', async () => {
    app = await openUploadApp({ security: { deniedTypes: ['text/html'] } });
    const statuses: number[] = [];
    for (const [name, bytes] of [
      ['a.html', '\0<script>alert(1)</script>'],
      ['a.htm', gif],
      ['a.bin', '\0'],
    ] as const)
      statuses.push((await app.send([{ name, bytes }])).status);
    expect(statuses).toEqual([400, 400, 201]);
  });

  test('is that of the file which is replaced', async () => {
    app = await openUploadApp({ security: { deniedTypes: ['image/gif'] } });
    const { body } = await app.send([text('a.txt')]);
    const path = `/api/upload?id=${body[0]!['id']}`;
    expect((await app.send([text('b.gif')], {}, path)).status).toBe(200);
    expect((await app.send([{ name: 'b.txt', bytes: gif }], {}, path)).status).toBe(400);
  });
});
