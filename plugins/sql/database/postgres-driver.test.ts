import { spawnSync } from 'node:child_process';

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
