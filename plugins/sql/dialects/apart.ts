// Marks in what is read apart from the rows that it belongs to. None of them occurs in JSON.

/** Stands between the place of the row that a text belongs to and the text. */
export const behindPlace = '\u0004';
/** Stands between texts. */
export const nextText = '\u0005';
/** Stands around the number of a gap, which such texts are put into. */
export const gapMark = '\u0006';

/**
 * How one select for all rows of a page is spelt, in the place of one for each; where placeholders have numbers, for parts of the
 * statement are not written in its order.
 */
export interface Apart {
  /** The texts of a select's rows in one, in this order, each with the place of the row that it belongs to. */
  texts(place: string, text: string, order: string): string;
  /** Joins what a select finds by each row before it, where the planner might look through all rows, and often. */
  each(select: string, alias: string): string;
  /** The ids that a select finds, as a named select of ids and their places. */
  page(name: string, select: string): string;
}
