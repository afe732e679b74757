import type { ZodType } from 'zod';
import { interpreted } from './interpreted';
import { type Problem, problem } from './problems';
import { didYouMean } from './suggest';
import { wrongValues } from './wrong-values';

/** The parts of a zod schema that lead to the keys it knows. */
interface Shaped {
  readonly shape?: Readonly<Record<PropertyKey, Shaped>>;
  readonly def?: {
    readonly innerType?: Shaped;
    readonly in?: Shaped;
    readonly options?: readonly Shaped[];
    readonly element?: Shaped;
    readonly valueType?: Shaped;
  };
}

/** A schema without the wrappings of defaults, options and transformations; the alternatives of a union. */
function alternatives(schema: Shaped | undefined): Shaped[] {
  if (!schema) return [];
  const { innerType, in: input, options } = schema.def ?? {};
  if (options) return options.flatMap(alternatives);
  return innerType || input ? alternatives(innerType ?? input) : [schema];
}

function knownKeys(schema: ZodType, path: readonly PropertyKey[]): string[] {
  let at = alternatives(schema as unknown as Shaped);
  for (const part of path)
    at = at.flatMap((one) => alternatives(one.shape?.[part] ?? one.def?.element ?? one.def?.valueType));
  return at.flatMap(({ shape }) => Object.keys(shape ?? {}));
}

/** The keys that a schema of an object knows. */
export const keysOf = (schema: ZodType): string[] => knownKeys(schema, []);

export const isSchema = (value: unknown): value is ZodType =>
  typeof (value as ZodType | null | undefined)?.safeParse === 'function';

/** Told of `options` by which nothing can be checked. */
export const noSchema = (where: string): Problem =>
  problem(where, 'has "options" that are no zod schema.', 'Write them as in z.strictObject({ size: z.int() }).');

/** Checks a value of the project; wrong keys are told with what to do about them, and what was probably meant. */
export function schemaProblems(
  schema: ZodType,
  value: unknown,
  where: string,
  at: string,
  remedy = 'Remove it.',
): { value?: unknown; problems: Problem[] } {
  const result = schema.safeParse(value, interpreted);
  if (result.success) return { value: result.data, problems: [] };
  const placeOf = (path: readonly PropertyKey[], key = ''): string =>
    [at, ...path.map(String), key].filter(Boolean).join('.');
  const problems = wrongValues(result.error).flatMap(({ path, what, keys }) => {
    if (!keys) return [problem(where, what, 'Correct the value.', placeOf(path))];
    const known = knownKeys(schema, path);
    return keys.map((key) =>
      problem(where, 'is no known option.', `${remedy}${didYouMean(key, known)}`, placeOf(path, key)),
    );
  });
  return { problems };
}
