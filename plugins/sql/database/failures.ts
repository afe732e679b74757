import { ExcessiveRequest, HeddleError, TapError, validationError } from '../../../core';

/** A row was to be tied to one that someone else deleted just then: done again, the work finds that itself. */
const orphaned = ['23503', 'ER_NO_REFERENCED_ROW_2'];

/** Of a transaction that the database undid by itself, all of it, with what others had written in it. */
const undone = 'HEDDLE_UNDONE';

const lost = new Set([
  undone,
  'SQLITE_BUSY',
  'SQLITE_BUSY_SNAPSHOT',
  'SQLITE_LOCKED',
  '40001',
  '40P01',
  '55P03',
  'ER_LOCK_DEADLOCK',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_CHECKREAD',
  ...orphaned,
]);
const gone = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR',
  'ER_SERVER_SHUTDOWN',
  'ER_CON_COUNT_ERROR',
  'ER_TOO_MANY_USER_CONNECTIONS',
  'ER_USER_LIMIT_REACHED',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08000',
  '08003',
  '08006',
  '08001',
  'SQLITE_CANTOPEN',
]);
/** PostgreSQL's one code for whatever has a limit, as a value in an index has. */
const limited = '54000';
const unfit = new Set([
  limited,
  '22003',
  '22001',
  '22021',
  '22P05',
  '22008',
  '22007',
  '22P02',
  'ER_WARN_DATA_OUT_OF_RANGE',
  'ER_DATA_TOO_LONG',
  'ER_TRUNCATED_WRONG_VALUE',
  'ER_TRUNCATED_WRONG_VALUE_FOR_FIELD',
  'ER_INVALID_JSON_TEXT',
]);
/** A statement of more parts, or deeper ones, than the server takes. */
const tooLarge = new Set([
  '54001',
  'ER_TOO_HIGH_LEVEL_OF_NESTING_FOR_SELECT',
  'ER_STACK_OVERRUN_NEED_MORE',
  'ER_PS_MANY_PARAM',
]);
/** SQLite has no code for that. */
const tooLargeMessage = /^(Expression tree is too large|Recursion limit|too many SQL variables)/;

/** Of a text that is longer than SQLite makes one, or than V8 reads one. */
const tooLong = new Set(['SQLITE_TOOBIG', 'ERR_STRING_TOO_LONG']);

/** For what it can't find room for PostgreSQL has no code; it does not translate this. */
const noRoom = /^invalid memory alloc request size/;

/** MariaDB's number for a value that a check refuses, such as JSON that is too deep; the driver has no name for it. */
const checkFailed = 4025;

/** MariaDB's number for a connection that somebody ends while it runs a statement, as a server does that stops; nameless, too. */
const connectionKilled = 1927;

/** MariaDB's number for a statement that takes longer than the server lets it; the driver gives it another server's name. */
const tookTooLong = 1969;

/** What to do about a tap that makes writes of its own wait for the one that it is called in. */
const whereWritesWait =
  'Where a tap inside a write makes another, that may wait for the first, and the first for it: ' +
  'it is to be made along, by service(DOCUMENTS).of(uid, transaction), or in document.committed.';

/** What went wrong inside a tap, without the names that the tap was given. */
const bare = (error: unknown): unknown => (error instanceof TapError ? bare(error.cause) : error);

const codeOf = (error: unknown): string => String((bare(error) as { code?: unknown } | null)?.code ?? '');

const isUnfit = (error: unknown): boolean =>
  error instanceof RangeError ||
  unfit.has(codeOf(error)) ||
  (bare(error) as { errno?: unknown } | null)?.errno === checkFailed;

function isTooLong(error: unknown): boolean {
  const { message = '', routine } = (bare(error) ?? {}) as Error & { routine?: string };
  const code = codeOf(error);
  return tooLong.has(code) || (code === limited && routine === 'enlargeStringInfo') || noRoom.test(message);
}

const isTooLarge = (error: unknown): boolean =>
  tooLarge.has(codeOf(error)) || tooLargeMessage.test((bare(error) as Error | null)?.message ?? '');

/** How the drivers and the pool say it where they give no code. */
const goneMessage =
  /Connection terminated|closed state|connection is not open|connection error and is not queryable|^timeout expired$|^Unable to acquire a connection$|^aborted$/i;

const inUse = 'HEDDLE_ALL_IN_USE';

/** Of who has waited in vain for one of the connections, of which there are no more. */
export const allInUse = (most: number, cause: unknown): Error =>
  Object.assign(
    new Error(
      `None of the ${most} connections to the database became free in time; "pool.max" of its configuration says how many ` +
        `there are. ${whereWritesWait}`,
      { cause },
    ),
    { code: inUse },
  );

const isAllInUse = (error: unknown): boolean => codeOf(error) === inUse;

/** Another writer was first: the same work may succeed when it is done again. */
export const isLost = (error: unknown): boolean => lost.has(codeOf(error));

export const undoneByDatabase = (): Error =>
  Object.assign(new Error('The database has undone the transaction'), { code: undone });

/**
 * Of a read among others on one connection: it waited too long for a lock, took too long, or was to be prepared by one
 * that failed.
 */
export const isCutShort = (error: unknown): boolean => ['55P03', '57014', '26000'].includes(codeOf(error));

