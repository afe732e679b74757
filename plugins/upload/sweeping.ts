import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

/**
 * A process on another machine that doesn't show itself for so long is taken for gone: several times as long as it takes to
 * show itself, and as a machine believes what it once heard of a folder on a file server.
 */
const patience = 150_000;

const isUnexpected = (error: unknown): boolean => (error as NodeJS.ErrnoException).code !== 'ENOENT';

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Folders are named for who works in them: machine, process, and a mark that tells two lives of one number apart. */
function ownerOf(name: string): { host: string; pid: number } {
  const [mark, pid, ...host] = name.split('.');
  return { host: mark ? host.join('.') : '', pid: Number(pid) };
}

/** What is done with what is found. */
export interface Sweep {
  settle(note: unknown): Promise<void>;
  /** Learns what can't be settled now. */
  tell(error: unknown): void;
  /** Learns of how many processes something was left. */
  done(swept: number): void;
}

/** Finds the folders of processes that are gone, settles their notes, and removes all that they left. */
export function createSweeping(root: string, isInUse: (folder: string) => boolean) {
  let waiting: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isStopped = false;

  /** Clocks of machines differ: a time tells by its change only. */
  const shownAt = async (other: string): Promise<number> => (await stat(join(root, other))).mtimeMs;

  /** Settles the notes in a folder; none of them is settled twice. */
  async function settleAll(other: string, settle: Sweep['settle']): Promise<void> {
    for (const file of await readdir(join(root, other))) {
      if (!file.endsWith('.json')) continue;
      const path = join(root, other, file);
      await settle(JSON.parse(await readFile(path, 'utf8')));
      await rm(path, { force: true });
    }
  }

  /** What can't be settled now is left for the next start. */
  async function sweepThose(
    others: readonly string[],
    isGone: (other: string) => boolean | Promise<boolean>,
    { settle, tell, done }: Sweep,
  ): Promise<void> {
    let swept = 0;
    for (const other of others) {
      if (isStopped) break;
      try {
        if (!(await isGone(other))) continue;
        await settleAll(other, settle);
        await rm(join(root, other), { recursive: true, force: true });
        swept += 1;
      } catch (error) {
        // Another process sweeps, too.
        if (isUnexpected(error)) tell(error);
      }
    }
    done(swept);
  }

  /** Looks at the folders of other machines now and once more, after a while that nobody waits for. */
  async function watch(others: readonly string[], sweep: Sweep): Promise<void> {
    const before = new Map<string, number>();
    for (const other of others)
      await shownAt(other).then(
        (time) => before.set(other, time),
        () => undefined,
      );
    if (before.size === 0) return;
    const isGone = async (other: string): Promise<boolean> => (await shownAt(other)) === before.get(other);
    waiting = setTimeout(() => {
      running = sweepThose([...before.keys()], isGone, sweep);
    }, patience).unref();
  }

  return {
    /**
     * Ends when what processes of this machine left is settled. Whether those of other machines are gone shows later: what
     * they left is settled then.
     */
    async sweep(sweep: Sweep): Promise<void> {
      const found = await readdir(root).catch((error) => {
        if (isUnexpected(error)) throw error;
        return [] as string[];
      });
      const others = found.filter((other) => !isInUse(other));
      const isOurs = (other: string): boolean => ownerOf(other).host === hostname();
      // Another process of this machine with this process's own number, or with none, lives no more.
      const isGone = (other: string): boolean => {
        const { pid } = ownerOf(other);
        return pid === process.pid || !isRunning(pid);
      };
      await sweepThose(others.filter(isOurs), isGone, sweep);
      await watch(
        others.filter((other) => !isOurs(other)),
        sweep,
      );
    },
    /** Begins nothing more, and ends when what was begun is done. */
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(waiting);
      await running;
    },
  };
}
