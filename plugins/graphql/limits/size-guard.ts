import { type GraphQLError, parse } from 'graphql';
import type { Context } from 'koa';
import { bodyOf, flatMapped, Lru } from '../../../core';
import { bracketError } from './brackets';
import { mostTokens, sizeErrors } from './size';

/** Documents kept at once that are known to be small enough, and characters in them; longer ones are looked at each time. */
const keptDocuments = 1_000;
const keptTexts = 2_000_000;
const longestKept = 20_000;

/** The documents in a request, in whichever form it has: one, several in a list, or one in the address. */
function documentsIn({ method, search, request }: Context): string[] {
  if (method === 'GET' || method === 'HEAD') return new URLSearchParams(search).getAll('query');
  const body = bodyOf({ request });
  return flatMapped(Array.isArray(body) ? body : [body], (each: { query?: unknown } | null | undefined) =>
    typeof each?.query === 'string' ? [each.query] : [],
  );
}

/** Says which document of a request is too large to be looked at by anybody. What can't be read, others tell. */
export function createSizeGuard() {
  const small = new Lru<true>(keptDocuments, keptTexts);

  function errorsOf(text: string): readonly GraphQLError[] {
    if (small.get(text)) return [];
    const tooDeep = bracketError(text, mostTokens);
    if (tooDeep) return [tooDeep];
    try {
      const errors = sizeErrors(parse(text, { maxTokens: mostTokens }));
      if (errors.length === 0 && text.length <= longestKept) small.set(text, true);
      return errors;
    } catch {
      return [];
    }
  }

  return (context: Context): readonly GraphQLError[] | undefined =>
    documentsIn(context)
      .map(errorsOf)
      .find((errors) => errors.length > 0);
}
