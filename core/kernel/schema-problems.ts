import type { ZodType } from 'zod';
import { interpreted } from './interpreted';
import { type Problem, problem } from './problems';
import { didYouMean } from './suggest';

interface Issue {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
  readonly errors?: readonly (readonly Issue[])[];
}

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

/** What is wrong in the alternative that was meant: the one whose very type fits. */
function unfold(issue: Issue): Issue[] {
  const meant = issue.errors?.find((issues) =>
    issues.every(({ code, path }) => path.length > 0 || code === 'unrecognized_keys'),
  );
  return meant ? meant.flatMap((inner) => unfold({ ...inner, path: [...issue.path, ...inner.path] })) : [issue];
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Checks a value of the project; wrong keys are told with what was probably meant. */
export function schemaProblems(
  schema: ZodType,
  value: unknown,
  where: string,
  at: string,
): { value?: unknown; problems: Problem[] } {
  const result = schema.safeParse(value, interpreted);
  if (result.success) return { value: result.data, problems: [] };
  const placeOf = (path: readonly PropertyKey[], key = ''): string =>
    [at, ...path.map(String), key].filter(Boolean).join('.');
  const problems = (result.error.issues as readonly Issue[]).flatMap(unfold).flatMap((issue) => {
    if (!issue.keys) return [problem(where, sentence(issue.message), 'Correct the value.', placeOf(issue.path))];
    const known = knownKeys(schema, issue.path);
    return issue.keys.map((key) =>
      problem(where, 'is no known option.', `Remove it.${didYouMean(key, known)}`, placeOf(issue.path, key)),
    );
  });
  return { problems };
}
