import { createHmac } from 'node:crypto';

/** How the keys of API tokens are kept: nobody can read them out of the database. */
export type KeyHash = (key: string) => string;

export const keyHash =
  (salt: string): KeyHash =>
  (key) =>
    createHmac('sha512', salt).update(key).digest('hex');
