import { ExcessiveRequest } from '../../errors';
import { levelsIn } from '../../levels';
import type { DocumentQuery } from '../operation';

/** What the filters of one read may hold: far more than applications ask for, and no more than any database takes at once. */
const most = { levels: 100, conditions: 5_000, listed: 10_000 };
const saidOf = { levels: 'levels', conditions: 'conditions', listed: 'values of $in and $notIn' };

/** Relations, components and attachments inside each other; stores take a few more. */
const deepest = 15;

/** Refuses a way that leads too far; its names are those of relations, components and attachments. */
export function refuseFar(names: readonly string[], what: 'Filters go' | 'Populate goes'): void {
  if (names.length > deepest)
    throw new ExcessiveRequest(`${what} through too many relations inside each other. The maximum is ${deepest}.`);
}

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** Counts what several filters hold together, and refuses one too many before anything goes into them recursively. */
function createCount() {
  const counted = { conditions: 0, listed: 0 };
  const lists = new Set<unknown>();

  function add(each: object): void {
    const inside = Object.values(each);
    // What is empty says nothing, and is written all the same.
    const count = inside.length === 0 ? 1 : inside.filter(isPlain).length;
    counted[lists.has(each) ? 'listed' : 'conditions'] += count;
    for (const key of ['$in', '$notIn']) if (key in each) lists.add((each as Record<string, unknown>)[key]);
  }

  return (given: unknown, whose: string): void => {
    const refuseBeyond = (what: keyof typeof most, count: number): void => {
      if (count > most[what])
        throw new ExcessiveRequest(`${whose} too many ${saidOf[what]}. The maximum is ${most[what]}.`);
    };
    let levels = 0;
    for (const level of levelsIn(given)) {
      levels += 1;
      refuseBeyond('levels', levels);
      level.forEach(add);
      refuseBeyond('conditions', counted.conditions);
      refuseBeyond('listed', counted.listed);
    }
  };
}

/** Refuses what nobody should look at, whatever it means. */
export function refuseExcess({ filters, populate, shown }: DocumentQuery): void {
  if (isPlain(filters) && isPlain(populate) && !shown) return;
  const count = createCount();
  count(filters, 'Filters have');
  count(populate, 'Populate has');
  for (const given of shown?.given ?? []) count(given.filters, 'Filters have');
}
