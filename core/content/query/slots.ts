import type { Bound } from '../store';

/** Turns a request's value into what is bound at one place of a plan; throws UnfitValue. */
export type Cast = (given: unknown) => Bound;

/** Where a slot's value comes from: the value at this place of a request's values, cast. */
export interface Binding {
  readonly source: number;
  readonly cast: Cast;
}

/** The source of a value that belongs to the shape itself. */
const nowhere = -1;

/** Hands out the slots of a plan. A request's values are taken in the order in which `shapeOf` finds them. */
export class Slots {
  readonly bindings: Binding[] = [];
  /** A value that no condition can be made of: told after all keys, forms and pages. */
  refused?: Error;
  private cursor = 0;

  /** A slot for the next of the request's values. */
  next(cast: Cast): number {
    return this.add({ source: this.cursor++, cast });
  }

  /** A slot for a value that every request of the shape has. */
  constant(value: Bound): number {
    return this.add({ source: nowhere, cast: () => value });
  }

  /** Lets work take slots for values from a certain place on, and returns to where it was. */
  from<T>(place: number, work: () => T): T {
    const before = this.cursor;
    this.cursor = place;
    const result = work();
    this.cursor = before;
    return result;
  }

  /** Goes on after values that were taken otherwise. */
  skip(count: number): void {
    this.cursor += count;
  }

  private add(binding: Binding): number {
    this.bindings.push(binding);
    return this.bindings.length - 1;
  }
}

export const asIs: Cast = (given) => given as Bound;
export const asText: Cast = (given) => String(given);
