import { readFileSync } from 'node:fs';
import type { z } from 'zod';

function contentOf(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`);
  }
}

/** The checked content of a file, or an error that names the file and each place in it that is wrong. */
export function readJson<T>(file: string, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(contentOf(file));
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => `/${path.join('/')}: ${message}`);
  throw new Error(`${file}: ${issues.join('; ')}`);
}
