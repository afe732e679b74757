import type { Env } from 'heddle';

const ports: Readonly<Record<string, number>> = { mysql: 3306, postgres: 5432 };

/** A SQLite file in the data folder, unless the environment names a server. */
export default ({ env }: { env: Env }) => {
  const client = env.oneOf('DATABASE_CLIENT', ['sqlite', ...Object.keys(ports)], 'sqlite')!;
  if (client === 'sqlite')
    return { connection: { client, connection: { filename: env('DATABASE_FILENAME', 'data.db') } } };
  return {
    connection: {
      client,
      connection: {
        host: env('DATABASE_HOST', '127.0.0.1'),
        port: env.int('DATABASE_PORT', ports[client]),
        database: env('DATABASE_NAME', 'heddle'),
        user: env('DATABASE_USERNAME', 'heddle'),
        password: env('DATABASE_PASSWORD', ''),
      },
    },
  };
};
