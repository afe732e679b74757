// Marks in what is read apart from the rows that it belongs to. None of them occurs in JSON.

/** Stands between the place of the row that a text belongs to and the text. */
export const behindPlace = '\u0004';
/** Stands between texts. */
export const nextText = '\u0005';
/** Stands around the number of a gap, which such texts are put into. */
export const gapMark = '\u0006';

/**
 * How rows that others are tied to are read by the ties, and those of all rows of a page at once. Placeholders have numbers, for
 * parts of such a statement are not written in its order.
 */
export interface Apart {
  /** Joins what a select finds by each row before it, where the planner might look through all rows, and often. */
  each(select: string, alias: string): string;
  /** The texts of a select's rows in one, in this order, each with the place of the row that it belongs to. */
  texts(place: string, text: string, order: string): string;
  /** A named select of the ids that another one finds, which finds nothing else, and of their places. */
  page(name: string, ids: string): string;
}