/** Of a statement: whoever runs another just then may be told the same, for it is not about what is asked. */
export const isForAll = (error: unknown): boolean =>
  (error instanceof HeddleError && error.name === 'ServiceUnavailableError' && !isEnded(error.cause)) ||
  isGone(error) ||
  isAllInUse(error) ||
  isLost(error);

/** The database can't be reached. What failed inside a tap does not say that: taps reach for other servers, too. */
export function isGone(error: unknown): boolean {
  if (error instanceof TapError) return false;
  if (gone.has(codeOf(error))) return true;
  const { name, message = '', errno } = (error ?? {}) as NodeJS.ErrnoException;
  if (errno === connectionKilled) return true;
  return name === 'KnexTimeoutError' || goneMessage.test(message);
}

/** All connections together keep as many statements prepared as the server takes. */
export const isFull = (error: unknown): boolean => codeOf(error) === 'ER_MAX_PREPARED_STMT_COUNT_REACHED';

/** The server knows no statement of this form, or prepares none. */
export const isUnknownForm = (error: unknown): boolean =>
  ['ER_PARSE_ERROR', 'ER_UNSUPPORTED_PS'].includes(codeOf(error));

/** A statement names an index that somebody has dropped meanwhile. */
export const isMissingIndex = (error: unknown): boolean => codeOf(error) === 'ER_KEY_DOES_NOT_EXITS';

const ended = 'HEDDLE_ENDED';

/** Of a read that has taken so many milliseconds, and may go on for days. */
export const endedAfter = (milliseconds: number, cause?: unknown): Error =>
  Object.assign(new Error(`It was not answered within ${milliseconds / 1_000} s`, { cause }), { code: ended });

/** The server was told to end the statement: by a limit on its time, or by somebody. */
const isEnded = (error: unknown): boolean =>
  [ended, '57014', 'ER_QUERY_INTERRUPTED', 'ER_QUERY_TIMEOUT'].includes(codeOf(error)) ||
  (bare(error) as { errno?: unknown } | null)?.errno === tookTooLong;

/** All transactions together have as many locks as the server has room for. */
const isOutOfLocks = (error: unknown): boolean => ['53200', 'ER_LOCK_TABLE_FULL'].includes(codeOf(error));

const unavailable = (message: string, cause: unknown): HeddleError =>
  new HeddleError('ServiceUnavailableError', message, {}, { cause });

const tooLongAnswer = (why: string, cause?: unknown): HeddleError =>
  new HeddleError('PayloadTooLargeError', `${why}: ask for less of it`, {}, { cause });

/** Of an answer that is not made to its end. */
export const answerBeyond = (most: number): HeddleError =>
  tooLongAnswer(`An answer may have ${most} bytes, and this one would have more`);

const unreachable = (cause: unknown): HeddleError => unavailable('The database can not be reached', cause);

/** What work failed with whose connection broke, as the caller may see it, where that is why; inside a tap, too. */
export const toldOfBroken = (error: unknown): unknown => (isGone(bare(error)) ? unreachable(error) : error);

/** What those are refused with who wait for a writer that does nothing: most likely it waits for one of them. */
export const stuck = (patience: number): HeddleError =>
  unavailable(
    'Another writer does not come to an end, try again',
    new Error(`A write has done nothing for ${patience / 1_000} s while others waited for it. ${whereWritesWait}`),
  );

/** A driver's error as the caller may see it; the driver's own words stay in the cause, for the log. */
export function told(error: unknown): unknown {
  if (error instanceof HeddleError) return error;
  if (isGone(error)) return unreachable(error);
  if (isAllInUse(error)) return unavailable('All connections to the database are in use, try again', error);
  if (isLost(error)) return unavailable('Too many writers at once, try again', error);
  if (isFull(error)) return unavailable('The database has no room for more statements, try again', error);
  if (isEnded(error)) return unavailable('The database has ended the statement: ask for less, or try again', error);
  if (isOutOfLocks(error)) return unavailable('The database has no room for more locks, try again', error);
  if (isTooLong(error)) return tooLongAnswer('An answer would be longer than a text can be', error);
  if (isTooLarge(error)) return new ExcessiveRequest('The request asks for more at once than the database can look up');
  if (isUnfit(error)) return validationError('A value is too large or not representable in the database');
  return error;
}

/** A service whose failures are told as those of the database are. */
export function withToldFailures<Service extends object>(service: Service): Service {
  const telling =
    (method: (...values: unknown[]) => unknown) =>
    (...values: unknown[]) => {
      const answer = method.apply(service, values);
      return answer instanceof Promise
        ? answer.catch((error) => {
            throw told(error);
          })
        : answer;
    };
  const entries = Object.entries(service).map(([name, value]) => [
    name,
    typeof value === 'function' ? telling(value as (...values: unknown[]) => unknown) : value,
  ]);
  return Object.fromEntries(entries) as Service;
}

const attempts = 8;

/** Runs work again, a little later each time, while it loses against other writers; the work learns how often it lost. */
export async function withRetries<T>(work: (before: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt - 1);
    } catch (error) {
      if (!isLost(error) || attempt === attempts) throw told(error);
      await new Promise((resolve) => setTimeout(resolve, 2 ** attempt * (1 + Math.random())));
    }
  }
}
