/** Error name → HTTP status. The names are part of the answers' contract; adapters put them into their envelopes. */
export const statusOf = {
  Error: 400,
  ApplicationError: 400,
  BadRequestError: 400,
  PaginationError: 400,
  SyntaxError: 400,
  ValidationError: 400,
  UnauthorizedError: 401,
  ForbiddenError: 403,
  PolicyError: 403,
  NotFoundError: 404,
  MethodNotAllowedError: 405,
  RequestTimeoutError: 408,
  PayloadTooLargeError: 413,
  UnsupportedMediaTypeError: 415,
  RateLimitError: 429,
  InternalServerError: 500,
  NotImplementedError: 501,
  ServiceUnavailableError: 503,
} as const;

export type ErrorName = keyof typeof statusOf;

/** One mistake in a request, as `details.errors` lists them. */
export interface Issue {
  path: readonly (string | number)[];
  message: string;
  name: 'ValidationError';
  value?: unknown;
}

/** An error that is meant for the caller: its name, message and details reach the answer as they are. */
export class HeddleError extends Error {
  readonly status: number;

  constructor(
    override readonly name: ErrorName,
    message: string,
    readonly details?: Readonly<Record<string, unknown>>,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.status = statusOf[name];
  }
}

export const validationError = (message: string, details: Record<string, unknown> = {}): HeddleError =>
  new HeddleError('ValidationError', message, details);

/** More than anybody may ask for, whatever it means: where mistakes are told inside of an answer, this is its status, too. */
export class ExcessiveRequest extends HeddleError {
  constructor(message: string) {
    super('ValidationError', message, {});
  }
}

/** A short body can be wrong in very many places, each of which takes more to tell than to send. */
const mostTold = 1_000;

/** One issue speaks for itself; several are counted, and so many of them listed. */
export function issuesError(issues: readonly Issue[]): HeddleError {
  const message = issues.length === 1 ? issues[0]!.message : `${issues.length} errors occurred`;
  return validationError(message, { errors: issues.slice(0, mostTold) });
}

export const notFound = (): HeddleError => new HeddleError('NotFoundError', 'Not Found', {});
export const forbidden = (): HeddleError => new HeddleError('ForbiddenError', 'Forbidden', {});
