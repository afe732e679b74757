import { HeddleError, type ReadAnswer, validationError, type Window } from '../../core';

export interface PageLimits {
  readonly defaultLimit: number;
  /** The most documents of one answer; absent for no maximum. */
  readonly maxLimit?: number;
  readonly withCount: boolean;
}

/** A page as it was asked for, with what its `meta.pagination` says. */
export interface Page {
  readonly window: Window;
  meta(answer: Pick<ReadAnswer, 'total' | 'next'>): object;
}

type Asked = Readonly<Record<string, unknown>>;

const has = (asked: Asked, ...keys: string[]): boolean => keys.some((key) => Object.hasOwn(asked, key));
const isRecord = (value: unknown): value is Asked =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function startFrom(start: number): number {
  if (!Number.isSafeInteger(start))
    throw validationError(`convertStartQueryParams expected a positive integer got ${start}`);
  return start;
}

/** Nonsense and too much are the maximum, less than one is one. */
function limitFrom(given: unknown, { defaultLimit, maxLimit }: PageLimits): number {
  if (given === undefined || given === null)
    return maxLimit === undefined ? defaultLimit : Math.min(defaultLimit, maxLimit);
  const limit = Number(given);
  if (Number.isNaN(limit) || (maxLimit !== undefined && limit > maxLimit)) return maxLimit ?? defaultLimit;
  if (limit < 1) return 1;
  if (!Number.isSafeInteger(limit))
    throw validationError(`convertLimitQueryParams expected a positive integer got ${limit}`);
  return limit;
}

function countFrom(given: unknown, limits: PageLimits): Pick<Window, 'total' | 'refused'> {
  if (given === undefined) return { total: limits.withCount };
  if (['true', 't', '1'].includes(given as string)) return { total: true };
  if (['false', 'f', '0'].includes(given as string)) return { total: false };
  return {
    total: false,
    refused: validationError('Invalid withCount parameter. Expected "t","1","true","false","0","f"'),
  };
}

function offsetPage(asked: Asked, limits: PageLimits): Page {
  const given = Number(asked['start'] ?? 0);
  const start = startFrom(given < 0 ? 0 : given);
  const limit = limitFrom(asked['limit'], limits);
  return {
    window: { start, limit, ...countFrom(asked['withCount'], limits) },
    meta: ({ total }) => (total === undefined ? { start, limit } : { start, limit, total }),
  };
}

function numberedPage(asked: Asked, limits: PageLimits): Page {
  const given = Number(asked['page'] ?? 1);
  const page = given < 1 ? 1 : given;
  const pageSize = limitFrom(asked['pageSize'], limits);
  const start = startFrom((page - 1) * pageSize);
  return {
    window: { start, limit: pageSize, ...countFrom(asked['withCount'], limits) },
    meta: ({ total }) =>
      total === undefined ? { page, pageSize } : { page, pageSize, pageCount: Math.ceil(total / pageSize), total },
  };
}

/** Each page begins where the one before it ended. Totals are counted only where they are asked for. */
function cursorPage(asked: Asked, limits: PageLimits): Page {
  const pageSize = limitFrom(asked['pageSize'], limits);
  const count = countFrom(asked['withCount'] ?? 'false', limits);
  return {
    window: { start: 0, limit: pageSize, cursor: asked['cursor'] ?? '', ...count },
    meta: ({ total, next }) => ({ pageSize, nextCursor: next ?? null, ...(total !== undefined && { total }) }),
  };
}

const misplaced =
  'Invalid pagination attributes. The page parameters are incorrect and must be in the pagination object';
const mixed = 'Cannot use both page & offset pagination in the same query';

const mixedWithCursor =
  'Cannot use cursor pagination together with page, start or limit in the same query: only pageSize and withCount go with it';

const askedIn = ({ pagination }: Asked): Asked => (isRecord(pagination) ? pagination : {});
const isByCursor = (asked: Asked): boolean => has(asked, 'cursor');
const isByOffset = (asked: Asked): boolean => has(asked, 'start', 'limit');

/** Refuses what is told before any value is looked at: pages outside of `pagination`, and several forms at once. */
export function refuseMisplaced(parameters: Asked): void {
  if (has(parameters, 'page', 'pageSize')) throw new HeddleError('PaginationError', misplaced, {});
  const asked = askedIn(parameters);
  if (isByCursor(asked) && has(asked, 'page', 'start', 'limit'))
    throw new HeddleError('PaginationError', mixedWithCursor, {});
  if (isByOffset(asked) && has(asked, 'page', 'pageSize')) throw new HeddleError('PaginationError', mixed, {});
}

/** Reads `pagination[…]`: by page and page size, by start and limit, or by cursor and page size. */
export function parsePagination(parameters: Asked, limits: PageLimits): Page {
  const asked = askedIn(parameters);
  if (isByCursor(asked)) return cursorPage(asked, limits);
  return isByOffset(asked) ? offsetPage(asked, limits) : numberedPage(asked, limits);
}
