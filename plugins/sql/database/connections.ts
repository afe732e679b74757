import type { EventEmitter } from 'node:events';
import { Pool, TimeoutError } from 'tarn';
import { allInUse } from './failures';
import { atMost, patience } from './patience';

/** One way to a server. */
export interface ConnectionLine<Raw> {
  /** A connection that is not open yet. */
  make(): Raw;
  connect(raw: Raw): Promise<unknown>;
  /** Makes one that was opened behave. */
  prepare(raw: Raw): Promise<unknown>;
  close(raw: Raw): Promise<void>;
  /** Lets go of the server without another word: what it was asked for fails. */
  cut(raw: Raw): void;
  /** Whether it can still be used, as far as the driver knows without asking the server. */
  isUsable(raw: Raw): boolean;
}

export interface PoolSettings {
  readonly min: number;
  readonly max: number;
  readonly acquireTimeoutMillis?: number | undefined;
  readonly createTimeoutMillis?: number | undefined;
  readonly destroyTimeoutMillis?: number | undefined;
  readonly idleTimeoutMillis?: number | undefined;
  readonly reapIntervalMillis?: number | undefined;
  readonly createRetryIntervalMillis?: number | undefined;
}

/** How a server is reached. */
export interface ServerConfig {
  /** As its driver takes it. */
  readonly connection: Readonly<Record<string, unknown>>;
  readonly pool: PoolSettings;
  /** Milliseconds for which a connection of the pool is waited for. */
  readonly acquireConnectionTimeout: number;
  readonly searchPath?: string | readonly string[] | undefined;
  /** Of what is answered to one statement. */
  readonly maxAnswerBytes: number;
}

/** Connections to one server: some are lent out of a pool, others belong to who opens them. */
export interface Connections<Raw> {
  readonly pool: Pool<Raw>;
  open(): Promise<Raw>;
  close(raw: Raw): Promise<void>;
  isWhole(raw: Raw): boolean;
  /** How many have been opened so far. */
  opened(): number;
  /** To be called of a connection that broke, so that it is not lent again. */
  broke(raw: Raw): void;
  lend(): Promise<Raw>;
  /** What an error tells of which somebody has waited in vain to be lent one. */
  lacking(error: unknown): unknown;
  takeBack(raw: Raw): void;
  /** Closes what the pool holds: what is not taken back in time is cut off. */
  end(): Promise<void>;
}

/** Milliseconds that work under way has to end when all is closed. */
const lastWork = 5_000;

const unreachable = (message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { code: 'ETIMEDOUT' });

/** A pool takes no setting that is undefined. */
const given = (settings: PoolSettings): PoolSettings =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as unknown as PoolSettings;

export function createConnections<Raw extends EventEmitter>(
  line: ConnectionLine<Raw>,
  settings: PoolSettings,
): Connections<Raw> {
  const broken = new WeakSet<Raw>();
  const isWhole = (raw: Raw): boolean => !broken.has(raw) && line.isUsable(raw);
  let hasEnded = false;
  let opened = 0;

  async function open(): Promise<Raw> {
    const raw = line.make();
    const breaks = (): void => void broken.add(raw);
    raw.on('error', breaks);
    raw.on('end', breaks);
    await line.connect(raw);
    opened += 1;
    try {
      await line.prepare(raw);
      return raw;
    } catch (error) {
      await line.close(raw);
      throw error;
    }
  }

  const pool = new Pool<Raw>({
    ...given(settings),
    create: open,
    destroy: line.close,
    validate: isWhole,
    propagateCreateError: true,
  });
  // knex takes its connections from the pool itself.
  const lent = new Set<Raw>();
  pool.on('acquireSuccess', (_, raw) => lent.add(raw));
  pool.on('release', (raw) => lent.delete(raw));

  /** What waiting for one has failed with: where not all are in use, the server lets nobody in. */
  function lacking(error: unknown): unknown {
    if (!(error instanceof TimeoutError) && (error as Error).name !== 'KnexTimeoutError') return error;
    return pool.numUsed() >= settings.max
      ? allInUse(settings.max, error)
      : unreachable('No connection to the database was opened in time', error);
  }

  return {
    pool,
    lacking,
    open,
    close: line.close,
    isWhole,
    opened: () => opened,
    broke: (raw) => void broken.add(raw),
    async lend() {
      if (hasEnded) throw unreachable('The connections to the database are closed');
      try {
        return await pool.acquire().promise;
      } catch (error) {
        throw lacking(error);
      }
    },
    takeBack: (raw) => void pool.release(raw),
    async end() {
      hasEnded = true;
      const ended = pool.destroy();
      await atMost(lastWork, ended);
      for (const raw of lent) {
        broken.add(raw);
        line.cut(raw);
      }
      await atMost(patience, ended);
    },
  };
}
