import { gapMark } from '../../../dialects/apart';

/** What belongs into a place of a row's text: all of a list, or the first that there is. */
export interface Gap {
  readonly many: boolean;
  /** Stands there if there is none. */
  readonly missing: string;
}

/** A gap in a text, by its number, counted from 1. */
export const gapAt = (number: number): string => `${gapMark}${number}${gapMark}`;
