import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { appFolder } from '../core/testing/app-folder';
import { type Running, running } from './ci/running';
import { packageRoot } from './package-root';

/** The blocks of README's tutorial, in their order. */
function blocks(): { language: string; text: string }[] {
  const readme = readFileSync(join(packageRoot, 'README.md'), 'utf8');
  const section = readme.slice(
    readme.indexOf('## A content type in five minutes'),
    readme.indexOf('## Your own application'),
  );
  return [...section.matchAll(/```(\w+)\n([\s\S]*?)```/g)].map(([, language, text]) => ({
    language: language!,
    text: text!,
  }));
}

const { appDir, remove } = appFolder();
const dataDir = join(appDir, '.data');
let service: Running;

/** A command as it stands in README, but for the port. */
const shell = (command: string): string =>
  execFileSync('bash', ['-c', command.replaceAll('http://127.0.0.1:1337', service.url)], {
    cwd: appDir,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });

async function recipesAreServed(): Promise<void> {
  const until = Date.now() + 20_000;
  while (Date.now() < until) {
    const status = await fetch(`${service.url}/api/recipes`, { headers: { connection: 'close' } }).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return;
    await sleep(30);
  }
  throw new Error(`/api/recipes was not served within 20 seconds:\n${service.output()}`);
}

const hasCurl = spawnSync('curl', ['--version']).status === 0;

beforeAll(async () => {
  cpSync(join(packageRoot, 'config'), join(appDir, 'config'), { recursive: true });
  mkdirSync(dataDir);
  service = await running(appDir, dataDir, 'dev');
});
afterAll(async () => {
  await service.stop();
  remove();
});

(hasCurl ? test : test.skip)(
  'README tells the truth',
  async () => {
    const [start, declare, create, query, answer, refused] = blocks();
    expect(start!.text).toBe('npm run dev\n');
    shell(declare!.text);
    await recipesAreServed();
    expect(JSON.parse(shell(create!.text))).toMatchObject({ data: { title: 'Lentil soup', vegetarian: true } });
    expect(shell(query!.text).replace(/"documentId":"\w+"/, '"documentId":"…"')).toBe(answer!.text.trim());
    expect(JSON.parse(shell(refused!.text))).toMatchObject({
      data: null,
      error: { status: 400, name: 'ValidationError' },
    });
  },
  60_000,
);
