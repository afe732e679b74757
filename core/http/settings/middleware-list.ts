import { z } from 'zod';
import type { ConfigDeclarations } from '../../kernel/config';
import { interpreted } from '../../kernel/interpreted';
import { type Problem, problem } from '../../kernel/problems';
import { schemaProblems } from '../../kernel/schema-problems';

/** `config/middlewares`: its list, as it stands in the file. */
export interface MiddlewaresConfig {
  readonly list?: readonly unknown[];
}

declare module '../../types' {
  interface ConfigSections {
    middlewares: MiddlewaresConfig;
  }
}

export const where = 'config/middlewares';

export const declareMiddlewares = (declare: ConfigDeclarations): void =>
  declare.declare('middlewares', { list: z.array(z.unknown()).optional() });

/** An entry of the list: a middleware by name, or one of the project's own by its file. */
export interface ListedMiddleware {
  readonly name: string;
  /** The name as the file has it, for messages. */
  readonly written: string;
  readonly config?: unknown;
  readonly resolve?: string;
  /** Place in the list, for messages. */
  readonly at: string;
}

const entrySchema = z.strictObject({
  name: z.string().min(1).optional(),
  resolve: z.string().min(1).optional(),
  config: z.unknown().optional(),
});

/** `strapi::cors` and `heddle::cors` are one. */
const named = (written: string, rest: Omit<ListedMiddleware, 'name' | 'written'>): ListedMiddleware => ({
  ...rest,
  written,
  name: written.replace(/^strapi::/, 'heddle::'),
});

function entryOf(given: unknown, at: string): { entry?: ListedMiddleware; problems: Problem[] } {
  if (typeof given === 'string') return { entry: named(given, { at }), problems: [] };
  const { value, problems } = schemaProblems(entrySchema, given, where, at);
  const { name, resolve, config } = (value ?? {}) as z.infer<typeof entrySchema>;
  if (problems.length > 0) return { problems };
  if (!name && !resolve) return { problems: [problem(where, 'names no middleware.', 'Give it a name.', at)] };
  return { entry: named(name ?? resolve!, { resolve, config, at }), problems: [] };
}

/** Where the file is silent. */
const defaults = ['heddle::security', 'heddle::cors', 'heddle::query', 'heddle::body'];

/** The entries of the list, under Heddle's own names. */
export function listedMiddlewares({ list = defaults }: MiddlewaresConfig): {
  entries: ListedMiddleware[];
  problems: Problem[];
} {
  const read = list.map((given, index) => entryOf(given, String(index)));
  return {
    entries: read.flatMap(({ entry }) => entry ?? []),
    problems: read.flatMap(({ problems }) => problems),
  };
}

/** The options of a listed middleware that is a matter of settings only; defaults where it is not listed or wrong. */
export function settingsOf<T>(
  config: MiddlewaresConfig,
  name: string,
  schema: z.ZodType<T>,
  inert: readonly string[],
): T {
  const given = listedMiddlewares(config).entries.find((entry) => entry.name === name)?.config;
  const result = schema.safeParse(withoutKeys(given ?? {}, inert).rest, interpreted);
  return result.success ? result.data : schema.parse({}, interpreted);
}

export function withoutKeys(given: unknown, keys: readonly string[]): { rest: unknown; left: string[] } {
  if (typeof given !== 'object' || given === null) return { rest: given, left: [] };
  const entries = Object.entries(given);
  return {
    rest: Object.fromEntries(entries.filter(([key]) => !keys.includes(key))),
    left: entries.map(([key]) => key).filter((key) => keys.includes(key)),
  };
}
