import { flatMapped } from './flat-mapped';

/** What a request's body may hold inside each other: more than anybody keeps, and little enough for whoever goes into it recursively. */
export const mostBodyLevels = 500;

export const isInner = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof Date);

/** The lists and objects in a value, level by level from the outside in: a value too deep for the stack is no trouble. */
export function* levelsIn(value: unknown): Generator<readonly object[]> {
  let level = [value].filter(isInner);
  while (level.length > 0) {
    yield level;
    level = flatMapped(level, (each) => Object.values(each).filter(isInner));
  }
}

/** Whether lists and objects stand inside each other on more than so many levels. */
export function isDeeperThan(value: unknown, most: number): boolean {
  let levels = 0;
  for (const _ of levelsIn(value)) {
    levels += 1;
    if (levels > most) return true;
  }
  return false;
}
