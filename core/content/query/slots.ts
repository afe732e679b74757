import type { Bound } from '../store';

/** Turns a request's value into what is bound at one place of a plan; throws UnfitValue. */
export type Cast = (given: unknown) => Bound;

/** Hands out the places of a plan's values, in the order in which `shapeOf` finds them. */
export class Slots {
  readonly casts: Cast[] = [];
  /** A value that no condition can be made of: told after all keys, forms and pages. */
  refused?: Error;

  next(cast: Cast): number {
    this.casts.push(cast);
    return this.casts.length - 1;
  }
}

export const asIs: Cast = (given) => given as Bound;
export const asText: Cast = (given) => String(given);
