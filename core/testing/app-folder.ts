import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface AppFolder {
  readonly appDir: string;
  readonly dataDir: string;
  remove(): void;
}

/** A throw-away application folder with these files; objects are written as JSON. */
export function appFolder(files: Readonly<Record<string, string | object>> = {}): AppFolder {
  const root = mkdtempSync(join(tmpdir(), 'heddle-'));
  const appDir = join(root, 'app');
  for (const [path, content] of Object.entries({ 'package.json': { name: 'app' }, ...files })) {
    const file = join(appDir, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return { appDir, dataDir: join(root, 'data'), remove: () => rmSync(root, { recursive: true, force: true }) };
}
