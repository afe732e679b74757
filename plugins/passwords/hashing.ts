import { createTurns, HeddleError, processors } from '../../core';
import { createHashThread, type HashThread } from './hash-thread';

/** bcrypt looks at no more than these, so that whatever stands behind them would not be checked. */
export const longestPassword = 72;

const rounds = 10;

/** Compared with where there is no hash, so that an unknown name takes as long as a wrong password. */
const nobodys = '$2b$10$TO9t3nCZi5VJe9AbdmXmC.xUQhy/.7g8Z9nN9na1GvFc1J7slzkF6';

/** A processor stays free for requests. */
const atOnce = Math.max(1, Math.min(3, processors() - 1));
const mostWaiting = 500;

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes as long where there is no hash to compare with. */
  matches(password: string, hash: string | null | undefined): Promise<boolean>;
  close(): Promise<void>;
}

const refusal = (): HeddleError =>
  new HeddleError('ServiceUnavailableError', 'Too many passwords are being checked. Try again later.', {});

export const fits = (password: string): boolean => Buffer.byteLength(password) <= longestPassword;

/** Hashes and checks passwords beside the main thread, a few at a time. */
export function createPasswords(): Passwords {
  const inTurn = createTurns(atOnce, { mostWaiting, refusal });
  const threads: HashThread[] = [];
  const idle: HashThread[] = [];

  const withThread = <T>(work: (thread: HashThread) => Promise<T>): Promise<T> =>
    inTurn(async () => {
      const thread = idle.pop() ?? createHashThread();
      if (!threads.includes(thread)) threads.push(thread);
      try {
        return await work(thread);
      } finally {
        idle.push(thread);
      }
    });

  return {
    hash: (password) => withThread(({ hash }) => hash(password, rounds)),
    async matches(password, hash) {
      const isSame = await withThread(({ compare }) => compare(password, hash || nobodys));
      return isSame && Boolean(hash) && fits(password);
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}
