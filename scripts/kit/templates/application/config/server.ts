import type { Env } from 'heddle';

/** Reached from this machine only, until you say otherwise. */
export default ({ env }: { env: Env }) => ({
  host: env('HOST', '127.0.0.1'),
  port: env.int('PORT', 1337),
});
