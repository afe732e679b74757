import { HeddleError } from '../../../core';

/** How many things a list shows. */
export interface PageLimits {
  readonly defaultLimit: number;
  /** The most of a page; -1 for as many as `amountLimit` lets through. */
  readonly maxLimit: number;
  readonly amountLimit: number;
  /** The most groups that one `groupBy` makes. */
  readonly groupLimit: number;
}

export interface Page {
  readonly start: number;
  readonly limit: number;
  /** How many were asked for, whatever is let through; all that is there, where it says so. */
  readonly asked: number | 'all';
}

type Asked = Readonly<Record<'page' | 'pageSize' | 'start' | 'limit', number | null | undefined>>;

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** A number of things: less than one is one, but for -1 in a limit, which means all. */
function limitFrom(
  given: number | null | undefined,
  { defaultLimit, maxLimit, amountLimit }: PageLimits,
  hasAll: boolean,
): Pick<Page, 'limit' | 'asked'> {
  const most = maxLimit < 0 ? amountLimit : Math.min(maxLimit, amountLimit);
  const asked = given ?? defaultLimit;
  if (asked === -1 && hasAll) return { limit: most, asked: 'all' };
  return { limit: Math.min(Math.max(asked, 1), most), asked: Math.max(asked, 1) };
}

/** Reads the argument `pagination`: by page and page size, or by start and limit. */
export function pageFrom(given: unknown, limits: PageLimits): Page {
  const { page, pageSize, start, limit } = (given ?? {}) as Asked;
  const byPage = isGiven(page) || isGiven(pageSize);
  if (byPage && (isGiven(start) || isGiven(limit)))
    throw new HeddleError('PaginationError', 'Cannot use both page & offset pagination in the same query', {});
  if (!byPage) return { start: Math.max(start ?? 0, 0), ...limitFrom(limit, limits, true) };
  const size = limitFrom(pageSize, limits, false);
  return { start: (Math.max(page ?? 1, 1) - 1) * size.limit, ...size };
}

/** What `pageInfo` tells of a page. The size that was asked for is told where everything would fit. */
export function pageInfo({ start, limit, asked }: Page, total: number) {
  const rest = Math.max(total - start, 0);
  if (asked === 'all' && rest <= limit) return { total, page: 1, pageSize: rest, pageCount: 1 };
  const fits = asked !== 'all' && total <= limit;
  const pageSize = fits ? asked : limit;
  return { total, page: Math.floor(start / limit) + 1, pageSize, pageCount: Math.ceil(total / pageSize) };
}

export type PageInfo = ReturnType<typeof pageInfo>;

/** `pageInfo` with these fields, by the keys that they are asked for under. */
export function pageInfoText(fields: readonly { key: string; field: string }[], info: PageInfo): string {
  const texts = fields.map(
    ({ key, field }) =>
      `${JSON.stringify(key)}:${field === '__typename' ? '"Pagination"' : info[field as keyof PageInfo]}`,
  );
  return `{${texts.join(',')}}`;
}
