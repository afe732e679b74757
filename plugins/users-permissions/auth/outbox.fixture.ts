import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { UsersApp } from '../app.fixture';

// For tests: what an application writes to people, which it keeps as files in its data folder.

/** A message out of the form in which it is sent. */
const decoded = (text: string): string =>
  text.replace(/=\r?\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));

/** What the pattern finds in the newest message where it finds anything. */
export async function mailedCode({ folder }: UsersApp, pattern: RegExp): Promise<string> {
  const outbox = join(folder.dataDir, 'outbox');
  for (let tries = 0; tries < 400; tries += 1) {
    const names = existsSync(outbox) ? readdirSync(outbox) : [];
    for (const name of names.sort().reverse()) {
      const [, code] = pattern.exec(decoded(readFileSync(join(outbox, name), 'utf8'))) ?? [];
      if (code) return code;
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('no message came');
}
