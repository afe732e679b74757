import { HeddleError } from '../errors';

/** A failed request's answer, before it is sent. */
export interface ErrorAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Errors that have no details unless they were given some; all others have empty ones. */
const withoutDetails: ReadonlySet<string> = new Set([
  'Error',
  'BadRequestError',
  'SyntaxError',
  'PayloadTooLargeError',
  'InternalServerError',
]);

const envelope = (status: number, name: string, message: string, details?: object): ErrorAnswer => ({
  status,
  body: { data: null, error: { status, name, message, details } },
});

export const internalError: ErrorAnswer = envelope(500, 'InternalServerError', 'Internal Server Error');

/** Errors of Koa and of body readers carry a status; below 500 their message is meant for the caller. */
const isRequestFault = (error: unknown): error is Error & { status: number } =>
  error instanceof Error &&
  'status' in error &&
  typeof error.status === 'number' &&
  error.status >= 400 &&
  error.status < 500;

/** The answer to an error that is the caller's to know; undefined for one that is ours. */
export function answerTo(error: unknown): ErrorAnswer | undefined {
  if (error instanceof HeddleError) {
    const { status, name, message, details } = error;
    return envelope(status, name, message, details ?? (withoutDetails.has(name) ? undefined : {}));
  }
  if (isRequestFault(error)) return envelope(error.status, error.name, error.message);
  return undefined;
}
