import { randomBytes } from 'node:crypto';

const sane = /^[\w.:-]{1,64}$/;

/** The caller's own id where it is a sane one; else a random start and a counter, for a random id per request costs more. */
export function createRequestIds(): (given: string | string[] | undefined) => string {
  const start = `${randomBytes(6).toString('base64url')}-`;
  let count = 0;
  return (given) => {
    if (typeof given === 'string' && sane.test(given)) return given;
    count += 1;
    return start + count.toString(36);
  };
}
