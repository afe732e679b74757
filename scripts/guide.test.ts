import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import request from 'supertest';
import { type Application, createApplication, DOCUMENTS } from '../core';
import { shipped } from '../plugins/shipped';
import { packageRoot } from './package-root';

// "Write a plugin", as it stands there: its commands are given and its files are written, in their order.

interface Block {
  readonly language: string;
  readonly text: string;
}

const guide = readFileSync(join(packageRoot, 'plugins', 'README.md'), 'utf8');
const blocks = [...guide.matchAll(/```(\w*)\n([\s\S]*?)```/g)].map(
  ([, language, text]): Block => ({ language: language!, text: text! }),
);

const root = mkdtempSync(join(tmpdir(), 'heddle-guide-'));
const appDir = join(root, 'my-app');
let output = '';
let app: Application;

function give(commands: string): void {
  for (const command of commands.trim().split('\n')) {
    if (command.startsWith('cd ')) expect(join(root, command.slice('cd '.length))).toBe(appDir);
    else
      output += execFileSync('sh', ['-c', command], {
        cwd: command.startsWith('heddle new') ? root : appDir,
        env: { ...process.env, PATH: `${join(packageRoot, 'scripts')}${delimiter}${process.env['PATH']}` },
        encoding: 'utf8',
      });
  }
}

/** The first line of a file says where it lies. */
function write({ language, text }: Block): void {
  const [, path, content] = /^\/\/ (\S+)\n([\s\S]*)$/.exec(text) ?? [];
  if (!path) throw new Error(`a block of ${language} does not say where it lies:\n${text}`);
  mkdirSync(dirname(join(appDir, path)), { recursive: true });
  writeFileSync(join(appDir, path), language === 'json' ? content! : text);
}

beforeAll(async () => {
  for (const block of blocks) {
    if (block.language === 'sh') {
      give(block.text);
    } else if (['ts', 'json'].includes(block.language)) write(block);
    else throw new Error(`nothing runs a block of "${block.language}"`);
    if (block === blocks[0]) symlinkSync(join(packageRoot, 'node_modules'), join(appDir, 'node_modules'));
  }
  app = await createApplication({ appDir, dataDir: join(root, 'data'), shipped, env: { NODE_ENV: 'test' } });
  await app.start();
}, 60_000);
afterAll(async () => {
  await app?.close();
  rmSync(root, { recursive: true });
});

const ask = () => request(app.handler);
const products = () => app.kernel.services.get(DOCUMENTS).of('api::product.product');

test('its commands and tests pass', () => {
  expect(output).toContain('Made the application "my-app"');
  expect(output).toContain('Made the plugin "shop"');
  expect(output.match(/fail 0\n/g)).toHaveLength(2);
  expect(output).toContain('texts are kept without the space around them');
});

test('its files satisfy the compiler', () => {
  const built = (path: string): string[] => [join(packageRoot, 'dist', path)];
  const tsconfig = {
    extends: './tsconfig.json',
    compilerOptions: {
      types: ['node'],
      paths: { heddle: built('core/index.d.ts') },
    },
    files: built('plugins/shipped.d.ts'),
  };
  writeFileSync(join(appDir, 'tsconfig.guide.json'), JSON.stringify(tsconfig));
  const compiler = join(packageRoot, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.guide.json'], {
    cwd: appDir,
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([0, '']);
});

test('its files import nothing but heddle, tapable and what Node has', () => {
  const names = blocks.flatMap(({ text }) =>
    [...text.matchAll(/^import .* from '([^']+)'/gm)].map(([, name]) => name!),
  );
  expect([...new Set(names)].sort()).toEqual(['heddle', 'node:assert/strict', 'node:test', 'tapable']);
});

test('tidy and color change what is written, color says what is wrong', async () => {
  expect(await products().create({ name: ' hat ', color: '#FF0000' })).toMatchObject({ name: 'hat', color: '#ff0000' });
  await expect(products().create({ color: 'red' })).rejects.toThrow('color must be a color such as #a1b2c3');
});

test('stock answers from its service, to whom it is granted', async () => {
  await ask().get('/stock').expect(403);
  const { status } = await ask()
    .get('/stock')
    .set('Authorization', `Bearer ${await fullAccess()}`);
  expect(status).toBe(200);
});

test('journal writes along with what is written of products', async () => {
  const entries = app.kernel.services.get(DOCUMENTS).of('api::entry.entry');
  const before = (await entries.find()).length;
  const { documentId } = await products().create({ name: 'scarf' });
  await products().delete(String(documentId));
  const added = (await entries.find({ fields: ['text'] })).slice(before).map(({ text }) => text);
  expect(added).toEqual([`create ${documentId}`, `delete ${documentId}`]);
});

test('market keeps variants apart', async () => {
  const made = await products().create({ name: 'cap', price: 1 });
  const id = String(made['documentId']);
  await products().update(id, { price: 2 }, { parameters: { market: 'jp' } });
  expect(Number((await products().findOne(id))?.['price'])).toBe(1);
  expect(Number((await products().findOne(id, { parameters: { market: 'jp' } }))?.['price'])).toBe(2);
});

test('greeting answers over GraphQL', async () => {
  const { body } = await ask().post('/graphql').send({ query: '{ hello(name: "Ann") }' });
  expect(body).toEqual({ data: { hello: 'Hello Ann' } });
});

test('gate lets members in', async () => {
  await ask().get('/gate').expect(403);
  const inside = await ask()
    .get('/gate')
    .set('Authorization', `Bearer ${await fullAccess()}`);
  expect([inside.status, inside.headers['x-label']]).toEqual([200, 'inside']);
});

test('rates are extended by yen', async () => {
  expect((await ask().get('/rates')).body).toEqual({ eur: 1, jpy: 160 });
});

let key: string | undefined;

async function fullAccess(): Promise<string> {
  const tokens = app.kernel.services.get<{ create(input: object): Promise<{ key: string }> }>({
    name: 'users-permissions.api-tokens',
  });
  key ??= (await tokens.create({ name: 'guide', type: 'full-access' })).key;
  return key;
}
