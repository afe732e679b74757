import files from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { keysIn, openUploadApp, picture, type UploadApp } from '../upload-app.fixture';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

type Shown = Record<string, unknown>;

let app: UploadApp;
afterEach(async () => {
  jest.restoreAllMocks();
  await app.remove();
});

/** An image that says how large it is, and holds next to nothing. */
function pngHeader(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(9_000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('images', () => {
  beforeEach(async () => {
    app = await openUploadApp({ images: { maxPixels: 4_000_000 } });
  });

  test('a photograph is turned upright, tells nothing of the camera, and has smaller versions', async () => {
    const bytes = await picture(1200, 800, 'jpeg', { orientation: 6 });
    expect((await sharp(bytes).metadata()).exif).toBeDefined();
    const { body } = await app.send([{ name: 'photo.jpg', bytes, type: 'image/jpeg' }]);
    const file = body[0] as Shown & { formats: Record<string, Shown> };
    expect(file).toMatchObject({ width: 800, height: 1200, mime: 'image/jpeg' });
    expect(
      Object.fromEntries(Object.entries(file.formats).map(([name, { width, height }]) => [name, [width, height]])),
    ).toEqual({
      thumbnail: [104, 156],
      small: [333, 500],
      medium: [500, 750],
      large: [667, 1000],
    });
    for (const key of keysIn(file)) {
      const kept = await fetch(`${app.url}/uploads/${key}`).then((answer) => answer.arrayBuffer());
      const { exif, orientation, width, height } = await sharp(Buffer.from(kept)).metadata();
      expect({ exif, orientation }).toEqual({ exif: undefined, orientation: undefined });
      expect(width! < height!).toBe(true);
    }
    expect(await app.mismatches()).toEqual([]);
  });

  test('an image stays as it came where writing it anew would make it no smaller', async () => {
    const noise = Buffer.from(Array.from({ length: 64 * 64 * 3 }, (_, at) => (at * at * 31 + at * 17) & 255));
    const small = await sharp(noise, { raw: { width: 64, height: 64, channels: 3 } })
      .jpeg({ quality: 20 })
      .toBuffer();
    const large = await sharp(noise, { raw: { width: 64, height: 64, channels: 3 } })
      .jpeg({ quality: 100 })
      .toBuffer();
    const told = await sharp(small)
      .withExif({ IFD0: { Make: 'a camera' } })
      .jpeg({ quality: 20 })
      .toBuffer();
    const kept: Buffer[] = [];
    for (const bytes of [small, large, told]) {
      const { body } = await app.send([{ name: 'p.jpg', bytes, type: 'image/jpeg' }]);
      kept.push(Buffer.from(await (await fetch(app.url + String(body[0]!['url']))).arrayBuffer()));
      expect(body[0]!['size']).toBe(Math.round(kept.at(-1)!.length / 10) / 100);
    }
    expect(kept[0]!.equals(small)).toBe(true);
    expect(kept[1]!.length).toBeLessThan(large.length);
    // Larger than it was, but silent.
    expect(kept[2]!.length).toBeGreaterThan(told.length);
    expect((await sharp(kept[2]).metadata()).exif).toBeUndefined();
    await app.quiet();
  });

  test('a film in WebP tells nothing of the camera, and plays as before', async () => {
    const frames = Buffer.concat([60, 120, 180].map((shade) => Buffer.alloc(300 * 200 * 3, shade)));
    const film = sharp(frames, { raw: { width: 300, height: 600, channels: 3, pageHeight: 200 } });
    const moving = { loop: 3, delay: [50, 120, 300] };
    const silent = await film.webp(moving).toBuffer();
    const exif = { IFD0: { Make: 'a camera' } };
    const telling = await film.webp(moving).withExif(exif).withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>').toBuffer();
    const turned = await film.webp(moving).withMetadata({ orientation: 6 }).toBuffer();
    expect(await sharp(telling).metadata()).toMatchObject({ exif: expect.anything(), xmp: expect.anything() });
    const kept: Buffer[] = [];
    for (const bytes of [telling, silent, turned]) {
      const { body } = await app.send([{ name: 'film.webp', bytes, type: 'image/webp' }]);
      if (bytes === telling) expect(body[0]).toMatchObject({ width: 300, height: 200, formats: { thumbnail: {} } });
      kept.push(Buffer.from(await (await fetch(app.url + String(body[0]!['url']))).arrayBuffer()));
    }
    const { exif: left, xmp, ...header } = await sharp(kept[0]).metadata();
    expect([left, xmp]).toEqual([undefined, undefined]);
    expect(header).toMatchObject({ ...moving, pages: 3, width: 300, height: 200 });
    for (const [page, shade] of [60, 120, 180].entries()) {
      const [first] = await sharp(kept[0], { page }).raw().toBuffer();
      expect(Math.abs(first! - shade)).toBeLessThan(4);
    }
    expect([kept[1]!.equals(silent), kept[2]!.equals(turned)]).toEqual([true, true]);
    await app.quiet();
  });

  test('an image of more pixels than are taken is refused by its header', async () => {
    const bomb = pngHeader(30_000, 30_000);
    const start = process.cpuUsage();
    const { status, body } = await app.send([{ name: 'bomb.png', bytes: bomb, type: 'image/png' }]);
    const { user } = process.cpuUsage(start);
    expect([status, (body as unknown as { error: Shown }).error['message']]).toEqual([
      400,
      'The image has more pixels than are taken',
    ]);
    expect(user / 1000).toBeLessThan(2_000);
    expect(app.kept()).toEqual([]);
    const frames = Buffer.concat(Array.from({ length: 50 }, (_, at) => Buffer.alloc(300 * 300 * 3, at * 5)));
    const film = await sharp(frames, { raw: { width: 300, height: 15_000, channels: 3, pageHeight: 300 } })
      .gif()
      .toBuffer();
    expect((await app.send([{ name: 'many.gif', bytes: film, type: 'image/gif' }])).status).toBe(400);
    await app.quiet();
  });

  test('what breaks while it is decoded is refused, and nothing stays', async () => {
    const whole = await picture(600, 400);
    const { status } = await app.send([{ name: 'half.png', bytes: whole.subarray(0, 3_000), type: 'image/png' }]);
    expect(status).toBe(400);
    expect(app.kept()).toEqual([]);
    await app.quiet();
  });

  test('files are what they hold, not what they are called', async () => {
    const gif = await picture(4, 4, 'gif');
    const sent: [string, string, string | Buffer, string][] = [
      ['x.png', 'image/png', 'no picture', 'text/plain'],
      ['x.txt', 'text/plain', gif, 'image/gif'],
      ['x.jpg', 'image/jpeg', gif, 'image/gif'],
      ['x.png', 'image/png', '<html><script>alert(1)</script>', 'text/html'],
      ['x.txt', 'text/plain', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', 'image/svg+xml'],
      ['x.svg', 'image/svg+xml', 'no drawing', 'text/plain'],
      [
        'x.docx',
        'application/zip',
        'PK\u0003\u0004',
        'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      ],
      ['x.png', 'image/png', Buffer.from([0, 1, 2, 3]), 'application/octet-stream'],
      ['x.pdf', 'text/html', '%PDF-1.4', 'application/pdf'],
      ['x', 'no type', 'x', 'application/octet-stream'],
    ];
    for (const [name, type, bytes, mime] of sent)
      expect((await app.send([{ name, type, bytes }])).body[0]).toMatchObject({ name, mime });
  });
});

test("smaller versions may be made in another format, at points of one's own", async () => {
  app = await openUploadApp({ breakpoints: { tiny: 64, wide: 320 }, images: { format: 'webp', quality: 60 } });
  const { body } = await app.send([{ name: 'p.png', bytes: await picture(400, 300), type: 'image/png' }]);
  expect(body[0]).toMatchObject({
    ext: '.png',
    formats: { thumbnail: { ext: '.webp', mime: 'image/webp' }, tiny: { width: 64, height: 48 }, wide: { width: 320 } },
  });
  expect(await app.mismatches()).toEqual([]);
});

test.each(['with', 'without'])(
  'smaller versions may come after the answer, on disks %s second names',
  async (second) => {
    const link = jest.spyOn(files, 'link');
    if (second === 'without') link.mockRejectedValue(Object.assign(new Error('EPERM'), { code: 'EPERM' }));
    app = await openUploadApp({ images: { background: true } });
    const bytes = await picture(600, 400);
    const sent = await Promise.all([1, 2, 3].map((at) => app.send([{ name: `${at}.png`, bytes, type: 'image/png' }])));
    const sentFiles = sent.map(({ body }) => body[0]!);
    expect(sentFiles.map(({ width, formats }) => [width, formats])).toEqual([1, 2, 3].map(() => [600, null]));
    await app.request('DELETE', `/api/upload/files/${sentFiles[2]!['id']}`);
    const shown = async (file: Shown) => (await app.request('GET', `/api/upload/files/${file['id']}`)).body;
    for (let left = 200; left > 0 && (await shown(sentFiles[0]!))['formats'] === null; left--) await sleep(25);
    await app.quiet();
    expect(await shown(sentFiles[1]!)).toMatchObject({ formats: { thumbnail: { width: 234 }, small: { width: 500 } } });
    expect(await app.mismatches()).toEqual([]);
    expect(link).toHaveBeenCalled();
  },
);

test('a stop waits for the smaller versions that are being made, and leaves the others to the next start', async () => {
  app = await openUploadApp({ images: { background: true, parallel: 1 } });
  const bytes = await picture(1200, 900);
  // At once, so that the first smaller versions wait until the last file is received.
  await Promise.all([1, 2, 3, 4, 5].map((at) => app.send([{ name: `${at}.png`, bytes, type: 'image/png' }])));
  await app.app.close();
  const notes = app.staged().filter((name) => name.endsWith('.json')).length;
  expect(notes).toBeGreaterThan(0);
  const versions = app.kept().filter((name) => name.startsWith('small_'));
  expect(versions).toHaveLength(5 - notes);
  // Notes, and what is yet to be made of: nothing else.
  expect(app.staged()).toHaveLength(2 * notes);
});
