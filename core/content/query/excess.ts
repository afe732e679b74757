import { ExcessiveRequest } from '../../errors';
import { isInner, levelsIn } from '../../levels';
import type { DocumentQuery } from '../operation';

/** What the filters of one read may hold: far more than applications ask for, and no more than any database takes at once. */
const most = { levels: 100, conditions: 5_000, listed: 10_000 };
const saidOf = { levels: 'levels', conditions: 'conditions', listed: 'values in lists' };

/** Relations, components and attachments inside each other; stores take a few more. */
const deepest = 15;

/** Refuses a way that leads too far; its names are those of relations, components and attachments. */
export function refuseFar(names: readonly string[], what: 'Filters go' | 'Populate goes'): void {
  if (names.length > deepest)
    throw new ExcessiveRequest(`${what} through too many relations inside each other. The maximum is ${deepest}.`);
}

/** Whether a list under this key is looked up as one, rather than value by value. */
const isListed = (key: string): boolean => !key.startsWith('$') || ['$in', '$notIn', '$eq'].includes(key);

const isPlain = (value: unknown): boolean => !isInner(value);

function refuseBeyond(what: keyof typeof most, count: number, whose: string): void {
  if (count > most[what])
    throw new ExcessiveRequest(`${whose} too many ${saidOf[what]}. The maximum is ${most[what]}.`);
}

function* boundedLevels(given: unknown, whose: string): Generator<readonly object[]> {
  let levels = 0;
  for (const level of levelsIn(given)) {
    levels += 1;
    refuseBeyond('levels', levels, whose);
    yield level;
  }
}

/** Counts what several filters hold together, and refuses one too many before anything goes into them recursively. */
function createCount() {
  const counted = { conditions: 0, listed: 0 };
  const lists = new Set<unknown>();

  function add(each: object): void {
    const inside = Object.values(each);
    // What is empty says nothing, and is written all the same.
    const count = inside.length === 0 ? 1 : inside.filter(isPlain).length;
    counted[lists.has(each) ? 'listed' : 'conditions'] += count;
    for (const [key, value] of Object.entries(each)) if (Array.isArray(value) && isListed(key)) lists.add(value);
  }

  return (filters: unknown): void => {
    for (const level of boundedLevels(filters, 'Filters have')) {
      level.forEach(add);
      refuseBeyond('conditions', counted.conditions, 'Filters have');
      refuseBeyond('listed', counted.listed, 'Filters have');
    }
  };
}

/** Refuses what nobody should look at, whatever it means. */
export function refuseExcess({ filters, populate, shown }: DocumentQuery): void {
  const given = shown?.given ?? [];
  if (isPlain(filters) && isPlain(populate) && given.every((each) => isPlain(each.filters))) return;
  const count = createCount();
  count(filters);
  for (const level of boundedLevels(populate, 'Populate has'))
    for (const each of level) if (!Array.isArray(each)) count((each as Record<string, unknown>)['filters']);
  for (const each of given) count(each.filters);
}
