import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { HeddleError } from '../../../core';

const codes: Readonly<Record<string, string>> = {
  ValidationError: 'BAD_USER_INPUT',
  ForbiddenError: 'FORBIDDEN',
  PolicyError: 'FORBIDDEN',
  UnauthorizedError: 'UNAUTHENTICATED',
};

/** `PaginationError` → `STRAPI_PAGINATION_ERROR`. */
const codeOf = (name: string): string =>
  codes[name] ?? `STRAPI_${name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase()}`;

/** What went wrong underneath an error of the execution. */
export function causeOf(error: unknown): unknown {
  let cause = error;
  while (cause instanceof GraphQLError && cause.originalError) cause = cause.originalError;
  return cause;
}

/** An error that is the caller's to know, as answers show it. */
export function told(
  { name, message, details }: HeddleError,
  path: GraphQLFormattedError['path'],
): GraphQLFormattedError {
  return {
    message,
    ...(path && { path }),
    extensions: { code: codeOf(name), error: { name, message, details: details ?? {} } },
  };
}

/** What nobody foresaw: the log knows more. */
export const unforeseen: GraphQLFormattedError = {
  message: 'Internal Server Error',
  extensions: {
    error: { name: 'InternalServerError', message: 'Internal Server Error' },
    code: 'INTERNAL_SERVER_ERROR',
  },
};

/** A resolver failed by what nobody foresaw. */
export class ResolverFailure extends Error {}

/** What a resolver throws, as it reaches answers. */
export const failureOf = (error: unknown): unknown =>
  error instanceof HeddleError || error instanceof GraphQLError
    ? error
    : new ResolverFailure('a resolver failed', { cause: error });

/** Errors as answers show them; `failed` is told of those that nobody foresaw. */
export const createErrorFormat =
  (failed: (error: unknown) => void) =>
  (formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError => {
    const cause = causeOf(error);
    if (cause instanceof HeddleError) return told(cause, formatted.path);
    if (!(cause instanceof ResolverFailure)) return formatted;
    failed(cause.cause);
    return unforeseen;
  };
