import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';

/** The text of a file; nothing where there is none, or where it is kept from being read. */
function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    // Only Linux has any of them, and of two generations one. A limit that can't be known is no reason not to start.
    return undefined;
  }
}

/** A quota of a period, in microseconds: as many processors' time. */
const share = (quota: number, period: number): number => (quota > 0 && period > 0 ? quota / period : Infinity);

type Limit = (folder: string) => number;

/** The files of the second generation say `max 100000` or `50000 100000`. */
function limitNow(folder: string): number {
  const [quota, period] = textOf(`${folder}/cpu.max`)?.split(' ') ?? [];
  return share(Number(quota), Number(period));
}

function limitThen(folder: string): number {
  return share(Number(textOf(`${folder}/cpu.cfs_quota_us`)), Number(textOf(`${folder}/cpu.cfs_period_us`)));
}

/** What the group at a path may take, and those that it is in; inside of a container its own is the outermost that can be seen. */
function limitAt(root: string, path: string, limit: Limit): number {
  const here = limit(root + (path === '/' ? '' : path));
  return path === '/' ? here : Math.min(here, limitAt(root, dirname(path), limit));
}

/** How many processors' time the system lets this process take: containers are given less than there are. */
export function quota(groups = textOf('/proc/self/cgroup') ?? '', root = '/sys/fs/cgroup'): number {
  return Math.min(
    ...groups.split('\n').map((line) => {
      const [, kinds, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
      if (kinds === '') return limitAt(root, path!, limitNow);
      return kinds?.split(',').includes('cpu') ? limitAt(`${root}/cpu`, path!, limitThen) : Infinity;
    }),
  );
}

/** How many processors this process may keep busy: Node before 22.12 knows nothing of quotas, later ones overlook some. */
export const processors = (all = availableParallelism(), most = quota()): number =>
  Math.max(1, Math.min(all, Math.floor(most)));
