import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import supertest from 'supertest';
import { createApplication } from '../../core';
import { type AppFolder, appFolder } from '../../core/testing/app-folder';
import { LOCALES } from '../../plugins/i18n';
import { shipped } from '../../plugins/shipped';
import { API_TOKENS, ROLES, USERS } from '../../plugins/users-permissions';
import { running } from '../ci/running';
import { run } from '../cli';

const files = {
  'config/database.ts': "export default { connection: { client: 'sqlite', connection: { filename: 'data.db' } } };",
  'src/api/page/content-types/page/schema.json': {
    kind: 'collectionType',
    collectionName: 'pages',
    info: { singularName: 'page', pluralName: 'pages', displayName: 'page' },
    options: { draftAndPublish: false },
    attributes: { title: { type: 'string' } },
  },
};

let folder: AppFolder;
let out: string;
let complaints: string;

const take =
  (say: (text: string) => void) =>
  (text: unknown): boolean => {
    say(String(text));
    return true;
  };

beforeEach(() => {
  folder = appFolder(files);
  jest.spyOn(process.stdout, 'write').mockImplementation(take((text) => (out += text)));
  jest.spyOn(process.stderr, 'write').mockImplementation(take((text) => (complaints += text)));
  jest.spyOn(console, 'log').mockImplementation(() => undefined);
  jest.spyOn(console, 'error').mockImplementation((text) => {
    complaints += String(text);
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  folder.remove();
});

async function heddle(...args: string[]): Promise<number> {
  out = '';
  complaints = '';
  return run([...args, '--app', folder.appDir, '--data', folder.dataDir]);
}

const lines = (): string[] =>
  out
    .trim()
    .split('\n')
    .map((line) => line.trim().replace(/ {2,}/g, ' | '));

function declare(access: object): void {
  mkdirSync(join(folder.appDir, 'config'), { recursive: true });
  writeFileSync(join(folder.appDir, 'config', 'access.json'), JSON.stringify(access));
}

async function started() {
  const app = await createApplication({ ...folder, shipped, env: { NODE_ENV: 'test', LOG_LEVEL: 'silent' } });
  await app.start();
  return app;
}

const statusWith = async (key?: string): Promise<number> => {
  const app = await started();
  const request = supertest(app.handler).get('/api/pages');
  const { status } = await (key === undefined ? request : request.set('Authorization', `Bearer ${key}`));
  await app.close();
  return status;
};

describe('heddle role', () => {
  test('lists roles, and what can be granted', async () => {
    expect(await heddle('role', 'list')).toBe(0);
    expect(lines()).toEqual([
      'TYPE | NAME | USERS | PERMISSIONS',
      expect.stringMatching(/^authenticated \| Authenticated \| 0 \| \d+$/),
      expect.stringMatching(/^public \| Public \| 0 \| \d+$/),
    ]);
    expect(await heddle('role', 'list', 'public', '--permissions')).not.toBe(0);
    expect(complaints).toMatch('Give a role, for what it may do, or --permissions');
    expect(await heddle('role', 'list', '--permissions')).toBe(0);
    expect(lines()).toEqual(expect.arrayContaining(['api::page.page.find', 'plugin::i18n.locales.listLocales']));
  });

  test('grants and revokes, and says what was changed', async () => {
    expect(await statusWith()).toBe(403);
    expect(await heddle('role', 'grant', 'public', 'api::*.*.find', 'api::page.page.findOne')).toBe(0);
    expect(lines()).toEqual(['+ api::page.page.find', '+ api::page.page.findOne']);
    expect(await statusWith()).toBe(200);
    expect(await heddle('role', 'grant', 'public', 'api::page.page.find')).toBe(0);
    expect(out).toBe('The role "public" has all that already.\n');
    expect(await heddle('role', 'list', 'public')).toBe(0);
    expect(lines()).toContain('api::page.page.find');
    expect(await heddle('role', 'revoke', 'public', 'api::page.page.*')).toBe(0);
    expect(lines()).toEqual(['- api::page.page.find', '- api::page.page.findOne']);
    expect(await heddle('role', 'revoke', 'public', 'api::page.page.find')).toBe(0);
    expect(out).toBe('The role "public" has none of that.\n');
    expect(await statusWith()).toBe(403);
  });

  test('what is misspelt is refused with what was meant', async () => {
    expect(await heddle('role', 'grant', 'pubic', 'api::page.page.find')).toBe(1);
    expect(complaints).toMatch(/no role "pubic".*Did you mean "public"\?/);
    expect(await heddle('role', 'grant', 'public', 'api::page.page.fnd')).toBe(1);
    expect(complaints).toMatch(
      /"api::page\.page\.fnd", which is no permission.*Did you mean "api::page\.page\.find"\?/,
    );
    expect(await heddle('role', 'grant', 'public')).toBe(2);
  });

  test('what config/access lists is changed there', async () => {
    declare({ roles: { public: ['api::page.page.find'] } });
    expect(await heddle('role', 'grant', 'public', 'api::page.page.create')).toBe(1);
    expect(complaints).toMatch(/listed in config\/access\. Change it there/);
    expect(await heddle('role', 'revoke', 'public', 'api::page.page.find')).toBe(1);
    expect(await heddle('role', 'grant', 'authenticated', 'api::page.page.create')).toBe(0);
  });
});

test('what only reads makes nothing be as config/access declares it', async () => {
  declare({ roles: { editor: ['api::page.page.find'] }, locales: ['fr'] });
  for (const command of [
    ['role', 'list'],
    ['role', 'list', '--permissions'],
    ['token', 'list'],
    ['locale', 'list'],
  ])
    expect(await heddle(...command)).toBe(0);
  expect(await heddle('access', 'diff')).toBe(0);
  expect(lines()).toEqual(expect.arrayContaining(['+ role editor', '+ locale fr']));
});

describe('heddle token', () => {
  test('prints a key once, which is good until the token is revoked', async () => {
    expect(await heddle('token', 'create', 'website', '--permission', 'api::page.page.find')).toBe(0);
    const key = out.trim();
    expect(key).toMatch(/^[0-9a-f]{256}$/);
    expect(complaints).toMatch(/shown this once/);
    expect(await statusWith(key)).toBe(200);
    expect(await heddle('token', 'list')).toBe(0);
    expect(lines()).toEqual([
      'NAME | TYPE | USED | EXPIRES',
      expect.stringMatching(/^website \| custom: 1 \| \S+ \| never$/),
    ]);
    expect(out).not.toContain(key.slice(0, 20));
    expect(await heddle('token', 'revoke', 'website')).toBe(0);
    expect(await statusWith(key)).toBe(401);
  });

  test('what config/access declares is revoked there; what only has its name, here', async () => {
    await heddle('token', 'create', 'website', '--type', 'full-access');
    declare({ tokens: { website: { key: 'a-key-from-the-environment', type: 'read-only' } } });
    expect(await heddle('token', 'create', 'other', '--type', 'read-only')).toBe(1);
    expect(complaints).toContain('heddle token revoke website');
    expect(await heddle('token', 'revoke', 'website')).toBe(0);
    expect(await heddle('token', 'create', 'other', '--type', 'read-only')).toBe(0);
    expect(await heddle('token', 'revoke', 'website')).toBe(1);
    expect(complaints).toContain('declared in config/access');
  });

  test('a token may be good for some days, and for reading or everything', async () => {
    expect(await heddle('token', 'create', 'backup', '--type', 'read-only', '--days', '30')).toBe(0);
    expect(await statusWith(out.trim())).toBe(200);
    await heddle('token', 'list');
    const expected = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 7);
    expect(lines()[1]).toMatch(new RegExp(`^backup \\| read-only \\| \\S+ \\| ${expected}`));
  });

  test('what is missing, contradicts itself or is there already is refused', async () => {
    expect(await heddle('token', 'create', 'x')).toBe(1);
    expect(complaints).toMatch(/Say what the token may do/);
    expect(await heddle('token', 'create', 'x', '--type', 'full-access', '--permission', 'api::page.page.find')).toBe(
      1,
    );
    expect(complaints).toMatch(/those of a custom token/);
    expect(await heddle('token', 'create', 'x', '--type', 'root')).toBe(2);
    expect(await heddle('token', 'create', 'x', '--type', 'read-only', '--days', '0')).toBe(2);
    expect(await heddle('token', 'create', 'x', '--permission', 'api::page.page.fnd')).toBe(1);
    expect(complaints).toMatch(/Did you mean/);
    expect(await heddle('token', 'create', 'x', '--type', 'read-only')).toBe(0);
    expect(await heddle('token', 'create', 'x', '--type', 'read-only')).toBe(1);
    expect(complaints).toMatch(/is an API token "x" already/);
    expect(await heddle('token', 'revoke', 'y')).toBe(1);
    expect(complaints).toMatch(/no API token "y"\. There are x\./);
  });
});

describe('heddle user', () => {
  const user = async (identifier: string) => {
    const app = await started();
    const [found] = await app.kernel.services.get(USERS).ofIdentifier(identifier);
    await app.close();
    return found;
  };

  test('makes a user with a password that is shown once', async () => {
    expect(await heddle('user', 'create', 'ann', '--email', 'Ann@example.com')).toBe(0);
    const password = out.trim();
    expect(password).toMatch(/^[\w-]{20}$/);
    expect(complaints).toMatch(/role "authenticated"[\s\S]*shown this once/);
    expect(await user('ann')).toMatchObject({ email: 'ann@example.com', confirmed: true, blocked: false });
    expect((await user('ann'))!.password).toMatch(/^\$2b\$/);
  });

  test('takes a password from standard input', async () => {
    const stdin = Object.getOwnPropertyDescriptor(process, 'stdin')!;
    const giving = (text: string) =>
      Object.defineProperty(process, 'stdin', { ...stdin, get: () => Readable.from([text]) });
    try {
      giving('four\n');
      expect(await heddle('user', 'create', 'bob', '--email', 'bob@example.com', '--password-stdin')).toBe(1);
      expect(complaints).toMatch(/fewer than 6 characters/);
      giving('a-password-of-bob\n');
      expect(await heddle('user', 'create', 'bob', '--email', 'bob@example.com', '--password-stdin')).toBe(0);
      expect(out).toBe('');
      expect(complaints).not.toContain('a-password-of-bob');
    } finally {
      Object.defineProperty(process, 'stdin', stdin);
    }
  });

  test('what no user can be is refused', async () => {
    expect(await heddle('user', 'create', 'ann')).toBe(2);
    expect(await heddle('user', 'create', 'ann', '--email', 'ann')).toBe(1);
    expect(complaints).toMatch(/email must be a valid email/);
    expect(await heddle('user', 'create', 'ann', '--email', 'ann@example.com', '--role', 'editr')).toBe(1);
    expect(complaints).toMatch(/no role "editr"/);
    expect(await heddle('user', 'create', 'ann', '--email', 'ann@example.com')).toBe(0);
    expect(await heddle('user', 'create', 'bob', '--email', 'ANN@example.com')).toBe(1);
    expect(complaints).toMatch(/taken|unique/);
  });
});

describe('heddle access', () => {
  const access = {
    roles: { public: ['api::page.page.find'] },
    tokens: { website: { key: 'a-key-from-the-environment', type: 'read-only' } },
  };

  test('shows what the next start would change, and changes nothing', async () => {
    expect(await heddle('access', 'diff', '--check')).toBe(0);
    expect(out).toBe('Nothing would change: all is as config/access says.\n');
    declare(access);
    for (const _ of [1, 2]) {
      expect(await heddle('access', 'diff')).toBe(0);
      expect(lines()).toEqual(['+ role public: api::page.page.find', '+ token website, read-only']);
    }
    expect(await heddle('access', 'diff', '--check')).toBe(1);
    expect(out + complaints).not.toContain('a-key-from-the-environment');
    expect(await statusWith()).toBe(200);
    expect(await heddle('access', 'diff', '--check')).toBe(0);
  });

  test('a mistake is told with its place', async () => {
    declare({ roles: { public: ['api::page.pge.find'] } });
    expect(await heddle('access', 'diff')).toBe(1);
    expect(complaints).toMatch(
      /config\/access roles\.public: names "api::page\.pge\.find".*Did you mean "api::page\.page\.find"\?/,
    );
  });

  test('two processes that start at once make each role and token once', async () => {
    await (await started()).close();
    declare({ ...access, roles: { editor: ['api::page.page.*'] }, locales: ['fr', 'de'] });
    const services = await Promise.all([1, 2].map(() => running(folder.appDir, folder.dataDir)));
    for (const service of services) expect(await service.stop()).toBe(0);
    const app = await started();
    const { get } = app.kernel.services;
    expect((await get(ROLES).list()).filter(({ type }) => type === 'editor')).toHaveLength(1);
    expect(await get(API_TOKENS).list()).toHaveLength(1);
    expect((await get(LOCALES).list()).map(({ code }) => code)).toEqual(['en', 'fr', 'de']);
    await app.close();
    expect(await heddle('access', 'diff', '--check')).toBe(0);
  });
});

test('without the plugin there is no access to change', async () => {
  writeFileSync(join(folder.appDir, 'config', 'plugins.json'), JSON.stringify({ 'users-permissions': false }));
  for (const args of [
    ['role', 'list'],
    ['token', 'list'],
    ['access', 'diff'],
    ['user', 'create', 'a', '--email', 'a@b.c'],
  ]) {
    expect(await heddle(...args)).toBe(1);
    expect(complaints).toMatch(/plugin "users-permissions" is switched off/);
  }
});
