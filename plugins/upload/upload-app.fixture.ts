import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { type AnyPlugin, type Application, createApplication, DOCUMENTS, type RawConfig } from '../../core';
import { type AppFolder, appFolder } from '../../core/testing/app-folder';
import { pluginOf } from '../../core/testing/test-application';
import draftPublish from '../draft-publish';
import i18n from '../i18n';
import rest from '../rest';
import sql from '../sql';
import { client } from '../sql/store/database-app.fixture';
import { createDatabase, dropDatabase } from '../sql/sync/databases.fixture';
import upload from '.';
import { fileUid } from './content-types';

// For tests: an application that takes files from everyone, on the database that DATABASE_CLIENT names.

type Shown = Record<string, unknown>;

export interface Answer<Body = Shown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export interface SentFile {
  readonly name: string;
  readonly bytes: string | Uint8Array;
  readonly type?: string;
}

export interface UploadApp {
  readonly app: Application;
  readonly folder: AppFolder;
  readonly url: string;
  request<Body = Shown>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<Body>>;
  send<Body = Shown[]>(
    files: readonly SentFile[],
    fields?: Record<string, unknown>,
    path?: string,
  ): Promise<Answer<Body>>;
  /** The names of all that is kept on the disk. */
  kept(): string[];
  /** What is on its way, and the notes about it. */
  staged(): string[];
  /** Waits until nothing is on its way any more. */
  quiet(): Promise<void>;
  /** Whether the rows and what is kept fit together, to the last file. */
  mismatches(): Promise<string[]>;
  remove(): Promise<void>;
}

const info = (name: string) => ({ singularName: name, pluralName: `${name}s`, displayName: name });
const projectFiles = {
  'src/api/shot/content-types/shot/schema.json': {
    info: info('shot'),
    options: { draftAndPublish: true },
    attributes: {
      title: { type: 'string' },
      cover: { type: 'media', allowedTypes: ['images'] },
      album: { type: 'media', multiple: true },
    },
  },
};

const connectionTo = {
  sqlite: (filename: string) => ({ filename }),
  mysql: (database: string) => ({ host: '127.0.0.1', user: 'root', password: '', database }),
  postgres: (database: string) => ({ host: '127.0.0.1', user: 'postgres', password: '', database }),
};

/** Lets everyone do everything. */
export const everyone = pluginOf('everyone', ({ hooks }) => hooks.http.authorize.tap('everyone', () => true));

/** The names of all files in a folder, which need not be there. */
export const filesBelow = (path: string): string[] => {
  try {
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
};

/** The keys of a file's row: its own and those of its smaller versions. */
export const keysIn = (file: Shown): string[] =>
  [file, ...Object.values((file['formats'] ?? {}) as Record<string, Shown>)].map((each) => {
    const key = new URL(String(each['url']), 'http://x').pathname.split('/').at(-1)!;
    if (!key.startsWith(String(each['hash']))) throw new Error(`${each['url']} is not the address of ${each['hash']}`);
    return key;
  });

let places = 0;

export async function openUploadApp(
  config: RawConfig = {},
  {
    plugins = [],
    project = projectFiles,
  }: { plugins?: readonly AnyPlugin[]; project?: Record<string, string | object> } = {},
): Promise<UploadApp> {
  const folder = appFolder(project);
  const name = client === 'sqlite' ? join(folder.dataDir, 'data.db') : `heddle_u_${process.pid}_${++places}`;
  if (client !== 'sqlite') await createDatabase(client, name);
  const all = [sql, draftPublish, i18n, rest, upload, ...(plugins.length > 0 ? plugins : [everyone])];
  const app = await createApplication({
    ...folder,
    shipped: {
      plugins: Object.fromEntries(all.map((plugin) => [plugin.name, { default: true, load: () => plugin }])),
      inert: {},
    },
    env: { NODE_ENV: 'test' },
    overrides: {
      plugins: { upload: { config } },
      database: { connection: { client, connection: connectionTo[client](name) } },
    },
  }).catch((error: unknown) => {
    folder.remove();
    throw error;
  });
  const { url } = await app.listen(0);

  async function request<Body>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<Body>> {
    const isPlain =
      body === undefined || body instanceof FormData || typeof body === 'string' || body instanceof Uint8Array;
    const answer = await fetch(url + path, {
      method,
      headers: { ...(!isPlain && { 'content-type': 'application/json' }), ...headers },
      body: isPlain ? (body as never) : JSON.stringify(body),
      redirect: 'manual',
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json') === true;
    return { status: answer.status, headers: answer.headers, body: (isJson ? JSON.parse(text) : text) as Body };
  }

  const uploads = join(folder.dataDir, 'uploads');
  const staged = (): string[] => filesBelow(join(folder.dataDir, 'upload-staging'));
  const kept = (): string[] => filesBelow(uploads);

  return {
    app,
    folder,
    url,
    request,
    send(files, fields = {}, path = '/api/upload') {
      const form = new FormData();
      for (const [field, value] of Object.entries(fields))
        form.append(field, typeof value === 'string' ? value : JSON.stringify(value));
      for (const { name: fileName, bytes, type = 'text/plain' } of files)
        form.append('files', new Blob([bytes as never], { type }), fileName);
      return request('POST', path, form);
    },
    kept,
    staged,
    async quiet() {
      for (let left = 200; left > 0 && staged().length > 0; left--) await sleep(25);
      if (staged().length > 0) throw new Error(`still on their way: ${staged().join(', ')}`);
    },
    async mismatches() {
      const rows = await app.kernel.services.get(DOCUMENTS).of(fileUid).find();
      const wanted = rows.flatMap(keysIn);
      const there = kept();
      return [
        ...wanted.filter((key) => !there.includes(key)).map((key) => `row without its file: ${key}`),
        ...there.filter((key) => !wanted.includes(key)).map((key) => `file without its row: ${key}`),
      ];
    },
    async remove() {
      await app.close();
      if (client !== 'sqlite') await dropDatabase(client, name);
      folder.remove();
    },
  };
}

/** A picture that no two bytes of are alike by chance, in the format that is asked for. */
export function picture(
  width: number,
  height: number,
  format: 'png' | 'jpeg' | 'gif' | 'webp' | 'avif' = 'png',
  metadata?: { orientation: number },
): Promise<Buffer> {
  const bytes = Buffer.from(Array.from({ length: width * height * 3 }, (_, at) => (at * 7 + (at >> 5)) & 255));
  const image = sharp(bytes, { raw: { width, height, channels: 3 } }).toFormat(format);
  return (
    metadata ? image.withExif({ IFD0: { Copyright: 'somebody', Make: 'a camera' } }).withMetadata(metadata) : image
  ).toBuffer();
}
