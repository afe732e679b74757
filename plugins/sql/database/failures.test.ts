import { ExcessiveRequest, type HeddleError, TapError, validationError } from '../../../core';
import { isForAll, isGone, isLost, told, toldOfBroken, withRetries } from './failures';

const failure = (code: string): Error => Object.assign(new Error('select secret'), { code });

describe('failures', () => {
  test.each(['SQLITE_BUSY', '40001', '40P01', 'ER_LOCK_DEADLOCK', 'ER_LOCK_WAIT_TIMEOUT'])(
    '%s is worth another attempt',
    async (code) => {
      expect(isLost(failure(code))).toBe(true);
      let attempts = 0;
      const done = await withRetries(async () => {
        if (++attempts < 3) throw failure(code);
        return 'done';
      });
      expect([done, attempts]).toEqual(['done', 3]);
      expect(told(failure(code))).toMatchObject({ status: 503, message: 'Too many writers at once, try again' });
    },
  );

  test.each([
    'ECONNREFUSED',
    'ECONNRESET',
    'EAI_AGAIN',
    'PROTOCOL_CONNECTION_LOST',
    'ER_SERVER_SHUTDOWN',
    '57P01',
    '53300',
  ])('%s: the database is gone', async (code) => {
    expect(isGone(failure(code))).toBe(true);
    let attempts = 0;
    const work = withRetries(async () => {
      attempts += 1;
      throw failure(code);
    });
    await expect(work).rejects.toMatchObject({ status: 503, message: 'The database can not be reached' });
    expect(attempts).toBe(1);
  });

  test.each([
    [
      'a statement whose connection was ended on MariaDB',
      Object.assign(new Error('Connection was killed'), { errno: 1927 }),
    ],
    ['a connection to PostgreSQL that takes too long', new Error('timeout expired')],
  ])('%s: the database is gone, though no code says so', (_, error) => {
    expect(told(error)).toMatchObject({ status: 503, message: 'The database can not be reached' });
  });

  test.each(['ER_MAX_PREPARED_STMT_COUNT_REACHED', '53200', 'ER_LOCK_TABLE_FULL'])(
    '%s: a server that has no room for more may have some later',
    (code) => {
      expect(told(failure(code))).toMatchObject({ status: 503 });
    },
  );

  test.each([
    ['PostgreSQL', Object.assign(failure('54000'), { routine: 'enlargeStringInfo' })],
    ['PostgreSQL, as it puts it together', new Error('invalid memory alloc request size 1073741824')],
    ['SQLite', failure('SQLITE_TOOBIG')],
    ['V8', failure('ERR_STRING_TOO_LONG')],
  ])('a text that is too long for %s is too large an answer', (_, error) => {
    expect(told(error)).toMatchObject({ status: 413, name: 'PayloadTooLargeError' });
  });

  test('what went wrong in the server is no long text', () => {
    const error = failure('XX000');
    expect(told(error)).toBe(error);
  });

  test.each(['22003', '22021', '54000', 'ER_DATA_TOO_LONG', 'ER_WARN_DATA_OUT_OF_RANGE'])(
    '%s is the fault of the caller',
    (code) => {
      expect(told(failure(code))).toMatchObject({ status: 400, name: 'ValidationError' });
    },
  );

  test.each([
    failure('54001'),
    failure('ER_TOO_HIGH_LEVEL_OF_NESTING_FOR_SELECT'),
    new Error('Expression tree is too large (maximum depth 1000)'),
    new Error('too many SQL variables'),
  ])('%s: less can be asked for', (error) => {
    expect(told(error)).toBeInstanceOf(ExcessiveRequest);
  });

  test.each([failure('57014'), failure('ER_QUERY_INTERRUPTED'), Object.assign(new Error('limit'), { errno: 1969 })])(
    '%s: the server was told to end the statement, which may work another time',
    (error) => {
      expect(told(error)).toMatchObject({
        status: 503,
        message: 'The database has ended the statement: ask for less, or try again',
      });
      // What takes too long for several may do for each of them.
      expect(isForAll(told(error))).toBe(false);
    },
  );

  test('the words of a driver stay in the cause', () => {
    const error = told(failure('ECONNRESET')) as HeddleError;
    expect(JSON.stringify([error.message, error.details])).not.toContain('secret');
    expect((error.cause as Error).message).toBe('select secret');
  });

  test('a tap may lose or write what does not fit like anything else', async () => {
    let attempts = 0;
    const tapped = (code: string) => new TapError('shop', 'document.written', failure(code));
    const work = withRetries(async () => {
      if (++attempts < 3) throw tapped('40P01');
      return 'done';
    });
    expect([await work, attempts]).toEqual(['done', 3]);
    expect(told(tapped('22003'))).toMatchObject({ status: 400 });
    const bug = new TapError('shop', 'document.written', new RangeError('bug'));
    expect(told(bug)).toBe(bug);
  });

  test("what a tap could not reach is the database where the transaction's connection broke, and its name stays in the cause", () => {
    const tapped = new TapError('shop', 'document.written', failure('ECONNRESET'));
    expect(told(tapped)).toBe(tapped);
    const error = toldOfBroken(tapped) as HeddleError;
    expect(error).toMatchObject({ status: 503, message: 'The database can not be reached' });
    expect((error.cause as Error).message).toContain('plugin "shop"');
    const own = validationError('x');
    expect(toldOfBroken(own)).toBe(own);
  });

  test('JSON that a check of MariaDB refuses is the fault of the caller', () => {
    expect(told(Object.assign(new Error('CONSTRAINT `things.extra` failed'), { errno: 4025 }))).toMatchObject({
      status: 400,
    });
  });

  test('other errors are left as they are, and not tried again', async () => {
    const [own, bug] = [validationError('x'), new Error('bug')];
    expect([told(own), told(bug)]).toEqual([own, bug]);
    let attempts = 0;
    await expect(withRetries(async () => Promise.reject(++attempts && bug))).rejects.toBe(bug);
    expect(attempts).toBe(1);
  });
});
