import { ExcessiveRequest } from '../../errors';
import { isDeeperThan } from '../../levels';
import type { DocumentQuery } from '../operation';

/** Levels of filters: far more than applications ask for, and few enough for whoever goes into them recursively. */
const mostLevels = 100;

/** Relations, components and attachments inside each other; stores take a few more. */
const deepest = 15;

/** Refuses a way that leads too far; its names are those of relations, components and attachments. */
export function refuseFar(names: readonly string[], what: 'Filters go' | 'Populate goes'): void {
  if (names.length > deepest)
    throw new ExcessiveRequest(`${what} through too many relations inside each other. The maximum is ${deepest}.`);
}

function refuseDeep(given: unknown, whose: string): void {
  if (isDeeperThan(given, mostLevels))
    throw new ExcessiveRequest(`${whose} too many levels. The maximum is ${mostLevels}.`);
}

/** Refuses what nobody should look at, whatever it means. */
export function refuseExcess({ filters, populate, shown }: DocumentQuery): void {
  refuseDeep(filters, 'Filters have');
  refuseDeep(populate, 'Populate has');
  for (const given of shown?.given ?? []) refuseDeep(given.filters, 'Filters have');
}
