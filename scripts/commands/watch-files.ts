import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

export interface Watch {
  stop(): void;
}

const period = 250;

/** What an application is made of; the rest of its folder is none of our business. */
const isWatched = (name: string): boolean => /\.([cm]?[jt]s|json)$/.test(name) || /^\.env/.test(name);
const isSkipped = (name: string): boolean =>
  name.startsWith('.') || ['node_modules', 'dist', 'build', 'public', 'coverage'].includes(name);

function look(folder: string, dataDir: string, seen: Map<string, string>): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !isSkipped(entry.name) && path !== dataDir) look(path, dataDir, seen);
    if (!entry.isFile() || !isWatched(entry.name)) continue;
    const { mtimeMs, size } = statSync(path);
    seen.set(path, `${mtimeMs} ${size}`);
  }
}

/** The state of every file; undefined while somebody moves them about. */
function stateOf(folder: string, dataDir: string): Map<string, string> | undefined {
  const seen = new Map<string, string>();
  try {
    look(folder, dataDir, seen);
    return seen;
  } catch {
    return undefined;
  }
}

function difference(before: Map<string, string>, after: Map<string, string>): string | undefined {
  const changed = [...after].find(([path, state]) => before.get(path) !== state)?.[0];
  return changed ?? [...before.keys()].find((path) => !after.has(path));
}

/**
 * Calls back with the name of a file that changed, came or went. Looks again and again instead of asking the system
 * to tell: that works on every file system, mounted ones too, and costs a few milliseconds a second.
 */
export function watchFiles(folder: string, dataDir: string, changed: (file: string) => void): Watch {
  let before = stateOf(folder, dataDir) ?? new Map<string, string>();
  const timer = setInterval(() => {
    const after = stateOf(folder, dataDir);
    if (!after) return;
    const file = difference(before, after);
    before = after;
    if (file) changed(relative(folder, file));
  }, period);
  return { stop: () => clearInterval(timer) };
}
