import { z } from 'zod';
import { didYouMean } from '../../core';

/** What drivers take besides; Heddle itself makes nothing of it. */
const ofDrivers = [
  // pg
  'application_name',
  'client_encoding',
  'connectionTimeoutMillis',
  'fallback_application_name',
  'idle_in_transaction_session_timeout',
  'keepAlive',
  'keepAliveInitialDelayMillis',
  'lock_timeout',
  'options',
  'query_timeout',
  'sslNegotiation',
  'statement_timeout',
  'stream',
  'types',
  // mysql2
  'authPlugins',
  'bigNumberStrings',
  'charset',
  'charsetNumber',
  'compress',
  'connectAttributes',
  'connectTimeout',
  'dateStrings',
  'debug',
  'decimalNumbers',
  'enableCleartextPlugin',
  'enableKeepAlive',
  'flags',
  'insecureAuth',
  'jsonStrings',
  'keepAliveInitialDelay',
  'localAddress',
  'maxPreparedStatements',
  'multipleStatements',
  'namedPlaceholders',
  'passwordSha1',
  'password1',
  'password2',
  'password3',
  'queryFormat',
  'rowsAsArray',
  'socketPath',
  'stringifyObjects',
  'supportBigNumbers',
  'timezone',
  'trace',
  'typeCast',
];

/** How a database is reached. */
const reach = z.looseObject({
  ...(Object.fromEntries(ofDrivers.map((key) => [key, z.unknown().optional()])) as Record<never, never>),
  filename: z.string().optional(),
  connectionString: z.string().optional(),
  host: z.string().optional(),
  port: z.coerce.number().int().min(1).max(65_535).optional(),
  database: z.string().optional(),
  user: z.string().optional(),
  password: z.string().optional(),
  ssl: z.union([z.boolean(), z.looseObject({})]).optional(),
  schema: z.string().optional(),
});

const known = Object.keys(reach.shape);

/** A misspelt name of a database would lead to another one. What is near to nothing that is known, the driver may judge. */
export const connectionKeys = reach.superRefine((connection, { addIssue }) => {
  const keys = Object.keys(connection).filter((key) => !known.includes(key) && didYouMean(key, known) !== '');
  if (keys.length > 0) addIssue({ code: 'unrecognized_keys', keys, input: connection });
});
