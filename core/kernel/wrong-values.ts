import type { ZodError } from 'zod';

/** A value that zod refused, and why. */
export interface WrongValue {
  readonly path: readonly PropertyKey[];
  readonly what: string;
  /** Names where none is known of them. */
  readonly keys?: readonly string[];
}

interface Issue {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
  readonly expected?: string;
  readonly values?: readonly unknown[];
  readonly errors?: readonly (readonly Issue[])[];
}

const isOfAnotherKind = ({ code, path }: Issue): boolean =>
  path.length === 0 && ['invalid_type', 'invalid_value', 'invalid_union', 'custom'].includes(code ?? '');

/** What is wrong in the alternative that was meant: the one whose very kind fits. */
function unfold(issue: Issue): Issue[] {
  const meant = issue.errors?.find((issues) => !issues.some(isOfAnotherKind));
  return meant ? meant.flatMap((inner) => unfold({ ...inner, path: [...issue.path, ...inner.path] })) : [issue];
}

/** What would have been right: a name for each alternative. Checks of a schema's own say in their message what they expect. */
function expectations({ expected, values, errors, message }: Issue): string[] {
  if (errors) return errors.flatMap((issues) => issues.filter(isOfAnotherKind).flatMap(expectations));
  return values ? values.map((value) => JSON.stringify(value)) : [expected ?? message];
}

function messageOf(issue: Issue): string {
  // Some unions say themselves what they expect.
  if (!issue.errors?.length || issue.message !== 'Invalid input') return issue.message;
  const names = [...new Set(expectations(issue))];
  const last = names.pop();
  return `Invalid input: expected ${names.length > 0 ? `${names.join(', ')} or ` : ''}${last}`;
}

/** What is wrong with a value of the project, in sentences. */
export function wrongValues(error: ZodError): WrongValue[] {
  return (error.issues as readonly Issue[]).flatMap(unfold).map((issue) => {
    const message = messageOf(issue);
    const what = /[.!?]$/.test(message) ? message : `${message}.`;
    return { path: issue.path, what, ...(issue.keys && { keys: issue.keys }) };
  });
}
