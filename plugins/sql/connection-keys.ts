import { z } from 'zod';
import { nearest } from '../../core';

/** How a database is reached. */
const reach = z.looseObject({
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

/** Of these, the last are keys of a driver that look like a misspelt one. */
const known = [...Object.keys(reach.shape), 'password1', 'password2', 'password3'];

const isMisspelt = (key: string): boolean => !known.includes(key) && nearest(key, known, 1) !== undefined;

/**
 * A misspelt name of a database would lead to another one: a key that is one letter off is refused. All others, drivers have
 * many, are left to the driver.
 */
export const connectionKeys = reach.superRefine((connection, { addIssue }) => {
  const keys = Object.keys(connection).filter((key) => connection[key] !== undefined && isMisspelt(key));
  if (keys.length > 0) addIssue({ code: 'unrecognized_keys', keys, input: connection });
});
