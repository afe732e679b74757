import type { Middleware } from 'koa';
import { ExcessiveRequest, HeddleError } from '../errors';
import { isDeeperThan, mostBodyLevels } from '../levels';
import { bodyOf } from './route';
import type { BodyLimits } from './settings/body-limits';

const isClient = (error: unknown): boolean => typeof (error as { status?: unknown }).status === 'number';

/** A body that doesn't unpack as its Content-Encoding says fails without a status of its own. */
function unreadable(error: Error): never {
  throw isClient(error)
    ? error
    : new HeddleError('BadRequestError', 'The request body is unreadable', {}, { cause: error });
}

/** JSON is parsed however deep it is; what looks at it then is not all made for that. */
function refuseDeep(body: unknown): void {
  if (isDeeperThan(body, mostBodyLevels))
    throw new ExcessiveRequest(`The request body has too many levels. The maximum is ${mostBodyLevels}.`);
}

function readerWithin({ jsonLimit, formLimit }: BodyLimits): Middleware {
  const { koaBody } = require('koa-body') as typeof import('koa-body');
  return koaBody({
    json: true,
    jsonLimit,
    urlencoded: true,
    formLimit,
    queryString: { depth: 20 },
    text: false,
    multipart: false,
    parsedMethods: ['POST', 'PUT', 'PATCH', 'DELETE'] as never,
    onError: unreadable,
  });
}

/**
 * Reads JSON, and forms as a way to write it; `request.body` stays undefined for every other content type. Only
 * routes that read a body pay for it, and what reads them is loaded for the first of their requests.
 */
export function bodyReader(limits: BodyLimits): Middleware {
  let read: Middleware | undefined;
  return (context, next) => {
    read ??= readerWithin(limits);
    return read(context, () => {
      refuseDeep(bodyOf(context));
      return next();
    });
  };
}
